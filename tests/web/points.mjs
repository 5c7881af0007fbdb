// SPDX-License-Identifier: MIT
// What a day of use asks for and no other test presses: the Tab key on its way to the list of clips, a finger on the time
// line, links in reports of imports, a camera that is moved aside, names of families and machines, what a fight lacks,
// many clips saved and sorted, and every way to mend a copy.
//   node points.mjs LOOM
// Exit status 77 means that it could not run: no Chromium, or playwright-core is not installed.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import assert from 'node:assert/strict';
import { tell, withPerson } from './person.mjs';

const loom = resolve(process.argv[2]);
const kEnough = 15; // presses of the Tab key until the list is reached

async function emptyPages({ page, visit }) {
  tell('where there is no motion, every page that needs some says how to get it; what cannot work yet cannot be pressed');
  await page.waitForSelector('.empty-library:not([hidden])');
  for (const name of ['library', 'graph', 'blend', 'play', 'fight', 'pick', 'machine', 'plan']) {
    await page.click(`.tabs a[href="#${name}"]`);
    await page.waitForSelector(`.tabs a[href="#${name}"][aria-current=page]`);
    assert.ok(await page.isVisible('.empty-library button:text-is("Add sample motions")'), name);
    assert.ok(await page.isVisible('.empty-library .drop-here'), name);
  }
  await visit('capture');
  for (const name of ['T-pose', 'Record', 'Keep', 'New', 'Replace', 'Mirror', 'Throw away'])
    assert.ok(await page.isDisabled(`.capture-page button:text-is("${name}")`), name);
  await visit('characters');
  for (const name of ['Joints', 'Motion']) assert.ok(await page.isDisabled(`.characters-page button:text-is("${name}")`), name);
  await page.click('.tabs a[href="#play"]');
}

async function pressable({ page, visit }) {
  tell('without a family nothing can be pressed that is made of one; without a bout nothing of it is saved');
  await visit('blend');
  await page.waitForSelector('.blend-page .graph-play');
  for (const name of ['Keep as a clip…', 'Save glb', 'Save BVH', 'Coverage'])
    assert.ok(await page.isDisabled(`.blend-page .graph-play button:text-is("${name}")`), name);
  assert.ok(await page.isDisabled('.blend-page .graph-play label.check input'), 'Play');
  await visit('fight');
  await page.waitForSelector('.needs li');
  assert.ok(await page.isDisabled('.fight-page button:text-is("Save what I did")'));
  await visit('library');
}

async function drawing({ page, until, visit }) {
  tell('drawing that is given up leaves the walk as it was, and W ends it');
  await visit('graph');
  const live = () => until(() => /^live · [1-9]/.test(document.querySelector('#play-readout')?.textContent ?? ''));
  const draws = () => page.getAttribute('.graph-page button:text-is("Draw a path")', 'aria-pressed');
  await page.keyboard.press('w');
  await live();
  for (const key of ['Escape', 'd', 'w']) {
    await page.keyboard.press('d');
    await until(() => /^Draw on the floor/.test(document.querySelector('#play-readout').textContent));
    await page.keyboard.press(key);
    await live();
    assert.notEqual(await draws(), 'true', key);
  }
}

async function narrow({ page }) {
  tell('on a phone the page that is open is seen among the names of the pages');
  await page.setViewportSize({ width: 390, height: 844 });
  for (const key of ['9', '1', '7', '4']) {
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press(key);
    await page.waitForSelector(`.tabs a:nth-child(${key})[aria-current=page]`);
    const box = await page.locator('.tabs a[aria-current=page]').boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 390, `${key}: ${JSON.stringify(box)}`);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.keyboard.press('8');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForTimeout(200);
  const box = await page.locator('.tabs a[aria-current=page]').boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 390, `after turning the phone: ${JSON.stringify(box)}`);
  await page.setViewportSize({ width: 1280, height: 720 });
}

async function tabs({ page, until, text }) {
  tell('the list of clips is a few presses of the Tab key away, and arrows go on in it');
  await page.evaluate(() => document.activeElement?.blur());
  let presses = 0;
  for (; !(await page.evaluate(() => document.activeElement?.closest('.clip-list'))); ++presses) {
    assert.ok(presses < kEnough, `${presses} presses led to ${await page.evaluate(() => document.activeElement?.outerHTML)}`);
    await page.keyboard.press('Tab');
  }
  const first = await text('.inspector h2');
  await page.keyboard.press('ArrowDown');
  await until(before => !['', before].includes(document.querySelector('.inspector h2')?.textContent ?? ''), first);
}

async function imports({ page, until, drop, text, folder, library }) {
  tell('warnings of an import are one line a cause, with links to the clips, and leave most of the page free');
  const late = number => {
    const file = join(folder, `late-${number}.bvh`);
    execFileSync(loom, ['export', library, 'walk-slow', '--from', String(number), '--to', String(number + 40), '-o', file]);
    return { name: `late-${number}.bvh`, body: readFileSync(file, 'utf8').replace(/^Frames: *\d+/m, 'Frames: 38') };
  };
  await drop(Array.from({ length: 9 }, (_, i) => late(i)));
  await page.waitForSelector('.job.done .warning');
  assert.equal(await page.locator('.job .warning').count(), 1, await text('.job'));
  assert.match(await text('.job .warning'), /^9 files: 'Frames:' announces/);
  const height = (await page.locator('.jobs').boundingBox()).height;
  assert.ok(height < (await page.evaluate(() => innerHeight)) / 4, `it is ${height} pixels high`);
  await page.click('.job .warning summary');
  await page.click('.job .warning a:text-is("late-7.bvh")');
  await until(() => document.querySelector('.inspector h2')?.textContent === 'late-7');
  await page.click('.job [aria-label=Dismiss]');
}

async function openClip({ page, until }, name) {
  await page.fill('.library-page input[type=search]', name);
  await page.click(`[data-clip="${name}"]`);
  await until(clip => document.querySelector('.inspector h2')?.textContent === clip, name);
  await page.waitForSelector('.inspector .facts >> text=largest jump'); // measured: nothing moves any more
  await page.fill('.library-page input[type=search]', '');
  await page.evaluate(() => document.activeElement?.blur());
}

async function cameras(person) {
  const { page, until } = person;
  tell('the camera can be moved aside, stays so while it goes along and from clip to clip, until F');
  await openClip(person, 'walk-slow');
  const aside = () => page.$eval('.library-page .view', view => Number(view.dataset.aside));
  await until(() => Number(document.querySelector('.library-page .view').dataset.aside) < 0.05);
  const box = await page.locator('.library-page .view canvas').boundingBox(),
    [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(x + 160, y, { steps: 4 });
  await page.mouse.up({ button: 'right' });
  await until(() => Number(document.querySelector('.library-page .view').dataset.aside) > 0.3);
  await page.waitForTimeout(500); // it walks on meanwhile
  const moved = await aside();
  await openClip(person, 'walk-fast');
  await page.waitForTimeout(500);
  assert.ok(Math.abs((await aside()) - moved) < 0.1, `${moved} m aside, then ${await aside()}`);
  await page.keyboard.press('f');
  await until(() => Number(document.querySelector('.library-page .view').dataset.aside) < 0.05);
}

async function fingers(person) {
  const { page, text, untilServer } = person;
  tell('a finger on the ruler selects, and what it selected is cut out');
  await openClip(person, 'walk-slow');
  const touch = await page.context().newCDPSession(page),
    ruler = await page.locator('.timeline .curves:visible').boundingBox();
  const finger = (type, share, y = ruler.y + 8) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: ruler.x + share * ruler.width, y }] });
  await finger('touchStart', 0.2);
  for (const share of [0.3, 0.4, 0.5]) await finger('touchMove', share);
  await finger('touchEnd');
  await page.waitForSelector('.inspector h3:has-text("Frames")');
  const [, begin, end] = (await text('.inspector h3:has-text("Frames")')).match(/Frames (\d+) to (\d+)/).map(Number);
  assert.ok(end > begin + 5);
  // News of the library may draw the buttons anew between finger down and up; then one taps once more.
  for (let i = 0; i < 5 && !(await page.locator('dialog[open]').count()); ++i) {
    await page.tap('.inspector .actions >> text=Cut out');
    await page.waitForTimeout(1000);
  }
  await page.fill('dialog input', 'by-finger');
  await page.tap('dialog button.primary');
  await untilServer('/api/library', ({ clips }) =>
    clips.some(({ name, frames }) => name === 'by-finger' && Math.abs(frames - end + begin) <= 1),
  );

  tell('a finger on the free lane draws a label');
  await openClip(person, 'walk-slow');
  const free = await page.locator('.timeline .free').boundingBox();
  await finger('touchStart', 0.3, free.y + 8);
  for (const share of [0.4, 0.5]) await finger('touchMove', share, free.y + 8);
  await finger('touchEnd');
  await page.fill('dialog input', 'touched');
  await page.tap('dialog button.primary');
  await page.waitForSelector('.timeline .label:has-text("touched")');

  tell('curves and bars of the feet have a legend');
  const legend = await text('.timeline-legend');
  for (const word of ['speed', 'left foot stands', 'right foot stands', 'heel or toe alone']) assert.ok(legend.includes(word), legend);
  assert.ok(await page.isVisible('.timeline-legend'));
}

async function many(person) {
  const { page, until, api } = person;
  tell('clips are sorted by length, foot slide and when they came, either way round');
  const topmost = () =>
    page.evaluate(
      () =>
        [...document.querySelectorAll('.clip-row')].sort((a, b) => a.getBoundingClientRect().y - b.getBoundingClientRect().y)[0]?.dataset
          .clip,
    );
  const top = async (by, holds) => {
    await page.selectOption('.sort', by);
    // The list goes along with the clip that is shown, as figures come in and its place changes.
    const first = async () => {
      await page.$eval('.clip-list', list => (list.scrollTop = 0));
      return topmost();
    };
    for (const end = Date.now() + 60000; !holds(await first()); await page.waitForTimeout(50))
      assert.ok(Date.now() < end, `by ${by} the first is ${await topmost()}: ${await page.textContent('.notices')}`);
  };
  const { clips } = await api('/api/library'),
    frames = clips.map(clip => clip.seconds);
  const seconds = name => clips.find(clip => clip.name === name)?.seconds;
  await top('length', name => seconds(name) === Math.min(...frames));
  await page.click('.sort-way');
  await top('length', name => seconds(name) === Math.max(...frames));
  await top('date', name => name === 'by-finger');
  const figures = await page.evaluate(
    async names => (await (await fetch('/api/many/figures', { method: 'POST', body: JSON.stringify({ clips: names }) })).json()).figures,
    clips.slice(0, 40).map(clip => clip.name),
  );
  const worst = figures.filter(({ slide_mps }) => slide_mps !== null).sort((a, b) => b.slide_mps - a.slide_mps)[0];
  await top('slide', name => (figures.find(({ clip }) => clip === name)?.slide_mps ?? -1) === worst.slide_mps);
  await page.click('.sort-way');
  await page.selectOption('.sort', 'name');

  tell('several are saved at once');
  await page.fill('.library-page input[type=search]', 'walk-');
  await page.click('[data-clip=walk-slow]');
  await until(() => document.querySelector('.inspector h2')?.textContent === 'walk-slow');
  await page.click('[data-clip=walk-fast]', { modifiers: ['Control'] });
  await until(() => document.querySelector('.inspector h2')?.textContent === '2 clips');
  const saved = [];
  page.on('download', file => saved.push(file.suggestedFilename()));
  await page.click('.many >> text=Save BVH');
  for (const end = Date.now() + 60000; saved.length < 2; await page.waitForTimeout(50)) assert.ok(Date.now() < end, `${saved}`);
  assert.deepEqual(saved.sort(), ['walk-fast.bvh', 'walk-slow.bvh']);
  await page.fill('.library-page input[type=search]', '');
}

async function repairs(person) {
  const { page, until, text, api } = person;
  tell('every way to mend is measured before and after, and the clip stays as it was');
  await openClip(person, 'walk-slow');
  const hash = async () => (await api('/api/library')).clips.find(({ name }) => name === 'walk-slow').hash,
    before = await hash();
  await page.fill('.frame-entry', '10');
  await page.keyboard.press('Enter');
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press('i');
  await page.click('.repair summary');
  const row = name =>
    page.$eval(`.before-after tr:has-text("${name}")`, one => [...one.querySelectorAll('td')].map(cell => cell.textContent));
  for (const [box, flag, holds] of [
    ['plant_feet', '--plant-feet', async () => Number((await row('foot slide, mean'))[2]) <= Number((await row('foot slide, mean'))[1])],
    ['floor', '--floor', async () => Math.abs(Number((await row('height of the floor'))[2])) < 0.2],
    ['smooth_hz', '--smooth', async () => Number((await row('jerk'))[2]) < Number((await row('jerk'))[1])],
    ['in_place', '--in-place', async () => Number((await row('path'))[2]) < 0.5 * Number((await row('path'))[1])],
    ['rate', '--rate', async () => / at 25 Hz/.test((await row('frames'))[2])],
    ['loop', '--loop', async () => Number((await row('first and last pose'))[2]) < 1],
  ]) {
    if (box === 'rate') {
      await page.fill('.repair input[aria-label=Rate]', '25');
      await page.keyboard.press('Tab');
    }
    await page.check(`[data-repair=${box}]`);
    await until(word => document.querySelector('#command').textContent.includes(word), flag);
    assert.match(await text('#command'), /loom repair .* walk-slow --from 10 /, 'what is selected trims it');
    for (const end = Date.now() + 60000; !(await page.locator('.before-after').count()) || !(await holds()); await page.waitForTimeout(50))
      assert.ok(Date.now() < end, `${box}: ${await text('.repaired')}`);
    await page.uncheck(`[data-repair=${box}]`);
    await page.waitForSelector('.before-after', { state: 'detached' });
  }
  assert.equal(await hash(), before, 'the clip is as it was');
}

async function names({ page, visit, text, api, library }) {
  const jobs = async kind => (await api('/api/jobs')).jobs.filter(job => job.kind === kind).length;
  const held = async (what, where, field, kind) => {
    await page.fill(field, '');
    await page.click(where);
    assert.match(await page.$eval(field, input => input.validationMessage), new RegExp(`Say what the ${what} is to be called`));
    assert.equal(await jobs(kind), 0);
    await page.fill(field, 'mine');
    await page.dblclick(where);
    await page.waitForSelector('.job.done');
    assert.equal(await jobs(kind), 1, 'a double click builds one');
    await page.click('.job [aria-label=Dismiss]');
    await page.fill(field, 'mine');
    await page.click(where);
    await page.waitForSelector('dialog[open]');
    assert.match(await text('dialog'), new RegExp(`There is a ${what} called mine already`));
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
    assert.equal(await jobs(kind), 1, 'nothing is replaced unasked');
  };
  tell('a family, a machine: not without a name, not twice by a double click, not in the place of another unasked');
  await visit('blend');
  await page.selectOption('#family-label', 'reach');
  await held('family', '.blend-page .build-panel button.primary', '.blend-page .build-panel input[type=text]', 'family');
  execFileSync(loom, ['graph', 'build', library, '--name', 'main', '--label', 'walk', '--label', 'idle'], { stdio: 'ignore' });
  await page.reload();
  await visit('machine');
  await page.waitForSelector('.machine-page .build-panel button.primary:not([disabled])');
  await held('machine', '.machine-page .build-panel button.primary', '.machine-page .build-panel input[type=text]', 'machine');
}

async function fights({ page, visit }) {
  tell('what a fight lacks is crossed before it can fail, and can be got by a button');
  await visit('fight');
  await page.waitForSelector('.needs .unmet');
  assert.match(await page.textContent('.needs .unmet'), /label motion/);
  assert.ok(await page.isDisabled('.prepare button:text-is("Prepare")'));
  assert.ok(await page.isDisabled('.fight-page .transport button:text-is("Fight")'));
  await page.click('.prepare button:text-is("Add sample motions")');
  await page.waitForSelector('.needs .unmet', { state: 'detached' });
  assert.ok(await page.isEnabled('.prepare button:text-is("Prepare")'));
}

await withPerson(loom, { fresh: true, browser: { hasTouch: true, acceptDownloads: true } }, async person => {
  await emptyPages(person);
  execFileSync(loom, ['sample', person.library, '--only', 'walk', 'idle', 'start', 'stop', 'reach'], { stdio: 'ignore' });
  tell('a page that waited for motion begins when there is some');
  await person.until(() => Number(document.querySelector('.play-page')?.dataset.frames) > 20);
  await person.visit('library');
  await person.page.waitForSelector('.clip-row');
  const steps = { tabs, pressable, imports, cameras, fingers, many, repairs, names, drawing, fights, narrow };
  for (const [name, step] of Object.entries(steps))
    if (!process.env.LOOM_ONLY || process.env.LOOM_ONLY.split(',').includes(name)) await step(person);
  assert.deepEqual(person.complaints, [], 'the page complains');
});
