// SPDX-License-Identifier: MIT
// What packed characters cost as WebAssembly, in Node: processor time, for docs/results/everywhere.md.
//   node bench/everywhere.mjs out/wasm/package hero.loomrt...
import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const [folder, ...packages] = process.argv.slice(2);
const { openLoom } = await import(pathToFileURL(join(resolve(folder), 'motionloom.js')));
const kMany = 50,
  kFrames = 1200;

// Seconds of one core that `work` takes.
function processorSeconds(work) {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1e6;
}
const round = (value, digits = 0) => Number(value.toFixed(digits));

const files = ['motionloom.wasm', 'motionloom.js'].map(name => readFileSync(join(folder, name)));
console.log(
  `library: ${files[0].length} bytes, with its module ${files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0)} compressed`,
);

const loom = await openLoom();
for (const path of packages) {
  const bytes = readFileSync(path);
  let packed;
  const loads = Array.from({ length: 5 }, () =>
    processorSeconds(() => {
      packed?.free();
      packed = loom.load(bytes);
      packed.character().free();
    }),
  ).sort((a, b) => a - b);
  const all = Array.from({ length: kMany }, (_, i) => packed.character({ seed: i + 1 }));
  const wanted = packed.kind === 'machine' ? { behavior: packed.behaviors[0] } : { velocity: [0.2, 1.2] };
  const frame = () => {
    for (const one of all) one.control(wanted);
    loom.advance(all, 1 / 60);
    for (const one of all) one.local();
  };
  for (let f = 0; f < 120; ++f) frame(); // until it is compiled
  const frames = processorSeconds(() => {
    for (let f = 0; f < kFrames; ++f) frame();
  });
  const poses = processorSeconds(() => {
    for (let f = 0; f < 10 * kFrames; ++f) for (const one of all) one.local();
  });
  all.forEach(one => one.free());
  console.log(
    `${basename(path)}: ${packed.kind}, ${bytes.length} bytes; load ${round(1000 * loads[2], 1)} ms, ` +
      `${round((kMany * kFrames) / frames)} frames of a character a second, ${round((10 * kMany * kFrames) / poses)} pose calls a second; ` +
      `${kMany} characters at 60 Hz take ${round((6000 * frames) / kFrames, 1)} % of a core`,
  );
}
loom.close();
