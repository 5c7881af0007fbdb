// SPDX-License-Identifier: MIT
// A line drawn on the floor: a flat ribbon, so that it is seen from afar, with an arrow at its end.
import * as THREE from 'three';

const kWidth = 0.07,
  kHeight = 0.012; // metres

export class FloorLine {
  readonly object = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshBasicMaterial({ color: 0xd6336c, side: THREE.DoubleSide }));

  constructor() {
    this.object.frustumCulled = false;
  }

  show(points: THREE.Vector3[]): void {
    const corners: number[] = [];
    const side = (i: number) => {
      const way = points[Math.min(i + 1, points.length - 1)]
        .clone()
        .sub(points[Math.max(i - 1, 0)])
        .setY(0)
        .normalize();
      return new THREE.Vector3(way.z, 0, -way.x);
    };
    const put = (...all: THREE.Vector3[]) => all.forEach(p => corners.push(p.x, kHeight, p.z));
    for (let i = 1; i < points.length; ++i) {
      const [a, b] = [i - 1, i].map(k => ({ at: points[k], aside: side(k).multiplyScalar(kWidth / 2) }));
      const [p, q, r, s] = [a.at.clone().add(a.aside), a.at.clone().sub(a.aside), b.at.clone().add(b.aside), b.at.clone().sub(b.aside)];
      put(p, q, r, r, q, s);
    }
    if (points.length > 1) {
      const end = points[points.length - 1],
        aside = side(points.length - 1),
        ahead = new THREE.Vector3(-aside.z, 0, aside.x);
      put(end.clone().addScaledVector(aside, 0.12), end.clone().addScaledVector(aside, -0.12), end.clone().addScaledVector(ahead, 0.24));
    }
    this.object.geometry.dispose();
    this.object.geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute(corners, 3));
  }
}

// The points of a path without those that lie within `most` metres of the line through the others (Douglas and Peucker).
export function simplified(points: THREE.Vector3[], most: number): THREE.Vector3[] {
  if (points.length < 3) return points;
  const first = points[0],
    last = points[points.length - 1],
    line = new THREE.Line3(first, last),
    nearest = new THREE.Vector3();
  let furthest = 0,
    at = 0;
  for (let i = 1; i + 1 < points.length; ++i) {
    const away = line.closestPointToPoint(points[i], true, nearest).distanceTo(points[i]);
    if (away > furthest) [furthest, at] = [away, i];
  }
  if (furthest <= most) return [first, last];
  return [...simplified(points.slice(0, at + 1), most).slice(0, -1), ...simplified(points.slice(at), most)];
}
