// SPDX-License-Identifier: MIT
// One joint over time: how high it is, how fast, how far it is turned.
import type { Body, Motion } from '../motion';
import type { Curve } from '../timeline';

export type Quantity = 'height' | 'speed' | 'turn';
export const kQuantities: [Quantity, string, string][] = [
  ['height', 'height', 'm'],
  ['speed', 'speed', 'm/s'],
  ['turn', 'turned from rest', '°'],
];

type Turn = [number, number, number, number]; // w, x, y, z
const product = (a: Turn, b: Turn): Turn => [
  a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
  a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
  a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
  a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
];
const turned = (q: Turn, v: number[]): number[] => {
  const [w, x, y, z] = q;
  const tx = 2 * (y * v[2] - z * v[1]),
    ty = 2 * (z * v[0] - x * v[2]),
    tz = 2 * (x * v[1] - y * v[0]);
  return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx];
};

// Where a joint is in a frame: down the chain that leads to it.
function placeOf(motion: Motion, body: Body, chain: number[], frame: number): number[] {
  const rotation = (joint: number): Turn => {
    const at = 4 * (motion.joints * frame + joint);
    return [motion.rotations[at], motion.rotations[at + 1], motion.rotations[at + 2], motion.rotations[at + 3]];
  };
  let place = Array.from(motion.roots.subarray(3 * frame, 3 * frame + 3)),
    turn = rotation(chain[0]);
  for (const joint of chain.slice(1)) {
    const offset = turned(turn, body.joints[joint].offset);
    place = place.map((value, i) => value + offset[i]);
    turn = product(turn, rotation(joint));
  }
  return place;
}

export function jointCurve(motion: Motion, body: Body, joint: number, quantity: Quantity): Curve {
  const [, name, unit] = kQuantities.find(([key]) => key === quantity)!,
    values = new Float32Array(motion.frames),
    chain: number[] = [];
  for (let j = joint; j >= 0; j = body.joints[j].parent) chain.unshift(j);
  if (quantity === 'turn') {
    for (let f = 0; f < motion.frames; ++f) {
      const w = Math.abs(motion.rotations[4 * (motion.joints * f + joint)]);
      values[f] = (2 * Math.acos(Math.min(1, w)) * 180) / Math.PI;
    }
  } else {
    const places = Array.from({ length: motion.frames }, (_, f) => placeOf(motion, body, chain, f));
    for (let f = 0; f < motion.frames; ++f) {
      if (quantity === 'height') {
        values[f] = places[f][1] - motion.floorAt(places[f][0], places[f][2]);
        continue;
      }
      const a = Math.max(0, f - 1),
        b = Math.min(motion.frames - 1, f + 1);
      const way = Math.hypot(...places[b].map((value, i) => value - places[a][i]));
      values[f] = b > a ? (way * motion.rate) / (b - a) : 0;
    }
  }
  return { name: `${body.joints[joint].name} ${name}`, unit, values };
}
