// SPDX-License-Identifier: MIT
// A working day in the studio, with real mouse and keys: the timeline, many clips, cameras, comparison, repair, labels
// from motion, what made motion is made of, and rewinding.
//   node working_day.mjs LOOM [FOLDER]     FOLDER keeps screenshots
// Exit status 77 means that it could not run: no Chromium, or playwright-core is not installed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openBrowser } from './browser.mjs';
import { startStudio } from './studio_server.mjs';

const loom = resolve(process.argv[2]),
  pictures = process.argv[3];
const folder = mkdtempSync(join(tmpdir(), 'loom-working-day-'));
const library = join(folder, 'day.loom');
const patience = Number(process.env.LOOM_PATIENCE ?? 120000);
const tell = text => console.log(`- ${text}`);

let page;
const text = selector => page.textContent(selector);
const until = (what, argument) => page.waitForFunction(what, argument);
const state = () => page.evaluate(async () => (await fetch('/api/library')).json());
async function untilServer(holds, what) {
  for (const end = Date.now() + patience; !holds(await state()); await page.waitForTimeout(30)) {
    assert.ok(Date.now() < end, `the library never comes to: ${what}`);
  }
}
const shown = pattern =>
  until(([source]) => new RegExp(source).test(document.querySelector('#command').textContent), [pattern.source]).catch(async () =>
    assert.fail(`the command shown is ${await text('#command')}, not ${pattern}`),
  );
const shoot = async name => {
  if (!pictures) return;
  await page.screenshot({ path: join(pictures, `${name}.png`) });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: join(pictures, `${name}-dark.png`) });
  await page.emulateMedia({ colorScheme: 'light' });
};
// Runs the command that is shown, as somebody who copied it would.
function runShown(line, ...more) {
  const words = line.match(/'(?:[^']|'\\'')*'|\S+/g).map(word => word.replaceAll("'", ''));
  return execFileSync(loom, [...words.slice(1), ...more], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
const search = words => page.fill('.browser input[type=search]', words);
// Only rows that can be seen are in the page: what is looked for is searched for first.
const openClip = async (name, words = name) => {
  await search(words);
  await page.click(`[data-clip="${name}"]`);
  await until(wanted => document.querySelector('.inspector h2')?.textContent === wanted, name);
};
const drag = async (from, to, y) => {
  await page.mouse.move(from, y);
  await page.mouse.down();
  await page.mouse.move((from + to) / 2, y, { steps: 3 });
  await page.mouse.move(to, y, { steps: 3 });
  await page.mouse.up();
};
const answer = async value => {
  await page.fill('dialog input', value);
  await page.keyboard.press('Enter');
  await page.waitForSelector('dialog', { state: 'detached' });
};
const labelsOf = async clip => (await state()).clips.find(({ name }) => name === clip).labels;

async function timeline() {
  tell('a frame is typed and gone to, by number and by seconds');
  await page.waitForSelector('.clip-row');
  await openClip('walk-slow');
  await page.fill('.frame-entry', '12');
  await page.keyboard.press('Enter');
  await until(() => / frame 12$/.test(document.querySelector('#clock').textContent));
  await page.fill('.frame-entry', '1s');
  await page.keyboard.press('Enter');
  await until(() => /^1\.00 s/.test(document.querySelector('#clock').textContent));

  tell('a clip that is labelled as a whole has a free lane');
  assert.ok(
    (await labelsOf('walk-slow')).some(label => label.name === 'walk'),
    'it is labelled already',
  );
  const free = await page.locator('.timeline .free').boundingBox();
  await drag(free.x + 0.3 * free.width, free.x + 0.6 * free.width, free.y + 9);
  await page.waitForSelector('dialog[open]');
  await answer('stroll');
  await page.waitForSelector('.timeline .label:has-text("stroll")');
  const box = await page.locator('.timeline .label:has-text("stroll")').boundingBox(),
    still = await page.locator('.timeline .free').boundingBox();
  assert.ok(box.y > still.y + 10, 'the lane is free again');

  tell('dragging on the ruler selects, its ends can be moved, and I and O mark');
  const ruler = await page.locator('.timeline .curves').boundingBox();
  const at = share => ruler.x + share * ruler.width;
  await drag(at(0.2), at(0.5), ruler.y + 8);
  await page.waitForSelector('.inspector .actions >> text=Cut out');
  const first = await text('.inspector h3:has-text("Frames")');
  await drag(at(0.5), at(0.8), ruler.y + 8);
  await until(was => document.querySelector('.inspector h3:nth-of-type(2)')?.textContent !== was, first);
  await page.keyboard.press('Escape');
  await until(() => ![...document.querySelectorAll('.inspector h3')].some(node => /^Frames/.test(node.textContent)));
  await page.fill('.frame-entry', '10');
  await page.keyboard.press('Enter');
  await page.keyboard.press('i');
  await page.fill('.frame-entry', '90');
  await page.keyboard.press('Enter');
  await page.keyboard.press('o');
  await until(() => [...document.querySelectorAll('.inspector h3')].some(node => node.textContent === 'Frames 10 to 90'));

  tell('what is selected is cut out without Shift');
  await page.click('.inspector .actions >> text=Cut out');
  await answer('stroll-cut');
  await shown(/loom cut .* walk-slow --from 10 --to 90 --as stroll-cut/);
  await untilServer(({ clips }) => clips.some(({ name, frames }) => name === 'stroll-cut' && frames === 80), 'a cut of 80 frames');

  tell('the wheel zooms about the pointer, and the strip moves what is seen');
  await openClip('walk-slow');
  await page.mouse.move(at(0.5), ruler.y + 50);
  for (let i = 0; i < 6; ++i) await page.mouse.wheel(0, -240);
  await page.waitForSelector('.timeline .strip:not([hidden])');
  const seen = async () => Number.parseFloat(await page.$eval('.timeline .seen', node => node.style.left));
  const before = await seen();
  const strip = await page.locator('.timeline .strip').boundingBox();
  await drag(strip.x + strip.width / 2, strip.x + strip.width * 0.7, strip.y + 6);
  assert.ok((await seen()) > before + 5, 'what is seen moved on');
  await shoot('timeline-zoomed');
  await page.keyboard.press('0');
  await page.waitForSelector('.timeline .strip', { state: 'hidden' });

  tell('drags go to where something begins, and the curve of a joint is drawn with its value');
  const edge = (await page.locator('.timeline .label:has-text("stroll")').boundingBox()).x;
  await drag(edge + 3, at(0.97), ruler.y + 8);
  const [, begin] = (await text('.inspector h3:has-text("Frames")')).match(/Frames (\d+) to (\d+)/);
  const stroll = (await labelsOf('walk-slow')).find(label => label.name === 'stroll');
  assert.ok(Math.abs(Number(begin) - stroll.begin) <= 1, `it begins at ${begin}, the label at ${stroll.begin}`);
  await page.keyboard.press('Escape');
  await page.selectOption('.joint-curves select >> nth=0', { index: 3 });
  await page.selectOption('.joint-curves select >> nth=1', 'height');
  await page.click('.joint-curves >> text=Add curve');
  await until(() => /\d m$/.test(document.querySelector('.curve-chip .value')?.textContent ?? ''));
  await shoot('timeline-curve');
  await page.click('.curve-chip');
}

async function cameras() {
  tell('the view that was moved stays from clip to clip, and F puts the body in the middle');
  await openClip('walk-fast');
  const canvas = await page.locator('.library-page .view canvas').boundingBox();
  const middle = [canvas.x + canvas.width / 2, canvas.y + canvas.height / 2];
  await page.mouse.move(...middle);
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(middle[0] + 160, middle[1], { steps: 4 });
  await page.mouse.up({ button: 'right' });
  const kept = () => page.evaluate(() => JSON.parse(localStorage.getItem('library-view') ?? '{}').from);
  await page.mouse.move(...middle);
  await page.mouse.down();
  await page.mouse.move(middle[0] - 120, middle[1] + 20, { steps: 4 });
  await page.mouse.up();
  const turned = await kept();
  await openClip('jog');
  await shoot('view-kept');
  await page.mouse.wheel(0, 120);
  const after = await kept();
  assert.ok(Math.abs(after.azimuth - turned.azimuth) < 0.02, 'another clip is seen from the same side');
  await page.keyboard.press('f');
  for (const camera of ['side', 'top', 'free', 'follow']) {
    await page.selectOption('.camera', camera);
    if (camera === 'top') await until(() => JSON.parse(localStorage.getItem('library-view')).from.polar < 0.1);
    if (camera === 'side') await until(() => JSON.parse(localStorage.getItem('library-view')).from.polar > 1.3);
    await shoot(`camera-${camera}`);
  }

  tell('skeleton, body or both');
  await page.selectOption('.look', 'skeleton');
  await shoot('look-skeleton');
  await page.selectOption('.look', 'both');
  await shoot('look-both');
  await page.selectOption('.look', 'body');

  tell('a reload comes back to the clip and the view');
  const view = await kept();
  await page.reload();
  await until(() => document.querySelector('.inspector h2')?.textContent === 'jog');
  const again = await kept();
  assert.ok(Math.abs(again.azimuth - view.azimuth) < 0.05);
}

async function comparison() {
  tell('another clip is seen over this one, beside it, and aligned with it');
  await openClip('walk-slow');
  await page.fill('.compare-with', 'walk-fast');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.compare-bar select:not([hidden])');
  await shoot('compare-over');
  await page.selectOption('.compare-bar select >> nth=0', 'beside');
  await page.selectOption('.compare-bar select >> nth=1', 'aligned');
  await shown(/loom blend align .* walk-slow walk-fast/);
  await shoot('compare-aligned');
  runShown(await text('#command'));
  await page.click('.compare-bar button');
  await page.waitForSelector('.compare-bar select', { state: 'hidden' });
}

async function manyClips() {
  tell('clips are sorted by what has to be measured');
  await search('');
  await page.selectOption('.sort', 'speed');
  await until(() => /m\/s/.test(document.querySelector('.clip-row .faint')?.textContent ?? ''));
  const topmost = () =>
    page.evaluate(
      () =>
        [...document.querySelectorAll('.clip-row')]
          .map(row => ({ name: row.dataset.clip, y: row.getBoundingClientRect().y }))
          .sort((a, b) => a.y - b.y)[0]?.name,
    );
  await page.click('.sort-way');
  await page.$eval('.clip-list', list => (list.scrollTop = 0));
  await until(() => document.querySelectorAll('.clip-row').length > 0);
  for (const end = Date.now() + patience; !/run|jog/.test((await topmost()) ?? ''); await page.waitForTimeout(50))
    assert.ok(Date.now() < end, `the fastest is ${await topmost()}`);
  await page.selectOption('.sort', 'name');
  await page.click('.sort-way');

  tell('several are picked with Ctrl and Shift, labelled at once, and that is taken back at once');
  await openClip('walk-fast', 'walk-');
  await page.click('[data-clip=walk-slow]', { modifiers: ['Control'] });
  await until(() => document.querySelector('.inspector h2')?.textContent === '2 clips');
  await shoot('many-clips');
  await page.click('.many >> text=Label…');
  await answer('gait');
  await shown(/loom label .* --clips walk-fast walk-slow --as gait/);
  assert.ok((await labelsOf('walk-fast')).some(label => label.name === 'gait'));
  assert.ok((await labelsOf('walk-slow')).some(label => label.name === 'gait'));
  runShown(`${await text('#command')}`, '--remove');
  assert.ok(!(await labelsOf('walk-fast')).some(label => label.name === 'gait'), 'the command takes it off');

  tell('they are renamed by a pattern, removed, and brought back');
  await page.click('[data-clip=walk-fast]', { modifiers: ['Control'] });
  await page.click('[data-clip=walk-fast]', { modifiers: ['Control'] });
  await until(() => document.querySelector('.inspector h2')?.textContent === '2 clips');
  await page.click('.many >> text=Rename…');
  await answer('mine-*');
  await untilServer(({ clips }) => clips.filter(({ name }) => /^mine-walk-/.test(name)).length === 2, 'two new names');
  await shown(/loom rename .* --as 'mine-\*'/);
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press('Control+z');
  await untilServer(
    ({ clips }) => clips.some(({ name }) => name === 'walk-fast') && !clips.some(({ name }) => /^mine-/.test(name)),
    'old names',
  );
  await openClip('walk-fast', 'walk-');
  await page.click('[data-clip=walk-slow]', { modifiers: ['Shift'] });
  await until(() => /^\d+ clips$/.test(document.querySelector('.inspector h2')?.textContent));
  const picked = Number((await text('.inspector h2')).split(' ')[0]),
    all = (await state()).clips.length;
  await page.click('.many >> text=Remove');
  await untilServer(({ clips }) => clips.length === all - picked, 'removed clips');
  await shown(/loom remove /);
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press('Control+z');
  await untilServer(({ clips }) => clips.length === all, 'restored clips');
}

async function fromMotion() {
  tell('labels are suggested from motion, and those that are accepted are added');
  await openClip('stroll-cut');
  await page.click('.inspector .actions >> text=Suggest labels');
  await page.waitForSelector('.suggested li:has-text("walk")');
  await shoot('suggested');
  await page.click('.suggested >> text=Add these labels');
  await shown(/loom label .* stroll-cut --suggest --only .*walk.* --accept/);
  assert.ok((await labelsOf('stroll-cut')).some(label => label.name === 'walk'));
  runShown(await text('#command'));

  tell('motion like this is found, and gone to');
  await page.click('.inspector .actions >> text=Find more like this');
  await page.waitForSelector('.found button:has-text("walk-slow")');
  await shown(/loom find .* stroll-cut/);
  await shoot('found');
  await page.click('.found button:has-text("walk-slow")');
  await until(() => document.querySelector('.inspector h2')?.textContent === 'walk-slow');
  await page.waitForSelector('.timeline .selection:not([hidden])');
  await page.keyboard.press('Escape');
}

async function repair() {
  tell('a copy is mended, measured before and after, and kept; the command makes the same');
  await openClip('jog');
  await page.click('.repair summary');
  await page.click('[data-repair=loop]');
  await page.waitForSelector('.before-after');
  await page.click('[data-repair=plant_feet]');
  await until(() => document.querySelectorAll('.repaired p').length === 2);
  const gap = await page.$$eval('.before-after tr:last-child td', cells => cells.map(cell => Number(cell.textContent)));
  assert.ok(gap[2] < 1 && gap[2] <= gap[1], `ends ${gap[1]} cm apart before, ${gap[2]} after`);
  await shown(/loom repair .* jog --loop --plant-feet|loom repair .* jog --plant-feet --loop/);
  await shoot('repair');
  await page.click('.repaired >> text=Keep as…');
  await answer('jog-loop');
  await shown(/loom repair .* jog .*--as jog-loop/);
  await until(() => document.querySelector('.inspector h2')?.textContent === 'jog-loop');
  const kept = (await state()).clips.find(({ name }) => name === 'jog-loop');
  runShown(`loom repair ${library} jog --loop --plant-feet --as jog-again`);
  const made = (await state()).clips.find(({ name }) => name === 'jog-again');
  assert.equal(made.hash, kept.hash, 'the command makes the same motion');
  assert.equal(
    (await state()).clips.some(({ name }) => name === 'jog'),
    true,
    'and the clip stays',
  );
}

async function debugging() {
  tell('of a made motion each moment tells its clip and frame, each seam what it costs');
  execFileSync(loom, ['graph', 'build', library, '--name', 'main'], { stdio: 'ignore' });
  await page.click('.tabs a[href="#graph"]');
  await page.waitForSelector('.graph-page:not([hidden])');
  const made = await page.evaluate(async () => {
    const response = await fetch('/api/graphs/main/walked', { method: 'POST', body: JSON.stringify({ seed: 3, seconds: 12 }) });
    const bytes = await response.arrayBuffer();
    return JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, new DataView(bytes).getUint32(0, true))));
  });
  assert.ok(made.pieces.length > 1 && made.pieces[0].seam === null);
  for (const { seam } of made.pieces.slice(1)) assert.ok(seam.taken.values.length === seam.terms.length && Array.isArray(seam.others));

  tell('Play can be rewound, and tells what was played and wanted');
  await page.click('.tabs a[href="#play"]');
  await until(() => Number(document.querySelector('.play-page')?.dataset.frames) > 30);
  await page.keyboard.down('w');
  const frames = Number(await page.$eval('.play-page', node => node.dataset.frames));
  await until(from => Number(document.querySelector('.play-page').dataset.frames) > from + 60, frames);
  await page.click('.play-page .rewind >> text=−0.1 s');
  await until(() => /s ago · .* frame \d+/.test(document.querySelector('.play-page .rewound').textContent));
  await page.keyboard.up('w');
  const before = Number(await page.$eval('.play-page .rewind input', node => node.value));
  await page.click('.play-page .rewind >> text=Last seam');
  await until(was => Number(document.querySelector('.play-page .rewind input').value) <= was, before);
  assert.match(await text('.play-page .rewound'), /wanted .* m\/s ahead/);
  await shoot('rewind');
  await page.click('.play-page .rewind >> text=Back to now');
  await until(() => document.querySelector('.play-page .rewound').textContent === '');
}

const steps = { timeline, cameras, comparison, manyClips, fromMotion, repair, debugging };
const server = await startStudio(loom, library, { samples: ['walk', 'run', 'idle'] });
const { context, page: opened, complaints } = await openBrowser(folder);
page = opened;
page.setDefaultTimeout(patience);
try {
  await page.goto(server.address);
  for (const step of Object.values(steps)) await step();
  assert.deepEqual(complaints, []);
} finally {
  await context.close();
  await server.end();
  rmSync(folder, { recursive: true, force: true });
}
