// SPDX-License-Identifier: MIT
// The page Capture in a real browser: a program sends a reach as VMC, the figure moves, a take is recorded by keys, kept
// with its strokes and thrown away again; the device itself as a sensor; a port that is in use is told of.
//   node capture.mjs LOOM [PICTURE]    PICTURE: where a picture of the page is to be written
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
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
  server = await startStudio(loom, library, { samples: ['reach'] });
  const [free] = await port(),
    [taken, holder] = await port(true);
  sender = spawn(loom, ['live', 'send', library, 'reach-01', '--to', `vmc:${free}`, '--loop', '--seconds', '600'], { stdio: 'ignore' });
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

  // A take, by keys.
  await page.fill('#take-label', 'reach');
  await page.locator('.theatre').click();
  await page.keyboard.press('Space');
  await page.waitForFunction(() => parseFloat(document.querySelector('#live-clock').textContent) > 4, null, kPatience);
  await page.keyboard.press('Space');
  await page.waitForSelector('.take', kPatience);
  await page.keyboard.press('k');
  await page.waitForSelector('.take.kept', kPatience);
  assert.match(await page.textContent('.take.kept'), /take \d+\.\d s, \d+ strokes?/);
  if (picture) await page.screenshot({ path: picture });
  const clips = async () => (await (await fetch(`${server.address}api/library`)).json()).clips;
  const kept = (await clips()).find(({ name }) => name === 'take');
  assert.ok(kept.labels.some(({ name }) => name === 'reach') && kept.labels.some(({ name }) => name === 'stroke'));
  await page.keyboard.press('x');
  await page.waitForFunction(() => !document.querySelector('.take'), null, kPatience);
  assert.ok(!(await clips()).some(({ name }) => name === 'take'), 'what is thrown away is gone');

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
  console.log('the page Capture listens, shows, records, keeps, and is a sensor itself');
} finally {
  sender?.kill();
  await context.close();
  await server?.end();
  rmSync(folder, { recursive: true, force: true });
}
