// SPDX-License-Identifier: MIT
// A body for a skeleton of which nothing is known but its bones: a capsule a bone, as a wooden figure has.
import { Body } from '../motion';
import { Joint } from '../routes';

type Vector = [number, number, number];

const kFine = { around: 8, rings: 3 }; // corners of a ring, rings of each end
const kCoarse = { around: 5, rings: 1 };
const kShortest = 0.01; // metres: shorter bones have no limb of their own
const kTrunk = 0.1; // metres
const kRadii: [RegExp, number][] = [
  [/thumb|index|middle|ring|pinky|finger|eye|jaw/i, 0.009],
  [/toe|hand|wrist/i, 0.035],
  [/foot|ankle/i, 0.042],
  [/forearm|lowerarm|elbow/i, 0.037],
  [/arm|shoulder|clavicle|collar/i, 0.042],
  [/upleg|thigh|upperleg|hip_|hip$/i, 0.066],
  [/leg|shin|calf|knee/i, 0.05],
  [/neck/i, 0.05],
  [/spine|back|chest|torso|hips|hipjoint|pelvis|root|abdomen/i, kTrunk],
];
const kRadius = 0.045; // metres, of bones with other names
const kHead = 0.1; // metres

const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const scaled = (a: Vector, s: number): Vector => [a[0] * s, a[1] * s, a[2] * s];
const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = (a: Vector) => Math.hypot(...a);

function sideOf(name: string): number {
  if (/left|^l[_. ]|[_. ]l$|[_.]l[_.]/i.test(name)) return 1;
  return /right|^r[_. ]|[_. ]r$|[_.]r[_.]/i.test(name) ? 2 : 0;
}

const radiusOf = (name: string) => kRadii.find(([pattern]) => pattern.test(name))?.[1] ?? kRadius;

class Surface {
  readonly positions: number[] = [];
  readonly normals: number[] = [];
  readonly carriers: number[] = [];
  readonly triangles: number[] = [];

  constructor(private readonly detail: { around: number; rings: number }) {}

  // A capsule from `a` to `b` that goes along with a joint.
  capsule(a: Vector, b: Vector, radius: number, joint: number): void {
    const along = add(b, scaled(a, -1)),
      far = length(along);
    const axis: Vector = far > 0 ? scaled(along, 1 / far) : [0, 1, 0];
    let side = cross(axis, Math.abs(axis[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0]);
    side = scaled(side, 1 / length(side));
    const other = cross(axis, side),
      first = this.positions.length / 3,
      { around, rings: half } = this.detail,
      rings = 2 * half + 2;
    for (let ring = 0; ring < rings; ++ring) {
      const end = ring <= half ? a : b; // the first half of the rings rounds one end, the rest the other
      const angle = ((ring <= half ? ring - half : ring - half - 1) / half) * (Math.PI / 2);
      for (let k = 0; k < around; ++k) {
        const turn = (2 * Math.PI * k) / around;
        const out = add(scaled(side, Math.cos(turn)), scaled(other, Math.sin(turn)));
        const normal = add(scaled(out, Math.cos(angle)), scaled(axis, Math.sin(angle)));
        this.positions.push(...add(end, scaled(normal, radius)));
        this.normals.push(...normal);
        this.carriers.push(joint, joint, joint, joint);
      }
    }
    for (let ring = 0; ring + 1 < rings; ++ring) {
      for (let k = 0; k < around; ++k) {
        const p = first + ring * around + k,
          q = first + ring * around + ((k + 1) % around);
        this.triangles.push(p, q, p + around, q, q + around, p + around);
      }
    }
  }
}

// `joints` as they hang at rest, none of them turned; a coarse body has a quarter of the triangles.
export function limbsOf(joints: Joint[], coarse = false): Body {
  const surface = new Surface(coarse ? kCoarse : kFine),
    at: Vector[] = [];
  joints.forEach(({ parent, offset }, j) => {
    at[j] = parent < 0 ? [...offset] : add(at[parent], offset);
    if (parent < 0) return;
    const far = length(offset);
    if (far < kShortest) return;
    const thick = radiusOf(joints[parent].name);
    const radius = thick === kTrunk ? thick : Math.min(thick, 0.45 * far + 0.01); // a spine has many short bones
    surface.capsule(at[parent], at[j], radius, parent);
  });
  joints.forEach(({ name, offset }, j) => {
    if (joints.some(({ parent }) => parent === j) && !/head$/i.test(name)) return;
    if (/head/i.test(name)) {
      surface.capsule(add(at[j], [0, 0.06, 0.01]), add(at[j], [0, 0.13, 0.02]), kHead, j);
    } else if (length(offset) >= kShortest && joints[j].parent >= 0) {
      const on = scaled(offset, Math.min(1, 0.09 / length(offset)) * (/hand|wrist/i.test(name) ? 1 : 0.4));
      surface.capsule(at[j], add(at[j], on), radiusOf(name) * 0.9, j);
    }
  });
  const vertices = surface.positions.length / 3,
    weights = new Float32Array(4 * vertices);
  for (let v = 0; v < vertices; ++v) weights[4 * v] = 1;
  return {
    joints,
    endSites: [],
    sides: joints.map(({ name }) => sideOf(name)),
    positions: Float32Array.from(surface.positions),
    normals: Float32Array.from(surface.normals),
    carriers: Uint16Array.from(surface.carriers),
    weights,
    triangles: Uint32Array.from(surface.triangles),
  };
}
