// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { added, stillThere, stretchAt, totalSeconds } from '../../../web/src/pick/stretches';

const one = (clip, begin, end) => ({ clip, begin, end });

test('stretches of a clip that touch become one, those of others stay', () => {
  const list = [one('a', 0, 1), one('b', 0, 5), one('a', 2, 3)];
  assert.deepEqual(added(list, one('a', 4, 5)), [...list, one('a', 4, 5)]);
  assert.deepEqual(added(list, one('a', 0.5, 1.5)), [one('b', 0, 5), one('a', 2, 3), one('a', 0, 1.5)]);
  assert.deepEqual(added(list, one('a', 1, 2)), [one('b', 0, 5), one('a', 0, 3)]);
  // What grows reaches one that came before it in the list.
  assert.deepEqual(added([one('a', 0, 4), one('a', 5, 9)], one('a', 4, 6)), [one('a', 0, 9)]);
});

test('the time they take in all is never more than what they cover', () => {
  let list = [];
  for (const [begin, end] of [
    [5, 6],
    [0, 2],
    [1, 5.5],
    [7, 8],
  ])
    list = added(list, one('a', begin, end));
  assert.equal(totalSeconds(list), 7);
});

test('a press finds the stretch under it', () => {
  const list = [one('a', 0, 1), one('b', 0, 5)];
  assert.equal(stretchAt(list, 'b', 3), list[1]);
  assert.equal(stretchAt(list, 'a', 3), undefined);
});

test('what the library has lost is no longer picked', () => {
  const list = [one('a', 0, 1), one('b', 0, 5), one('c', 4, 5)];
  assert.deepEqual(stillThere(list, new Map([['b', 2], ['c', 3]])), [one('b', 0, 2)]); // prettier-ignore
});
