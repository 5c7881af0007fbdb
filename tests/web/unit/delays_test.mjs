// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Delays } from '../../../web/src/play/delays';

test('a delay goes from the key to the first picture that answers it', () => {
  const delays = new Delays();
  delays.asked(7, 1000);
  assert.equal(delays.drawn(6, 1016), false);
  assert.equal(delays.drawn(7, 1033), true);
  assert.equal(delays.drawn(7, 1050), false, 'it is counted once');
  assert.deepEqual(delays.all, [33]);
});

test('one picture may answer several wishes', () => {
  const delays = new Delays();
  delays.asked(1, 0);
  delays.asked(2, 10);
  delays.asked(4, 20);
  assert.equal(delays.drawn(3, 40), true);
  assert.deepEqual(delays.all, [40, 30]);
});

test('a wish that changed nothing for a second is not counted', () => {
  const delays = new Delays();
  delays.asked(1, 0);
  assert.equal(delays.drawn(1, 1000), false);
  assert.deepEqual(delays.all, []);
  assert.equal(delays.text(), '');
});

test('the text tells the last, the median and what 95 of 100 stay under', () => {
  const delays = new Delays();
  for (let i = 1; i <= 100; ++i) {
    delays.asked(i, 0);
    delays.drawn(i, i);
  }
  assert.equal(delays.text(), 'key to changed pose 100 ms; median 51, 95 % under 96');
});
