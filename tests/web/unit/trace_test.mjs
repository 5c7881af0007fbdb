// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Trace } from '../../../web/src/play/trace';
import { stoppedClock } from './clock.mjs';

const clock = stoppedClock();
const stand = { left: 0, forward: 0, turn: 0, jump: false },
  walk = { left: 0, forward: 1.4, turn: 0, jump: false };
const jump = { ...walk, jump: true };
const rows = trace => trace.csv().trim().split('\n').slice(2);

test('an empty trace is a header alone', () => {
  const trace = new Trace();
  assert.equal(trace.csv(), '# name: studio\ntime,left,forward,turn,airborne\n\n');
  assert.equal(trace.seconds, 0);
  assert.equal(trace.isWorthKeeping, false);
});

test('time begins with the first wish, and the last one holds until now', () => {
  clock.now = 5000;
  const trace = new Trace();
  trace.add(stand);
  clock.now = 6250;
  trace.add(walk);
  clock.now = 8000;
  assert.deepEqual(rows(trace), ['0.000,0.000,0.000,0.000,0', '1.250,0.000,1.400,0.000,0', '3.000,0.000,1.400,0.000,0']);
  assert.equal(trace.seconds, 3);
});

test('a wish that is the same as before is no new line', () => {
  clock.now = 0;
  const trace = new Trace();
  for (clock.now = 0; clock.now < 1000; clock.now += 100) trace.add(walk);
  assert.equal(rows(trace).length, 2);
});

test('times ascend strictly: of two wishes at once the later counts', () => {
  clock.now = 0;
  const trace = new Trace();
  trace.add(stand);
  clock.now = 100.2;
  trace.add(walk);
  clock.now = 100.4;
  trace.add(jump);
  assert.deepEqual(rows(trace), ['0.000,0.000,0.000,0.000,0', '0.100,0.000,1.400,0.000,1', '0.101,0.000,1.400,0.000,1']);
});

test('what is worth keeping has more than standing in it, and lasts five seconds', () => {
  clock.now = 0;
  const trace = new Trace();
  trace.add(stand);
  clock.now = 4000;
  trace.add(walk);
  assert.equal(trace.isWorthKeeping, false);
  trace.add(jump);
  clock.now = 4100;
  trace.add(walk);
  assert.equal(trace.isWorthKeeping, false);
  clock.now = 5000;
  assert.equal(trace.isWorthKeeping, true);
});
