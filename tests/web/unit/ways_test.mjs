// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { floorWay, headingOf, offWay, wantedWay, walkedWay } from '../../../web/src/moments/ways';

const near = (a, b, within = 1e-6) => assert.ok(Math.abs(a - b) <= within, `${a} and ${b}`);
const last = way => way.slice(-3);
const facing = angle => [Math.cos(angle / 2), 0, Math.sin(angle / 2), 0];

test('how far a place is off a way is to its nearest part, not its nearest corner', () => {
  const way = [0, 0, 0, 4, 0, 0, 4, 0, 4];
  near(offWay(way, [2, 1.5, 1], false), 1);
  near(offWay(way, [2, 3, 4], true), Math.hypot(2, 3));
  near(offWay(way, [5, 9, 5], false), Math.SQRT2);
  near(offWay([1, 0, 1], [1, 0, 3], false), 2);
  assert.equal(offWay([], [1, 0, 3], false), null);
});

test('a root faces where it was turned to, however it leans', () => {
  for (const angle of [-3, -1, 0, 0.4, 2]) near(headingOf(facing(angle)), angle);
  const lean = 0.3; // about its own x: ahead
  near(headingOf([Math.cos(lean / 2), Math.sin(lean / 2), 0, 0]), 0);
});

test('what is asked of a walk is where it leads in a second', () => {
  const pose = (x, z, angle) => ({ root: [x, 0.9, z], rotations: facing(angle) });
  const parameters = [{ name: 'forward' }, { name: 'turn' }, { name: 'side' }];
  const [x, , z] = last(walkedWay(pose(3, 1, 0), parameters, [1.5, 0, 0]));
  near(x, 3);
  near(z, 2.5);
  const left = last(walkedWay(pose(0, 0, Math.PI / 2), parameters, [0, 0, 2])); // facing +x, its left is -z
  near(left[0], 0);
  near(left[2], -2);
  const round = last(walkedWay(pose(0, 0, 0), parameters, [1, 90, 0])); // a quarter of a circle to the left
  assert.ok(round[0] > 0.5 && round[0] < 0.75 && round[2] > 0.5 && round[2] < 0.75, `${round}`);
  assert.deepEqual(walkedWay(pose(0, 0, 0), [{ name: 'x' }, { name: 'y' }], [1, 2]), [], 'what places a hand has no way');
  assert.deepEqual(walkedWay(undefined, parameters, [1, 0, 0]), []);
  assert.equal(wantedWay([0, 0, 0], null).length, 3, 'who wants nothing stays');
});

test('the way of a root lies on the floor', () => {
  const way = floorWay(new Float32Array([1, 0.9, 2, 3, 1.1, 4]));
  assert.deepEqual([way[0], way[2], way[3], way[5]], [1, 2, 3, 4]);
  assert.ok(way[1] === way[4] && way[1] > 0 && way[1] < 0.1);
});
