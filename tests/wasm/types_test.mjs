// SPDX-License-Identifier: MIT
// The package as somebody who installs it meets it: npm packs what it should, and a program in TypeScript checks against its
// types, and fails to where it is wrong.
//   node types_test.mjs FOLDER
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = resolve(process.argv[2]),
  root = fileURLToPath(new URL('../../', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'loom-types-'));
try {
  console.log('- npm packs the module, its types, the library and what tells of them');
  const [packed] = JSON.parse(execFileSync('npm', ['pack', '--json', '--dry-run'], { cwd: join(folder, 'package'), encoding: 'utf8' }));
  assert.deepEqual(packed.files.map(({ path }) => path).sort(), [
    'LICENSE',
    'README.md',
    'machine.d.ts',
    'motionloom.d.ts',
    'motionloom.js',
    'motionloom.wasm',
    'package.json',
  ]);
  const version = readFileSync(join(root, 'CMakeLists.txt'), 'utf8').match(/project\(motionloom VERSION ([0-9.]+)/)[1];
  assert.equal(packed.version, version);

  mkdirSync(join(work, 'node_modules'));
  cpSync(join(folder, 'package'), join(work, 'node_modules/motionloom'), { recursive: true });
  writeFileSync(join(work, 'package.json'), '{"type": "module"}');
  const check = text => {
    writeFileSync(join(work, 'program.ts'), text);
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2023,dom'];
    return spawnSync(join(root, 'web/node_modules/.bin/tsc'), [...options, 'program.ts'], { cwd: work, encoding: 'utf8' });
  };
  const program = `
import { openLoom, type Control } from 'motionloom';
const loom = await openLoom();
const one = loom.load(new Uint8Array(8)).character({ seed: 3 });
const wanted: Control = { velocity: [0, 1.2], flags: ['airborne'] };
one.control(wanted);
const first: number = one.local()[0] + one.place.heading;
export default first;
`;
  console.log('- a program checks against its types');
  const good = check(program);
  assert.equal(good.status, 0, good.stdout);
  console.log('- and one that is wrong does not');
  assert.match(check(program.replace('[0, 1.2]', '1.2')).stdout, /velocity|tuple|assignable/);
} finally {
  rmSync(work, { recursive: true, force: true });
}
