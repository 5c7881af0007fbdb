// SPDX-License-Identifier: MIT
// Opens the page that plays a packed character in Chromium, from disk and without a network, and plays as a person would.
//   node page_test.mjs FOLDER [PICTURE.PNG]
// Exit status 77 means that it could not run: no Chromium, or playwright-core is not installed.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBrowser } from '../web/browser.mjs';

const folder = resolve(process.argv[2]),
  picture = process.argv[3];
const work = mkdtempSync(join(tmpdir(), 'loom-packed-'));

// What the page says of the first character, and of its own pace.
const told = page =>
  page.evaluate(() =>
    Object.fromEntries(Object.entries(document.getElementById('pace').dataset).map(([name, value]) => [name, Number(value)])),
  );

// The number of 24 x 16 blocks of the stage that are not the background.
async function bodyBlocks(page) {
  const png = await page.screenshot({ clip: { x: 340, y: 130, width: 600, height: 400 } });
  return page.evaluate(async base64 => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = new OffscreenCanvas(24, 16),
      paint = canvas.getContext('2d');
    paint.drawImage(image, 0, 0, 24, 16);
    const data = paint.getImageData(0, 0, 24, 16).data;
    let unlike = 0;
    for (let i = 0; i < data.length; i += 4) unlike += Number(Math.max(...[0, 1, 2].map(c => Math.abs(data[i + c] - data[c]))) > 40);
    return unlike;
  }, png.toString('base64'));
}

async function play(page) {
  // Presses keys until what the page says is as wanted; the machine may be busy, so that seconds of play are told by the page.
  const hold = async (keys, wanted, what) => {
    for (const key of keys) await page.keyboard.down(key);
    try {
      await page.waitForFunction(wanted, undefined, { timeout: 120000 });
    } catch {
      assert.fail(`${what}: ${JSON.stringify(await told(page))}`);
    }
    for (const key of keys) await page.keyboard.up(key);
  };
  console.log('- it says what it plays');
  await page.waitForFunction(() => document.getElementById('pace')?.dataset.x !== undefined);
  assert.match(await page.textContent('#facts'), /matching · .* s of motion, .* MB, 22 joints · W or ↑ goes/);

  console.log('- there is a body on the stage');
  const blocks = await bodyBlocks(page);
  assert.ok(blocks > 8 && blocks < 200, `${blocks} blocks`);

  console.log('- W goes ahead');
  assert.ok(Math.abs((await told(page)).z) < 0.5);
  await hold(['KeyW'], () => Number(document.getElementById('pace').dataset.z) > 2, 'it does not go');
  const ahead = await told(page);
  assert.ok(Math.abs(ahead.x) < 0.5, JSON.stringify(ahead));

  console.log('- D turns to the right');
  await hold(['KeyW', 'KeyD'], () => Number(document.getElementById('pace').dataset.heading) < -0.7, 'it does not turn');

  console.log('- fifty characters go at once');
  await page.selectOption('#count', '50');
  await hold(['KeyW'], () => Number(document.getElementById('pace').dataset.z) > 1, 'fifty do not go');
  await page.waitForFunction(() => document.getElementById('pace').textContent.includes('50 characters'));
  const { milliseconds, pictures } = await told(page);
  console.log(`  ${milliseconds.toFixed(2)} ms a picture in the library, ${pictures.toFixed(0)} pictures a second`);
  if (picture) await page.screenshot({ path: picture });

  console.log('- a file that is no package is refused in words, and play goes on');
  const bytes = readFileSync(join(folder, 'hero.loomrt'));
  writeFileSync(join(work, 'broken.loomrt'), bytes.subarray(0, 5000));
  await page.setInputFiles('input[type=file]', join(work, 'broken.loomrt'));
  await page.waitForSelector('#trouble:not([hidden])');
  assert.match(await page.textContent('#trouble'), /cannot be played: .*damaged/);
  await page.selectOption('#count', '1');
  await page.waitForFunction(() => document.getElementById('pace').textContent.includes('1 character '));
  console.log('- and one that is takes its place');
  await page.setInputFiles('input[type=file]', join(folder, 'hero.loomrt'));
  await page.waitForSelector('#trouble', { state: 'hidden' });
}

const { context, page, complaints } = await openBrowser(work);
try {
  await context.setOffline(true);
  await page.goto(pathToFileURL(join(folder, 'play.html')).href);
  await play(page);
  assert.deepEqual(complaints, []);
} finally {
  await context.close();
  rmSync(work, { recursive: true, force: true });
}
