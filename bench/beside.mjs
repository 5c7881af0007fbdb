// SPDX-License-Identifier: MIT
// Two builds of the project beside each other: did it become slower?
//
//     node bench/beside.mjs OLD/build/bin NEW/build/bin [--rounds 3]
//
// Runs the benchmark programs that both have and that tell times one by one, and the commands of tools/outputs.sh, all of it
// in turns, and sets the least processor time of each beside the other's. Processor time, the least of several rounds, in
// turns: other work on the machine then hardly counts.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAMS = ['blend', 'kinematics', 'library', 'polish', 'time_warp'].map(name => `bench_${name}`);
const words = process.argv.slice(2);
const at = words.indexOf('--rounds');
const rounds = at < 0 ? 3 : Number(words.splice(at, 2)[1]);
if (words.length !== 2 || !(rounds >= 1)) {
  console.error('usage: node bench/beside.mjs OLD/build/bin NEW/build/bin [--rounds 3]');
  process.exit(2);
}
const builds = words.map(word => resolve(word));
const outputs = join(dirname(fileURLToPath(import.meta.url)), '../tools/outputs.sh');
const folder = mkdtempSync(join(tmpdir(), 'beside-'));

/** By what was timed: the least that each build took, in nanoseconds. */
const least = new Map();
const note = (what, build, nanoseconds) => {
  const both = least.get(what) ?? [Infinity, Infinity];
  both[build] = Math.min(both[build], nanoseconds);
  least.set(what, both);
};

const UNITS = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };
function runProgram(program, build) {
  const path = join(builds[build], program);
  const told = execFileSync(path, ['--benchmark_format=json', '--benchmark_min_time=0.2'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1 << 26,
  });
  for (const run of JSON.parse(told).benchmarks) {
    if (!run.error_occurred) note(`${program} ${run.name}`, build, run.cpu_time * UNITS[run.time_unit]);
  }
}

function runCommands(build) {
  const times = join(folder, `times-${build}.txt`);
  rmSync(times, { force: true });
  execFileSync(outputs, [join(builds[build], 'loom'), times], { stdio: 'ignore' });
  for (const line of readFileSync(times, 'utf8').trim().split('\n')) {
    const space = line.indexOf(' ');
    note(`loom ${line.slice(space + 1)}`, build, Number(line.slice(0, space)) * 1e9);
  }
}

function told(nanoseconds) {
  const unit = Object.keys(UNITS).findLast(name => nanoseconds >= UNITS[name]) ?? 'ns';
  return `${(nanoseconds / UNITS[unit]).toPrecision(3)} ${unit}`;
}

try {
  const programs = PROGRAMS.filter(program => builds.every(build => existsSync(join(build, program))));
  for (let round = 0; round < rounds; ++round) {
    for (const program of programs) {
      console.error(`round ${round + 1} of ${rounds}: ${program}`);
      for (const build of [0, 1]) runProgram(program, build);
    }
    console.error(`round ${round + 1} of ${rounds}: commands`);
    for (const build of [0, 1]) runCommands(build);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

console.log('| | before | after | after over before |\n|---|---|---|---|');
const ratios = [];
for (const [what, [before, after]] of least) {
  if (!Number.isFinite(before + after)) continue;
  const ratio = after / Math.max(before, 1);
  ratios.push(ratio);
  console.log(`| ${what} | ${told(before)} | ${told(after)} | ${ratio.toFixed(2)} |`);
}
ratios.sort((a, b) => a - b);
console.log(`\n${ratios.length} of both: the middle ratio is ${ratios[ratios.length >> 1].toFixed(2)}.`);
