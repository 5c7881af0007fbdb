// SPDX-License-Identifier: MIT
// The npm package in Node: it plays as the C library does, is small, and gives what is wrong a name.
//   node package_test.mjs FOLDER [C_WALK]
// FOLDER is what tools/wasm.sh wrote; C_WALK is bindings/c/examples/walk.c, built.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const [folder, walk] = process.argv.slice(2).map(path => resolve(path));
const { LoomError, kFeet, openLoom } = await import(pathToFileURL(join(folder, 'package/motionloom.js')));
const bytes = readFileSync(join(folder, 'hero.loomrt'));
const refused = (work, kind) => assert.throws(work, error => error instanceof LoomError && error.kind === kind && error.message.length > 0);

const loom = await openLoom();
const hero = loom.load(bytes);

console.log('- the library is under a megabyte, compressed');
const compressed = ['motionloom.wasm', 'motionloom.js'].reduce(
  (sum, name) => sum + gzipSync(readFileSync(join(folder, 'package', name)), { level: 9 }).length,
  0,
);
assert.ok(compressed < 1e6, `${compressed} bytes`);

console.log('- a package tells what it is');
assert.equal(hero.kind, 'matching');
assert.deepEqual(hero.hears, { velocity: true, turn: true });
assert.ok(hero.labels.includes('walk') && hero.sources.length > 10 && hero.size === bytes.length);
assert.equal(hero.joints[0].parent, -1);
assert.ok(hero.joints.every(({ parent }, j) => parent < j));

// What walk.c does: straight ahead, then in a curve to the left.
function walked(packed, seconds) {
  const somebody = packed.character(),
    places = [];
  for (let frame = 0; frame < seconds * 60; ++frame) {
    const { heading } = somebody.place;
    somebody.control({
      velocity: [1.2 * Math.sin(heading), 1.2 * Math.cos(heading)],
      turn: frame < (seconds * 60) / 2 ? 0 : 0.7,
    });
    somebody.advance(1 / 60);
    const bones = somebody.local();
    if ((frame + 1) % 60 === 0) places.push([somebody.place.x, somebody.place.z, somebody.place.heading, bones[1]]);
  }
  somebody.free();
  return places;
}

const kinds = ['graph', 'policy', 'machine', 'graph-packed', 'policy-packed'].filter(kind => existsSync(join(folder, `${kind}.loomrt`)));
for (const name of ['hero', ...kinds]) {
  if (!walk) {
    console.log('- NOT compared with the C library: no program was given to compare with');
    break;
  }
  const seconds = 8,
    file = join(folder, `${name}.loomrt`),
    packed = loom.load(readFileSync(file));
  console.log(`- it goes where the C library goes: ${packed.kind}`);
  const told = execFileSync(walk, [file, String(seconds)], { encoding: 'utf8' });
  const expected = [...told.matchAll(/s: at (\S+) (\S+), facing (\S+), hips (\S+) m/g)].map(found => found.slice(1).map(Number));
  assert.equal(expected.length, seconds);
  walked(packed, seconds).forEach((place, s) =>
    place.forEach((value, i) => assert.ok(Math.abs(value - expected[s][i]) < 0.02, `second ${s + 1}: ${place} and ${expected[s]}`)),
  );
}

if (kinds.includes('machine')) {
  console.log('- a machine hears behaviors, and tells which it enters');
  const packed = loom.load(readFileSync(join(folder, 'machine.loomrt')));
  assert.deepEqual(packed.behaviors, ['walk', 'idle']);
  assert.deepEqual(packed.parameters('walk'), []);
  const one = packed.character(),
    events = [];
  one.control({ behavior: 'walk' });
  for (let i = 0; i < 240; ++i) {
    one.advance(1 / 60);
    events.push(...one.events());
  }
  assert.ok(events.some(({ kind, what }) => kind === 'behavior' && what === 'walk'));
  assert.ok(Math.hypot(one.place.x, one.place.z) > 1);
  one.free();
}

console.log('- the same again is the same');
assert.deepEqual(walked(hero, 3), walked(hero, 3));

console.log('- local and model poses agree');
{
  const one = hero.character();
  one.control({ velocity: [0, 1.3] });
  one.advance(1.23);
  const local = Float64Array.from(one.local()),
    model = Float64Array.from(one.model());
  const product = ([a, b, c, w], [x, y, z, v]) => [
    w * x + a * v + b * z - c * y,
    w * y - a * z + b * v + c * x,
    w * z + a * y - b * x + c * v,
    w * v - a * x - b * y - c * z,
  ];
  const turned = (q, v) => product(product(q, [...v, 0]), [-q[0], -q[1], -q[2], q[3]]).slice(0, 3);
  hero.joints.forEach(({ parent }, j) => {
    const at = (pose, joint) => [pose.slice(7 * joint, 7 * joint + 3), pose.slice(7 * joint + 3, 7 * joint + 7)];
    const [place, turn] = at(local, j),
      [found, facing] = at(model, j);
    const [from, by] =
      parent < 0
        ? [
            [0, 0, 0],
            [0, 0, 0, 1],
          ]
        : at(model, parent);
    turned(by, [...place]).forEach((value, i) => assert.ok(Math.abs(value + from[i] - found[i]) < 1e-4));
    const dot = product([...by], [...turn]).reduce((sum, value, i) => sum + value * facing[i], 0);
    assert.ok(Math.abs(Math.abs(dot) - 1) < 1e-4);
  });
  assert.ok(one.events().some(({ kind, what }) => kind === 'foot down' && /heel|toe/.test(what)));
  assert.equal(one.contacts & ~Object.values(kFeet).reduce((a, b) => a | b), 0);
  one.put({ x: 3, z: -2, heading: 1 });
  assert.ok(Math.hypot(one.place.x - 3, one.place.z + 2) < 1e-4 && Math.abs(one.place.heading - 1) < 1e-4);
  one.reload(loom.load(bytes));
  one.advance(0.5);
  one.free();
}

console.log('- it plays on a skeleton of the page');
{
  const bones = hero.joints.map(joint => ({ ...joint, name: `mixamorig:${joint.name}`, position: joint.position.map(v => 1.1 * v) }));
  const skeleton = loom.skeleton(bones);
  assert.equal(skeleton.find('hips'), 0);
  const one = hero.character({ skeleton });
  one.control({ velocity: [0, 1.2] });
  for (let i = 0; i < 120; ++i) one.advance(1 / 60);
  assert.ok(one.place.z > 1 && one.bones === bones.length);
  refused(() => loom.skeleton([{ name: 'box', parent: -1, position: [0, 0, 0], rotation: [0, 0, 0, 1] }]), 'bad input');
  skeleton.free();
  one.free();
}

console.log('- what is wrong is refused, and nothing breaks');
refused(() => loom.load(new Uint8Array(0)), 'bad input');
refused(() => loom.load(new TextEncoder().encode('not a package at all, but long enough to have a head of one')), 'bad input');
for (const share of [0.01, 0.3, 0.999]) refused(() => loom.load(bytes.subarray(0, Math.floor(share * bytes.length))), 'damaged');
for (let i = 0; i < 60; ++i) {
  const changed = Uint8Array.from(bytes);
  changed[(i * 7919 * 131) % bytes.length] ^= 1 << (i % 8);
  assert.throws(() => loom.load(changed), LoomError);
}
refused(() => hero.character({ rate: -1 }), 'bad input');
{
  const one = hero.character();
  refused(() => one.advance(-1), 'bad input');
  refused(() => one.advance(NaN), 'bad input');
  refused(() => one.control({ behavior: 'fly' }), 'not found');
  refused(() => one.setParameter('fly', 0, 1), 'not found');
  refused(() => one.control({ velocity: [NaN, 0] }), 'bad input');
  one.advance(1);
  assert.ok([...one.local()].every(Number.isFinite));
  one.free();
  refused(() => one.advance(1), 'bad handle');
  refused(() => one.local(), 'bad handle');
  refused(() => one.free(), 'bad handle');
}
{
  const other = loom.load(bytes),
    one = other.character();
  other.free();
  refused(() => other.free(), 'bad handle');
  one.advance(1); // it keeps what it needs
  one.free();
}

console.log('- memory that grows is still seen');
{
  const before = loom.machine.size,
    many = [];
  while (loom.machine.size === before) many.push(loom.load(bytes));
  const one = many.at(-1).character();
  one.advance(0.1);
  assert.ok([...one.local()].every(Number.isFinite));
  many.forEach(one => one.free());
}

loom.close();
refused(() => loom.load(bytes), 'bad handle');
