// SPDX-License-Identifier: MIT
// Asks a real `loom studio` everything its page can ask, and holds each answer against the type that the page has of it
// (web/src/routes.ts): no field may be missing, of another type, or unknown to the page. The same for events and frames.
//   node routes.mjs LOOM
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { declaredTypes } from './declared_types.mjs';
import { startStudio } from './studio_server.mjs';
import { openSocket } from './web_socket.mjs';

const loom = resolve(process.argv[2]),
  root = fileURLToPath(new URL('../../', import.meta.url));
const kSamples = ['walk', 'idle', 'jump', 'reach', 'fight-stance', 'fight-step', 'fight-change', 'punch', 'kick', 'evade'];
const typeOf = declaredTypes(join(root, 'web'), join(root, 'web/src/routes.ts'));
const routes = typeOf('Routes'),
  events = typeOf('Events'),
  library = join(mkdtempSync(join(tmpdir(), 'loom-routes-')), 'a.loom');
const kPatience = 300_000; // milliseconds: the machine may do other things, too
const asked = new Set(),
  heard = new Set(),
  frames = [],
  listeners = {}; // by event
let server, socket;

const fits = (type, value, at) => assert.deepEqual(type.faults(value, at).slice(0, 8), [], `${at} is not what web/src/routes.ts says`);

// Asks a route as the page would; what came of it, once it is seen to be of its type.
async function ask(route, { names = [], query = {}, body, raw } = {}) {
  asked.add(route);
  const type = routes.member(route),
    [method, pattern] = route.split(' '),
    left = [...names];
  assert.ok(type, `web/src/routes.ts has ${route}`);
  if (body !== undefined) fits(type.member('body'), body, `the body of ${route}`);
  if (type.member('query')) fits(type.member('query'), query, `the query of ${route}`);
  const search = new URLSearchParams(query).toString(),
    path = pattern.replaceAll('*', () => encodeURIComponent(left.shift()));
  const response = await fetch(server.address + path.slice(1) + (search && `?${search}`), {
    method,
    body: raw ?? (body && JSON.stringify(body)),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.ok(response.ok, `${route}: ${response.status} ${bytes.toString().slice(0, 200)}`);
  if (type.member('file')) {
    assert.ok(
      type.member('file').literals().includes(response.headers.get('content-type')),
      `${route}: ${response.headers.get('content-type')}`,
    );
    return bytes;
  }
  const packed = type.member('packed');
  const value = JSON.parse(packed ? bytes.subarray(4, 4 + bytes.readUInt32LE(0)).toString() : bytes.toString());
  fits(packed ?? type.member('json'), value, route);
  return value;
}

// Every address the server knows stands as a text in its source.
function routesOfTheServer() {
  const folder = join(root, 'apps/studio'),
    found = new Set();
  for (const name of readdirSync(folder).filter(file => file.endsWith('_routes.cc'))) {
    for (const [, pattern] of readFileSync(join(folder, name), 'utf8').matchAll(/"(api\/[^"]*)"/g)) found.add(`/${pattern}`);
  }
  return [...found].sort();
}

// The check itself, on values with one fault each.
function checksWhatItSays() {
  const label = typeOf('Label'),
    told = value => label.faults(value, 'label');
  assert.deepEqual(told({ name: 'walk', begin: 0, end: 9 }), []);
  assert.deepEqual(told({ name: 'walk', begin: 0 }), ['label.end is missing']);
  assert.deepEqual(told({ name: 3, begin: 0, end: 9 }), ['label.name: 3 is not a string']);
  assert.deepEqual(told({ name: 'walk', begin: 0, end: 9, colour: 1 }), ['label.colour is sent, and in no type']);
  assert.deepEqual(typeOf('Job').faults({ id: 1, kind: 'labels', title: '', state: 'over', what: '', share: 0 }, 'job').length, 1);
  assert.deepEqual(typeOf('Cell').faults([1, 2, 3], 'cell'), ['cell: [1,2,3] is not a list of 2']);
  assert.deepEqual(
    typeOf('GraphAbout')
      .member('between_s')
      .faults({ walk: { run: null, idle: '1' } }, 's'),
    ['s.walk.idle: "1" is not a number'],
  );
}

async function until(condition, what) {
  for (const begun = Date.now(); Date.now() - begun < kPatience;) {
    if (await condition()) return;
    await new Promise(done => setTimeout(done, 50));
  }
  assert.fail(`${what} did not happen in ${kPatience / 1000} s`);
}

async function jobEnds(started, state = 'done') {
  let job;
  await until(async () => {
    job = (await ask('GET /api/jobs')).jobs.find(({ id }) => id === started.job);
    return !['waiting', 'running'].includes(job.state);
  }, `the end of job ${started.job}`);
  assert.equal(job.state, state, job.error);
  return job;
}

// Joins a scene, says something to it, and waits for frames and for an event, where there is one to come.
async function watch(scene, said, event) {
  frames.length = 0;
  if (event) heard.delete(event);
  socket.say({ do: 'join', scene: scene.scene });
  for (const message of said) {
    const faults = typeOf('Said').faults(message);
    assert.deepEqual(faults, [], 'what a page says');
    socket.say({ ...message, do: 'say', seq: 1 });
  }
  await until(() => frames.length > 3 && (!event || heard.has(event)), `a frame of ${scene.kind}${event ? ` and its ${event}` : ''}`);
  const frame = frames.at(-1);
  assert.equal(frame.readUInt32LE(8), scene.bodies.length, 'one character a body');
  socket.say({ do: 'leave' });
}

async function clips() {
  const state = await ask('GET /api/library'),
    [clip] = state.clips;
  const motion = await ask('GET /api/clips/*/motion', { names: [clip.name] });
  await ask('GET /api/clips/*/thumbnail', { names: [clip.name], query: { hash: clip.hash } });
  await ask('GET /api/clips/*/file/*', { names: [clip.name, 'bvh'], query: { from: 3, to: 9 } });
  await ask('GET /api/clips/*/file/*', { names: [clip.name, 'glb'], query: {} });
  await ask('GET /api/bodies/*', { names: [motion.body] });
  await ask('GET /api/bodies/*/coarse', { names: [motion.body] });
  const label = { name: 'odd / name', begin: 2, end: 7 };
  await ask('POST /api/clips/*/labels', { names: [clip.name], body: { add: label } });
  await ask('POST /api/clips/*/labels', { names: [clip.name], body: { remove: label } });
  await ask('POST /api/clips/*/derive', { names: [clip.name], body: { as: 'a/part', mirror: true, from: 0, to: 20 } });
  await ask('DELETE /api/clips/*', { names: ['a/part'] });
  await ask('POST /api/clips/*/restore', { names: ['a/part'], body: {} });
  const bvh = await ask('GET /api/clips/*/file/*', { names: ['a/part', 'bvh'], query: {} });
  await ask('PUT /api/uploads/*/*', { names: ['drop-1', 'sent.bvh'], raw: bvh });
  const job = await jobEnds(await ask('POST /api/imports', { body: { batch: 'drop-1' } }));
  assert.deepEqual(job.result.clips, ['sent']);
  await ask('PUT /api/uploads/*/*', { names: ['drop-2', 'labels.csv'], raw: 'file,label,from,to\nsent,walk,0,9\n' });
  await jobEnds(await ask('POST /api/imports', { body: { batch: 'drop-2' } }));
  const more = await jobEnds(await ask('POST /api/samples', { body: { only: ['run-fast'] } }));
  assert.equal(more.result.clips, 1);
  for (const name of ['a/part', 'sent', 'run-fast']) await ask('DELETE /api/clips/*', { names: [name] });
}

// Many clips at once, mended copies, and what motion tells.
async function manyClips() {
  const names = (await ask('GET /api/library')).clips.slice(0, 3).map(({ name }) => name);
  const figures = await ask('POST /api/many/figures', { body: { clips: names } });
  assert.equal(figures.figures.length, 3);
  const { suggested } = await ask('POST /api/many/suggest', { body: { clips: names } });
  assert.ok(suggested.length > 0);
  const add = { name: 'many', begin: 0, end: 5 };
  await ask('POST /api/many/labels', { body: { changes: names.map(clip => ({ clip, add })) } });
  await ask('POST /api/many/labels', { body: { changes: names.map(clip => ({ clip, remove: add })) } });
  const { renamed } = await ask('POST /api/many/rename', { body: { clips: names, as: 'x-*' } });
  assert.deepEqual(
    renamed.map(({ to }) => to),
    names.map(name => `x-${name}`),
  );
  await ask('POST /api/many/rename', { body: { renamings: renamed.map(({ from, to }) => ({ from: to, to: from })), anyway: true } });
  await ask('POST /api/many/remove', { body: { clips: names } });
  await ask('POST /api/many/restore', { body: { clips: names } });
  const { found, example } = await ask('POST /api/find', { body: { clip: 'walk-slow', from: 10, to: 60, mirror: true, most: 5 } });
  assert.ok(found.length > 0 && example.startsWith('walk-slow:'));
  await ask('POST /api/clips/*/repair', { names: ['walk-slow'], body: { loop: true, plant_feet: true, smooth_hz: 6, rate: 30 } });
  await ask('POST /api/clips/*/repair', { names: ['walk-slow'], body: { from: 10, to: 60, floor: true, in_place: true } });
  const nothing = await fetch(`${server.address}api/clips/walk-slow/repair`, { method: 'POST', body: '{}' });
  assert.equal(nothing.status, 400, 'nothing to mend');
}

// Sources: a page's own, which needs no port; what it sends moves the figure, is recorded and kept.
async function capture() {
  const kPages = 1,
    names = [kPages];
  const opened = await ask('POST /api/live', { body: { source: 'vmc:0' } });
  await ask('DELETE /api/live/*', { names: [opened.source] });
  const shown = { mirror: true, delay: 0.05, over: 'nothing', policy: '', part: 'upper' };
  const over = await ask('POST /api/live/*/show', { names, body: { ...shown, over: 'matching' } });
  assert.equal(over.driven, true);
  await watch(over, [{ left: 0, forward: 1, turn: 0, jump: false }]);
  const scene = await ask('POST /api/live/*/show', { names, body: shown });
  const frame = n => ({ frame: { loom: 1, t: n / 50, n, up: 'y', parts: { phone: { q: [1, 0, 0, 0] } } } });
  socket.say({ do: 'join', scene: scene.scene });
  let sent = 0;
  const sender = setInterval(() => socket.say({ ...frame(++sent), do: 'say', seq: 1 }), 20);
  await until(async () => (await ask('GET /api/live')).sources.find(({ id }) => id === kPages).frames > 10, 'frames of a page');
  const made = await ask('POST /api/live/*/calibrate', { names, body: { pose: 't-pose', seconds: 0.5 } });
  assert.deepEqual(made.sensors, [{ name: 'phone', role: null }]);
  const worn = await ask('POST /api/live/*/worn', { names, body: { sensor: 'phone', role: 'right_upper_arm' } });
  assert.deepEqual(worn.sensors, [{ name: 'phone', role: 'right_upper_arm' }]);
  await until(async () => (await ask('GET /api/live')).sources.find(({ id }) => id === kPages).used === 1, 'a sensor that is used');
  clearInterval(sender);
  const take = new Promise(done => (listeners.take = done));
  await watch(scene, [frame(1000), { record: true }]);
  await watch(scene, [{ record: false }], 'take');
  const body = { name: 'performed', label: 'wave', family: '' };
  const kept = await ask('POST /api/takes/*/keep', { names: [(await take).made], body });
  assert.equal(kept.clip, 'performed');
  const none = { label: 'wave', family: '' };
  const { mirrored, label } = await ask('POST /api/takes', { body: { ...none, mirror: ['performed'] } });
  assert.deepEqual([mirrored, label], [['performed-mirrored'], 'wave-mirrored']);
  const better = await ask('POST /api/takes/*/keep', { names: [(await take).made], body: { ...body, replaces: 'performed' } });
  await ask('POST /api/takes', { body: { ...none, remove: [better.clip, ...mirrored], restore: ['performed'] } });
  await ask('DELETE /api/clips/*', { names: ['performed'] });
}

async function graphs() {
  const body = { name: 'main', labels: [], mirror: false, metric: 'pointcloud', connect: 0.8 };
  const started = await ask('POST /api/graphs', { body }),
    second = await ask('POST /api/graphs', { body: { ...body, name: 'other' } });
  await ask('DELETE /api/jobs/*', { names: [second.job] });
  await jobEnds(started);
  await jobEnds(second, 'cancelled');
  const names = ['main'],
    about = await ask('GET /api/graphs/*', { names });
  assert.ok(about.behaviors.length > 1);
  const outline = await ask('GET /api/graphs/*/outline', { names });
  assert.deepEqual(
    [outline.behaviors, outline.frames, outline.nodes],
    [about.behaviors, about.frames, about.recorded_nodes],
    'what is known at once is what is measured',
  );
  assert.deepEqual(await ask('GET /api/graphs/*', { names }), about, 'what was measured is kept');
  await ask('GET /api/graphs/*/closure', { names });
  await ask('GET /api/graphs/*/explain', { names, query: { from: 'walk', to: 'idle' } });
  const made = await ask('POST /api/graphs/*/keys', { names, body: { keys: ['walk@1', 'idle'] } });
  await ask('POST /api/graphs/*/follow', {
    names,
    body: {
      points: [
        [0, 0],
        [1, 1],
        [2, 1],
      ],
      label: 'walk',
    },
  });
  await ask('POST /api/graphs/*/walked', { names, body: { seed: 3, seconds: 2.5 } });
  const keys = [
    { clip: 'walk-slow', begin: 1, end: 2 },
    { clip: 'walk-fast', begin: 1, end: 2 },
  ];
  const asked = { requirement: 1, within: 40 };
  const few = await ask('POST /api/graphs/*/pick', { names, body: { keys, picked: [], ...asked } });
  const picked = [{ clip: 'walk-slow', begin: 0, end: 100 }];
  const more = await ask('POST /api/graphs/*/pick', { names, body: { keys, picked, ...asked } });
  assert.ok(more.frames > few.frames && more.connected_share >= few.connected_share, 'what is picked is judged');
  const alone = await ask('POST /api/graphs/*/finish', { names, body: { keys, picked: [], ...asked } });
  const finished = await ask('POST /api/graphs/*/pick', { names, body: { keys, picked: alone.picked, ...asked } });
  assert.equal(finished.connected_share, 1, 'the program connects all key frames');
  assert.equal(finished.frames, alone.frames, 'and what it picked is what is judged');
  assert.equal(finished.satisfied_share, 1, 'and what is asked is met, as far as the whole graph can');
  const kept = await jobEnds(await ask('POST /api/graphs/*/select', { names, body: { keys, picked: [], ...asked, name: 'game' } }));
  assert.equal((await ask('GET /api/graphs/*', { names: ['game'] })).nodes, alone.frames, 'and what it picked is what is kept');
  assert.deepEqual([kept.result.nodes, kept.result.left_out_nodes], [alone.frames, 0]);
  await ask('DELETE /api/graphs/*', { names: ['game'] });
  await ask('GET /api/made/*/file/*', { names: [made.made, 'glb'] });
  await ask('POST /api/made/*/keep', { names: [made.made], body: { as: 'kept' } });
  await watch(await ask('POST /api/graphs/*/walk', { names, body: { seed: 7 } }), [{ speed: 4 }], 'piece');
  await ask('DELETE /api/graphs/*', { names });

  // One with motion between recordings.
  await jobEnds(await ask('POST /api/graphs', { body: { ...body, name: 'smooth', labels: ['walk'], connect: 0.5, lambda: 5 } }));
  const smooth = await ask('GET /api/graphs/*', { names: ['smooth'] });
  assert.ok(smooth.recorded_nodes < smooth.nodes);
  await ask('POST /api/graphs/*/walked', { names: ['smooth'], body: { seed: 3, seconds: 10 } });
  await ask('DELETE /api/graphs/*', { names: ['smooth'] });
}

async function machines() {
  const text =
    'machine drawn\nstate idle: idle\nstate walk: walk\nstate jump: jump\ntransition idle -> idle self\n' +
    'transition idle -> walk weight 0.6\ntransition idle -> jump weight 0.4\ntransition walk -> jump\ntransition jump -> idle\n';
  const drawn = await ask('POST /api/machines/*/read', { names: ['drawn'], body: { file: 'drawn.machine', text } });
  assert.deepEqual(
    drawn.states.map(state => state.cyclic),
    [true, false, false],
  );
  await jobEnds(await ask('POST /api/graphs', { body: { name: 'main', labels: [], mirror: false, metric: 'pointcloud', connect: 0.8 } }));
  for (const against of ['', 'drawn']) {
    await jobEnds(await ask('POST /api/machines', { body: { name: `mined ${against}`, graph: 'main', against } }));
  }
  assert.equal((await ask('GET /api/machines')).machines.length, 3);
  const all = await ask('GET /api/machines/*/gaps', { names: ['mined '], query: {} });
  assert.ok(all.mined && all.missing.length > 0);
  const against = await ask('GET /api/machines/*/gaps', { names: ['mined drawn'], query: { against: 'drawn' } });
  assert.equal(against.hand_edges, 4);
  assert.equal((await ask('GET /api/machines/*/gaps', { names: ['drawn'], query: {} })).mined, false);
  const ways = [['idle', 'walk', 'jump']],
    names = ['drawn'];
  const { answers, now } = await ask('POST /api/machines/*/ways', { names, body: { ways } });
  assert.deepEqual([answers.length, now], [2, [['idle', 'walk', 'jump']]], 'the likelier way is the cheapest');
  await ask('POST /api/machines/*/ways', { names, body: { ways: [['walk', 'idle']] } }); // refused
  const taken = await ask('POST /api/machines/*/prefer', { names, body: { ways: [['idle', 'jump']], method: 'least' } });
  await ask('POST /api/machines/*/undo', { names, body: { what: taken.edits[0] } });
  assert.deepEqual(await ask('GET /api/machines/*', { names }), drawn);
  assert.match((await ask('GET /api/machines/*/file', { names })).toString(), /^machine drawn/);
  await jobEnds(await ask('POST /api/machines/*/build', { names, body: {} }));
  const filled = await ask('GET /api/machines/*/states', { names });
  assert.deepEqual(
    filled.states.map(state => state.name),
    ['idle', 'walk', 'jump'],
  );
  const between = { from: 'idle', to: 'walk' },
    { warps } = await ask('GET /api/machines/*/crossings', { names, query: between });
  await ask('GET /api/machines/*/crossing', { names, query: { ...between, index: 0 } });
  const pinned = warps.map(warp => ({ ...warp, pinned: true }));
  await ask('POST /api/machines/*/warps', { names, body: { ...between, warps: pinned } });
  await watch(await ask('POST /api/machines/*/play', { names, body: {} }), [{ wish: 'jump', queue: false }], 'machine');
  await ask('DELETE /api/machines/*', { names });
  await ask('DELETE /api/graphs/*', { names: ['main'] });
}

async function pairs() {
  const query = { a: 'walk-slow', b: 'walk-fast' };
  const {
    minima: [[i, j]],
  } = await ask('GET /api/matrix', { query });
  await ask('GET /api/transition', { query: { ...query, i, j } });
  const {
    frames: [rows, columns],
  } = await ask('GET /api/align', { query });
  assert.ok('cells' in (await ask('GET /api/warp', { query: { ...query, pins: '30:30', free: '1', strokes: '0' } })));
  assert.ok(
    'refused' in
      (await ask('GET /api/warp', { query: { ...query, pins: `${rows - 2}:1`, from: '0:0', to: `${rows - 1}:${columns - 1}` } })),
  );
  await ask('GET /api/retimed', { query });
}

async function families() {
  await jobEnds(await ask('POST /api/families', { body: { name: 'reach', label: 'reach', mirror: false } }));
  assert.equal((await ask('GET /api/families')).families.length, 1);
  const names = ['reach'],
    about = await ask('GET /api/families/*', { names }),
    { values } = about.members[0];
  await ask('GET /api/families/*/coverage', { names });
  await ask('POST /api/families/*/make', { names, body: { values, method: 'inverse' } });
  const targets = [
    `${about.joints[about.joint]}=line:${values.join()}:0,1,0@stroke`,
    `${about.joints[about.joint]}=turn:0,0,0:xz@stroke,c=0.2`,
  ];
  await ask('POST /api/families/*/make', { names, body: { targets, objective: 'sum', method: 'inverse' } });
  const scene = await ask('POST /api/families/*/scene', { names, body: { method: 'inverse' } });
  const plain = { target: values, targets: [], objective: 'squares', method: 'barycentric', playing: true, mesh: null };
  await watch(scene, [plain, { ...plain, targets, mesh: { shape: 'ball', size: 0.2, points: 5 } }]);
  const text = 'world room\nground -3 -3 3 3\nbox table at 0 0 size 1.2 0.6 from 0.7 to 0.75\nstart -2 -2 0\n';
  const world = await ask('POST /api/worlds/read', { body: { file: 'room.world', text } });
  const shown = { world, family: 'reach', observers: [{ x: 0, z: 2 }], walk: true };
  const show = await ask('POST /api/worlds/show', { body: { ...shown, target: { x: 0.2, y: 0.95, z: -0.15 } } });
  assert.equal(show.error, null);
  await ask('GET /api/made/*/motion', { names: [show.made] });
  const high = await ask('POST /api/worlds/show', { body: { ...shown, target: { x: 0.2, y: 2.9, z: -0.15 } } });
  assert.match(high.error, /out of reach/);
  await ask('DELETE /api/families/*', { names });
}

async function play() {
  const csv = 'time,left,forward,turn,airborne\n0,0,0,0,0\n2,0,1.4,0,0\n4,0,1.4,0.5,0\n6,0,0,0,0\n';
  const { name } = await ask('POST /api/traces', { body: { name: 'played', csv, again: '' } });
  assert.deepEqual(
    (await ask('GET /api/policies')).traces.map(trace => trace.name),
    ['played'],
  );
  await jobEnds(await ask('POST /api/policies', { body: { name: 'learnt', traces: [name] } }));
  await ask('DELETE /api/traces/*', { names: [name] });
  await ask('POST /api/play/played', { body: { policy: 'learnt', root: 'between', csv } });
  for (const policy of ['', 'learnt']) {
    const scene = await ask('POST /api/play', { body: { policy, root: 'between', characters: 2 } });
    await watch(scene, [{ left: 0, forward: 1.4, turn: 0, jump: false }], 'asked');
  }
  await ask('POST /api/clips/*/labels', { names: ['walk-slow'], body: { add: { name: 'walk', begin: 0, end: 5 } } }); // all is to be measured anew
  const part = await ask('POST /api/play', { body: { policy: '', root: 'between', characters: 2, at_once: 0 } });
  assert.equal(part.part?.clips, 1);
  await watch(part, [], 'whole');
}

// A character: kept, put right, shown; our own file of a clip is a rigged model, too.
async function characters() {
  const model = await ask('GET /api/clips/*/file/*', { names: ['walk-slow', 'glb'], query: {} });
  await ask('PUT /api/uploads/*/*', { names: ['character-1', 'hero.glb'], raw: model });
  const job = await jobEnds(await ask('POST /api/characters', { body: { batch: 'character-1' } }));
  assert.deepEqual(job.result.failed, []);
  const names = ['hero'];
  assert.equal((await ask('GET /api/characters')).characters.length, 1);
  const { roles } = await ask('GET /api/characters/*', { names });
  const [role] = roles.filter(entry => entry.role === 'left_hand');
  await ask('POST /api/characters/*/map', { names, body: { role: role.role, joint: null } });
  await ask('POST /api/characters/*/map', { names, body: { role: role.role, joint: role.joint } });
  assert.match((await ask('GET /api/characters/*/map', { names })).toString(), /left_hand = /);
  await ask('GET /api/characters/*/model', { names, query: {} });
  await ask('GET /api/clips/*/on/*', { names: ['walk-slow', 'hero'] });
  await ask('GET /api/clips/*/file/*', { names: ['walk-slow', 'glb'], query: { on: 'hero' } });
  const made = await ask('GET /api/retimed', { query: { a: 'walk-slow', b: 'walk-fast' } });
  await ask('GET /api/made/*/on/*', { names: [made.made, 'hero'] });
  await ask('GET /api/made/*/file/*', { names: [made.made, 'glb'], query: { on: 'hero' } });
  const scene = await ask('POST /api/play', { body: { policy: '', root: 'between', characters: 2 } });
  const worn = await ask('POST /api/scenes/*/wear', { names: [scene.scene], body: { character: 'hero' } });
  assert.equal(worn.sizes.length, 2);
  await watch(scene, []);
  assert.ok(frames.at(-1).length > 2 * 28 * worn.nodes.length, 'poses of its nodes come with those of the body');
  await ask('DELETE /api/characters/*', { names });
}

async function worlds() {
  await jobEnds(
    await ask('POST /api/graphs', { body: { name: 'main', labels: ['walk'], mirror: true, metric: 'pointcloud', connect: 0.8 } }),
  );
  const text = 'world hall\nground -6 -6 6 6\nbox wall at 0 4 size 0.3 2 to 2.5\nstart -2 0\ngoal 2 0 called door\n';
  const world = await ask('POST /api/worlds/read', { body: { file: 'hall.world', text } });
  assert.equal((await ask('POST /api/worlds/text', { body: { world } })).text, text);
  const scene = await ask('POST /api/worlds/plan', { body: { world, with: 'graph:main', seconds: 60, bound: 2 } });
  let planned = null;
  heard.delete('planned');
  listeners.planned = event => {
    planned = event;
  };
  socket.say({ do: 'join', scene: scene.scene });
  socket.say({ enough: true, do: 'say', seq: 1 });
  await until(() => heard.has('planned'), 'the end of a search');
  // Told that it was enough at once it may have had nothing yet: then it is let search.
  if (!planned.plan) {
    heard.delete('planned');
    const again = await ask('POST /api/worlds/plan', { body: { world, with: 'graph:main', seconds: 60, bound: 3 } });
    socket.say({ do: 'join', scene: again.scene });
    await until(() => heard.has('planned'), 'a walk');
  }
  assert.equal(planned.plan?.collisions, 0, planned.error);
  await ask('GET /api/made/*/motion', { names: [planned.plan.made] });
  const crowd = await ask('POST /api/worlds/crowd', { body: { world, characters: 3, seed: 1, steering: 'reciprocal', anywhere: true } });
  await watch(crowd, [{ speed: 2 }, { move: 'wall', x: 1, z: 1, turn: 30 }]);
  await ask('DELETE /api/graphs/*', { names: ['main'] });
}

async function fights() {
  assert.equal((await ask('GET /api/fights')).ready, false);
  await jobEnds(await ask('POST /api/fights/prepare', { body: {} }));
  const { ready, needs } = await ask('GET /api/fights');
  assert.ok(ready && needs.every(({ met, optional }) => met || optional));
  const bout = { styles: 'aggressive,defensive', seed: 1, seconds: 3, wishes: '' };
  const fought = await ask('POST /api/fights/fought', { body: bout });
  await ask('GET /api/fights/fought/*', { names: [fought.bout] });
  const scene = await ask('POST /api/fights', { body: { styles: 'aggressive,defensive', seed: 1, player: 0 } });
  await watch(scene, [{ speed: 2 }, { styles: 'aggressive,aggressive' }, { move: 'forward', act: 'punch' }], 'bout');
  const own = await ask('POST /api/fights', { body: { styles: 'aggressive,aggressive', seed: 1, player: null } });
  await watch(own, [{ speed: 2 }], 'bout');
  socket.say({ do: 'join', scene: 987654 });
  await until(() => heard.has('over'), 'the end of a scene that is not there');
}

function take(message) {
  if (typeof message !== 'string') {
    frames.push(message);
    socket.say({ do: 'seen', frame: message.readUInt32LE(0) });
    return;
  }
  const { event, ...told } = JSON.parse(message),
    type = events.member(event);
  heard.add(event);
  listeners[event]?.(told);
  if (!type) wrong.push(`the event ${event} is in no type`);
  else wrong.push(...type.faults(told, `the event ${event}`));
}
const wrong = []; // with events: they come between questions

try {
  checksWhatItSays();
  const known = [...new Set(routes.names().map(route => route.split(' ')[1]))].sort();
  assert.deepEqual(known, routesOfTheServer(), 'web/src/routes.ts has the addresses of apps/studio');
  execFileSync(loom, ['sample', library, '--only', ...kSamples], { stdio: 'ignore' });
  server = await startStudio(loom, library);
  socket = await openSocket(`${server.address}ws`, take);
  for (const part of [clips, manyClips, capture, pairs, characters, graphs, worlds, machines, families, fights, play]) {
    console.log(`- ${part.name}`);
    await part();
    assert.deepEqual(wrong.slice(0, 8), [], 'an event is not what web/src/routes.ts says');
  }
  assert.deepEqual(
    routes.names().filter(route => !asked.has(route)),
    [],
    'every route was asked',
  );
  assert.deepEqual(
    events.names().filter(event => !heard.has(event)),
    [],
    'every event was heard',
  );
  console.log(`${asked.size} routes and ${heard.size} events are what the page takes them for`);
} finally {
  socket?.close();
  await server?.end();
  rmSync(join(library, '..'), { recursive: true, force: true });
}
