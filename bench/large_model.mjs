// SPDX-License-Identifier: MIT
// How long a model of 100 MB takes to be looked at, kept in a library and written with motion, and how much memory: the
// sample performer with its surface many times over.
//   node bench/large_model.mjs LOOM [MB]
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const loom = resolve(process.argv[2]),
  megabytes = Number(process.argv[3] ?? 100),
  folder = mkdtempSync(join(tmpdir(), 'loom-large-'));

// The model with copies of its first primitive, each with numbers of its own.
function enlarge(glb, bytes) {
  const length = glb.readUInt32LE(12),
    root = JSON.parse(glb.subarray(20, 20 + length)),
    binary = glb.subarray(28 + length),
    parts = [binary],
    { primitives } = root.meshes[0],
    [first] = primitives;
  let at = binary.length;
  const copy = index => {
    const accessor = root.accessors[index],
      view = root.bufferViews[accessor.bufferView],
      data = binary.subarray(view.byteOffset ?? 0, (view.byteOffset ?? 0) + view.byteLength);
    const padded = Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)]);
    root.bufferViews.push({ ...view, byteOffset: at });
    root.accessors.push({ ...accessor, bufferView: root.bufferViews.length - 1 });
    parts.push(padded);
    at += padded.length;
    return root.accessors.length - 1;
  };
  while (at < bytes) {
    const attributes = Object.fromEntries(Object.entries(first.attributes).map(([name, index]) => [name, copy(index)]));
    primitives.push({ ...first, attributes, indices: copy(first.indices) });
  }
  root.buffers[0].byteLength = at;
  const text = Buffer.from(JSON.stringify(root)),
    json = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]),
    head = Buffer.alloc(20),
    tail = Buffer.alloc(8);
  head.write('glTF');
  [2, 28 + json.length + at, json.length].forEach((value, i) => head.writeUInt32LE(value, 4 + 4 * i));
  head.write('JSON', 16);
  tail.writeUInt32LE(at);
  tail.write('BIN\0', 4);
  return Buffer.concat([head, json, tail, ...parts]);
}

// Runs a command; its processor time in seconds and its most memory in MB, looked at while it runs.
async function measured(...words) {
  const child = spawn(loom, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  let seconds = 0,
    most = 0;
  const look = setInterval(() => {
    try {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
      seconds = (Number(fields[11]) + Number(fields[12])) / 100;
      most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
    } catch {
      /* it has ended */
    }
  }, 10);
  const status = await new Promise(done => child.on('exit', done));
  clearInterval(look);
  if (status !== 0) throw new Error(`loom ${words.join(' ')} ended with ${status}`);
  console.log(`${words.slice(0, 2).join(' ').replace(folder, '')}: ${seconds.toFixed(2)} s of processor time, ${most.toFixed(0)} MB`);
}

try {
  const library = join(folder, 'a.loom'),
    model = join(folder, 'large.glb'),
    walk = join(folder, 'walk.bvh'),
    out = join(folder, 'out.glb');
  execFileSync(loom, ['sample', library, '--only', 'walk'], { stdio: 'ignore' });
  execFileSync(loom, ['export', library, 'walk-slow', '-o', model], { stdio: 'ignore' });
  execFileSync(loom, ['export', library, 'walk-slow', '-o', walk], { stdio: 'ignore' });
  writeFileSync(model, enlarge(readFileSync(model), megabytes * 1e6));
  console.log(`a model of ${(statSync(model).size / 1e6).toFixed(0)} MB`);
  await measured('character', 'map', model);
  await measured('character', 'add', library, model);
  await measured('retarget', walk, '--onto', model, '-o', out);
  console.log(`written: ${(statSync(out).size / 1e6).toFixed(0)} MB`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
