// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gotBack, shifted, thrownOut, transitionOf, withEnd } from '../../../web/src/machine/warps';

const bounds = { from: [0, 2], to: [1, 3] };
const warp = {
  knots: [
    [0.5, 1.5],
    [0.75, 1.75],
    [1, 2],
  ],
  pinned: false,
  out: false,
};

test('an end is put elsewhere, the rest keeps its share, and it is pinned', () => {
  assert.deepEqual(withEnd(warp, true, [1.5, 2.5], bounds), {
    knots: [
      [0.5, 1.5],
      [1, 2],
      [1.5, 2.5],
    ],
    pinned: true,
    out: false,
  });
  assert.deepEqual(withEnd(warp, false, [0, 1], bounds).knots[1], [0.5, 1.5]);
});

test('it stays within the motions, and time goes forward', () => {
  assert.deepEqual(withEnd(warp, true, [9, 9], bounds).knots[2], [2, 3]);
  const short = withEnd(warp, true, [0, 0], bounds).knots;
  assert.ok(short[2][0] > short[1][0] && short[1][0] > short[0][0] && short[2][1] > short[0][1]);
});

test('all of it is moved as far as there is room', () => {
  assert.deepEqual(shifted(warp, [0.25, -0.25], bounds).knots[0], [0.75, 1.25]);
  assert.deepEqual(shifted(warp, [9, -9], bounds).knots, [
    [1.5, 1],
    [1.75, 1.25],
    [2, 1.5],
  ]);
});

test('what is thrown out is got back, and a warp finds its transition', () => {
  assert.deepEqual([thrownOut(warp).out, gotBack(thrownOut(warp)).out, gotBack(warp).pinned], [true, false, true]);
  const found = [{ knots: [[0.1, 0.2]] }, { knots: [[0.5, 1.5]] }];
  assert.equal(transitionOf(warp, found), 1);
  assert.equal(transitionOf(thrownOut(warp), found), -1);
});
