// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';
import { along } from '../../../web/src/library/warped';
import { inOrder } from '../../../web/src/library/order';
import { jointCurve } from '../../../web/src/library/joint_curve';
import { History } from '../../../web/src/moments/history';
import { pieceAt } from '../../../web/src/moments/pieces';

test('clips are put in order by what is asked for, and what is not known stands last', () => {
  const clips = ['b10', 'b9', 'a'].map((name, i) => ({ name, seconds: 3 - i, labels: [] }));
  const figures = new Map([
    ['a', { clip: 'a', added: '2024-02', speed_mps: 1, slide_mps: 0.2 }],
    ['b9', { clip: 'b9', added: '2024-01', speed_mps: 2, slide_mps: null }],
  ]);
  const names = (key, down = false) => inOrder(clips, key, down, figures).map(clip => clip.name);
  assert.deepEqual(names('name'), ['a', 'b9', 'b10'], 'numbers in names count as numbers');
  assert.deepEqual(names('length'), ['a', 'b9', 'b10']);
  assert.deepEqual(names('length', true), ['b10', 'b9', 'a']);
  assert.deepEqual(names('speed'), ['a', 'b9', 'b10']);
  assert.deepEqual(names('speed', true), ['b9', 'a', 'b10']);
  assert.deepEqual(names('slide', true), ['a', 'b9', 'b10']);
  assert.deepEqual(names('date'), ['b9', 'a', 'b10']);
});

test('a moment of one clip has its moment in the other, along the warp', () => {
  const cells = [
    [0, 2],
    [1, 2],
    [2, 4],
    [2, 5],
    [4, 6],
  ];
  assert.equal(along(cells, 0), 2);
  assert.equal(along(cells, 1.5), 3);
  assert.equal(along(cells, 3), 5.5);
  assert.equal(along(cells, 9), 6);
  assert.equal(along([], 3), 3);
});

test('a frame belongs to the piece that began last', () => {
  const pieces = [{ begin: 0 }, { begin: 10 }, { begin: 25 }];
  assert.deepEqual(
    [0, 9, 10, 24, 99].map(frame => pieceAt(pieces, frame)),
    [0, 0, 1, 1, 2],
  );
});

test('the height and the speed of a joint are those of the chain that leads to it', () => {
  // Two bones, a metre each; the second joint turns by a quarter about z in the last frame.
  const body = {
    joints: [
      { name: 'root', parent: -1, offset: [0, 0, 0] },
      { name: 'elbow', parent: 0, offset: [0, 1, 0] },
      { name: 'hand', parent: 1, offset: [0, 1, 0] },
    ],
  };
  const h = Math.SQRT1_2,
    still = [1, 0, 0, 0];
  const motion = {
    frames: 3,
    rate: 10,
    joints: 3,
    roots: new Float32Array([0, 1, 0, 0, 1, 0, 0, 1, 0]),
    rotations: new Float32Array([...still, ...still, ...still, ...still, ...still, ...still, ...still, h, 0, 0, h, ...still]),
    floorAt: () => 0.5,
  };
  assert.deepEqual(
    [...jointCurve(motion, body, 2, 'height').values].map(v => +v.toFixed(4)),
    [2.5, 2.5, 1.5],
  );
  assert.deepEqual(
    [...jointCurve(motion, body, 1, 'turn').values].map(v => +v.toFixed(2)),
    [0, 0, 90],
  );
  const speed = jointCurve(motion, body, 2, 'speed').values;
  assert.equal(speed[0], 0);
  assert.ok(Math.abs(speed[2] - 10 * Math.SQRT2) < 1e-4);
});

test('the last minute is kept, with its seams', () => {
  const history = new History(),
    pieces = ['a', 'b'].map(clip => [{ clip, frame: 3 }]);
  const moment = (at, x, piece) => ({ at, poses: [{ root: [x, 1, 0] }], pieces: piece, mixes: [], values: [], wish: null });
  for (let i = 0; i < 900; ++i) history.add(moment(i / 10, i / 10, pieces[i < 800 ? 0 : 1]));
  assert.ok(history.length >= 600 && history.length <= 612, `${history.length}`);
  const last = history.length - 1;
  assert.equal(history.at(history.seamBefore(last)).at, 80);
  assert.equal(history.at(history.seamAfter(0)).at, 80);
  assert.equal(history.seamAfter(last - 3), last, 'after the last seam there is the end');
  assert.ok(Math.abs(history.sinceSeam(last) - 9.9) < 1e-6);
  assert.ok(Math.abs(history.at(history.near(last, -2)).at - 87.9) < 0.11);
  assert.ok(Math.abs(history.speed(300) - 1) < 1e-6);
  history.freeze();
  const frozen = history.length;
  history.add(moment(91, 0, [null]));
  assert.equal(history.length, frozen, 'what is looked at stays');
  history.thaw();
  assert.equal(history.at(history.length - 1).at, 91);
});
