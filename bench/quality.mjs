#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// How good every synthesiser is at a close look, on the samples and on real performers, beside their recordings: makes the
// table of docs/results/quality.md (`make quality`).
//
//     node bench/quality.mjs [--seeds 10] [--seconds 60] [--sets samples,16] [--only "match play,fight"] [--jobs 2]
//                            [--out out/quality] [--page docs/results/quality.md] [--pictures FOLDER] [--loom build/bin/loom]
//
// Every cell is a file under --out: what was done by the same program is not done again, so that a run that was stopped goes
// on. Real capture is looked for in ../shared/mocap; where it is not, only the samples are measured, and that is said.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { answerOf, figuresOf, kMeasures, meanAnswer, together, tooLarge } from './quality/measures.mjs';
import { answerTable, csv, markdown, putBetweenMarks, worstTable } from './quality/page.mjs';
import { kSets } from './quality/sets.mjs';
import { kSynthesisers, preparations } from './quality/synthesisers.mjs';

const kRoot = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const kCapture = join(kRoot, '..', 'shared', 'mocap');
const kAround = 0.4; // seconds before and after a worst frame that are drawn

const { values: options } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10' }, seconds: { type: 'string', default: '60' }, sets: { type: 'string' }, only: { type: 'string' },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) }, out: { type: 'string', default: join(kRoot, 'out', 'quality') },
    page: { type: 'string' }, pictures: { type: 'string' }, loom: { type: 'string', default: join(kRoot, 'build', 'bin', 'loom') },
    help: { type: 'boolean', short: 'h' },
  },
});
if (options.help) {
  // What is said at the top of this file, and what there is to choose from.
  const [, , ...lines] = readFileSync(fileURLToPath(import.meta.url), 'utf8').split('\n');
  console.log(lines.slice(0, lines.findIndex(line => !line.startsWith('//'))).map(line => line.slice(3)).join('\n'));
  console.log(`\nsets: ${kSets.map(set => set.name).join(', ')}\nsynthesisers: ${kSynthesisers.map(one => one.name).join(', ')}`);
  process.exit(0);
}
const seeds = Number(options.seeds), seconds = Number(options.seconds), jobs = Number(options.jobs);
if (!(seeds >= 1 && seconds >= 5 && jobs >= 1)) throw new Error('--seeds and --jobs are at least 1, --seconds at least 5');
const chosen = (list, names) => {
  if (!names) return list;
  for (const name of names.split(',')) if (!list.some(entry => entry.name === name)) throw new Error(`'${name}' is none of ${list.map(entry => entry.name).join(', ')}`);
  return list.filter(entry => names.split(',').includes(entry.name));
};
const synthesisers = chosen(kSynthesisers, options.only);
const sets = chosen(kSets, options.sets).filter(set => {
  const there = set.name === 'samples' || existsSync(join(kCapture, 'cmu30'));
  if (!there) console.error(`quality: ${kCapture} is not there: performer ${set.name} is left out`);
  return there;
});

const binary = createHash('sha256').update(readFileSync(options.loom)).digest('hex').slice(0, 16);
const folder = resolve(options.out, binary);
mkdirSync(folder, { recursive: true });

// One run of the command, on one core: jobs are the cores.
const run = parameters => new Promise(done => {
  execFile(options.loom, ['--threads', '1', ...parameters.map(String)], { maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
    done({ ok: !error, stdout, reason: error ? stderr.trim().split('\n').at(-1).replace(/^loom: /, '').replaceAll(`${folder}/`, '') || String(error) : '' });
  });
});

function keep(path, value) {
  writeFileSync(`${path}.part`, JSON.stringify(value));
  renameSync(`${path}.part`, path);
}
const kept = path => existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;

// Does all `tasks`, `jobs` at a time, and tells how far it is and how long it may take.
async function doAll(what, tasks) {
  const begun = performance.now();
  let next = 0, done = 0, told = 0;
  const worker = async () => {
    while (next < tasks.length) {
      const task = tasks[next++];
      await task.run();
      ++done;
      const spent = (performance.now() - begun) / 1000;
      if (spent - told > 5 || done === tasks.length) {
        told = spent;
        console.error(`quality: ${what}: ${done} of ${tasks.length}, ${task.name}; ${Math.ceil(spent / done * (tasks.length - done))} s left`);
      }
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
}

const libraryOf = set => join(folder, `${set.name}.loom`);

async function makeLibrary(set) {
  const library = libraryOf(set), part = `${library}.part.loom`;
  if (existsSync(library)) return;
  rmSync(part, { force: true });
  const files = set.name === 'samples' ? [] : readdirSync(join(kCapture, 'cmu30')).filter(name => name.startsWith(`${set.name}_`)).sort();
  const made = set.name === 'samples'
    ? await run(['sample', part])
    : await run(['import', part, ...files.map(name => join(kCapture, 'cmu30', name)), '--labels', join(kCapture, 'labels.csv')]);
  if (!existsSync(part)) throw new Error(`${set.name}: ${made.reason}`);
  renameSync(part, library);
}

const preparedPath = set => join(folder, `${set.name}.prepared.json`);

// Builds what the chosen synthesisers need in a set's library; what failed is kept with its reason.
async function prepare(set) {
  await makeLibrary(set);
  const prepared = kept(preparedPath(set)) ?? {};
  const wanted = new Set(['families', ...synthesisers.flatMap(synthesiser => synthesiser.needs(set))]);
  const steps = preparations(set, folder);
  for (const step of [...steps].reverse()) if (wanted.has(step.id) && step.needs) wanted.add(step.needs);
  for (const step of steps) {
    if (!wanted.has(step.id) || (prepared[step.id] && step.id !== 'families')) continue;
    if (step.needs && !prepared[step.needs].ok) { prepared[step.id] = { ok: false, reason: prepared[step.needs].reason }; continue; }
    const begun = performance.now();
    const command = typeof step.command === 'function' ? step.command(prepared) : step.command;
    const { ok, stdout, reason } = await run(command.map(part => part === '@' ? libraryOf(set) : part));
    prepared[step.id] = { ok, reason, result: ok ? JSON.parse(stdout) : null, seconds: (performance.now() - begun) / 1000 };
    keep(preparedPath(set), prepared);
  }
  const recorded = join(folder, `${set.name}.recordings.json`);
  if (!existsSync(recorded)) {
    const { ok, stdout, reason } = await run(['measure', libraryOf(set), '--reference', libraryOf(set), '--json']);
    if (!ok && !stdout) throw new Error(`${set.name}: ${reason}`);
    keep(recorded, figuresOf(JSON.parse(stdout), `recordings of ${set.name}`));
  }
}

const cellName = cell => `${cell.set.name}-${cell.synthesiser.name.replaceAll(' ', '-')}-${seconds}s-seed${cell.seed}`;
const cellPath = cell => join(folder, `${cellName(cell)}.json`);

// Why a cell of a set stays empty, or nothing.
function missing(set, synthesiser, prepared) {
  if (set.why?.[synthesiser.name]) return set.why[synthesiser.name];
  const failed = synthesiser.needs(set).filter(id => !prepared[id]?.ok);
  return failed.length === 0 ? '' : `${failed[0]}: ${prepared[failed[0]]?.reason ?? 'not built'}`;
}

// Makes the files of a cell; returns them, or why there are none.
async function makeFiles(cell, file) {
  const made = [];
  let failed = '', answer = null;
  for (const { command, sources, answers } of cell.synthesiser.make({ ...cell, seconds, file })) {
    const parts = command.map(part => part === '@' ? libraryOf(cell.set) : String(part).replace(/^%/, file));
    const motion = parts[parts.indexOf('-o') + 1];
    const { ok, stdout, reason } = await run(parts);
    if (!ok) failed = reason;
    if (ok && answers) answer = answerOf(JSON.parse(stdout));
    // A motion that was made and told to be poor is measured all the same.
    if (existsSync(motion)) made.push({ motion, sources: sources ? motion.replace(/\.glb$/, '.csv') : null });
  }
  return { made, failed, answer };
}

async function fillCell(cell) {
  const file = join(folder, cellName(cell));
  const { made, failed, answer } = await makeFiles(cell, file);
  let result = { reason: failed || 'nothing was made' };
  if (made.length > 0) {
    const { sources } = made[0];
    const { ok, stdout, reason } = await run(['measure', ...made.map(one => one.motion), '--reference', libraryOf(cell.set),
      ...(sources ? ['--sources', sources] : []), ...(cell.synthesiser.together ? ['--together'] : []), '--json']);
    result = ok ? { clips: figuresOf(JSON.parse(stdout), cellName(cell)), failed, answer } : { reason };
  }
  for (const name of readdirSync(folder)) if (name.startsWith(`${cellName(cell)}.`) || name.startsWith(`${cellName(cell)}-`)) rmSync(join(folder, name));
  keep(cellPath(cell), result);
}

function allCells() {
  const cells = [];
  for (const set of sets) {
    const prepared = kept(preparedPath(set));
    for (const synthesiser of synthesisers) {
      if (missing(set, synthesiser, prepared)) continue;
      for (let seed = 1; seed <= seeds; ++seed) cells.push({ set, synthesiser, seed, prepared });
    }
  }
  return cells;
}

// The rows of the table, from the cells that are there.
function rowsOf(cells) {
  const rows = [];
  const row = (set, name, clips, answers = []) => rows.push({
    set: set.name, name, seconds: clips.reduce((sum, clip) => sum + clip.seconds, 0), figures: together(clips), answer: meanAnswer(answers),
  });
  for (const set of sets) {
    const prepared = kept(preparedPath(set));
    row(set, 'recordings', kept(join(folder, `${set.name}.recordings.json`)));
    for (const synthesiser of synthesisers) {
      const results = cells.filter(cell => cell.set === set && cell.synthesiser === synthesiser).map(cell => kept(cellPath(cell)));
      const clips = results.flatMap(result => result?.clips ?? []);
      const reason = missing(set, synthesiser, prepared) || results.find(result => result?.reason)?.reason;
      if (clips.length === 0) rows.push({ set: set.name, name: synthesiser.name, reason: `none: ${reason}` });
      else row(set, synthesiser.name, clips, results.map(result => result?.answer).filter(Boolean));
    }
  }
  return rows;
}

// Draws the bodies around the worst frames of what is too large, row by row: the motion is made again, the same as before.
async function draw(rows, cells) {
  mkdirSync(options.pictures, { recursive: true });
  const wanted = new Map();
  let recorded = {};
  for (const row of rows) {
    if (row.name === 'recordings') { recorded = row.figures; continue; }
    for (const measure of kMeasures) {
      const figure = row.figures?.[measure.field];
      if (figure?.worst.frame === undefined || !tooLarge(measure, figure, recorded[measure.field])) continue;
      const { worst } = figure, views = wanted.get(worst.file) ?? [];
      if (!views.some(view => view.worst.frame === worst.frame)) wanted.set(worst.file, [...views, { measure, worst }]);
    }
  }
  await doAll('drawing', [...wanted].map(([name, views]) => ({
    name,
    run: async () => {
      const cell = cells.find(one => cellName(one) === name), file = join(resolve(options.pictures), name);
      const { made } = await makeFiles(cell, file);
      for (const { measure, worst } of views) {
        const clip = kept(cellPath(cell)).clips.findIndex(one => one[measure.field]?.value === worst.value && one[measure.field]?.frame === worst.frame);
        const motion = (made[clip] ?? made[0]).motion;
        const rate = JSON.parse((await run(['info', motion, '--json'])).stdout).clips?.[0]?.rate ?? 60;
        const reach = Math.ceil(kAround * rate);
        await run(['picture', motion, '--frames', `${Math.max(0, worst.frame - reach)}:${worst.frame + reach + 1}`, '--poses', 9,
          '-o', `${file}-${measure.field}-frame${worst.frame}.png`, '--force']);
      }
      for (const { motion, sources } of made) for (const path of [motion, sources]) if (path) rmSync(path, { force: true });
      rmSync(`${file}-steps.csv`, { force: true });
    },
  })));
}

await doAll('preparing', sets.map(set => ({ name: set.name, run: () => prepare(set) })));
const cells = allCells();
const todo = cells.filter(cell => !existsSync(cellPath(cell)));
if (todo.length < cells.length) console.error(`quality: ${cells.length - todo.length} of ${cells.length} cells were there already`);
await doAll('measuring', todo.map(cell => ({ name: cellName(cell), run: () => fillCell(cell) })));

const rows = rowsOf(cells);
const chosenSets = options.sets ? ` --sets ${options.sets}` : '', chosenOnly = options.only ? ` --only "${options.only}"` : '';
const about = `${seeds === 1 ? 'One seed' : `${seeds} seeds`} of ${seconds} s each: \`node bench/quality.mjs --seeds ${seeds} --seconds ${seconds}${chosenSets}${chosenOnly}\`.`;
const answers = answerTable(rows);
const text = `${markdown(rows, about)}\n\n${answers ? `### How steered characters answer\n\n${answers}\n\n` : ''}### The worst of all\n\n${worstTable(rows)}`;
writeFileSync(join(folder, 'quality.csv'), csv(rows));
writeFileSync(join(folder, 'quality.md'), `${text}\n`);
if (options.page) putBetweenMarks(options.page, text);
console.log(text);
console.error(`quality: ${join(folder, 'quality.csv')}${options.page ? `, ${options.page}` : ''}`);
const failures = rows.filter(row => !row.figures).length + cells.filter(cell => kept(cellPath(cell)).failed).length;
if (failures > 0) console.error(`quality: ${failures} cells or rows say why they are empty or poor`);
if (options.pictures) await draw(rows, cells);
