// SPDX-License-Identifier: MIT
// What a graph of a large library would take on a cluster, from what two small runs took:
//
//     mpirun -n 1 loom-cluster graph build LIB --name a --json > one.json
//     mpirun -n 2 loom-cluster graph build LIB --name b --json > two.json
//     node bench/cluster_model.mjs one.json two.json [--cores-a-rank 2] [--network 1e9] [--frames 1e6,1e7,1.08e8]
//
// The model: reading and laying out frames is linear and every rank does it whole; comparing is quadratic and shared;
// rank 0 takes all pairs that are found over its network and keeps each part before it takes the next; parts are about
// equal, so at the end ranks wait for one part at most; joining and pruning are rank 0's, linear in what was found.
// Comparing is held to grow with the square, which overstates it (docs/results/scale.md has 1.4 to 1.7).
import { readFileSync } from 'node:fs';

const MOST_PARTS = 20000; // apps/cluster/cluster_engine.cc
const PART_PAIRS = 2e8;
const PAIR_BYTES = 12;
const FRAME_BYTES = 2000; // of a rank's memory, 31 joints (compare::comparison_bytes)
const PAIR_MEMORY = 100; // bytes a found pair, on rank 0 (graph/build.cc)

const words = process.argv.slice(2);
const option = (name, otherwise) => {
  const at = words.indexOf(name);
  return at < 0 ? otherwise : words.splice(at, 2)[1];
};
const network = Number(option('--network', '1e9'));
const coresARank = Number(option('--cores-a-rank', '2'));
const frameCounts = option('--frames', '1e6,1e7,1.08e8').split(',').map(Number);
const rankCounts = option('--ranks', '1,2,4,8,16,32,64,128,256').split(',').map(Number);
if (words.length !== 2) {
  console.error('two files are wanted: the JSON of a run on one rank, and of one on two');
  process.exit(2);
}
const [one, two] = words.map(path => JSON.parse(readFileSync(path, 'utf8')));

const pairsOf = frames => (frames * frames) / 2;
const secondsAPair = one.cluster.processor_seconds / (one.pairs_compared + one.pairs_skipped); // of one core
const secondsAPart = Math.max(0, one.cluster.seconds - one.cluster.busy_seconds) / one.cluster.parts;
const secondsAFrame = Math.max(0, one.seconds - one.cluster.seconds) / one.frames;
const pairsAFrame = 30; // what the builder reckons with (graph/build.cc)

console.log(
  `Measured on one rank: ${(1e9 * secondsAPair).toFixed(3)} ns of a core a pair, ${(1e3 * secondsAPart).toFixed(2)} ms a part besides,`,
);
console.log(
  `${(1e6 * secondsAFrame).toFixed(1)} µs a frame outside of comparing. On two ranks: ${((100 * one.cluster.processor_seconds) / two.cluster.processor_seconds).toFixed(0)} % of the`,
);
console.log(
  `processor time is that of one, ${(100 * two.cluster.efficiency).toFixed(0)} % busy, ${(two.cluster.bytes_received / 1e6).toFixed(2)} MB to rank 0 and`,
);
console.log(`${(two.cluster.bytes_sent / 1e6).toFixed(3)} MB from it in ${two.cluster.messages} messages.`);
console.log(
  `Assumed: ${coresARank} cores a rank, a network of ${(network / 1e9).toFixed(1)} GB/s, ${pairsAFrame} pairs a frame.\n`,
);

const model = (frames, ranks) => {
  const parts = Math.ceil(Math.min(MOST_PARTS, Math.max(1, pairsOf(frames) / PART_PAIRS)));
  const compute = (pairsOf(frames) * secondsAPair) / coresARank;
  const serial = Math.max(parts * secondsAPart, (frames * pairsAFrame * PAIR_BYTES) / network);
  const wait = ranks > 1 ? compute / parts : 0;
  const fixed = frames * secondsAFrame;
  return { total: fixed + Math.max(compute / ranks + wait, serial), compute, serial, fixed };
};
const told = seconds =>
  seconds < 120
    ? `${seconds.toFixed(1)} s`
    : seconds < 7200
      ? `${(seconds / 60).toFixed(0)} min`
      : `${(seconds / 3600).toFixed(1)} h`;

for (const frames of frameCounts) {
  const alone = model(frames, 1).total;
  const memory = (frames * FRAME_BYTES) / 1e9;
  console.log(
    `${frames.toLocaleString('en')} frames (${(frames / 108000).toFixed(0)} h at 30 Hz): ${memory.toFixed(0)} GB a rank, ${((frames * pairsAFrame * PAIR_MEMORY) / 1e9).toFixed(0)} GB more on rank 0\n`,
  );
  console.log('| ranks | takes | times one | of ideal |\n|---|---|---|---|');
  let stops = 0;
  for (const ranks of rankCounts) {
    const { total } = model(frames, ranks);
    const share = alone / total / ranks;
    if (share >= 0.5) stops = ranks;
    console.log(`| ${ranks} | ${told(total)} | ${(alone / total).toFixed(1)} | ${(100 * share).toFixed(0)} % |`);
  }
  const { fixed, serial } = model(frames, 1);
  console.log(
    `\nHalf of ideal up to ${stops} ranks. Never less than ${told(fixed + serial)}: ${told(fixed)} that every rank or rank 0 does alone, ${told(serial)} for taking and keeping.\n`,
  );
}
