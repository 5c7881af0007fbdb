// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  added,
  changed,
  chosenAt,
  crossesItself,
  dragged,
  freeName,
  holds,
  moved,
  newWorld,
  outlineOf,
  outlined,
  placeOf,
  removed,
} from '../../../web/src/world/drawing';
import { heightOf, stepLine } from '../../../web/src/world/bound_chart';

const box = (world, from, to, ask = 'nothing') => dragged(world, 'box', ask, from, to);

test('a drag makes a box between its corners, whichever way it goes, and nothing where it is too small', () => {
  const world = newWorld();
  for (const [from, to] of [
    [
      [-1, 2],
      [3, 1],
    ],
    [
      [3, 1],
      [-1, 2],
    ],
  ]) {
    const made = box(world, from, to);
    assert.deepEqual([made.x, made.z, made.width, made.depth, made.turn], [1, 1.5, 4, 1, 0]);
  }
  assert.equal(box(world, [0, 0], [0, 4]), null);
  assert.equal(dragged(world, 'cylinder', 'nothing', [1, 1], [1, 1.01]), null);
  const pillar = dragged(world, 'cylinder', 'nothing', [1, 1], [4, 5]);
  assert.deepEqual([pillar.x, pillar.z, pillar.radius], [1, 1, 5]);
});

test('what asks for something has its name and its heights', () => {
  const world = newWorld();
  const bar = box(world, [0, 0], [1, 1], 'duck'),
    gap = box(world, [0, 0], [1, 1], 'jump');
  assert.equal(bar.name, 'bar-1');
  assert.ok(bar.bottom > 1 && bar.top > bar.bottom);
  assert.equal(gap.name, 'gap-1');
  assert.ok(gap.top < 0.05);
});

test('names come once', () => {
  let world = newWorld();
  for (let n = 0; n < 3; ++n) world = added(world, box(world, [0, 0], [1, 1]));
  assert.deepEqual(
    world.obstacles.map(({ name }) => name),
    ['box-1', 'box-2', 'box-3'],
  );
  assert.equal(freeName(removed(world, { kind: 'obstacles', index: 1 }), 'box'), 'box-2');
});

test('an outline holds what lies in it, turned as worlds turn: from +z towards +x', () => {
  const world = newWorld();
  const wall = { ...box(world, [-2, -0.1], [2, 0.1]), turn: 90 };
  assert.ok(holds(outlineOf(wall), [0, 1.9]) && !holds(outlineOf(wall), [1.9, 0]));
  const slanted = { ...wall, turn: 30 }; // its own x goes to (cos 30°, -sin 30°)
  assert.ok(holds(outlineOf(slanted), [1.5 * Math.cos(Math.PI / 6), -1.5 * Math.sin(Math.PI / 6)]));
  assert.ok(!holds(outlineOf(slanted), [1.5 * Math.cos(Math.PI / 6), 1.5 * Math.sin(Math.PI / 6)]));
});

test('pressed is a start or a goal before an obstacle, and of obstacles the last', () => {
  let world = newWorld();
  world = added(world, box(world, [-5, -5], [5, 5]));
  world = added(world, box(world, [0, 0], [1, 1]));
  assert.deepEqual(chosenAt(world, [-4.1, -4]), { kind: 'starts', index: 0 });
  assert.deepEqual(chosenAt(world, [4, 4.1]), { kind: 'goals', index: 0 });
  assert.deepEqual(chosenAt(world, [0.5, 0.5]), { kind: 'obstacles', index: 1 });
  assert.deepEqual(chosenAt(world, [-2, 0.5]), { kind: 'obstacles', index: 0 });
  assert.equal(chosenAt(world, [7, 0]), null);
});

test('everything moves as a whole, and the world before stays as it was', () => {
  let world = newWorld();
  world = added(world, outlined(world, 'nothing', [[0, 0], [1, 0], [0, 1]])); // prettier-ignore
  world = added(world, { ...box(world, [0, 0], [2, 2]), path: [[0, 1, 1, 0], [2, 3, 1, 90]] }); // prettier-ignore
  const before = JSON.stringify(world);
  const outline = moved(world, { kind: 'obstacles', index: 0 }, 2, -1).obstacles[0];
  assert.deepEqual(outline.outline, [[2, -1], [3, -1], [2, 0]]); // prettier-ignore
  assert.deepEqual(placeOf(outline, world.obstacles[0]), { x: 2, z: -1, turn: 0 });
  const walked = moved(world, { kind: 'obstacles', index: 1 }, 1, 1).obstacles[1];
  assert.deepEqual([walked.x, walked.z, walked.path], [2, 2, [[0, 2, 2, 0], [2, 4, 2, 90]]]); // prettier-ignore
  assert.deepEqual(placeOf(walked, world.obstacles[1]), { x: 2, z: 2, turn: 0 });
  assert.equal(moved(world, { kind: 'goals', index: 0 }, -1, 0).goals[0].x, 3);
  assert.equal(changed(world, { kind: 'starts', index: 0 }, { turn: 90 }).starts[0].turn, 90);
  assert.equal(JSON.stringify(world), before);
});

test('an outline that crosses itself is found, whichever sides do', () => {
  assert.ok(!crossesItself([[0, 0], [2, 0], [2, 2], [0, 2]])); // prettier-ignore
  assert.ok(!crossesItself([[0, 0], [4, 0], [2, 1], [4, 2], [0, 2]])); // prettier-ignore
  assert.ok(crossesItself([[0, 0], [2, 2], [2, 0], [0, 2]])); // prettier-ignore
  assert.ok(crossesItself([[2, 0], [0, 2], [0, 0], [2, 2]])); // prettier-ignore
});

test('the line of the bound goes down in steps within its picture', () => {
  assert.equal(heightOf(1), 0);
  assert.equal(heightOf(10), 1);
  assert.equal(heightOf(1e9), 1);
  const steps = [
    { at: 0.5, bound: 10 },
    { at: 2, bound: 1 },
  ];
  assert.equal(stepLine(steps, 4, 5, 100, 50), '10.0,0.0 40.0,0.0 40.0,50.0 80.0,50.0');
  assert.equal(stepLine(steps, 9, 5, 100, 50).split(' ').at(-1), '100.0,50.0');
});
