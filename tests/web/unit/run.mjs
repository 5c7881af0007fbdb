// SPDX-License-Identifier: MIT
// Runs the unit tests of the studio's page: node run.mjs [NAME...]
// Every *_test.mjs beside this file is bundled with the modules of web/src it imports, and run by node's own test runner.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url)),
  web = fileURLToPath(new URL('../../../web/', import.meta.url));
const wanted = process.argv.slice(2);
const tests = readdirSync(here).filter(
  name => name.endsWith('_test.mjs') && (!wanted.length || wanted.some(word => name.startsWith(word))),
);
const outdir = mkdtempSync(join(tmpdir(), 'loom-unit-'));
try {
  const { build } = createRequire(join(web, 'build.mjs'))('esbuild');
  await build({
    entryPoints: tests.map(name => join(here, name)),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    sourcemap: 'inline',
    nodePaths: [join(web, 'node_modules')],
    logLevel: 'warning',
  });
  const { status } = spawnSync(process.execPath, ['--enable-source-maps', '--test', ...tests.map(name => join(outdir, name))], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(outdir, { recursive: true, force: true });
}
