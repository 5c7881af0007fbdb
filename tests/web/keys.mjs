// SPDX-License-Identifier: MIT
// Presses the real keys, and the buttons beside them: what was once broken, each with what it must do.
//   node keys.mjs LOOM
// Exit status 77 means that it could not run: no Chromium, or playwright-core is not installed.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import assert from 'node:assert/strict';
import { tell, withPerson } from './person.mjs';

const loom = resolve(process.argv[2]);
const kSamples = ['walk', 'idle', 'jump', 'start', 'stop', 'fight-stance', 'fight-step', 'fight-change', 'punch', 'kick', 'evade'];
// What would go away by itself after 12 s goes at once.
const quickTimers = () => {
  const wait = window.setTimeout;
  window.setTimeout = (act, ms, ...more) => wait(act, ms === 12000 ? 200 : ms, ...more);
};

// Looks for a clip, opens it and lets go of the search.
async function openClip({ page, until }, name) {
  await page.fill('.library-page input[type=search]', name);
  await page.click(`.clip-row:has-text("${name}")`);
  await until(clip => document.querySelector('.inspector h2')?.textContent === clip, name);
  await page.fill('.library-page input[type=search]', '');
  await page.evaluate(() => document.activeElement?.blur());
}

const focused = page => page.evaluate(() => document.activeElement?.tagName);

async function lettersAndDialogs(person) {
  const { page, until, text, untilServer } = person;
  tell('letters that open a dialog are not typed into it');
  await page.waitForSelector('.clip-row');
  await openClip(person, 'walk-slow');
  await page.keyboard.press('Home');
  for (let i = 0; i < 3; ++i) await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press(']');
  const answer = () => page.inputValue('dialog input');
  for (const [key, value] of [
    ['l', ''],
    ['c', 'walk-slow-cut'],
    ['m', 'walk-slow-mirrored'],
  ]) {
    await page.keyboard.press(key);
    await page.waitForSelector('dialog[open]');
    assert.equal(await answer(), value, `${key} is a key, not a letter here`);
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
  }

  tell('so do they with Caps Lock on; what is the browser’s own, as Ctrl and a letter or a sign, is left to it');
  await page.keyboard.press('M');
  await page.waitForSelector('dialog[open]');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog', { state: 'detached' });
  await page.evaluate(() => addEventListener('keydown', event => (window.taken = event.defaultPrevented)));
  for (const key of ['Control+-', 'Control+0', 'Control+m', 'Control+l', 'Alt+ArrowLeft']) {
    // Chromium without a head zooms and goes nowhere: it is enough that the page leaves the key alone.
    await page.evaluate(to => {
      const [held, key] = to.split(/\+(?=.)/);
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key, ctrlKey: held === 'Control', altKey: held === 'Alt', bubbles: true, cancelable: true }),
      );
    }, key);
    assert.equal(await page.evaluate(() => window.taken), false, key);
    assert.equal(await page.locator('dialog[open]').count(), 0, key);
  }
  await page.keyboard.press('-');
  assert.equal(await page.evaluate(() => window.taken), true, 'alone it is the time line’s');

  tell('a name that is empty or taken is said so, and what was typed stays');
  await page.keyboard.press('m');
  await page.fill('dialog input', '  ');
  await page.keyboard.press('Enter');
  assert.match(await text('#ask-wrong'), /needs a name/);
  await page.fill('dialog input', 'walk-slow');
  await page.keyboard.press('Enter');
  assert.match(await text('#ask-wrong'), /There is a clip called walk-slow already/);
  assert.equal(await answer(), 'walk-slow');
  await page.fill('dialog input', 'mirrored-walk');
  await page.keyboard.press('Enter');
  await untilServer('/api/library', ({ clips }) => clips.some(clip => clip.name === 'mirrored-walk'));

  tell('undo and redo can be seen, and tell what they do');
  await page.waitForSelector('#undo:not([disabled])');
  assert.match(await page.getAttribute('#undo', 'title'), /new clip mirrored-walk/);
  await page.click('#undo');
  await untilServer('/api/library', ({ clips }) => !clips.some(clip => clip.name === 'mirrored-walk'));
  await page.waitForSelector('#redo:not([disabled])');
  await page.keyboard.press('Control+Shift+Z');
  await untilServer('/api/library', ({ clips }) => clips.some(clip => clip.name === 'mirrored-walk'));

  tell('? shows the keys of the page');
  await page.keyboard.press('?');
  assert.match(await text('dialog.key-sheet'), /label the selected stretch/);
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog', { state: 'detached' });

  tell('the sheet names no key that does nothing; pages without a number key name none');
  await page.click('.tabs a[href="#pick"]');
  await page.keyboard.press('?');
  assert.doesNotMatch(await text('dialog.key-sheet'), /play or pause|ghosts/);
  await page.keyboard.press('Escape');
  const titles = await page.$$eval('.tabs a', tabs => tabs.map(tab => tab.getAttribute('title')));
  assert.deepEqual(
    titles,
    titles.map((_, i) => (i < 9 ? `Key ${i + 1}` : null)),
  );
  await page.keyboard.press('1');
  await page.waitForSelector('.library-page:not([hidden])');

  tell('after a click on a button Space is for the motion again');
  await page.click('.library-page [data-check=Path]');
  const path = await page.isChecked('.library-page [data-check=Path]'),
    shown = await text('.library-page .transport .play');
  await page.keyboard.press('Space');
  await until(before => document.querySelector('.library-page .transport .play').textContent !== before, shown);
  assert.equal(await page.isChecked('.library-page [data-check=Path]'), path, 'the box was not pressed again');

  tell('labels are one stop of the Tab key, and arrows go on');
  const stops = await page.$$eval('.library-page .chips button', chips => chips.filter(chip => chip.tabIndex === 0).length);
  assert.equal(stops, 1);
  await page.focus('.library-page .chips button[tabindex="0"]');
  const first = await page.evaluate(() => document.activeElement.textContent);
  await page.keyboard.press('ArrowRight');
  assert.notEqual(await page.evaluate(() => document.activeElement.textContent), first);
  assert.equal(await focused(page), 'BUTTON');
}

async function reports({ page, drop, text, until }) {
  tell('what an import says is gathered by cause, names no folder, and stays until it is closed');
  await drop([1, 2, 3, 4, 5].map(i => ({ name: `broken-${i}.bvh`, body: `HIERARCHY\nROOT hips${i}` })));
  await page.waitForSelector('.job.done .error, .job.failed');
  assert.match(await text('.job'), /5 files: /);
  assert.doesNotMatch(await text('.job'), /\/tmp|drop-\d/);
  await page.click('.job summary');
  await until(() => document.querySelectorAll('.job details li').length === 5);
  await page.waitForTimeout(400); // longer than what goes by itself takes here
  assert.equal(await page.locator('.job').count(), 1);
  await page.click('.job [aria-label=Dismiss]');
  await page.waitForSelector('.job', { state: 'detached' });
}

async function graphs({ page, until, text, api, untilServer, visit }) {
  tell('without a graph nothing can be pressed that needs one');
  await visit('graph');
  await page.waitForSelector('.graph-play .tools');
  for (const name of ['Walk', 'Draw a path', 'Do these in order'])
    assert.ok(await page.isDisabled(`.graph-play button:text-is("${name}")`));

  tell('a graph without a name is not built, and a double click builds one');
  const jobs = async () => (await api('/api/jobs')).jobs.filter(job => job.kind === 'graph').length;
  const field = '[name=graph-name]',
    build = '.graph-page .build-panel button.primary';
  await page.fill(field, '');
  await page.click(build);
  assert.equal(await page.$eval(field, input => input.validationMessage), 'Say what the graph is to be called');
  assert.equal(await jobs(), 0);
  await page.fill(field, 'main');
  for (const label of ['idle', 'jump', 'start', 'stop', 'walk']) await page.click(`.graph-page .build-panel .chip:text-is("${label}")`);
  // Nothing is measured while this goes on: the page walks all the same.
  await page.route(/\/api\/graphs\/main$/, () => {});
  await page.dblclick(build);
  await until(() => /^live · [1-9]/.test(document.querySelector('#play-readout')?.textContent));
  assert.equal(await jobs(), 1);
  assert.match(await text('#verdict'), /of the motion is connected/);
  await page.unroute(/\/api\/graphs\/main$/);

  tell('a name that is taken is asked about');
  await page.click(build);
  await page.waitForSelector('dialog[open]');
  assert.match(await text('dialog'), /There is a graph called main already/);
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog', { state: 'detached' });
  assert.equal(await jobs(), 1);

  tell('the field is filled from the labels of the graph; chips add to it and are reordered by keys');
  const words = () => page.inputValue('#keys');
  assert.equal(await words(), 'idle walk@3 jump idle');
  await page.click('[data-add=walk]');
  assert.equal(await words(), 'idle walk@3 jump idle walk');
  await page.focus('.sequence li:last-child .chip');
  await page.keyboard.press('Delete');
  assert.equal(await words(), 'idle walk@3 jump idle');
  await page.focus('.sequence li:nth-child(3) .chip');
  await page.keyboard.press('Shift+ArrowLeft');
  assert.equal(await words(), 'idle jump walk@3 idle');
  await page.keyboard.press('Shift+ArrowRight');
  assert.equal(await words(), 'idle walk@3 jump idle');

  tell('what is named is done whole, and the motion that is kept says so');
  await page.click('text=Do these in order');
  await until(() => /pieces? of/.test(document.querySelector('#play-readout').textContent));
  await page.click('.graph-play:visible >> text=Keep as a clip…');
  await page.fill('dialog input', 'performed');
  await page.keyboard.press('Enter');
  await untilServer('/api/library', ({ clips }) => clips.some(clip => clip.name === 'performed'));
  const { clips } = await api('/api/library'),
    kept = clips.find(clip => clip.name === 'performed'),
    jumps = kept.labels.filter(label => label.name === 'jump'),
    recorded = clips.flatMap(clip =>
      clip.labels.filter(label => label.name === 'jump').map(label => (label.end - label.begin) / clip.rate),
    );
  assert.equal(jumps.length, 1, JSON.stringify(kept.labels));
  assert.ok((jumps[0].end - jumps[0].begin) / kept.rate > 0.9 * Math.min(...recorded), 'a whole jump');

  tell('W walks, and after a click on a button keys are still the page’s');
  await page.click('.graph-play .transport [data-check=Path]');
  await page.keyboard.press('w');
  await until(() => /^live · [1-9]/.test(document.querySelector('#play-readout')?.textContent));

  tell('arrows turn strips of tabs; a table of behaviors is one stop of the Tab key, and Enter asks why');
  await page.focus('.graph-page [role=tab][aria-selected=true]');
  await page.keyboard.press('End');
  await page.waitForSelector('.behaviors td');
  assert.equal(await page.$$eval('.behaviors td', cells => cells.filter(cell => cell.tabIndex === 0).length), 1);
  await page.focus('.behaviors td[tabindex="0"]');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.answer p');
  const why = await text('.answer'),
    [, mean] = why.match(/at the quickest, ([\d.]+) s on average/);
  const cell = Number(await page.$eval('.behaviors td[tabindex="0"]', one => one.title.match(/([\d.]+) s/)[1]));
  assert.equal(Number(mean), cell, 'one definition of the mean');
  assert.doesNotMatch(why, /They share frames/);
  assert.match(why, /The quickest way: |Some moments are both at once/);

  tell('where no motion has a label the page says so, and says nothing of what cannot be told');
  await page.route(/\/api\/graphs\/main$/, async route => {
    const about = await (await route.fetch()).json();
    await route.fulfill({ json: { ...about, behaviors: [], between_s: {}, local_maneuverability_s: null } });
  });
  await page.reload();
  await page.click('.graph-page [role=tab]:text-is("How it is connected")');
  await page.waitForSelector('#no-behaviors a[href="#library"]');
  assert.doesNotMatch(await text('.graph-page .numbers'), /undefined|null|NaN/);
  await page.unroute(/\/api\/graphs\/main$/);
  await page.route(/\/api\/library$/, async route => {
    const state = await (await route.fetch()).json();
    await route.fulfill({ json: { ...state, labels: [] } });
  });
  await page.reload();
  await visit('machine');
  await page.waitForSelector('#no-labels:not([hidden])');
  assert.ok(await page.isDisabled('.machine-page button:text-is("Mine")'), 'there are no states to mine');
  await page.unroute(/\/api\/library$/);
  await page.reload();
  await visit('graph');
  await page.waitForSelector('.graph-page .tools');
}

async function play({ page, until, untilServer, download, visit, folder, text, runShown }) {
  tell('after a click on any button of Play, Space jumps and keys steer');
  await visit('play');
  const data = name => page.$eval('.play-page', (element, key) => Number(element.dataset[key]), name);
  await until(() => Number(document.querySelector('.play-page')?.dataset.frames) > 20);
  await page.click('.play-page >> text=Sticks');
  await page.click('.play-page >> text=Sticks');
  await page.click('.play-page >> text=Start again');
  await until(() => Number(document.querySelector('.play-page').dataset.frames) < 20);
  await until(() => Number(document.querySelector('.play-page').dataset.frames) > 30);
  const before = await data('frames');
  const inTheAir = until(() => document.querySelector('.play-page').dataset.planted === '0');
  await page.keyboard.press('Space');
  await inTheAir;
  assert.ok((await data('frames')) > before, 'the scene was not begun anew');
  assert.equal(await page.getAttribute('#sticks', 'aria-pressed'), 'false');
  await page.selectOption('#root', 'control');
  await until(() => Number(document.querySelector('.play-page').dataset.frames) > 30);
  assert.notEqual(await focused(page), 'SELECT', 'what was chosen gives the keys back');

  tell('the camera goes round behind the character, and goals out of sight are pointed at');
  const heading = await data('heading');
  await page.keyboard.down('w');
  await page.keyboard.down('a');
  await until(from => {
    const turned = Number(document.querySelector('.play-page').dataset.heading) - from;
    return Math.abs(Math.atan2(Math.sin(turned), Math.cos(turned))) > 1.2;
  }, heading);
  await page.keyboard.up('a');
  await until(() => Math.abs(Number(document.querySelector('.play-page').dataset.behind)) < 0.25);
  await until(() => document.querySelector('.pointer:not([hidden])'));
  await page.keyboard.up('w');

  tell('where much is to be measured something moves at once, and goes over to all motion where it stands');
  let part = true;
  await page.route(/\/api\/play$/, route => {
    const body = { ...route.request().postDataJSON(), ...(part ? { at_once: 0 } : {}) };
    return route.continue({ postData: JSON.stringify(body) });
  });
  await untilServer('/api/library', ({ clips }) => clips.some(clip => clip.name === 'walk-slow'));
  await page.evaluate(async () => {
    const body = JSON.stringify({ add: { name: 'walk', begin: 0, end: 5 } }); // so that all is measured anew
    await fetch('/api/clips/walk-slow/labels', { method: 'POST', body });
  });
  await page.evaluate(() => {
    const score = document.querySelector('#score');
    window.scores = new Set();
    new MutationObserver(() => window.scores.add(score.textContent)).observe(score, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  const parts = page.waitForResponse(/\/api\/play$/);
  await page.click('.play-page >> text=Start again');
  const told = await (await parts).json();
  assert.ok(told.part.clips < told.part.of, JSON.stringify(told.part));
  await until(() => [...window.scores].some(text => / with \d+ of \d+ clips until all are measured/.test(text)));
  await until(() => document.querySelector('.play-page').dataset.part === '');
  await until(() => /[1-9]\d* s played/.test(document.querySelector('#score').textContent));
  await page.waitForSelector('.play-page .row:not([inert]) > button:text-is("Save glb")'); // it can be saved
  part = false;

  tell('what was played is saved as a glb, the one that the command makes of the steering');
  const asked = page.waitForRequest(/\/api\/play\/played$/);
  const saved = await download(() => page.click('.play-page >> text=Save glb'));
  writeFileSync(join(folder, 'trace.csv'), (await asked).postDataJSON().csv);
  assert.match(await text('#command'), /^loom match play .*--root control --trace trace.csv -o play.glb$/);
  await runShown();
  assert.ok(readFileSync(join(folder, 'play.glb')).equals(readFileSync(saved.path)));
}

async function fight({ page, until, download, visit, folder, text, runShown }) {
  tell('what a fight needs is listed with ticks; the bout is saved as the glb that the command makes');
  await visit('fight');
  await page.waitForSelector('.needs li');
  assert.ok(await page.isDisabled('.fight-page .transport button:text-is("Fight")'), 'nobody can fight yet');
  assert.equal(await page.locator('.needs .unmet').count(), 0);
  await page.click('.prepare button.primary');
  await until(() => Number(document.querySelector('.fight-page').dataset.steps) > 60);
  await page.click('.fight-page .transport >> text=Pause');
  const saved = await download(() => page.click('.fight-page .transport >> text=Save glb'));
  assert.match(await text('#command'), /^loom fight .* -o bout.glb$/);
  await runShown();
  assert.ok(readFileSync(join(folder, 'bout.glb')).equals(readFileSync(saved.path)));
}

async function aFileThatIsGone(person) {
  const { page, visit, library, text } = person;
  tell('a library that is gone is not written to, and the page says so');
  await visit('library');
  await openClip(person, 'walk-slow');
  renameSync(library, `${library}.away`);
  await page.keyboard.press('m');
  await page.fill('dialog input', 'into-nothing');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.notice.error');
  assert.doesNotMatch(await text('.notices'), /into-nothing is in the library/);
  renameSync(`${library}.away`, library);
}

async function still({ page, until, text }) {
  tell('nothing begins to move for those who do not want that');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.reload();
  await page.waitForSelector('.clip-row');
  await until(() => /frame 0$/.test(document.querySelector('.library-page #clock')?.textContent));
  assert.equal(await text('.library-page .transport .play'), 'Play');
}

await withPerson(loom, { samples: kSamples, before: quickTimers }, async person => {
  await lettersAndDialogs(person);
  await reports(person);
  await graphs(person);
  await play(person);
  await fight(person);
  assert.deepEqual(person.complaints, [], 'the page complains');
  await aFileThatIsGone(person);
  await still(person);
});
