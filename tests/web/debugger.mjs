// SPDX-License-Identifier: MIT
// What made motion is made of, on every page that makes some: for each moment its clip and frame, seams, what was weighed
// and what else there was, what was wanted and where the character went. And one policy is trained, not two.
//   node debugger.mjs LOOM [FOLDER]   (pictures of each page into FOLDER)
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { tell, withPerson } from './person.mjs';

const loom = resolve(process.argv[2]),
  pictures = process.argv[3];
const kSamples = [
  ...['walk', 'idle', 'reach', 'fight-stance', 'fight-step', 'fight-change', 'punch', 'kick', 'evade'],
  ...['approach', 'turn-in-place', 'side-step', 'start', 'stop'], // steps that begin and end standing: a plan walks on them
];
const kMachine = 'machine drawn\nstate idle: idle\nstate walk: walk\ntransition idle -> walk\ntransition walk -> idle\n';

const shoot = (page, name) => (pictures ? page.screenshot({ path: join(pictures, `debugger-${name}.png`) }) : null);

// Opens the panel of a page, goes back to a seam and reads what is told there.
async function lookBack({ page, until }, where, { seams = true } = {}) {
  await page.click(`${where} .moment summary`);
  await page.click(`${where} .rewind >> text=${seams ? 'Last seam' : '−0.1 s'}`);
  await until(at => /s ago/.test(document.querySelector(`${at} .rewound`).textContent), where);
  await until(at => /s ago: .+, frame \d+/.test(document.querySelector(`${at} .moment-source`).textContent), where);
  return page.$eval(`${where} .moments`, element => ({
    source: element.querySelector('.moment-source').textContent,
    terms: [...element.querySelectorAll('.terms tbody th')].map(cell => cell.textContent),
    taken: [...element.querySelectorAll('.terms tbody td:nth-child(2)')].map(cell => cell.textContent),
    titles: [...element.querySelectorAll('.terms thead th')].map(cell => cell.textContent),
    mix: [...element.querySelectorAll('.moment-mix:not([hidden]) li')].map(line => line.textContent),
  }));
}

// Whether a way that was wanted is drawn, and one that was gone.
async function waysDrawn(page, where) {
  const { wanted, went } = await page.$eval(`${where} .moments:not([hidden]) .legend`, element => ({ ...element.dataset }));
  return [wanted, went];
}

async function backToNow({ page, until }, where) {
  await page.click(`${where} .rewind >> text=Back to now`);
  await until(at => document.querySelector(`${at} .rewound`).textContent === '', where);
}

async function matching(person) {
  tell('Play: the terms of what matching took, of going on, and of the best it did not take');
  const { page, until, visit } = person;
  await visit('play');
  await until(() => Number(document.querySelector('.play-page')?.dataset.frames) > 30);
  await page.keyboard.down('w');
  await page.keyboard.down('a');
  await until(() => Math.abs(Number(document.querySelector('.play-page').dataset.heading)) > 1);
  await page.keyboard.up('a');
  await until(() => Number(document.querySelector('.play-page').dataset.frames) > 200);
  await page.keyboard.up('w');
  const told = await lookBack(person, '.play-page');
  for (const term of ['path, places', 'feet, velocities', 'asked for', 'joints apart', 'cost']) assert.ok(told.terms.includes(term), term);
  assert.ok(told.titles.length >= 4, `taken, going on and others: ${told.titles}`);
  assert.ok(told.titles.some(title => title.startsWith('going on')));
  const costs = told.taken.map(Number).filter(value => Number.isFinite(value));
  const sum = costs.slice(0, 8).reduce((all, value) => all + value, 0);
  assert.ok(Math.abs(sum - costs.at(-1)) < 0.1 + 0.02 * sum, `the terms are all of the cost: ${told.taken}`);
  assert.match(told.source, /wanted .* m\/s ahead/);
  assert.deepEqual(await waysDrawn(page, '.play-page'), ['true', 'true']);
  await shoot(page, 'play');
  await backToNow(person, '.play-page');
}

async function training({ page, until, text, api, visit }) {
  tell('a double click trains one policy, and a name that is taken is asked about');
  await visit('play');
  const jobs = async () => (await api('/api/jobs')).jobs.filter(job => job.kind === 'policy').length;
  await page.dblclick('.play-page >> text=Train a policy…');
  await page.waitForSelector('dialog.training[open]');
  assert.equal(await page.locator('dialog').count(), 1);
  await page.dblclick('dialog.training >> text="Train"');
  await until(() => document.querySelector('#policy').value === 'studio');
  assert.equal(await jobs(), 1);
  await page.click('.play-page >> text=Train a policy…');
  await page.click('dialog.training >> text="Train"');
  await page.waitForSelector('dialog:not(.training)[open]');
  assert.match(await text('dialog'), /There is a policy called studio already/);
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog.training[open]');
  assert.equal(await page.inputValue('dialog.training [name=policy]'), 'studio', 'what was typed stays');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog', { state: 'detached' });
  assert.equal(await jobs(), 1);
}

async function walking(person) {
  tell('Graph: a live walk is rewound, with the ways the graph had at its seams');
  const { page, until, visit } = person;
  await visit('graph');
  await page.click('.graph-page:not(.blend-page) button:text-is("Walk")');
  await until(() => /^live · [3-9]/.test(document.querySelector('#play-readout')?.textContent));
  const told = await lookBack(person, '.graph-page:not(.blend-page)');
  assert.deepEqual(told.terms.slice(0, 3), ['joints apart', 'velocities apart', 'turning apart']);
  assert.deepEqual(await waysDrawn(page, '.graph-page:not(.blend-page)'), ['false', 'true'], 'a stroll is wanted nowhere');
  await shoot(page, 'graph');
  await backToNow(person, '.graph-page:not(.blend-page)');
}

async function following({ page, until, visit }) {
  tell('Graph: the way that was drawn, the way that came of it, and how far apart they are');
  await visit('graph');
  const where = '.graph-page:not(.blend-page)';
  await page.click(`${where} >> text=Draw a path`);
  const box = await page.locator(`${where} .theatre canvas`).first().boundingBox();
  await page.mouse.move(box.x + box.width * 0.4, box.y + box.height * 0.7);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.45, box.y + box.height * 0.45, { steps: 8 });
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.35, { steps: 8 });
  await page.mouse.up();
  await until(() => /off by .* cm on average/.test(document.querySelector('#play-readout').textContent));
  await page.click(`${where} .moments:not([hidden]) .moment summary`);
  await until(
    at => /(mm|cm) off the way that was drawn/.test(document.querySelector(`${at} .moments:not([hidden]) .moment-source`).textContent),
    where,
  );
  assert.deepEqual(await waysDrawn(page, where), ['true', 'true']);
  await shoot(page, 'follow');
  await page.click(`${where} .moments:not([hidden]) .moment summary`);
  assert.deepEqual(await waysDrawn(page, where), ['false', 'false'], 'while one looks into it');
}

async function fighting(person) {
  tell('Fight: either fighter, moment by moment; the bout waits meanwhile');
  const { page, until, visit } = person;
  await visit('fight');
  await page.click('.prepare button.primary');
  await until(() => Number(document.querySelector('.fight-page').dataset.steps) > 150);
  for (const who of ['0', '1']) {
    await page.selectOption('.fight-page .rewind select', who);
    const told = await lookBack(person, '.fight-page');
    assert.ok(told.terms.includes('velocities apart'), `${told.terms}`);
    await page.click('.fight-page .moment summary'); // closed
  }
  const steps = await page.$eval('.fight-page', element => Number(element.dataset.steps));
  await page.waitForTimeout(500);
  assert.equal(await page.$eval('.fight-page', element => Number(element.dataset.steps)), steps, 'it waits');
  await page.click('.fight-page .moment summary');
  await shoot(page, 'fight');
  await backToNow(person, '.fight-page');
  await until(from => Number(document.querySelector('.fight-page').dataset.steps) > from, steps);
}

async function machines(person) {
  tell('Machine: what the state is mixed of, and which transitions were weighed');
  const { page, until, visit } = person;
  await visit('machine');
  await page.evaluate(
    text => fetch('/api/machines/drawn/read', { method: 'POST', body: JSON.stringify({ file: 'drawn.machine', text }) }),
    kMachine,
  );
  await page.reload();
  await visit('machine');
  await page.click('.machine-page >> text=drawn');
  await page.click('.machine-page >> text="Build"');
  await until(() => Number(document.querySelector('.machine-live')?.dataset.frames) > 30);
  await page.click('#wishes [data-wish=walk]');
  await until(() => /walk/.test(document.querySelector('#machine-queue strong')?.textContent));
  await until(() => document.querySelector('#machine-queue strong')?.textContent === 'walk');
  const told = await lookBack(person, '.machine-page');
  assert.match(told.source, /idle → walk/);
  assert.deepEqual(told.terms.slice(0, 3), ['poses apart, along it', 'waits', 'begins at']);
  await shoot(page, 'machine');
  await backToNow(person, '.machine-page');
}

async function blending(person) {
  tell('Blend: which examples, at which frames, and how much each counts');
  const { page, until, visit } = person;
  await visit('blend');
  await until(() => document.querySelector('#blend-readout')?.dataset.error);
  for (let i = 0; i < 3; ++i) await page.keyboard.press('Shift+ArrowRight'); // away from the reference
  await page.check('#blend-playing');
  await page.waitForTimeout(1000);
  const told = await lookBack(person, '.blend-page', { seams: false });
  assert.ok(told.mix.length > 1, `${told.mix}`);
  const sum = told.mix.reduce((all, line) => all + Number(line.match(/(-?\d+) %/)[1]), 0);
  assert.ok(sum > 80 && sum < 120, `the shares add up to the whole, as far as they are told: ${told.mix}`);
  assert.deepEqual(await waysDrawn(page, '.blend-page'), ['true', 'true'], 'targets, and where the hand was');
  await shoot(page, 'blend');
  await backToNow(person, '.blend-page');
}

async function plans({ page, until, visit }) {
  tell('Plan: step by step, and the action');
  await visit('plan');
  await until(() => document.querySelector('.plan-page').dataset.state === 'planned');
  await page.click('.plan-page .moment summary');
  await page.keyboard.press('Home');
  await page.click('.plan-page .moment >> text=Next seam');
  await until(() => /step on footprint/.test(document.querySelector('.plan-page .moment-source').textContent));
  assert.match(await page.textContent('.plan-page .terms'), /blend off the footprint/);
  for (let i = 0; i < 12; ++i) await page.click('.plan-page .moment >> text=Next seam');
  await until(() => /the action, by/.test(document.querySelector('.plan-page .moment-source').textContent));
  assert.match(await page.textContent('.plan-page .terms'), /hand off the target/);
  assert.match(await page.textContent('.plan-page .moment-source'), /(mm|cm) off the hand's planned way/);
  assert.deepEqual(await waysDrawn(page, '.plan-page'), ['true', 'true']);
  await shoot(page, 'plan');
}

async function worlds({ page, until, visit }) {
  tell('World: the walk that was found, piece by piece');
  await visit('world');
  await page.fill('.world-page [aria-label^="Seconds to search"]', '20');
  await page.fill('.world-page [aria-label^="Good enough"]', '3');
  await page.click('.world-page >> text="Search"');
  await until(() => document.querySelector('.world-page .plan-panel').dataset.state === 'planned');
  await page.click('.world-page .moment summary');
  await page.keyboard.press('Home'); // it plays as soon as it is found
  await page.click('.world-page .moment >> text=Next seam');
  await until(() => /piece 2 of/.test(document.querySelector('.world-page .moment-source').textContent));
  assert.match(await page.textContent('.world-page .terms'), /joints apart/);
  assert.match(await page.textContent('.world-page .moment-source'), /(mm|cm) off the way that was found/);
  assert.deepEqual(await waysDrawn(page, '.world-page'), ['true', 'true']);
  await shoot(page, 'world');
}

await withPerson(loom, { samples: kSamples }, async person => {
  execFileSync(loom, ['graph', 'build', person.library, '--name', 'main', '--label', 'walk', '--mirror'], { stdio: 'ignore' });
  execFileSync(loom, ['blend', 'family', person.library, '--label', 'reach', '--name', 'reach'], { stdio: 'ignore' });
  const steps = { matching, training, walking, following, fighting, machines, blending, plans, worlds };
  for (const [name, step] of Object.entries(steps))
    if (!process.env.LOOM_ONLY || process.env.LOOM_ONLY.split(',').includes(name)) await step(person);
  assert.deepEqual(person.complaints, [], 'the page complains');
});
