// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pointAt } from '../../../web/src/stage/pointers';

const at = (x, y, behind = false) => pointAt({ x, y }, behind, 800, 400, 20);

test('what is in the picture is not pointed at', () => {
  assert.equal(at(0, 0), null);
  assert.equal(at(0.99, -0.99), null);
});

test('what is out of it is pointed at from the edge, in its direction', () => {
  const right = at(3, 0);
  assert.deepEqual([right.x, right.y], [780, 200]);
  assert.ok(Math.abs(right.angle - Math.PI / 2) < 1e-9, 'clockwise from up');
  const above = at(0, 2);
  assert.deepEqual([above.x, Math.round(above.y), above.angle], [400, 20, 0]);
});

test('an arrow never leaves the picture', () => {
  for (let i = 0; i < 500; ++i) {
    const angle = (i * 2 * Math.PI) / 500,
      found = at(2.5 * Math.sin(angle), 2.5 * Math.cos(angle), i % 3 === 0);
    assert.ok(found.x >= 20 - 1e-6 && found.x <= 780 + 1e-6 && found.y >= 20 - 1e-6 && found.y <= 380 + 1e-6, JSON.stringify(found));
  }
});

test('what lies behind is on the side to which one turns', () => {
  assert.ok(at(-0.3, 0.1, true).x > 400, 'projected to the left, it is to the right');
  assert.ok(at(0.3, 0.1, true).x < 400);
  assert.ok(at(0, 0, true).y > 200, 'straight behind is below');
});
