// SPDX-License-Identifier: MIT
// Makes a package for npm of the compiled library, and one page that plays a character:
//   node build.mjs MOTIONLOOM.WASM FOLDER [HERO.LOOMRT]
// FOLDER gets package/ (package.json, motionloom.js, motionloom.d.ts, motionloom.wasm) and play.html, in which the package
// HERO.LOOMRT lies already; without one the page waits for a file. The tools are those of web/.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url)),
  root = fileURLToPath(new URL('../../', import.meta.url)),
  web = join(root, 'web');
const [wasm, folder, hero] = process.argv.slice(2);
if (!folder) throw new Error('say what to make it of, and where: node build.mjs MOTIONLOOM.WASM FOLDER [HERO.LOOMRT]');
const { build } = createRequire(join(web, 'build.mjs'))('esbuild');
const common = { bundle: true, minify: true, format: 'esm', target: 'es2022', legalComments: 'none', logLevel: 'warning' };

const out = join(folder, 'package');
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await build({ ...common, minify: false, entryPoints: [join(here, 'src/motionloom.ts')], outfile: join(out, 'motionloom.js') });
execFileSync(join(web, 'node_modules/.bin/tsc'), ['--project', join(here, 'tsconfig.json'), '--emitDeclarationOnly', '--outDir', out], {
  stdio: 'inherit',
});
copyFileSync(wasm, join(out, 'motionloom.wasm'));
copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
copyFileSync(join(here, 'README.md'), join(out, 'README.md'));
const [, version] = readFileSync(join(root, 'CMakeLists.txt'), 'utf8').match(/project\(motionloom VERSION ([0-9.]+)/);
const about = { ...JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')), version };
writeFileSync(join(out, 'package.json'), JSON.stringify(about, null, 2) + '\n');

const bundled = await build({ ...common, entryPoints: { page: join(web, 'src/packed/main.ts') }, outdir: folder, write: false });
const made = ending => bundled.outputFiles.find(({ path }) => path.endsWith(ending)).text;
const base64 = path => (path ? readFileSync(path).toString('base64') : '');
const parts = {
  title: 'A character in a page',
  style: made('.css'),
  wasm: base64(wasm),
  package: base64(hero),
  script: made('.js').replaceAll('</script', '<\\/script'),
};
const page = readFileSync(join(web, 'src/packed/page.html'), 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
writeFileSync(join(folder, 'play.html'), page);
