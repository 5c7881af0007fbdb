// SPDX-License-Identifier: MIT
// The pages on a phone and on a tablet held upright, and what one must never lose: the stage, fighters whole in it, Build
// above the fold, the target of a blend where it can be taken. And a library in whose place another is put.
//   node sizes.mjs LOOM [FOLDER]   (pictures of every page, at four sizes, light and dark, into FOLDER)
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tell, withPerson } from './person.mjs';

const loom = resolve(process.argv[2]),
  pictures = process.argv[3];
const kSamples = ['walk', 'idle', 'reach', 'fight-stance', 'fight-step', 'fight-change', 'punch', 'kick', 'evade'];
const kTablet = { width: 820, height: 1180 };
const kSizes = [
  [1440, 900],
  [1280, 720],
  [820, 1180],
  [390, 844],
];
const kPages = ['library', 'graph', 'blend', 'play', 'fight', 'pick', 'machine', 'world', 'capture', 'plan', 'characters'];

const refused = []; // what the browser says of answers that the test made up

// Whether all of an element is in the window.
const isSeen = (page, selector) =>
  page.$eval(selector, element => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
  });

// Whether an element can be pressed where it is: nothing lies over it.
const isFree = (page, selector) =>
  page.$eval(selector, element => {
    element.scrollIntoView({ block: 'center' });
    const box = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2));
  });
const heightOf = async (page, selector) => (await page.locator(selector).first().boundingBox()).height;

// A model with its head so many metres higher.
function withHigherHead(glb, metres) {
  const length = glb.readUInt32LE(12),
    model = JSON.parse(glb.subarray(20, 20 + length).toString());
  model.nodes.find(({ name }) => /head/i.test(name)).translation[1] += metres;
  let text = JSON.stringify(model);
  while (text.length % 4) text += ' ';
  const head = Buffer.from(glb.subarray(0, 20));
  head.writeUInt32LE(glb.length - length + text.length, 8);
  head.writeUInt32LE(text.length, 12);
  return Buffer.concat([head, Buffer.from(text), glb.subarray(20 + length)]);
}

async function phone({ page, until, visit, folder, library }) {
  execFileSync(loom, ['export', library, 'walk-slow', '-o', join(folder, 'plain.glb')]);
  writeFileSync(join(folder, 'hero.glb'), withHigherHead(readFileSync(join(folder, 'plain.glb')), 1));
  execFileSync(loom, ['character', 'add', library, join(folder, 'hero.glb')], { stdio: 'ignore' });
  await page.reload();
  await page.waitForSelector('#worn:not([hidden])');
  tell('beside the name of a character all pages are named in the bar');
  await page.setViewportSize({ width: 1280, height: 800 });
  assert.ok(await page.$eval('.tabs', tabs => tabs.scrollWidth <= tabs.clientWidth), 'at 1280');

  tell('who is much larger than the body is seen from farther away, and back');
  await page.waitForSelector('.clip-row');
  await page.keyboard.press('f');
  const distance = () => page.evaluate(() => JSON.parse(localStorage.getItem('library-view') ?? '{}').from?.distance);
  await page.waitForFunction(() => JSON.parse(localStorage.getItem('library-view') ?? '{}').from);
  const near = await distance();
  await page.selectOption('#worn', 'hero');
  await page.waitForFunction(before => JSON.parse(localStorage.getItem('library-view')).from.distance > 1.3 * before, near);
  await page.selectOption('#worn', '');
  await page.waitForFunction(before => JSON.parse(localStorage.getItem('library-view')).from.distance < 1.1 * before, near);

  tell('a crowd that cannot walk leaves the walk that was found on the stage, and why is read whole');
  await visit('world');
  await page.waitForSelector('.plan-panel button.primary:not([disabled])');
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press('Enter');
  await page.waitForSelector('.plan-panel[data-state=planned]');
  await page.waitForSelector('.world-page .transport:not([hidden])');
  const error = 'nothing is labelled so that a crowd could be made of it, '.repeat(3);
  await page.route(/worlds\/crowd$/, route => route.fulfill({ status: 400, json: { error } }));
  await page.click('.world-page button:text-is("Let them walk")');
  await page.waitForSelector('.notice.error');
  assert.ok(await page.$eval('.notice.error', notice => notice.scrollHeight <= notice.clientHeight + 1));
  assert.ok(await page.isVisible('.world-page .transport'));
  await page.click('.notice.error'); // it is closed
  await page.unroute(/worlds\/crowd$/);
  refused.push(/status of 400/);

  tell('on a phone the bar has two lines, and the name of the part that is open is whole');
  await page.setViewportSize({ width: 390, height: 844 });
  assert.ok((await heightOf(page, '.top')) < 100, `${await heightOf(page, '.top')} pixels`);
  await visit('graph');
  const part = '.graph-page [role=tab]:text-is("How it is connected")';
  await page.click(part);
  assert.ok(await isSeen(page, part));
  await page.click('.graph-page [role=tab]:text-is("Walk and draw")');

  tell('the stage of Play and of Characters keeps its height, and what is told lies beside it');
  await visit('play');
  await until(() => Number(document.querySelector('.play-page').dataset.frames) > 20);
  await page.click('.play-page summary');
  await page.waitForTimeout(300);
  assert.ok((await heightOf(page, '.play-page .view')) >= 260);
  assert.ok((await heightOf(page, '#score')) < 60, 'not a word a line');
  await page.click('.play-page summary');
  await visit('characters');
  await page.click('.characters-page button:text-is("Motion")');
  await page.waitForSelector('#character-clip:not([hidden])');
  assert.ok((await heightOf(page, '.characters-page .view')) >= 220);
  assert.ok(await isSeen(page, '.characters-page label:has-text("Over each other")'));

  tell('what a fight needs is read whole, and Prepare can be pressed');
  await visit('fight');
  await page.waitForSelector('.needs li');
  assert.ok(await isFree(page, '.prepare button.primary'));

  tell('the box that picks a clip lies on its picture, and Shift picks clips, not words');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await visit('library');
  await page.hover('.clip-row >> nth=1');
  assert.ok(await isFree(page, '.clip-row:hover .pick'));
  await page.click('.clip-row >> nth=1 >> .name');
  await page.click('.clip-row >> nth=3 >> .name', { modifiers: ['Shift'] });
  await until(() => document.querySelectorAll('.clip-row.picked').length === 3);
  assert.equal(await page.evaluate(() => getSelection().toString()), '');
  await page.keyboard.press('Escape');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(kTablet);
}

async function builds({ page, visit }) {
  tell('Build is above the fold');
  for (const [name, what] of [
    ['graph', '.graph-page:not(.blend-page) .build-panel button.primary'],
    ['blend', '.blend-page .build-panel button.primary'],
  ]) {
    await visit(name);
    await page.waitForSelector(what);
    assert.ok(await isSeen(page, what), `${what} at ${kTablet.width} × ${kTablet.height}`);
  }
}

async function fighters({ page, until, visit }) {
  tell('both fighters are whole in the picture');
  await visit('fight');
  await page.click('.prepare button.primary');
  await until(() => Number(document.querySelector('.fight-page').dataset.steps) > 60);
  assert.ok(await isSeen(page, '.fight-page canvas'));
  for (let look = 0; look < 5; ++look) {
    const margins = (await page.$eval('.fight-page', element => element.dataset.margins)).split(' ').map(Number);
    assert.equal(margins.length, 4);
    for (const margin of margins) assert.ok(margin > 0, `left, right, bottom and top, in shares of the picture: ${margins}`);
    await page.waitForTimeout(700);
  }
}

async function target({ page, until, visit }) {
  tell('the target of a blend stays where it can be taken, wherever it is dragged, and is pointed at where one looks away');
  await visit('blend');
  await until(() => document.querySelector('#blend-readout')?.dataset.ball);
  const ball = async () => (await page.$eval('#blend-readout', element => element.dataset.ball)).split(' ').map(Number);
  const box = await page.locator('.blend-page .view:visible canvas').first().boundingBox();
  for (const [x, y] of [
    [-3000, 100],
    [5000, -4000],
    [300, 9000],
  ]) {
    const [fromX, fromY] = await ball();
    await page.mouse.move(fromX, fromY);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 3 });
    await page.mouse.move(Math.max(0, Math.min(kTablet.width - 1, x)), Math.max(0, Math.min(kTablet.height - 1, y)), { steps: 4 });
    await page.mouse.up();
    await page.waitForTimeout(300);
    const [atX, atY] = await ball();
    assert.ok(atX > box.x && atX < box.x + box.width && atY > box.y && atY < box.y + box.height, `${atX} ${atY} in ${JSON.stringify(box)}`);
  }
  // By keys it can be sent out of the picture; then an arrow at the edge points at it, and keys bring it back.
  for (let i = 0; i < 60; ++i) await page.keyboard.press('Shift+ArrowRight');
  await until(() => document.querySelector('.blend-page .pointer:not([hidden])'));
  for (let i = 0; i < 60; ++i) await page.keyboard.press('Shift+ArrowLeft');
  await until(() => !document.querySelector('.blend-page .pointer:not([hidden])'));
}

async function replaced({ page, until, visit, library, text, api, untilServer }) {
  tell('a page that is left alone learns that its library is gone, is back, and was changed by a command');
  await visit('library');
  await page.waitForSelector('.clip-row');
  renameSync(library, `${library}.away`);
  await until(() => /The file of the library is gone/.test(document.querySelector('#missing:not([hidden])')?.textContent));
  renameSync(`${library}.away`, library);
  await until(() => document.querySelector('#missing').hidden);
  execFileSync(loom, ['label', library, '--clips', 'idle*', '--as', 'by-a-command'], { stdio: 'ignore' });
  await until(() => /by-a-command/.test(document.querySelector('.library-page').textContent));
  tell('where another library is put in the place of this one, the page says so, and the next change is refused once');
  execFileSync(loom, ['sample', `${library}.other`, '--only', 'jump'], { stdio: 'ignore' });
  renameSync(`${library}.other`, library);
  await until(() => /Another file was put in the place of the library/.test(document.querySelector('.notices').textContent));
  await until(() => [...document.querySelectorAll('.clip-row')].some(row => /jump/.test(row.textContent)));
  const names = (await api('/api/library')).clips.map(({ name }) => name);
  assert.ok(names.length > 0 && names.every(name => name.startsWith('jump')), `${names}`);
  const mirror = async as => {
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press('m');
    await page.fill('dialog input', as);
    await page.keyboard.press('Enter');
  };
  const there = async name => (await api('/api/library')).clips.some(clip => clip.name === name);
  await until(() => /^jump/.test(document.querySelector('.inspector h2')?.textContent ?? ''));
  await mirror('meant-for-the-old-file');
  await page.waitForSelector('.notice.error');
  assert.ok(!(await there('meant-for-the-old-file')));
  await mirror('seen'); // who has seen it may go on
  await untilServer('/api/library', ({ clips }) => clips.some(({ name }) => name === 'seen'));
  assert.ok(!(await there('meant-for-the-old-file')));
  assert.match(await text('.clip-list'), /jump/);
}

async function everyPage({ page, visit }) {
  for (const theme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: theme });
    for (const [width, height] of kSizes) {
      await page.setViewportSize({ width, height });
      for (const name of kPages) {
        await visit(name);
        await page.waitForTimeout(1500);
        if (pictures) await page.screenshot({ path: join(pictures, `${name}-${width}-${theme}.png`) });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${name} at ${width}: ${wide} pixels lie beside the window`);
      }
    }
  }
}

await withPerson(loom, { samples: kSamples, browser: { viewport: kTablet } }, async person => {
  execFileSync(loom, ['graph', 'build', person.library, '--name', 'main', '--label', 'walk', '--mirror'], { stdio: 'ignore' });
  execFileSync(loom, ['blend', 'family', person.library, '--label', 'reach', '--name', 'reach'], { stdio: 'ignore' });
  for (const step of [phone, builds, fighters, target]) await step(person);
  if (pictures) await everyPage(person);
  const complaints = person.complaints.filter(text => !refused.some(known => known.test(text)));
  assert.deepEqual(complaints, [], 'the page complains');
  await replaced(person);
});
