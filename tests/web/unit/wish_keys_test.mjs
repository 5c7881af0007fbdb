// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wishKeys } from '../../../web/src/machine/wish_keys';

test('each behavior has a key of its own, a letter of its name where there is one left', () => {
  assert.deepEqual(wishKeys(['walk', 'run', 'walk-left', 'idle']), ['w', 'r', 'a', 'i']);
  assert.deepEqual(wishKeys(['a', 'a-a', '7']), ['a', 'q', 'w']);
  const many = wishKeys(Array.from({ length: 40 }, (_, i) => `state ${i}`));
  assert.equal(new Set(many.filter(Boolean)).size, 26);
});
