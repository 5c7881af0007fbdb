// SPDX-License-Identifier: MIT
// Uses the studio in Chromium as a person would: page by page, with mouse, keys and dropped files.
//   node studio.mjs LOOM [FOLDER]     FOLDER keeps a screenshot of every page, drawn as LOOM_DRAWING says: full or plain
// Exit status 77 means that it could not run: no Chromium, or playwright-core is not installed.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import assert from 'node:assert/strict';
import { openBrowser, require } from './browser.mjs';
import { startStudio } from './studio_server.mjs';

const loom = resolve(process.argv[2]),
  pictures = process.argv[3];
const folder = mkdtempSync(join(tmpdir(), 'loom-studio-'));
const library = join(folder, 'test.loom');
const tell = text => console.log(`- ${text}`);

let page;
const text = selector => page.textContent(selector);
const api = path => page.evaluate(async p => (await fetch(p)).json(), path);
const patience = Number(process.env.LOOM_PATIENCE ?? 120000);
const until = (what, argument) => page.waitForFunction(what, argument);
// The same for what is asked of the server: waitForFunction takes a promise for a yes.
async function untilServer(holds) {
  for (const end = Date.now() + patience; !holds(await api('/api/library')); await page.waitForTimeout(20)) {
    assert.ok(Date.now() < end, `the library never comes to ${holds}`);
  }
}
const shoot = async name => {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
};
const command = () => text('#command');
// The command shown comes with the answer of the server, which may be later than what is drawn.
const shown = pattern =>
  until(
    ([source, flags]) => new RegExp(source, flags).test(document.querySelector('#command').textContent),
    [pattern.source, pattern.flags],
  ).catch(async () => assert.fail(`the command shown is ${await command()}, not ${pattern}`));
const visit = async name => {
  await page.click(`.tabs a[href="#${name}"]`);
  await page.waitForSelector(`.${name}-page:not([hidden]), .page:not([hidden])`);
};

// Runs the command that is shown, as somebody who copied it would; what it writes goes to the test's folder.
function runShown(line) {
  const words = line
    .match(/'(?:[^']|'\\'')*'|\S+/g)
    .map(word => word.replaceAll("'\\''", '\u0000').replaceAll("'", '').replaceAll('\u0000', "'"));
  assert.equal(words[0], 'loom');
  if (words.includes('-o')) words.splice(words.indexOf('-o'), 0, '--force'); // what ran before wrote there, too
  return execFileSync(loom, words.slice(1), { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
const sameFile = (name, saved) =>
  assert.ok(readFileSync(join(folder, name)).equals(readFileSync(saved.path)), `${name} is what the page saved`);

// Drops files on the page, as a file manager does.
async function drop(files) {
  const transfer = await page.evaluateHandle(list => {
    const data = new DataTransfer();
    for (const { name, body } of list) data.items.add(new File([body], name));
    return data;
  }, files);
  await page.dispatchEvent('body', 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}

async function download(action) {
  const [file] = await Promise.all([page.waitForEvent('download'), action()]);
  return { name: file.suggestedFilename(), path: await file.path() };
}

async function useLibrary() {
  tell('the library shows its clips and plays the first');
  await page.waitForSelector('.clip-row');
  await until(() => Number(document.querySelector('#clock')?.textContent.match(/frame (\d+)/)?.[1]) > 2);
  assert.match(await text('#count'), /^\d+ clips$/);
  await shown(/^loom measure .*test\.loom /);

  tell('dropped files are imported, with an error for the one that is broken');
  const bvh =
    execFileSync(loom, ['export', library, 'walk-slow', '-o', join(folder, 'x.bvh')]) && readFileSync(join(folder, 'x.bvh'), 'utf8');
  const before = (await api('/api/library')).clips.length;
  await drop([
    { name: 'dropped.bvh', body: bvh.replace('Frame Time', 'Frame Time') + '\n' },
    { name: 'broken.bvh', body: 'HIERARCHY\nROOT' },
    { name: 'notes.txt', body: 'hello' },
  ]);
  await page.waitForSelector('.job.done');
  assert.match(await text('.job.done'), /1 clip, /);
  assert.match(await text('.job.done .error'), /broken\.bvh/);
  await until(n => Number(document.querySelector('#count').textContent.split(' ')[0]) === n, before + 1);

  tell('search and labels narrow the list');
  await page.keyboard.press('/');
  await page.keyboard.type('dropped');
  await until(() => document.querySelectorAll('.clip-row').length === 1);
  await page.click('.clip-row');
  await until(() => document.querySelector('.inspector h2')?.textContent === 'dropped');

  tell('keys step through frames');
  await page.click('.view canvas');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await until(() => /frame 2$/.test(document.querySelector('#clock').textContent));

  tell('a label is drawn on the timeline, named, and stretched');
  const lanes = await page.locator('.timeline .lanes').boundingBox();
  await page.mouse.move(lanes.x + 0.3 * lanes.width, lanes.y + 12);
  await page.mouse.down();
  await page.mouse.move(lanes.x + 0.6 * lanes.width, lanes.y + 12, { steps: 5 });
  await page.mouse.up();
  await page.fill('dialog input', 'stroll');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.timeline .label:has-text("stroll")');
  await shown(/loom label .* dropped stroll --from \d+ --to \d+/);
  const labels = async () =>
    (await api('/api/library')).clips.find(clip => clip.name === 'dropped').labels.filter(label => label.name === 'stroll');
  const [drawn] = await labels();
  assert.ok(drawn.end > drawn.begin + 5);
  const box = await page.locator('.timeline .label:has-text("stroll")').boundingBox();
  await page.mouse.move(box.x + box.width - 2, box.y + 8);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width + 60, box.y + 8, { steps: 4 });
  await page.mouse.up();
  await untilServer(({ clips }) =>
    clips.find(clip => clip.name === 'dropped').labels.some(label => label.name === 'stroll' && label.end > drawn.end),
  );
  assert.equal((await labels()).length, 1, 'it was moved, not doubled');

  tell('what was changed can be taken back, and done again');
  const has = (name, there) => untilServer(({ clips }) => clips.some(clip => clip.name === name) === there);
  const [moved] = await labels();
  await page.keyboard.press('Control+z');
  await page.waitForSelector('.notice:has-text("Undone: label")');
  assert.deepEqual(await labels(), [drawn]);
  await page.keyboard.press('Control+Shift+Z');
  await page.waitForSelector('.notice:has-text("Done again: label")');
  assert.deepEqual(await labels(), [moved]);
  await page.click('.actions >> text=Remove');
  await has('dropped', false);
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press('Control+z');
  await has('dropped', true);
  assert.deepEqual(await labels(), [moved]);
  await page.click('[data-clip=dropped]');
  await until(() => document.querySelector('.inspector h2')?.textContent === 'dropped');

  tell('a stretch is cut out, and the cut is mirrored');
  const curves = await page.locator('.timeline .curves').boundingBox();
  await page.keyboard.down('Shift');
  await page.mouse.move(curves.x + 0.2 * curves.width, curves.y + 40);
  await page.mouse.down();
  await page.mouse.move(curves.x + 0.7 * curves.width, curves.y + 40, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await page.click('.actions >> text=Cut out');
  await page.fill('dialog input', 'piece');
  await page.keyboard.press('Enter');
  await until(() => document.querySelector('.inspector h2')?.textContent === 'piece');
  await page.click('.actions >> text=Mirror');
  await page.keyboard.press('Enter');
  await until(() => document.querySelector('.inspector h2')?.textContent === 'piece-mirrored');

  tell('a clip whose name looks like an option is a clip in the commands shown');
  await page.click('.actions >> text=Mirror');
  await page.fill('dialog input', '--graph=g');
  await page.keyboard.press('Enter');
  await until(() => document.querySelector('.inspector h2')?.textContent === '--graph=g');
  await shown(/^loom measure \S*test\.loom -- --graph=g$/);
  runShown(await command());
  // The command of the clip that is shown next takes its place at once, so all that come are written down.
  await page.evaluate(() => {
    window.commands = [];
    const bar = document.querySelector('#command');
    new MutationObserver(() => window.commands.push(bar.textContent)).observe(bar, { childList: true, characterData: true, subtree: true });
  });
  await page.click('.actions >> text=Remove');
  await until(() => window.commands.some(text => /^loom remove \S*test\.loom -- --graph=g$/.test(text)));
  await has('--graph=g', false);
  await page.fill('input[type=search]', 'piece-mirrored');
  await page.click('[data-clip="piece-mirrored"]');
  await until(() => document.querySelector('.inspector h2')?.textContent === 'piece-mirrored');

  tell('a glb is saved that the Khronos validator accepts, and a BVH');
  const glb = await download(() => page.click('.actions >> text=Save glb'));
  assert.equal(glb.name, 'piece-mirrored.glb');
  const report = await require('gltf-validator').validateBytes(new Uint8Array(readFileSync(glb.path)));
  assert.equal(report.issues.numErrors, 0, JSON.stringify(report.issues.messages));
  const saved = await download(() => page.click('.actions >> text=Save BVH'));
  assert.match(readFileSync(saved.path, 'utf8'), /^HIERARCHY/);

  tell('the command that is shown does what was done');
  const words = (await command()).split(' ').slice(1, -1);
  execFileSync(loom, [...words, join(folder, 'same.bvh')]);
  assert.equal(readFileSync(join(folder, 'same.bvh'), 'utf8'), readFileSync(saved.path, 'utf8'));
  await page.fill('input[type=search]', 'walk-slow');
  await page.click('[data-clip="walk-slow"]');
  await page.fill('input[type=search]', '');
  await page.click('.job [aria-label=Dismiss]');
  await page.click('[data-check=Ghosts]');
  await page.waitForTimeout(500);
  await shoot('library');
}

async function useOddly() {
  const has = name => untilServer(({ clips }) => clips.some(clip => clip.name === name));
  const bvh = (from, to) =>
    execFileSync(loom, [
      'export',
      library,
      'walk-slow',
      '--from',
      String(from),
      '--to',
      String(to),
      '-o',
      join(folder, 'part.bvh'),
      '--force',
    ]) && readFileSync(join(folder, 'part.bvh'), 'utf8');

  tell('two files of one name are two clips; a table of labels can be dropped alone');
  await drop([
    { name: 'twin.bvh', body: bvh(0, 40) },
    { name: 'twin.bvh', body: bvh(20, 70) },
  ]);
  await has('twin');
  await has('twin-2');
  await drop([{ name: 'labels.CSV', body: 'file,label,from,to\ntwin-2,second,0,20\n' }]);
  await untilServer(({ clips }) => clips.find(clip => clip.name === 'twin-2').labels.some(label => label.name === 'second'));
  await shown(/loom label .* --import labels\.CSV/);

  tell('a clip that somebody else removes is shown no longer; what tells of it covers nothing');
  await page.fill('input[type=search]', 'twin');
  await page.click('[data-clip=twin]');
  await until(() => document.querySelector('.inspector h2')?.textContent === 'twin');
  await page.$$eval('.notice.error', all => all.forEach(notice => notice.click())); // beside an error it would be told below
  await page.evaluate(() => fetch('/api/clips/twin', { method: 'DELETE' }));
  await page.waitForSelector('.notice:has-text("twin is no longer in the library")');
  const [notice, bar] = [await page.locator('.notice.info').boundingBox(), await page.locator('header.top').boundingBox()];
  assert.ok(notice.y >= bar.y && notice.y + notice.height <= bar.y + bar.height, 'it stands in the bar');
  await until(() => !['', 'twin'].includes(document.querySelector('.inspector h2')?.textContent ?? ''));
  await page.fill('input[type=search]', '');

  tell('a name in any script is the name of the file that is saved');
  await page.click('.actions >> text=Mirror');
  await page.fill('dialog input', 'a/b 歩く');
  await page.keyboard.press('Enter');
  await until(() => document.querySelector('.inspector h2')?.textContent === 'a/b 歩く');
  const saved = await download(() => page.click('.actions >> text=Save BVH'));
  assert.equal(saved.name, 'a_b 歩く.bvh');
  await shown(/ -o 'a_b 歩く\.bvh'$/);
  runShown(await command());
  sameFile('a_b 歩く.bvh', saved);

  tell('Space is for the control that keys have come to');
  await page.focus('[data-check=Loop]');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  assert.equal(await page.isChecked('[data-check=Loop]'), false);
  await page.keyboard.press('Space');
  await until(() => {
    // news may draw the list anew at any moment
    for (const dismiss of document.querySelectorAll('.job [aria-label=Dismiss]')) dismiss.click();
    return !document.querySelector('.job [aria-label=Dismiss]');
  });
  await page.evaluate(() => document.activeElement?.blur());
}

async function useGraph() {
  tell('a graph is built in the background');
  await visit('graph');
  await page.fill('[name=graph-name]', 'main');
  await page.click('.graph-page .chip:text-is("walk")');
  await page.click('.graph-page .build-panel >> text=Build >> nth=-1');
  await page.waitForSelector('.graph-list [data-graph=main]');
  await until(() => document.querySelector('.numbers strong'));
  await shown(/loom graph (measure|build|walk)/); // it begins to walk by itself

  tell('a walk is played live, over the socket');
  await page.click('.tools >> text=Walk');
  await until(() => /^live · [2-9] s · .*, frame \d+/.test(document.querySelector('#play-readout').textContent));

  tell('what was walked so far is saved, and kept as a clip; the command that is shown walks the same');
  const strolled = await download(() => page.click('.graph-play:visible >> text=Save BVH'));
  await shown(/loom graph walk .* main --seconds [\d.]+ --seed 7 -o walk.bvh/);
  runShown(await command());
  sameFile('walk.bvh', strolled);
  await page.click('.graph-play:visible >> text=Keep as a clip…');
  await page.fill('dialog input', 'strolled');
  await page.keyboard.press('Enter');
  await shown(/ --add strolled$/);
  const [, lasts] = (await command()).match(/--seconds ([\d.]+)/),
    { clips } = await api('/api/library');
  assert.ok(Math.abs(clips.find(clip => clip.name === 'strolled').seconds - Number(lasts)) < 0.001 && Number(lasts) > 2);
  await shoot('walk');

  const drawPath = async () => {
    await page.click('text=Draw a path');
    await page.waitForTimeout(300);
    const stage = await page.locator('.graph-play .view').boundingBox();
    const at = (x, y) => [stage.x + x * stage.width, stage.y + y * stage.height];
    await page.mouse.move(...at(0.35, 0.7));
    await page.mouse.down();
    for (let i = 1; i <= 16; ++i) await page.mouse.move(...at(0.35 + 0.02 * i, 0.7 - 0.25 * Math.sin(i / 8)));
    await page.mouse.up();
  };

  tell('a search that takes long can be cancelled');
  await page.route('**/follow', () => {}); // it never gets there
  await drawPath();
  await page.click('.cancel-search');
  await until(() => document.querySelector('#play-readout').textContent === 'The search was stopped.');
  await page.unroute('**/follow');

  tell('a path is drawn and followed');
  await drawPath();
  await until(() => /off by/.test(document.querySelector('#play-readout').textContent));
  const [, length, off] = (await text('#play-readout')).match(/^([\d.]+) m .*off by (\d+) cm/);
  assert.ok(Number(length) > 2 && Number(off) < 60, `${length} m, off by ${off} cm`);
  await shoot('graph');

  tell('the command that is shown follows the same path: the files are the same');
  const bvh = await download(() => page.click('.graph-play:visible >> text=Save BVH'));
  await shown(/loom graph follow .* --points .* --label walk -o follow.bvh/);
  runShown(await command());
  sameFile('follow.bvh', bvh);

  tell('what came of it is kept as a clip');
  await page.click('.graph-play:visible >> text=Keep as a clip…');
  await page.fill('dialog input', 'drawn');
  await page.keyboard.press('Enter');
  await untilServer(({ clips }) => clips.some(clip => clip.name === 'drawn'));
  await shown(/ --add drawn$/);

  tell('the matrix of two clips can be pointed into, and the transition is played');
  await page.click('text=Compare clips');
  await until(() => /distance/.test(document.querySelector('#compare-readout').textContent));
  const first = await text('#compare-readout');
  const matrix = await page.locator('.compare:visible .matrix').boundingBox();
  await page.mouse.click(matrix.x + matrix.width / 2, matrix.y + matrix.height / 2);
  await until(before => document.querySelector('#compare-readout').textContent !== before, first);
  await page.waitForTimeout(500);
  await shoot('compare');
  await shown(/loom graph compare .* --at \d+:\d+ --picture matrix.png -o transition.glb/);
  const change = await download(() => page.click('.compare:visible >> text=Save BVH'));
  runShown(await command());
  sameFile('transition.bvh', change);

  tell('it tells why behaviors are connected');
  await page.click('text=How it is connected');
  await page.click('.connection >> text=Explain');
  await page.waitForSelector('.answer p');
  await shown(/loom graph explain/);
  assert.match(runShown(await command()), /walk to .* s on average/);
  await shoot('connection');
}

// Drags over the bar of a clip, from one part of it to another.
async function dragBar(clip, from, to) {
  const place = page.locator(`.pick-row:has(.name:text-is("${clip}")) .pick-bar`);
  await place.scrollIntoViewIfNeeded();
  const bar = await place.boundingBox();
  await page.mouse.move(bar.x + from * bar.width, bar.y + bar.height / 2);
  await page.mouse.down();
  await page.mouse.move(bar.x + to * bar.width, bar.y + bar.height / 2, { steps: 4 });
  await page.mouse.up();
}

async function usePick() {
  tell('key motions are drawn in the database, and judged as soon as there are two');
  await visit('pick');
  await page.waitForSelector('.pick-row');
  assert.match(await text('.pick-middle'), /Drag over the bars/);
  await dragBar('walk-slow', 0.4, 0.5);
  await dragBar('walk-turn-left-135', 0.4, 0.5);
  await until(() => document.querySelectorAll('#pick-keys li').length === 2);
  await until(() => / %/.test(document.querySelector('#pick-connected')?.textContent));
  await shoot('pick');

  tell('what is picked between them counts, and what is taken away no longer does');
  const frames = () => page.$eval('#pick-frames strong', one => Number(one.textContent));
  const before = await frames();
  await page.click('.pick-page >> text=Motion between');
  await page.click('.pick-row:has(.name:text-is("walk-slow")) button');
  await until(n => Number(document.querySelector('#pick-frames strong').textContent) > n, before);
  await page.hover('#pick-keys li');
  await page.click('#pick-picked li button');
  await until(n => Number(document.querySelector('#pick-frames strong').textContent) === n, before);

  tell('the program finishes the set, and shows what it took');
  await page.click('.pick-page >> text=Do it alone');
  await until(() => document.querySelector('#pick-connected strong').textContent === '100 %');
  await page.waitForSelector('.pick-bar .picked');
  await until(() => document.querySelector('#pick-satisfied strong').textContent === '100 %');
  await shown(/^loom graph select \S*test\.loom main --name picked --key walk-slow:\d+-\d+ --key walk-turn-left-135:\d+-\d+ --within 40$/);

  tell('something else is asked; the program is asked anew, and what is hand-picked is in the command');
  await page.selectOption('#pick-requirement', '3');
  await shown(/ --keep .* --requirement 3 --within 40$/);
  await page.selectOption('#pick-requirement', '2');
  assert.ok(!(await page.isVisible('.pick-page input[type=number]')), 'no frames are asked for');
  await shown(/ --requirement 2$/);
  await page.selectOption('#pick-requirement', '1');
  await page.fill('.pick-page input[type=number]', '30');
  await page.click('.pick-page >> text=Do it alone');
  await shown(/walk-turn-left-135:\d+-\d+ --within 30$/);
  await until(() => document.querySelector('#pick-satisfied strong').textContent === '100 %');
  await shoot('picked');

  tell('what was picked is kept as a graph, as the command that is shown keeps it, and plays');
  const picked = await frames();
  await page.fill('#pick-name', 'game');
  await shown(/ --name game /);
  await page.click('.pick-page >> text=Keep as a graph');
  await page.waitForSelector('#pick-kept a');
  await shoot('pick-kept');
  assert.equal((await api('/api/graphs/game')).nodes, picked, 'what was shown is kept');
  assert.match(runShown((await command()).replace(' game ', ' again ')), new RegExp(`^graph 'again': ${picked} of `));
  runShown(`loom remove ${library} --graph again`);
  await page.click('#pick-kept a');
  await until(() => document.querySelector('.graph-list [aria-current=true]')?.textContent.startsWith('game'));
  await page.click('.tools:visible >> text=Walk');
  await until(() => /^live · [2-9] s · walk-/.test(document.querySelector('#play-readout').textContent));
  await page.click('[aria-label="Remove game"]');
  await page.click('dialog >> text=Remove >> nth=-1');
  await untilServer(({ graphs }) => graphs.length === 1);
  await visit('pick');

  tell('what was drawn is still there after the page was closed');
  await page.reload();
  await page.waitForSelector('#pick-keys li >> nth=1');
  await dragBar('walk-slow', 0.45, 0.45);
  await until(() => document.querySelectorAll('#pick-keys li').length === 1);
}

const kDrawn = `machine drawn
state idle: idle
state walk: walk
state run: run
state jump: jump
transition idle -> idle self
transition idle -> walk weight 0.9
transition idle -> run weight 0.1
transition walk -> run weight 0.5
transition walk -> idle weight 0.5
transition run -> walk
transition idle -> jump weight 0.2
transition jump -> idle
`;
// Drags from state to state in the drawing of a machine.
async function dragWay(...states) {
  await until(() => {
    const drawing = document.querySelector('.machine-side:first-child svg'), // laid out for the room it has now
      { width } = drawing.viewBox.baseVal;
    return Math.abs(width - drawing.parentElement.clientWidth) < 0.13 * width;
  });
  for (const [i, state] of states.entries()) {
    const box = await page.locator(`.machine-side:first-child [data-state="${state}"] > circle`).first().boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2); // at once, so that no state between is come by
    if (!i) await page.mouse.down();
  }
  await page.mouse.up();
}

async function useMachine() {
  tell('a machine is read from a file and drawn');
  await visit('machine');
  await page.waitForSelector('.machine-page >> text=Mine a machine');
  await page.setInputFiles('#machine-file', { name: 'drawn.machine', mimeType: 'text/plain', buffer: Buffer.from(kDrawn) });
  await until(() => document.querySelectorAll('.machine-drawing:not([hidden]) .state').length === 4);
  assert.equal(await page.locator('.state .inner').count(), 1, 'the state one can stay in has two rings');
  await shown(/^loom machine show \S*test\.loom drawn$/);

  tell('one is mined of a graph, with the same states, and both are beside each other');
  await page.selectOption('#mine-against', 'drawn');
  await page.click('.machine-page >> text="Mine"');
  await page.waitForSelector('[data-machine="mined"][aria-current=true]');
  await page.selectOption('#beside', 'drawn');
  await page.waitForSelector('#likeness');
  assert.match(await text('#likeness'), /χ \d\.\d\d.*ρ \d\.\d\d/);
  await until(() => document.querySelectorAll('.machine-side:not([hidden])').length === 2);
  const place = n => page.$eval(`.machine-side:nth-child(${n}) [data-state=walk]`, one => one.getAttribute('transform'));
  assert.equal(await place(1), await place(2), 'a state stands in the same place in both');
  await shoot('machines');
  assert.match(runShown(`loom machine mine ${library} main --name again --against drawn`), /rho/);
  runShown(`loom remove ${library} --machine again`);

  tell('a way is drawn; both answers are shown, one is taken, and taken back');
  await page.click('[data-machine="drawn"] button');
  await until(() => document.querySelector('#machine-chosen h2')?.textContent === 'drawn');
  await until(() => document.querySelector('.machine-side:nth-child(2)').hidden);
  await dragWay('idle', 'run');
  await page.waitForSelector('#answers table');
  assert.match(await text('#answers'), /Now idle → walk → run is gone/);
  await shown(/^loom machine prefer \S*test\.loom drawn idle,run$/);
  assert.match(runShown(await command()), /least.*\n.*quadratic/);
  await page.click('#answers .look >> nth=0');
  await page.waitForSelector('.edge.changed');
  await shoot('machine-way');
  const before = await api('/api/machines/drawn');
  await page.click('[data-take=least]');
  await until(() => document.querySelectorAll('#edits li:not(.plain)').length === 1);
  await shown(/ drawn idle,run --method least$/);
  const after = await api('/api/machines/drawn');
  assert.notDeepEqual(after.edges, before.edges);
  await page.keyboard.press('Control+z');
  await until(() => document.querySelectorAll('#edits li:not(.plain)').length === 0);
  assert.deepEqual(await api('/api/machines/drawn'), before);
  await page.keyboard.press('Control+Shift+z');
  await until(() => document.querySelectorAll('#edits li:not(.plain)').length === 1);
  assert.deepEqual((await api('/api/machines/drawn')).edges, after.edges);
  await page.click('.machine-page >> text=Take the last back');
  await until(() => document.querySelectorAll('#edits li:not(.plain)').length === 0);

  tell('what cannot be is said');
  await dragWay('jump', 'run');
  await until(() => /no transition from jump to run/i.test(document.querySelector('.notices').textContent));
  await page.fill('#way', 'idle, fly');
  await page.keyboard.press('Enter');
  await until(() => /no state fly/.test(document.querySelector('.notices').textContent));

  tell('it is built, and the character plays it by keys; what goes on lights up');
  await page.click('.machine-page >> text="Build"');
  await page.waitForSelector('.machine-live:not([hidden]) [data-wish=jump]');
  await shown(/^loom machine build \S*test\.loom drawn$/);
  await until(() => Number(document.querySelector('.machine-live').dataset.frames) > 3);
  await page.waitForSelector('.state.now[data-state=idle]');
  await page.keyboard.press('j');
  await page.waitForSelector('.state.now[data-state=jump]');
  await shoot('machine-live');
  await until(() => /answered after/.test(document.querySelector('#machine-delay').textContent));
  await page.waitForSelector('.state.now[data-state=idle]'); // a jump ends by itself
  await page.click('[data-wish=run]');
  await page.waitForSelector('.state.now[data-state=run]');

  tell('a transition shows its warps and is played; one is thrown out, and got back');
  const [x, y] = await page.$eval('.machine-side:first-child .edge[data-from=idle][data-to=walk] .line', line => {
    const at = line.getPointAtLength(line.getTotalLength() / 2).matrixTransform(line.getScreenCTM());
    return [at.x, at.y];
  });
  await page.mouse.click(x, y);
  await page.waitForSelector('#crossing:not([hidden]) #warps li');
  await until(() => /idle → walk, from/.test(document.querySelector('#machine-shown').textContent));
  await shoot('machine-crossing');
  const warps = await page.locator('#warps li').count();
  assert.equal(await page.locator('#warps li.out').count(), 0);
  await page.click('#crossing >> text=Pin');
  await page.waitForSelector('#warps li:has-text("pinned")');
  await page.click('#crossing >> text=Longer');
  await until(() => !document.querySelector('#crossing[aria-busy]'));
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await until(() => !/pinned/.test(document.querySelector('#warps').textContent));
  if (warps > 1) {
    await page.click('#crossing >> text=Throw out');
    await page.waitForSelector('#warps li.out');
    await page.click('#warps li.out button');
    await page.click('#crossing >> text=Get back');
    await until(() => !document.querySelector('#warps li.out'));
  }

  tell('a state tells what it is, and the machine is saved');
  await page.click('.machine-side:first-child [data-state=walk] > circle');
  await until(() => /→ run/.test(document.querySelector('#machine-chosen').textContent));
  const saved = await download(() => page.click('[data-machine="drawn"] .save'));
  runShown(await command());
  sameFile('drawn.machine', saved);
  for (const name of ['mined', 'drawn']) {
    await page.click(`[aria-label="Remove ${name}"]`);
    await page.click('dialog >> text=Remove >> nth=-1');
    await page.waitForSelector(`[data-machine="${name}"]`, { state: 'detached' });
  }
}

async function useBlend() {
  tell('a family is built');
  await visit('blend');
  await page.selectOption('#family-label', 'reach');
  await page.click('.page:not([hidden]) .build-panel >> text=Build >> nth=-1');
  await page.waitForSelector('[data-family=reach]');
  await until(() => document.querySelector('#blend-readout').dataset.hand);

  tell('the target is dragged, and the hand arrives');
  const numbers = name => page.$eval('#blend-readout', (read, n) => read.dataset[n].split(' ').map(Number), name);
  const away = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  const start = await numbers('target'),
    [x, y] = await numbers('ball');
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 30, y - 30, { steps: 4 });
  await page.mouse.up();
  await until(([a, b, c]) => {
    const now = document.querySelector('#blend-readout').dataset.target.split(' ').map(Number);
    return Math.hypot(now[0] - a, now[1] - b, now[2] - c) > 0.05;
  }, start);
  const moveSliders = goal =>
    page.$$eval(
      '.sliders input',
      (sliders, values) =>
        sliders.forEach((slider, p) => {
          slider.value = values[p];
          slider.dispatchEvent(new Event('input'));
        }),
      goal,
    );
  const { members } = await api('/api/families/reach');
  const near = members.map(member => member.values).sort((a, b) => away(a, start) - away(b, start));
  const between = near[0].map((value, p) => (value + near[1][p]) / 2);
  for (const [goal, most] of [
    [near[1], 0.01],
    [between, 0.04],
  ]) {
    await moveSliders(goal);
    await until(([a, b, c]) => {
      const now = document.querySelector('#blend-readout').dataset.target.split(' ').map(Number);
      return Math.hypot(now[0] - a, now[1] - b, now[2] - c) < 0.01;
    }, goal);
    // The hand is there with the next motion, not at once.
    const off = async () => away(await numbers('hand'), await numbers('target'));
    for (const end = Date.now() + 30000; !((await off()) < most); await page.waitForTimeout(50))
      assert.ok(Date.now() < end, `the hand is ${await off()} m away`);
  }

  tell('coverage is shown as cubes');
  await page.click('text=Coverage');
  await page.waitForSelector('#blend-legend:has-text("covered")');
  await shoot('blend');
  await shown(/loom blend coverage/);
  const covered = /\d+ % covered/;
  assert.equal(runShown(await command()).match(covered)[0], (await text('#blend-legend')).match(covered)[0]);

  tell('a mesh goes with the hand, and is red where nothing is reached');
  await page.click('text=Around the hand');
  await page.selectOption('[aria-label="Shape of the mesh"]', 'ball');
  await until(() => document.querySelector('#blend-readout').dataset.covered > 0);
  const among = Number(await page.$eval('#blend-readout', read => read.dataset.covered));
  await shoot('around');
  await moveSliders(between.map(() => 9)); // as far as they go
  await until(share => Number(document.querySelector('#blend-readout').dataset.covered) < share / 2, among);
  await moveSliders(between);
  await until(share => Math.abs(Number(document.querySelector('#blend-readout').dataset.covered) - share) < 1e-6, among);

  tell('a line and a turn are met together, and the command that is shown makes the same');
  const set = (target, label, value) =>
    page.fill(`[data-target="${target}"] [aria-label="${label}"]`, String(value)).then(() => page.keyboard.press('Enter'));
  await page.click('text=Add a target');
  await page.selectOption('[data-target="0"] [aria-label=Kind]', 'line');
  await page.click('text=Add a target');
  await page.selectOption('[data-target="1"] [aria-label=Kind]', 'turn');
  await page.selectOption('[data-target="1"] [aria-label="Axes that count"]', 'xz');
  await set(1, 'Priority', 0.2);
  await page.selectOption('#objective', 'sum');
  await until(() => document.querySelector('#blend-readout').dataset.left.split(' ').length === 2);
  await until(() => Number(document.querySelector('#blend-readout').dataset.left.split(' ')[0]) < 0.02);
  await shoot('targets');
  {
    const blended = await download(() => page.click('.graph-play:visible >> text=Save BVH'));
    await shown(
      /loom blend make .* --target RightHand=line:[-\d.,]+:0,1,0@stroke --target RightHand=turn:0,0,0:xz@stroke,c=0.2 --objective sum/,
    );
    runShown(await command());
    sameFile('reach.bvh', blended);
  }
  await page.click('[data-target="1"] >> text=×');
  await page.click('[data-target="0"] >> text=×');
  await page.click('text=Around the hand');

  tell('the blend that is saved is the one the command makes, by any method');
  for (const method of ['barycentric', 'radial-basis', 'neighbours', 'inverse', 'corrected-basis']) {
    await page.selectOption('#method', method);
    const blended = await download(() => page.click('.graph-play:visible >> text=Save BVH'));
    await shown(new RegExp(`loom blend make .* --method ${method} -o reach.bvh`));
    runShown(await command());
    sameFile('reach.bvh', blended);
  }

  await useAlign();
}

async function useAlign() {
  tell('the warp between two clips is dragged by its middle, and held there by a pin');
  await page.click('[role=tab]:has-text("Align")');
  await until(() => document.querySelector('#align-readout').dataset.cost);
  const cost = () => page.$eval('#align-readout', read => Number(read.dataset.cost));
  const path = async () =>
    (await page.$eval('#align-readout', read => read.dataset.path)).split(' ').map(cell => cell.split(':').map(Number));
  const { frames } = await page.evaluate(async () => {
    const names = [...document.querySelectorAll('.align select')].map(choice => choice.value);
    return (await (await fetch(`/api/library`)).json()).clips.find(clip => clip.name === names[0]);
  });
  const box = await page.locator('.align .matrix-frame').boundingBox(),
    before = await path(),
    best = await cost();
  const on = ([i, j]) => [
    box.x + ((j + 0.5) / (before.at(-1)[1] + 1)) * box.width,
    box.y + ((i + 0.5) / (before.at(-1)[0] + 1)) * box.height,
  ];
  assert.ok(frames > 20);
  const held = before[Math.floor(before.length * 0.3)],
    goal = [held[0] + 3, held[1] - 3];
  await page.mouse.move(...on(held));
  await page.mouse.down();
  await page.mouse.move(...on(goal), { steps: 4 });
  await page.mouse.up();
  await until(
    cell =>
      document.querySelector('.warp-pin')?.dataset.pin === cell &&
      document.querySelector('#command').textContent.includes(`--pin ${cell}`) &&
      document.querySelector('#align-readout').dataset.path.split(' ').includes(cell),
    goal.join(':'),
  );
  assert.ok((await cost()) > best, 'held elsewhere than on its best path it costs more');
  const told = JSON.parse(runShown(`${await command()} --json`));
  assert.deepEqual(told.path, await path(), 'the command finds the same path');
  await page.waitForTimeout(300);
  await shoot('align');

  tell('an end is dragged; the pin is taken off by a key, and all is let go');
  const end = page.locator('.align .warp-end').first();
  await end.waitFor();
  const knob = await end.boundingBox();
  await page.mouse.move(knob.x + 10, knob.y + 10);
  await page.mouse.down();
  await page.mouse.move(knob.x + 30, knob.y + 16, { steps: 4 });
  await page.mouse.up();
  await shown(/--from \d+:\d+/);
  await page.focus('.warp-pin');
  await page.keyboard.press('Delete');
  await until(() => !document.querySelector('.warp-pin'));
  await page.click('.align >> text=Let go');
  await until(least => Math.abs(Number(document.querySelector('#align-readout').dataset.cost) - least) < 1e-9, best);

  tell('a stroke is marked along a ruler, and taken off again');
  const marks = () => page.locator('.ruler.down .stroke-mark').count();
  const had = await marks(),
    ruler = await page.locator('.ruler.down').boundingBox();
  await page.mouse.click(ruler.x + 6, ruler.y + 0.8 * ruler.height);
  await until(n => document.querySelectorAll('.ruler.down .stroke-mark').length === n, had + 1);
  await shown(/loom label .* stroke --from/);
  await page.click('.ruler.down .stroke-mark >> nth=-1');
  await until(n => document.querySelectorAll('.ruler.down .stroke-mark').length === n, had);
  await shown(/loom label .* stroke --remove --from/);
}

async function usePlay() {
  tell('the character goes and turns as keys say');
  await visit('play');
  const at = () => page.$eval('.play-page', element => ['x', 'z', 'heading', 'frames'].map(name => Number(element.dataset[name])));
  await until(() => Number(document.querySelector('.play-page')?.dataset.frames) > 20);
  const gone = ([x, z], metres) =>
    until(
      ([fromX, fromZ, far]) => {
        const { dataset } = document.querySelector('.play-page');
        return Math.hypot(Number(dataset.x) - fromX, Number(dataset.z) - fromZ) > far;
      },
      [x, z, metres],
    );
  const before = await at();
  await page.keyboard.down('w');
  await gone(before, 0.4);
  const ahead = await at();
  await page.keyboard.down('a');
  await until(heading => {
    const turned = Number(document.querySelector('.play-page').dataset.heading) - heading;
    return Math.atan2(Math.sin(turned), Math.cos(turned)) > 0.5;
  }, ahead[2]);
  await page.keyboard.up('a');
  await page.keyboard.up('w');
  await until(() => /key to changed pose \d+ ms; median \d+, 95 % under \d+/.test(document.querySelector('#delay').textContent));
  await shoot('play');

  tell('a tap of the space bar is a jump');
  const inTheAir = page.evaluate(
    () =>
      new Promise(flies => {
        const element = document.querySelector('.play-page');
        new MutationObserver((_, watcher) => {
          if (Number(element.dataset.planted) !== 0) return;
          watcher.disconnect();
          flies();
        }).observe(element, { attributeFilter: ['data-planted'] });
      }),
  );
  // A machine that is busy may not show the one third of a second that it flies: then it is tapped once more.
  let flown = false;
  void inTheAir.then(() => {
    flown = true;
  });
  for (const end = Date.now() + patience; !flown; await Promise.race([inTheAir, page.waitForTimeout(4000)])) {
    assert.ok(Date.now() < end, 'it stays on the floor');
    await page.keyboard.press('Space');
  }

  tell('sticks on the screen, and a gamepad, do the same');
  await page.click('#sticks');
  const stick = await page.locator('[aria-label=Turn]').boundingBox(),
    middle = [stick.x + stick.width / 2, stick.y + stick.height / 2];
  const turnedBy = async amount => {
    const [, , heading] = await at();
    await amount();
    await until(from => {
      const turned = Number(document.querySelector('.play-page').dataset.heading) - from;
      return Math.atan2(Math.sin(turned), Math.cos(turned)) < -0.4;
    }, heading);
  };
  await turnedBy(async () => {
    await page.mouse.move(...middle);
    await page.mouse.down();
    await page.mouse.move(middle[0] + 40, middle[1], { steps: 3 });
  });
  await page.mouse.up();
  await page.click('#sticks');
  const hold = axes =>
    page.evaluate(list => {
      navigator.getGamepads = () => [list && { axes: list, buttons: [{ pressed: false }] }];
    }, axes);
  await turnedBy(() => hold([0, -0.4, 0.9, 0]));
  await hold(null);

  tell('what was played is a trace that training reads');
  const trace = await download(() => page.click('text=Save steering'));
  const played = execFileSync(loom, ['match', 'play', library, '--trace', trace.path, '--json', '-o', join(folder, 'played.bvh')], {
    encoding: 'utf8',
  });
  assert.equal(JSON.parse(played).simulated_player, false);

  tell('a policy is trained on what was played, and played at once');
  await until(() => Number(document.querySelector('#score').textContent.match(/(\d+) s played/)?.[1]) > 5); // less is not kept
  await page.click('text=Train a policy…');
  await page.waitForSelector('dialog.training');
  assert.match(await text('dialog.training'), /played-\d+-\d+/);
  await page.fill('dialog [name=policy]', 'mine');
  await page.click('dialog >> text=Train >> nth=-1');
  await until(() => document.querySelector('#policy').value === 'mine');
  await shown(/^loom fragments play .* mine /);
  await until(() => Number(document.querySelector('.play-page').dataset.frames) > 20);
  const stood = await at();
  await page.keyboard.down('w');
  await gone(stood, 0.5);
  await page.keyboard.up('w');
  const { traces } = await api('/api/policies');
  const told = JSON.parse(
    execFileSync(loom, ['match', 'play', library, '--trace', traces[0].name, '--json', '-o', join(folder, 'again.bvh')], {
      encoding: 'utf8',
    }),
  );
  assert.equal(told.simulated_player, false, 'the command finds the trace in the library');
}

async function useFight() {
  tell('two fight, once the machine is bound to the clips');
  await visit('fight');
  await page.click('text=Prepare');
  const facts = () =>
    page.$eval('.fight-page', ({ dataset }) => ({
      ...dataset,
      counts: JSON.parse(dataset.counts),
      place: dataset.place.split(' ').map(Number),
    }));
  const counted = (fighter, what, count) =>
    until(([f, w, n]) => JSON.parse(document.querySelector('.fight-page').dataset.counts ?? '[]')[f]?.[w] >= n, [fighter, what, count]);
  // So many steps on from now.
  const stepped = async steps => {
    const then = Number((await facts()).steps);
    await until(n => Number(document.querySelector('.fight-page').dataset.steps) >= n, then + steps);
  };
  const newBout = (old, steps) =>
    until(([o, n]) => (({ bout, steps }) => bout !== o && Number(steps) > n)(document.querySelector('.fight-page').dataset), [old, steps]);
  await counted(0, 0, 1);
  await shown(/loom fight .*--style aggressive,defensive/);

  // What the command makes of the same: counts of attacks, punches, kicks, evasions and hits, as the page has them.
  const again = (words, file) =>
    JSON.parse(execFileSync(loom, [...words, join(folder, file), '--json'], { encoding: 'utf8' })).fighters.map(fighter =>
      ['attacks', 'punches', 'kicks', 'evasions', 'hits'].map(name => fighter[name]),
    );
  const paused = async () => {
    await page.click('.fight-page .transport >> text=Pause');
    for (let before = null, now = await facts(); ; before = now, now = await facts()) {
      if (before && now.steps === before.steps) return now;
      await page.waitForTimeout(500);
    }
  };

  const slide = (fighter, name, value) =>
    page.$eval(
      `[data-fighter="${fighter}"] [data-slider=${name}]`,
      (slider, to) => {
        slider.value = to;
        slider.dispatchEvent(new Event('input'));
      },
      value,
    );
  // What the command that is shown makes with the wishes as the page saves them now.
  const savedAgain = async file => {
    const saved = await download(() => page.click('text=Save what I did'));
    const words = (await command()).split(' ').slice(1, -1);
    words[words.indexOf('--wishes') + 1] = saved.path;
    return { counts: again(words, file), csv: readFileSync(saved.path, 'utf8') };
  };

  tell('sliders moved in mid-bout are kept: with the file the command that is shown fights the same bout');
  await slide(0, 'kick', 0.25);
  await shown(/--style aggressive,defensive .*--wishes wishes\.csv/);
  await stepped(45);
  await slide(1, 'punch', 0.9);
  await slide(1, 'distance', 0);
  await stepped(120);
  const changed = await paused(),
    kept = await savedAgain('restyled.glb');
  assert.match(kept.csv, /^\d+,1,,,aggressive\+kick=0\.25$/m);
  assert.match(kept.csv, /^\d+,2,,,defensive\+punch=0\.9\+distance=0$/m);
  assert.deepEqual(kept.counts, changed.counts);

  tell('a slider is part of the style, and the command that is shown fights the same bout');
  await page.click('.fight-page .transport >> text=Fight');
  await newBout(changed.bout, 240);
  await shown(/--style aggressive\+kick=0\.25,defensive\+punch=0\.9\+distance=0 .*--seconds 30 -o/);
  const seen = await paused(),
    words = (await command()).split(' ').slice(1, -1);
  words[words.indexOf('--seconds') + 1] = String(Number(seen.steps) / 30);
  assert.deepEqual(again(words, 'bout.glb'), seen.counts);
  await shoot('fight');

  tell("a fighter in the player's hand does what keys and buttons say");
  await page.selectOption('[data-fighter="0"] [aria-label=Who]', 'me');
  await newBout(seen.bout, 20);
  const { place } = await facts();
  await page.keyboard.down('a');
  await until(([x, z]) => {
    const now = document.querySelector('.fight-page').dataset.place.split(' ').map(Number);
    return Math.hypot(now[0] - x, now[1] - z) > 0.3;
  }, place);
  await page.keyboard.up('a');
  await page.keyboard.press('j');
  await counted(0, 1, 1);
  await until(() => /key to changed pose \d+ ms/.test(document.querySelector('#fight-delay').textContent));
  await page.waitForTimeout(1500);
  await page.click('[data-pad=kick]');
  await counted(0, 2, 1);
  await page.waitForTimeout(300);
  await shoot('fight-me');

  tell('what the player did is a file that fights the same bout');
  const mine = await paused();
  assert.equal(mine.counts[0][0], 2, 'it attacks when it is told to');
  assert.deepEqual((await savedAgain('steered.glb')).counts, mine.counts);
}

async function useWorld() {
  // A graph that turns both ways, beside the one that is there.
  const ask = (method, path, body) =>
    page.evaluate(([m, p, b]) => fetch(p, { method: m, body: b && JSON.stringify(b) }).then(answer => answer.json()), [method, path, body]);
  await ask('POST', '/api/graphs', { name: 'ways', labels: [], mirror: true, metric: 'pointcloud', connect: 0.9 });
  await untilServer(({ graphs }) => graphs.some(({ name }) => name === 'ways'));
  tell('obstacles are drawn with the mouse, and what was drawn is undone and done again');
  await visit('world');
  const canvas = await page.locator('.world-page .view canvas').boundingBox();
  const at = (x, y) => [canvas.x + x * canvas.width, canvas.y + y * canvas.height];
  const drag = async (from, to) => {
    await page.mouse.move(...at(...from));
    await page.mouse.down();
    await page.mouse.move(...at((from[0] + to[0]) / 2, (from[1] + to[1]) / 2), { steps: 3 });
    await page.mouse.move(...at(...to), { steps: 3 });
    await page.mouse.up();
  };
  const obstacles = count => until(n => document.querySelector('.world-page').dataset.obstacles === String(n), count);
  await page.click('.world-page [data-tool=box]');
  await drag([0.46, 0.42], [0.54, 0.5]);
  await obstacles(1);
  await shown(/^loom world check drawn\.world$/);
  await page.keyboard.press('Control+z');
  await obstacles(0);
  await page.keyboard.press('Control+Shift+Z');
  await obstacles(1);
  await page.click('.world-page [data-tool=cylinder]');
  await drag([0.62, 0.6], [0.64, 0.6]);
  await obstacles(2);
  await page.click('.world-page [data-tool=polygon]');
  await page.selectOption('.world-page #world-asks', 'step');
  for (const corner of [[0.36, 0.6], [0.42, 0.6], [0.4, 0.68]]) await page.mouse.click(...at(...corner)); // prettier-ignore
  await page.keyboard.press('Enter');
  await obstacles(3);
  assert.equal(await page.inputValue('.world-page #world-chosen [aria-label="Asks for"]'), 'step');
  await page.keyboard.press('Delete');
  await obstacles(2);
  await page.selectOption('.world-page #world-asks', 'nothing');

  tell('the world is a readable file');
  const saved = await download(() => page.click('.world-page >> text=Save >> nth=0'));
  assert.equal(saved.name, 'drawn.world');
  const file = readFileSync(saved.path, 'utf8');
  assert.match(file, /^world drawn\nground -5 -5 5 5\nbox box-1 at /);
  assert.match(file, /\ncylinder cylinder-1 at .*\nstart -4 -4\ngoal 4 4\n$/s);
  writeFileSync(join(folder, 'drawn.world'), file);
  runShown(await command());

  tell('a walk is searched: the tree grows, the bound falls, and the walk is played');
  await page.click('.world-page [data-tool=move]');
  await page.fill('.world-page [aria-label="Seconds to search at most"]', '60');
  await page.fill('.world-page [aria-label^="Good enough"]', '20'); // the first walk, however slow the machine
  await page.selectOption('.world-page #plan-with', 'graph:ways');
  await page.click('.world-page .plan-panel button.primary');
  await until(() => Number(document.querySelector('.world-page').dataset.tree) > 0);
  await until(() => document.querySelector('.plan-panel').dataset.state === 'planned');
  assert.ok(Number(await page.$eval('.world-page .bound-chart', ({ dataset }) => dataset.bound)) <= 20);
  assert.match(await text('.world-page #plan-facts'), /touches somethingnowhere/);
  await until(() => /frame \d{2}/.test(document.querySelector('.world-page .clock').textContent));
  await shoot('world');
  await shown(/^loom plan walk .*test\.loom --world drawn\.world --with graph:\S+ --seconds 60 --bound 20 -o plan\.glb$/);
  const glb = await download(() => page.click('.world-page >> text=Save glb'));
  assert.match(readFileSync(glb.path, 'latin1'), /"walker".*"obstacles"|"obstacles".*"walker"/s);
  runShown(await command());

  tell('twenty walk among the obstacles, and get out of the way of one that is moved');
  await page.click('.world-page >> text=Let them walk');
  await until(() => Number(document.querySelector('.crowd-panel').dataset.seconds) > 1);
  await shown(/^loom crowd .*--world drawn\.world --characters 20 --seed 1 --anywhere --seconds 30 -o crowd\.glb$/);
  await drag([0.5, 0.46], [0.58, 0.4]);
  await until(() => Number(document.querySelector('.crowd-panel').dataset.moved) === 1);
  await until(() => Number(document.querySelector('.crowd-panel').dataset.seconds) > 6);
  await shoot('world-crowd');
  await page.click('.world-page .crowd-panel >> text=Stop');
  await page.keyboard.press('Control+z'); // where it was
  await page.waitForSelector('.notice:has-text("Undone: move box-1")');
  await ask('DELETE', '/api/graphs/ways');
  await untilServer(({ graphs }) => graphs.length === 1);
}

async function usePlan() {
  tell('a thing is shown to somebody, and the plan is made anew while furniture and target are dragged');
  const build = { method: 'POST', body: JSON.stringify({ name: 'shown', label: 'reach', mirror: false }) };
  await page.evaluate(asked => fetch('/api/families', asked), build);
  while (!(await api('/api/families')).families.some(({ name }) => name === 'shown')) await page.waitForTimeout(50);
  await visit('plan');
  const state = wanted => until(one => document.querySelector('.plan-page').dataset.state === one, wanted);
  await page.waitForSelector('.plan-page #show-family option[value=shown]', { state: 'attached' });
  await page.selectOption('.plan-page #show-family', 'shown');
  await state('planned');
  assert.equal(await page.$eval('.plan-page', ({ dataset }) => dataset.candidates), '72');
  assert.match(await text('.plan-page #show-legend'), /one can stand there/);
  assert.match(await text('.plan-page #show-facts'), /hand misses by\d\.\d mm/);
  assert.match(await text('.plan-page #show-told'), /^Nobody walks: /); // no sample that is here begins and ends at rest
  await page.uncheck('.plan-page #show-walk');
  await shown(
    /^loom plan show .*test\.loom shown --world room\.world --target RightHand=0\.15,0\.95,-0\.15 --observer 0\.00,2\.20 --there -o show\.glb$/,
  );
  await shoot('plan');
  // Out of everybody's reach: it is said, and how near a hand gets.
  await page.$eval('.plan-page #show-height', input => {
    input.value = '2';
    input.dispatchEvent(new Event('input'));
  });
  await state('failed');
  assert.match(await text('.plan-page #show-told'), /out of reach.*the nearest that a hand gets is/);
  assert.match(await text('.plan-page #show-legend'), /the target is out of reach/);
  await page.$eval('.plan-page #show-height', input => {
    input.value = '0.95';
    input.dispatchEvent(new Event('input'));
  });
  await state('planned');
  // One more looks on, and the command says so.
  await page.click('.plan-page >> text=One more looks on');
  await shown(/--observer 0\.00,2\.20 --observer /);
  const room = await download(() => page.click('.plan-page >> text=Save room'));
  assert.match(readFileSync(room.path, 'utf8'), /^world room\n.*box table at 0 0 .*goal .* called target\n/s);
  await page.evaluate(() => fetch('/api/families/shown', { method: 'DELETE' }).then(answer => answer.json()));
}

async function useFrame() {
  tell('keys lead from page to page; dark is dark; a tablet has room');
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press('1');
  await page.waitForSelector('.library-page:not([hidden])');
  await page.click('#theme');
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await page.waitForTimeout(300);
  await shoot('dark');
  for (const [width, height] of [
    [1024, 768],
    [768, 1024],
  ]) {
    await page.setViewportSize({ width, height });
    await until(() => document.documentElement.scrollWidth <= innerWidth); // canvases follow a little later
    assert.ok(await page.isVisible('.library-page .transport .play'));
  }
  await shoot('tablet');

  tell('a server that ends is told of, and one that is started again is taken up');
  assert.deepEqual(browser.complaints, [], 'the page complains');
  await page.evaluate(() => {
    window.before = true;
  });
  assert.equal(await studio.end(), 0, 'the server ends well when told to');
  await page.waitForSelector('.offline:not([hidden])');
  studio = await startStudio(loom, library, { port: new URL(studio.address).port });
  await until(() => !window.before && document.querySelector('.clip-row') && document.querySelector('.offline').hidden);
  browser.complaints.length = 0; // of nobody answering

  tell('closing the page loses nothing, and a page of another site is let nowhere');
  await page.reload();
  await page.waitForSelector('.clip-row');
  const state = await api('/api/library');
  assert.ok(state.clips.some(clip => clip.name === 'drawn') && state.graphs.length === 1);
}

let studio, browser;
try {
  studio = await startStudio(loom, library, {
    samples: ['walk', 'walk-turn', 'run', 'idle', 'jump', 'reach', 'fight-stance', 'fight-step', 'fight-change', 'punch', 'kick', 'evade'],
  });
  writeFileSync(join(folder, 'notes.txt'), 'hello');
  browser = await openBrowser(folder, { acceptDownloads: true });
  page = browser.page;
  page.setDefaultTimeout(patience);
  const late = Number(process.env.LOOM_LATE ?? 0); // milliseconds that every answer waits, as over a slow line
  if (late) {
    await page.route('**/api/**', async route => {
      const response = await route.fetch();
      await new Promise(passed => setTimeout(passed, late * Math.random()));
      await route.fulfill({ response }).catch(() => {}); // nobody waits for it any more
    });
  }
  await page.goto(`${studio.address}${process.env.LOOM_DRAWING ? `?drawing=${process.env.LOOM_DRAWING}` : ''}`);
  await useLibrary();
  await useOddly();
  await useGraph();
  await usePick();
  await useMachine();
  await useBlend();
  await usePlay();
  await useFight();
  await useWorld();
  await usePlan();
  await useFrame();
  assert.deepEqual(browser.complaints, [], 'the page complains');
  assert.equal(await studio.end(), 0, 'the server ends well when told to');
  studio = null;
  console.log('passed');
} catch (error) {
  if (page) console.log(`the page says: ${await page.$$eval('.notice, .job', all => all.map(one => one.textContent).join(' | '))}`);
  throw error;
} finally {
  await browser?.context.close();
  await studio?.end();
  rmSync(folder, { recursive: true, force: true });
}
