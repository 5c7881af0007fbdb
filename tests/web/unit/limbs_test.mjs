// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';
import { limbsOf } from '../../../web/src/packed/limbs';

const joints = [
  { name: 'Hips', parent: -1, offset: [0, 1, 0] },
  { name: 'Spine', parent: 0, offset: [0, 0.12, 0] },
  { name: 'Head', parent: 1, offset: [0, 0.4, 0] },
  { name: 'LeftUpLeg', parent: 0, offset: [0.1, -0.05, 0] },
  { name: 'LeftLeg', parent: 3, offset: [0, -0.45, 0] },
  { name: 'RightUpLeg', parent: 0, offset: [-0.1, -0.05, 0] },
  { name: 'RightLeg', parent: 5, offset: [0, -0.45, 0] },
  { name: 'Twin', parent: 6, offset: [0, 0, 0] }, // a bone without a length
];

// How far a point is from the stretch between two others.
function away(p, a, b) {
  const along = b.map((v, i) => v - a[i]),
    length = along.reduce((sum, v) => sum + v * v, 0);
  const share = length ? Math.max(0, Math.min(1, along.reduce((sum, v, i) => sum + v * (p[i] - a[i]), 0) / length)) : 0;
  return Math.hypot(...p.map((v, i) => v - a[i] - share * along[i]));
}

test('every vertex is near a bone, on the joint that carries it', () => {
  for (const coarse of [false, true]) {
    const body = limbsOf(joints, coarse),
      at = [];
    joints.forEach(({ parent, offset }, j) => {
      at[j] = parent < 0 ? offset : offset.map((v, i) => v + at[parent][i]);
    });
    assert.ok(body.positions.length > 0);
    for (let v = 0; v < body.positions.length / 3; ++v) {
      const p = [...body.positions.subarray(3 * v, 3 * v + 3)],
        carrier = body.carriers[4 * v];
      const ends = joints.flatMap(({ parent }, j) => (parent === carrier ? [at[j]] : []));
      const least = Math.min(...[at[carrier], ...ends].map(end => away(p, at[carrier], end)));
      assert.ok(least < 0.25, `vertex ${v} of ${joints[carrier].name} is ${least} m away`);
      assert.ok(Math.abs(Math.hypot(...body.normals.subarray(3 * v, 3 * v + 3)) - 1) < 1e-5);
      assert.equal(body.weights[4 * v], 1);
    }
    assert.ok(body.triangles.every(corner => corner < body.positions.length / 3));
  }
});

test('surfaces look outwards', () => {
  const body = limbsOf(joints),
    corner = i => [...body.positions.subarray(3 * i, 3 * i + 3)];
  let inward = 0;
  for (let t = 0; t < body.triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map(k => corner(body.triangles[t + k]));
    const u = b.map((v, i) => v - a[i]),
      w = c.map((v, i) => v - a[i]);
    const facing = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
    const normal = body.normals.subarray(3 * body.triangles[t], 3 * body.triangles[t] + 3);
    if (facing[0] * normal[0] + facing[1] * normal[1] + facing[2] * normal[2] < -1e-9) ++inward;
  }
  assert.equal(inward, 0);
});

test('left and right are told by name', () => {
  assert.deepEqual(limbsOf(joints).sides, [0, 0, 0, 1, 1, 2, 2, 0]);
  const named = ['upper_arm.L', 'upper_arm.R', 'l_knee', 'Spine'].map((name, j) => ({ name, parent: j - 1, offset: [0, 0.1, 0] }));
  assert.deepEqual(limbsOf(named).sides, [1, 2, 1, 0]);
});
