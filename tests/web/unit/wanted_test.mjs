// SPDX-License-Identifier: MIT
// Targets of joints as the command reads them, and what a frame of a blend scene tells.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { triangles } from '../../../web/src/blend/hand_mesh';
import { leftText, readBlendValues, targetText } from '../../../web/src/blend/wanted';

const wanted = {
  joint: 'RightHand',
  kind: 'place',
  point: [0.3, 1.23456, -0.00001],
  direction: [0, 1, 0],
  turn: [0, 90, 0],
  axes: 'xyz',
  stroke: 1,
  priority: 1,
  norm: 0,
};

test('a place, a line and a turn are worded as the command takes them', () => {
  assert.equal(targetText(wanted), 'RightHand=0.3,1.235,0@stroke');
  assert.equal(targetText({ ...wanted, kind: 'line' }), 'RightHand=line:0.3,1.235,0:0,1,0@stroke');
  assert.equal(targetText({ ...wanted, kind: 'turn' }), 'RightHand=turn:0,90,0@stroke');
  assert.equal(targetText({ ...wanted, kind: 'turn', axes: 'xz' }), 'RightHand=turn:0,90,0:xz@stroke');
});

test('which stroke, priority and norm are said where they are not the usual', () => {
  assert.equal(targetText({ ...wanted, stroke: 2, priority: 0.25, norm: 3 }), 'RightHand=0.3,1.235,0@stroke2,c=0.25,n=3');
  assert.equal(targetText({ ...wanted, priority: 0 }), 'RightHand=0.3,1.235,0@stroke,c=0');
});

test('what is left is told in centimetres, of turns in degrees', () => {
  assert.equal(leftText(wanted, 0.0123), '1.2 cm');
  assert.equal(leftText({ ...wanted, kind: 'turn' }, Math.PI / 2), '90.0°');
});

test('a frame is read with and without constraints and a mesh', () => {
  const plain = [1, 2, 3, 4, 5, 6, 0.5, 0.25, 0.75, 7, 8, 9];
  const bare = readBlendValues(Float32Array.from([...plain, 0, 0]), 3);
  assert.deepEqual(
    [bare.target, bare.reached, bare.hand],
    [
      [1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
    ],
  );
  assert.deepEqual([bare.error, bare.outside, bare.left, bare.mesh], [0.5, 0.25, [], null]);
  const mesh = Array.from({ length: 2 * 3 * 4 }, (_, i) => i);
  const full = readBlendValues(Float32Array.from([...plain, 2, 0.5, 0.125, 3, 2, ...mesh]), 3);
  assert.deepEqual(full.left, [0.5, 0.125]);
  assert.deepEqual([full.mesh.columns, full.mesh.rows, Array.from(full.mesh.points)], [3, 2, mesh]);
});

test('the triangles of a mesh use every point, and as many as there are between rows', () => {
  const corners = triangles(3, 2);
  assert.equal(corners.length, 3 * 4);
  assert.deepEqual([...new Set(corners)].sort(), [0, 1, 2, 3, 4, 5]);
});
