// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { Controls } from '../../../web/src/play/controls';
import { stoppedClock } from './clock.mjs';

const clock = stoppedClock();
let pads = [];
Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { getGamepads: () => pads } });
beforeEach(() => {
  clock.now = 0;
  pads = [];
});

const key = (code, more = {}) => ({ code, target: { tagName: 'BODY' }, preventDefault() {}, ...more });
const press = (controls, code, more) => controls.key(key(code, more), true);
const release = (controls, code) => controls.key(key(code), false);

test('keys become a velocity and a turn as the character sees them', () => {
  const controls = new Controls();
  assert.deepEqual(controls.wish(), { left: 0, forward: 0, turn: 0, jump: false });
  press(controls, 'KeyW');
  assert.equal(controls.wish().forward, 1.4);
  press(controls, 'ShiftLeft');
  assert.equal(controls.wish().forward, 3);
  press(controls, 'KeyA');
  assert.ok(controls.wish().turn > 0, 'left is positive');
  press(controls, 'KeyD');
  assert.equal(controls.wish().turn, 0, 'both ways is neither');
  press(controls, 'KeyE');
  assert.ok(controls.wish().left < 0);
  controls.letGo();
  assert.deepEqual(controls.wish(), { left: 0, forward: 0, turn: 0, jump: false });
});

test('a tap of the jump key counts as held for 200 ms', () => {
  const controls = new Controls();
  clock.now = 1000;
  press(controls, 'Space');
  release(controls, 'Space');
  assert.equal(controls.wish().jump, true);
  clock.now = 1199;
  assert.equal(controls.wish().jump, true);
  clock.now = 1200;
  assert.equal(controls.wish().jump, false);
});

test('a key that is held jumps as long, and its repeats are no taps', () => {
  const controls = new Controls();
  press(controls, 'Space');
  clock.now = 900;
  press(controls, 'Space', { repeat: true });
  assert.equal(controls.wish().jump, true);
  release(controls, 'Space');
  assert.equal(controls.wish().jump, false);
});

test('keys of others are left alone', () => {
  const controls = new Controls();
  assert.equal(press(controls, 'KeyX'), false);
  assert.equal(press(controls, 'KeyW', { ctrlKey: true }), false);
  assert.equal(press(controls, 'KeyW', { target: { tagName: 'INPUT', type: 'text' } }), false);
  assert.equal(press(controls, 'KeyW', { target: { tagName: 'INPUT', type: 'range' } }), true);
});

test('a gamepad that is touched comes before sticks, sticks before keys', () => {
  const controls = new Controls();
  let stick = null;
  controls.sticks = () => stick;
  press(controls, 'KeyW');
  pads = [null, { axes: [0.1, -0.1, 0.05], buttons: [{ pressed: false }] }];
  assert.equal(controls.wish().forward, 1.4, 'near its middle a stick counts as let go');
  stick = { left: 0, forward: 0.5, turn: 0, jump: false };
  assert.equal(controls.wish().forward, 0.5);
  pads = [{ axes: [0, -1, 0], buttons: [{ pressed: true }] }];
  const wish = controls.wish();
  assert.equal(wish.forward, 3);
  assert.equal(wish.jump, true);
});
