// SPDX-License-Identifier: MIT
// Opens a page of clips in Chromium, from disk and without a network, and uses it as a person would.
//   node viewer_page.mjs MAKE_PAGE_PROGRAM
// Exit status 77 means that it could not run: no Chromium, or playwright-core is not installed.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import { openBrowser } from './browser.mjs';

const [makePage] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'loom-viewer-'));
const pagePath = join(folder, 'page.html');

// The mean of each of 24 x 16 blocks of the stage between the panels, as the browser itself decodes the picture.
async function look(page) {
  const png = await page.screenshot({ clip: { x: 340, y: 90, width: 600, height: 400 } });
  return page.evaluate(async base64 => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = new OffscreenCanvas(24, 16),
      paint = canvas.getContext('2d');
    paint.drawImage(image, 0, 0, 24, 16);
    return [...paint.getImageData(0, 0, 24, 16).data];
  }, png.toString('base64'));
}
const difference = (a, b) => a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);

async function use(page) {
  const text = id => page.textContent(`#${id}`);
  const frame = async () => Number((await text('clock')).match(/frame (\d+)/)[1]);
  // Drags the head of the time line to a share of the clip.
  const scrub = async share => {
    const box = await (await page.$('.timeline .curves')).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + share * box.width, box.y + 20);
    await page.mouse.up();
  };
  // What stands still is drawn in full after a quarter of a second.
  const settle = () => page.waitForTimeout(600);

  console.log('- it says what it shows');
  assert.equal(await page.title(), 'Test <page> & more');
  assert.match(await text('facts'), /^walk · \d+ frames · 30 Hz · [\d.]+ s · 17 joints$/);

  console.log('- it plays by itself');
  await page.waitForFunction(() => /frame [1-9]/.test(document.getElementById('clock').textContent));

  console.log('- the stage shows a body that is not the background');
  await scrub(0);
  await settle();
  assert.equal(await frame(), 0);
  const first = await look(page);
  const background = first.slice(0, 3);
  let unlike = 0;
  for (let i = 0; i < first.length; i += 4) {
    if (Math.max(...background.map((value, c) => Math.abs(value - first[i + c]))) > 40) ++unlike;
  }
  assert.ok(unlike > 8, `only ${unlike} of 384 blocks differ from the background`);

  console.log('- the time line moves the body');
  await scrub(1 / 3);
  await settle();
  assert.ok((await frame()) > 0);
  assert.ok(difference(first, await look(page)) > 30, 'two moments look alike');

  console.log('- the same moment looks the same again');
  await scrub(0);
  await page.click('[data-view=side]');
  await settle();
  const side = await look(page);
  await scrub(1);
  await settle();
  await scrub(0);
  await page.click('[data-view=side]');
  await settle();
  assert.ok(difference(side, await look(page)) < 12);

  console.log('- keys step, views turn, the theme changes');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await settle();
  assert.equal(await frame(), 2);
  await page.keyboard.press('Home');
  await page.keyboard.press('2');
  await settle();
  assert.ok(difference(side, await look(page)) > 30, 'front and side look alike');
  await page.click('#theme');
  await settle();
  const dark = await look(page);
  assert.ok(dark[0] < 80 && background[0] > 200, 'light and dark have the same background');

  console.log('- the mouse turns and zooms');
  await page.mouse.move(640, 300);
  await page.mouse.down();
  await page.mouse.move(760, 320, { steps: 4 });
  await page.mouse.up();
  await page.mouse.wheel(0, -400);
  await settle();
  assert.ok(difference(dark, await look(page)) > 30);

  console.log('- another clip can be chosen, and a hostile name is only a name');
  const names = await page.$$eval('#clip-list button span', spans => spans.map(span => span.textContent));
  assert.deepEqual(names, ['walk', '</script><img src=x onerror="window.broken=1">{{script}}']);
  const facts = await text('facts');
  await page.click('#clip-list button[data-index="1"]');
  await settle();
  assert.notEqual(await text('facts'), facts);
  assert.ok((await text('facts')).startsWith(names[1]));
  assert.equal(await page.evaluate(() => window.broken), undefined);
  await page.keyboard.press('End');
  assert.equal(await frame(), 88, 'of 90 frames at 120 Hz every second is shown');
  await page.fill('#filter', names[0]);
  assert.ok(await page.isVisible('#clip-list button[data-index="0"]'));
  assert.ok(!(await page.isVisible('#clip-list button[data-index="1"]')));

  console.log('- it fits a telephone');
  await page.setViewportSize({ width: 390, height: 844 });
  await settle();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.ok(await page.isVisible('.transport .play'));
}

let context;
try {
  execFileSync(makePage, [pagePath], { stdio: 'inherit' });
  assert.ok(readFileSync(pagePath).length > 10000);
  const opened = await openBrowser(folder);
  context = opened.context;
  const { page, complaints } = opened,
    requests = [];
  page.on('request', request => {
    if (!request.url().startsWith('data:')) requests.push(request.url());
  });
  await page.goto(`file://${pagePath}`);
  await use(page);
  assert.deepEqual(complaints, [], 'the page complains');
  assert.deepEqual(requests, [`file://${pagePath}`], 'the page asks for more than itself');
  console.log('passed');
} finally {
  await context?.close();
  rmSync(folder, { recursive: true, force: true });
}
