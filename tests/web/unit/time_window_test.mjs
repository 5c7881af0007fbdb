// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';
import { pan, snapped, whole, zoom } from '../../../web/src/time_window';

test('what is pointed at stays where it is while zooming, and nothing beyond the clip is seen', () => {
  const last = 300;
  let seen = whole(last);
  seen = zoom(seen, 0.5, 100, last);
  assert.ok(Math.abs((100 - seen[0]) / (seen[1] - seen[0]) - 1 / 3) < 1e-9);
  assert.equal(seen[1] - seen[0], 150);
  for (const at of [0, 40, 300]) {
    let window = whole(last);
    for (const by of [0.3, 0.1, 0.01, 4, 3, 90]) {
      window = zoom(window, by, at, last);
      assert.ok(window[0] >= 0 && window[1] <= last + 1e-9 && window[1] - window[0] >= 6, `${window}`);
    }
    assert.deepEqual(window, [0, last]);
  }
});

test('moving along ends at the ends', () => {
  assert.deepEqual(pan([10, 30], -100, 300), [0, 20]);
  assert.deepEqual(pan([10, 30], 1000, 300), [280, 300]);
  assert.deepEqual(pan([10, 30], 5, 300), [15, 35]);
  assert.deepEqual(zoom([0, 2], 0.1, 1, 2), [0, 2], 'a clip of three frames is seen whole');
});

test('a drag goes to the nearest of what is near, and to nothing that is not', () => {
  assert.equal(snapped(52, [0, 50, 53, 90], 3), 53);
  assert.equal(snapped(70, [0, 50, 53, 90], 3), 70);
  assert.equal(snapped(1.4, [], 3), 1.4);
});
