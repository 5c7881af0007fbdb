// SPDX-License-Identifier: MIT
// What the page Pick asks, and the command that asks the same.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandLine } from '../../../web/src/command_words';
import { asked, kRequirements, selectWords } from '../../../web/src/pick/selection';

test('what is asked is one of four, and a number of frames where frames count', () => {
  assert.equal(kRequirements.length, 4);
  assert.deepEqual(asked('1', '40'), { requirement: 1, within: 40 });
  assert.deepEqual(asked('3', '12.4'), { requirement: 3, within: 12 });
  for (const within of ['', '0', '-3', 'x', '10001']) {
    assert.equal(asked('1', within), null, within);
    assert.deepEqual(asked('2', within), { requirement: 2, within: 40 }, 'as soon as can be: whatever stands in the field');
  }
  for (const requirement of ['0', '5', '', 'x', '1.5']) assert.equal(asked(requirement, '40'), null, requirement);
});

test('the command names key motions, what was picked, and what is asked', () => {
  const line = (...rest) => commandLine(...selectWords(...rest));
  assert.equal(
    line('main', 'game', ['walk:20-60', 'a b:1-2'], [], { requirement: 1, within: 25 }),
    "loom graph select LIBRARY main --name game --key walk:20-60 --key 'a b:1-2' --within 25",
  );
  assert.equal(
    line('main', 'game', ['walk:20-60'], ['run:3-9', '-x:0-4'], { requirement: 3, within: 40 }),
    'loom graph select LIBRARY main --name game --key walk:20-60 --keep run:3-9 --keep=-x:0-4 --requirement 3 --within 40',
  );
  assert.equal(
    line('-m', '-g', ['walk:20-60'], [], { requirement: 2, within: 40 }),
    'loom graph select LIBRARY --name=-g --key walk:20-60 --requirement 2 -- -m',
  );
});
