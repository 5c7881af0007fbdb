// SPDX-License-Identifier: MIT
// Ways that are wanted, and ways that were gone: x, y, z a point.
import * as THREE from 'three';
import { PastPose } from './history';

export const kAhead = 1; // seconds of them that are drawn where one goes back in time
const kAbove = 0.025; // metres over the floor

// Where somebody goes who is asked for that, for a second, seen from where they stand: x, z and heading.
export function wantedWay([x, z, heading]: number[], wish: { left: number; forward: number; turn: number } | null): number[] {
  const way = [x, kAbove, z],
    steps = 12,
    dt = kAhead / steps;
  for (let i = 0; i < steps && wish; ++i) {
    heading += wish.turn * dt;
    x += (Math.sin(heading) * wish.forward + Math.cos(heading) * wish.left) * dt;
    z += (Math.cos(heading) * wish.forward - Math.sin(heading) * wish.left) * dt;
    way.push(x, kAbove, z);
  }
  return way;
}

// The same of whoever is asked for so much of each parameter of a walk, in metres and degrees a second.
export function walkedWay(pose: PastPose | undefined, parameters: { name: string }[], values: number[]): number[] {
  const of = (name: string) => values[parameters.findIndex(one => one.name === name)] ?? 0;
  if (!pose || !parameters.some(({ name }) => name === 'forward')) return [];
  const wish = { forward: of('forward'), left: of('side'), turn: (of('turn') * Math.PI) / 180 };
  return wantedWay([pose.root[0], pose.root[2], headingOf(pose.rotations)], wish);
}

// A way over the floor, of x and z a point.
export function onFloor(points: ArrayLike<number>[]): number[] {
  return points.flatMap(point => [point[0], kAbove, point[1]]);
}

// Where the root is above the floor, of x, y, z a frame.
export function floorWay(roots: ArrayLike<number>): number[] {
  return Array.from(roots, (value, i) => (i % 3 === 1 ? kAbove : value));
}

// How far a place is from a way, metres; on the floor alone, or in space. Of a way without points: none.
export function offWay(way: number[], [x, y, z]: number[], inSpace: boolean): number | null {
  const at = (i: number) => new THREE.Vector3(way[3 * i], inSpace ? way[3 * i + 1] : 0, way[3 * i + 2]),
    place = new THREE.Vector3(x, inSpace ? y : 0, z),
    nearest = new THREE.Vector3(),
    count = way.length / 3;
  if (count === 0) return null;
  let least = at(0).distanceTo(place);
  for (let i = 1; i < count; ++i)
    least = Math.min(least, new THREE.Line3(at(i - 1), at(i)).closestPointToPoint(place, true, nearest).distanceTo(place));
  return least;
}

// Which way a root faces that is turned so (w, x, y, z).
export function headingOf([w, x, y, z]: ArrayLike<number> & Iterable<number>): number {
  return Math.atan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y));
}
