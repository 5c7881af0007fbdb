// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameLines } from '../../../web/src/machine/name_lines';

test('names are broken where they may be, short parts together', () => {
  assert.deepEqual(nameLines('turn-left', 30).lines, ['turn-', 'left']);
  assert.deepEqual(nameLines('run-2', 30).lines, ['run-2']);
  assert.deepEqual(nameLines('walk', 30), { lines: ['walk'], size: 13 });
});

test('a name that can be made to fit is not cut', () => {
  for (let radius = 18; radius < 38; radius += 0.1) {
    assert.deepEqual(nameLines('turn-left', radius).lines, ['turn-', 'left'], String(radius));
  }
});

test('whatever the name, it fits into its circle', () => {
  for (const name of ['a', 'walk', 'somersault', 'kick-side-left-high-quick', 'Spaziergang am Nachmittag', 'x'.repeat(80)]) {
    for (const radius of [15, 20, 27, 38]) {
      const { lines, size } = nameLines(name, radius);
      assert.ok(lines.length >= 1 && lines.length <= 3);
      assert.ok(size >= 8.5 && size <= 13);
      for (const line of lines) assert.ok(0.57 * size * line.length <= 2 * radius || line.length <= 3, `${line} in ${radius}`);
    }
  }
});
