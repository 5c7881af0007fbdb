// SPDX-License-Identifier: MIT
// What the words become; tests/web/command_words.mjs has a real shell take them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandLine, fileOf, given, option, path, quote } from '../../../web/src/command_words';

test('plain words stay as they are, others are quoted', () => {
  for (const word of ['walk', 'a/b.loom', '0.5', '-o', '--at=1,2', 'x@3', '16_01:40']) assert.equal(quote(word), word);
  assert.equal(quote('a b'), "'a b'");
  assert.equal(quote('$(id)'), "'$(id)'");
  assert.equal(quote("it's"), "'it'\\''s'");
  assert.equal(quote(''), "''");
});

test('given words that look like options stand last, behind two dashes, and keep their order', () => {
  assert.equal(commandLine('label', 'a.loom', given('walk'), given('x'), '--from', 3), 'loom label a.loom walk x --from 3');
  assert.equal(commandLine('label', 'a.loom', given('-walk'), given('x'), '--from', 3), 'loom label a.loom --from 3 -- -walk x');
  assert.equal(commandLine('label', 'a.loom', given('walk'), given('-x'), '--from', 3), 'loom label a.loom walk --from 3 -- -x');
});

test('an option whose value looks like one is written with an equals sign', () => {
  assert.deepEqual(option('--as', 'b'), ['--as', 'b']);
  assert.deepEqual(option('--as', '-b'), ['--as=-b']);
});

test('a clip is saved in the folder one is in, whatever its name', () => {
  assert.equal(fileOf('walk', 'glb'), 'walk.glb');
  assert.equal(fileOf('a/b\\c', 'bvh'), 'a_b_c.bvh');
  assert.equal(fileOf('-x', 'bvh'), './-x.bvh');
  assert.equal(path('-x.loom'), './-x.loom');
});
