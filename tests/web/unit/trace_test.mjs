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

test('times are those of the scene, and the last wish holds until now', () => {
  clock.now = 5000;
  const trace = new Trace();
  trace.add({ scene: 1, time: 0, ...stand });
  clock.now = 6270;
  trace.add({ scene: 1, time: 1.25, ...walk });
  clock.now = 8020;
  assert.deepEqual(rows(trace), ['0.0000,0.000,0.000,0.000,0', '1.2500,0.000,1.400,0.000,0', '3.0000,0.000,1.400,0.000,0']);
  assert.equal(trace.seconds, 3);
});

test('times ascend strictly: the end is later than the last wish', () => {
  clock.now = 0;
  const trace = new Trace();
  trace.add({ scene: 1, time: 0, ...stand });
  trace.add({ scene: 1, time: 0.5 / 240, ...jump });
  assert.deepEqual(rows(trace), ['0.0000,0.000,0.000,0.000,0', '0.0021,0.000,1.400,0.000,1', '0.0031,0.000,1.400,0.000,1']);
});

test('a trace that began in the middle of a scene counts its own seconds', () => {
  clock.now = 0;
  const trace = new Trace();
  trace.add({ scene: 1, time: 60, ...stand });
  clock.now = 2000;
  assert.equal(trace.seconds, 2);
  assert.equal(rows(trace).at(-1), '62.0000,0.000,0.000,0.000,0');
});

test('what is worth keeping has more than standing in it, and lasts five seconds', () => {
  clock.now = 0;
  const trace = new Trace();
  trace.add({ scene: 1, time: 0, ...stand });
  clock.now = 4000;
  trace.add({ scene: 1, time: 4, ...walk });
  assert.equal(trace.isWorthKeeping, false);
  trace.add({ scene: 1, time: 4.05, ...jump });
  clock.now = 4100;
  trace.add({ scene: 1, time: 4.1, ...walk });
  assert.equal(trace.isWorthKeeping, false);
  clock.now = 5000;
  assert.equal(trace.isWorthKeeping, true);
});
