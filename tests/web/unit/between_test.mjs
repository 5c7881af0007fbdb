// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { betweenRecordings } from '../../../web/src/graph/between';

test('pieces between recordings that follow each other are one stretch', () => {
  const piece = (begin, between) => ({ clip: 'a', begin, between });
  assert.deepEqual(betweenRecordings([piece(0, false), piece(10, true), piece(14, true), piece(20, false)], 50), [
    { name: 'between recordings', begin: 10, end: 20 },
  ]);
  assert.deepEqual(betweenRecordings([piece(0, true), piece(5, false), piece(40, true)], 50), [
    { name: 'between recordings', begin: 0, end: 5 },
    { name: 'between recordings', begin: 40, end: 50 },
  ]);
  assert.deepEqual(betweenRecordings([], 50), []);
});
