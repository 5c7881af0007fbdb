// SPDX-License-Identifier: MIT
// The commands that the studio's page shows, run by a real shell on clips and labels with names that look like options
// and like everything a shell knows: each does to that clip what it says.
//   node command_words.mjs LOOM
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import assert from 'node:assert/strict';

const loom = resolve(process.argv[2]),
  web = fileURLToPath(new URL('../../web/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'loom-words-'));

async function pageWords() {
  const { build } = createRequire(join(web, 'build.mjs'))('esbuild');
  const outfile = join(folder, 'command_words.mjs');
  await build({ entryPoints: [join(web, 'src/command_words.ts')], outfile, format: 'esm', logLevel: 'warning' });
  return import(pathToFileURL(outfile));
}

// What somebody gets who copies the line into a shell.
const shell = line =>
  execFileSync('sh', ['-c', `loom() { "${loom}" "$@"; }; ${line}`], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const listed = () => {
  const told = JSON.parse(execFileSync(loom, ['list', 'a.loom', '--json'], { cwd: folder, encoding: 'utf8' }));
  return (told.clips ?? told).map(clip => clip.name);
};

try {
  const { commandLine, fileOf, given, option } = await pageWords();
  assert.equal(commandLine('label', 'a.loom', given('walk'), given('x'), '--from', 3), 'loom label a.loom walk x --from 3');
  assert.equal(commandLine('label', 'a.loom', given('-walk'), given('x'), '--from', 3), 'loom label a.loom --from 3 -- -walk x');
  assert.equal(commandLine('cut', 'a.loom', given('walk'), ...option('--as', '-b')), 'loom cut a.loom walk --as=-b');

  execFileSync(loom, ['sample', 'a.loom', '--only', 'walk-slow'], { cwd: folder, stdio: 'ignore' });
  for (const name of ['--graph=g', '-x', '--', '--help', "it's", '$(id)', '`id`', 'a b', '~', '-o', '-\'"\\', 'Füße']) {
    shell(commandLine('cut', 'a.loom', given('walk-slow'), '--from', 0, '--to', 20, ...option('--as', name)));
    assert.ok(listed().includes(name), `${name} was made`);
    shell(commandLine('label', 'a.loom', given(name), given(name), '--from', 2, '--to', 9));
    shell(commandLine('measure', 'a.loom', given(name)));
    shell(commandLine('list', 'a.loom', ...option('--label', name)));
    const file = fileOf(name, 'bvh');
    shell(commandLine('export', 'a.loom', given(name), '--from', 2, '--to', 9, '-o', file));
    assert.ok(existsSync(join(folder, file)), `${file} was written`);
    shell(commandLine('remove', 'a.loom', given(name)));
    assert.deepEqual(listed(), ['walk-slow'], `${name} was removed, and nothing else`);
  }
  console.log('- every command did what it says');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
