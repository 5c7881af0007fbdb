// SPDX-License-Identifier: MIT
// The page Capture in a real browser: a program sends a reach as VMC, the figure moves, as a character that was chosen too;
// the loop by keys and by a gamepad: new, refine, replace, delete, mirror, each taken back and done again, in the library
// each time, while what the family covers grows; live motion over motion matching; the device itself as a sensor; a port
// that is in use is told of.
//   node capture.mjs LOOM [PICTURE]    PICTURE: where a picture of the page is to be written
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openBrowser } from './browser.mjs';
import { startStudio } from './studio_server.mjs';

const loom = resolve(process.argv[2]),
  picture = process.argv[3],
  folder = mkdtempSync(join(tmpdir(), 'loom-capture-')),
  library = join(folder, 'a.loom');
const kPatience = { timeout: 120_000 }; // milliseconds: the machine may do other things, too

// A free port of this machine, given back at once; or held.
async function port(hold = false) {
  const socket = createSocket('udp4');
  await new Promise(done => socket.bind(0, '127.0.0.1', done));
  const number = socket.address().port;
  if (!hold) await new Promise(done => socket.close(done));
  return [number, socket];
}

const { context, page, complaints } = await openBrowser(folder);
let server, sender;
try {
  // The performer reaches higher than all examples of the library.
  const others = join(folder, 'performer.loom');
  execFileSync(loom, ['sample', others, '--only', 'reach-22'], { stdio: 'ignore' });
  const examples = ['reach-02', 'reach-04', 'reach-06', 'reach-08', 'reach-10', 'reach-12'];
  execFileSync(loom, ['sample', library, '--only', ...examples, 'walk'], { stdio: 'ignore' });
  const hero = join(folder, 'hero.glb');
  execFileSync(loom, ['export', library, 'walk-slow', '-o', hero], { stdio: 'ignore' });
  execFileSync(loom, ['character', 'add', library, hero], { stdio: 'ignore' });
  server = await startStudio(loom, library);
  const [free] = await port(),
    [taken, holder] = await port(true);
  sender = spawn(loom, ['live', 'send', others, 'reach-22', '--to', `vmc:${free}`, '--loop', '--seconds', '3000'], { stdio: 'ignore' });
  // A gamepad whose buttons and sticks the test moves.
  await page.addInitScript(() => {
    window.pad = { connected: false, buttons: Array.from({ length: 16 }, () => ({ pressed: false })), axes: [0, 0, 0, 0] };
    navigator.getGamepads = () => (window.pad.connected ? [window.pad] : []);
  });
  await page.goto(`${server.address}#capture`);
  const capture = page.locator('.capture-page'),
    data = name => capture.getAttribute(`data-${name}`);

  // A port that another program has is told of, and nothing else happens.
  await page.fill('#live-address', `vmc:${taken}`);
  await page.click('text=Listen');
  await page.waitForSelector(`text=/port ${taken} is in use/`, kPatience);
  holder.close();

  await page.fill('#live-address', `vmc:${free}`);
  await page.click('text=Listen');
  await page.waitForFunction(
    () =>
      JSON.parse(document.querySelector('.capture-page').dataset.sources ?? '[]').some(([, frames, used]) => frames > 30 && used === 21),
    null,
    kPatience,
  );
  await page.waitForFunction(() => Number(document.querySelector('.capture-page').dataset.frames) > 20, null, kPatience);
  const seen = new Set();
  for (const begun = Date.now(); seen.size < 8 && Date.now() - begun < kPatience.timeout;) {
    seen.add(await data('hand'));
    await page.waitForTimeout(100);
  }
  assert.ok(seen.size >= 8, 'the figure moves as the sender does');
  assert.match(await page.textContent('#live-sources'), /Hz, jitter .* ms, 21 parts/);

  // On a character that was chosen.
  await page.selectOption('#worn', 'hero');
  await page.waitForFunction(() => Number(document.querySelector('.capture-page').dataset.worn) > 0, null, kPatience);
  if (picture) await page.screenshot({ path: picture.replace('.png', '-worn.png') });
  await page.selectOption('#worn', '');

  // What is in the library: the clips that came of takes, families, and what is told of coverage.
  const ask = async path => (await fetch(server.address + path)).json();
  const taken_clips = async () => (await ask('api/library')).clips.filter(({ name }) => name.startsWith('take')).map(({ name }) => name);
  const families = async () => (await ask('api/families')).families.map(({ name }) => name).sort();
  // `wanted`: clips, and families where these matter: one of a single take is built once a second comes.
  const until = async (wanted, what) => {
    const told = async () => JSON.stringify([(await taken_clips()).sort(), await families()].slice(0, wanted.length));
    const text = JSON.stringify(wanted);
    for (const begun = Date.now(); (await told()) !== text; await page.waitForTimeout(50))
      assert.ok(Date.now() - begun < kPatience.timeout, `${what}: the library has ${await told()}, not ${text}`);
  };
  const coverage = async (count, family = 'reaching') => {
    await page.waitForFunction(
      ([many, name]) => {
        const shown = document.querySelector('[data-litres]')?.dataset;
        return shown?.family === name && shown.examples === String(many);
      },
      [count, family],
      kPatience,
    );
    return Number(await page.getAttribute('[data-litres]', 'data-litres'));
  };
  const examplesNow = () => page.getAttribute('[data-litres]', 'data-examples').then(Number);
  const recordTake = async () => {
    const before = await page.locator('.take:not(.kept)').count();
    await page.keyboard.press('Space');
    await page.waitForFunction(() => parseFloat(document.querySelector('#live-clock').textContent) > 4, null, kPatience);
    await page.keyboard.press('Space');
    await page.waitForFunction(many => document.querySelectorAll('.take:not(.kept)').length > many, before, kPatience);
  };

  // Refine: a take goes into the family; what that covers grows by it, shrinks when it is taken back, grows again.
  await page.fill('#take-label', 'reach');
  await page.fill('#take-family', 'reaching');
  await page.locator('.theatre').click();
  await recordTake();
  await page.keyboard.press('k');
  await until([['take'], ['reaching']], 'kept');
  await page.waitForSelector('.take.kept', kPatience);
  assert.match(await page.textContent('.take.kept'), /take \d+\.\d s, \d+ strokes?/);
  await page.waitForSelector('[data-litres]', kPatience);
  const many = await examplesNow(),
    large = await coverage(many);
  assert.ok(many > examples.length, `${many} examples`);
  await page.keyboard.press('u');
  const small = await coverage(examples.length);
  assert.ok(large > small && small > 0, `${large} litres are more than ${small}`);
  await until([[], ['reaching']], 'taken back');
  await page.keyboard.press('Shift+U');
  assert.equal(await coverage(many), large, 'done again it covers the same');
  await until([['take'], ['reaching']], 'done again');
  if (picture) {
    await page.waitForTimeout(1000); // until the new cubes are drawn
    await page.screenshot({ path: picture });
  }

  // Replace.
  await recordTake();
  await page.keyboard.press('r');
  await until([['take-2'], ['reaching']], 'replaced');
  await page.keyboard.press('u');
  await until([['take'], ['reaching']], 'what was replaced is back');
  // New: with names of its own, which are worked at from then on.
  await page.keyboard.press('n');
  await until([['take', 'take-2']], 'a new family');
  const fields = (label, family) =>
    page.waitForFunction(
      names => ['label', 'family'].every((field, i) => document.querySelector(`#take-${field}`).value === names[i]),
      [label, family],
      kPatience,
    );
  await fields('reach-2', 'reaching-2');
  const labels = async name => (await ask('api/library')).clips.find(clip => clip.name === name).labels.map(label => label.name);
  assert.ok((await labels('take-2')).includes('reach-2'));
  await page.keyboard.press('Control+z');
  await until([['take'], ['reaching']], 'no new family');
  await fields('reach', 'reaching');
  // Mirror.
  await page.keyboard.press('m');
  await until([['take', 'take-mirrored']], 'mirrored');
  await page.keyboard.press('u');
  await until([['take'], ['reaching']], 'not mirrored');
  // Delete: the one that is not kept, which leaves the library alone, then the one that is.
  await page.waitForFunction(() => document.querySelectorAll('.take').length === 2, null, kPatience);
  await page.keyboard.press('x');
  await page.waitForFunction(() => document.querySelectorAll('.take').length === 1, null, kPatience);
  await page.keyboard.press('x');
  await until([[], ['reaching']], 'thrown away');
  await page.keyboard.press('u');
  await until([['take'], ['reaching']], 'thrown away no more');
  await page.keyboard.press('u');
  await page.waitForFunction(() => document.querySelectorAll('.take').length === 2, null, kPatience);

  // The same by a gamepad: X refines, the cross mirrors, shoulders undo and redo.
  const press = async number => {
    for (const down of [true, false]) {
      await page.evaluate(([i, on]) => (window.pad.buttons[i].pressed = on), [number, down]);
      await page.waitForTimeout(300);
    }
  };
  await page.evaluate(() => (window.pad.connected = true));
  await press(2);
  await page.waitForFunction(() => document.querySelectorAll('.take.kept').length === 2, null, kPatience);
  await press(4);
  await until([['take'], ['reaching']], 'undone by the shoulder');
  await press(13);
  await until([['take', 'take-mirrored']], 'mirrored by the cross');
  await press(4);
  await until([['take'], ['reaching']], 'undone');
  await press(5);
  await until([['take', 'take-mirrored']], 'and redone by the other shoulder');
  await press(4);
  await until([['take'], ['reaching']], 'undone again');

  // Over motion matching: the legs go where the stick, or a key, wants; the arms are the performer's.
  await page.selectOption('#live-over', 'matching');
  await page.waitForFunction(() => document.querySelector('.capture-page').dataset.driven === 'true', null, kPatience);
  const place = async () => (await data('place')).split(' ').map(Number);
  const gone = async act => {
    const [x, z] = await place();
    await act(true);
    await page.waitForTimeout(3000);
    const [to, there] = await place();
    await act(false);
    return Math.hypot(to - x, there - z);
  };
  const key = down => page.keyboard[down ? 'down' : 'up']('ArrowUp');
  const stick = on => page.evaluate(value => (window.pad.axes[1] = value), on ? -0.6 : 0);
  await page.waitForFunction(() => document.querySelector('.capture-page').dataset.performs === '1', null, kPatience);
  const walked = await gone(key);
  assert.ok(walked > 0.5, `it walked ${walked} m by a key`);
  const pushed = await gone(stick);
  assert.ok(pushed > 0.5, `it walked ${pushed} m by the stick`);
  if (picture) await page.screenshot({ path: picture.replace('.png', '-over.png') });
  // All of it while somebody performs: who reaches stands.
  const was = await data('scene');
  await page.selectOption('#live-part', 'body');
  await page.waitForFunction(before => document.querySelector('.capture-page').dataset.scene !== before, was, kPatience);
  await page.waitForTimeout(1500);
  const stood = await gone(key);
  assert.ok(stood < 0.4, `who performs stands, and went ${stood} m`);
  await page.selectOption('#live-over', 'nothing');
  await page.evaluate(() => (window.pad.connected = false));

  // This device as a sensor: the browser tells how it is turned.
  await page.click('text=Send its orientation');
  await page.waitForFunction(
    () => {
      const kind = 'ondeviceorientationabsolute' in window ? 'deviceorientationabsolute' : 'deviceorientation';
      dispatchEvent(new DeviceOrientationEvent(kind, { alpha: 40, beta: 10, gamma: -20, absolute: true }));
      return JSON.parse(document.querySelector('.capture-page').dataset.sources).some(([id, frames]) => id === 1 && frames > 5);
    },
    null,
    { ...kPatience, polling: 30 },
  );
  await page.waitForSelector('text=pages', kPatience);
  assert.deepEqual(
    complaints.filter(text => !/400/.test(text)), // of the port that is in use
    [],
  );
  console.log('the page Capture listens, shows, records, refines, replaces, mirrors, takes back, steers, and is a sensor itself');
} finally {
  sender?.kill();
  await context.close();
  await server?.end();
  rmSync(folder, { recursive: true, force: true });
}
