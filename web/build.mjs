// SPDX-License-Identifier: MIT
// Bundles the studio's page and the page of clips that stands alone: node build.mjs FOLDER writes index.html, app.js,
// app.css and icon.svg there, and viewer.html, viewer.js and viewer.css.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const source = fileURLToPath(new URL('src/', import.meta.url));
const folder = process.argv[2];
if (!folder) throw new Error('say where the page is to be written: node build.mjs FOLDER');

mkdirSync(folder, { recursive: true });
await build({
  entryPoints: { app: join(source, 'main.ts'), viewer: join(source, 'viewer/main.ts') },
  outdir: folder,
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  legalComments: 'none',
  logLevel: 'warning',
});
for (const name of ['index.html', 'icon.svg']) copyFileSync(join(source, name), join(folder, name));
copyFileSync(join(source, 'viewer/page.html'), join(folder, 'viewer.html'));
