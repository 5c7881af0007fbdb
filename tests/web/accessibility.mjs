// SPDX-License-Identifier: MIT
// Every page looked at by axe (npm), light and dark: no finding that is serious or worse.
//   node accessibility.mjs LOOM [FOLDER]     FOLDER keeps screenshots of every page at four sizes, light and dark
// Exit status 77 means that it could not run: no Chromium, or what comes from npm is not installed.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import assert from 'node:assert/strict';
import { require } from './browser.mjs';
import { tell, withPerson } from './person.mjs';

const loom = resolve(process.argv[2]),
  pictures = process.argv[3];
const kSizes = [
  [390, 844],
  [820, 1180],
  [1280, 800],
  [1920, 1080],
];
const kSamples = ['walk', 'idle', 'jump', 'reach', 'fight-stance', 'fight-step', 'fight-change', 'punch', 'kick', 'evade'];
let axe;
try {
  axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
} catch {
  console.log('SKIPPED: axe-core is not installed; run npm ci in tests/tools');
  process.exit(77);
}

await withPerson(loom, { samples: kSamples }, async ({ page, until, text, complaints, drop, folder, library }) => {
  const findings = [];
  await page.evaluate(`${axe}; null`); // not as a script of the page, which may hold none but its own
  // What axe finds on the page that is open; the stage itself is a picture.
  const look = async where => {
    const found = await page.evaluate(async () => {
      const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
      return violations.map(({ id, impact, help, nodes }) => ({
        id,
        impact,
        help,
        nodes: nodes.slice(0, 3).map(node => `${node.html.slice(0, 160)} ${node.any[0]?.message ?? node.failureSummary.slice(0, 200)}`),
      }));
    });
    for (const one of found.filter(({ impact }) => impact === 'serious' || impact === 'critical')) findings.push({ where, ...one });
  };
  const names = await page.$$eval('.tabs a', tabs => tabs.map(tab => tab.getAttribute('href').slice(1)));

  await page.waitForSelector('.clip-row');
  // A report with an error and a warning stands below the pages all the while.
  execFileSync(loom, ['export', library, 'walk-slow', '--from', '0', '--to', '40', '-o', join(folder, 'late.bvh')]);
  await drop([
    { name: 'late.bvh', body: readFileSync(join(folder, 'late.bvh'), 'utf8').replace(/^Frames: *\d+/m, 'Frames: 38') },
    { name: 'broken.bvh', body: 'HIERARCHY\nROOT' },
  ]);
  await page.waitForSelector('.job.done .warning');
  await page.waitForSelector('.job.done .error');
  await page.click('.tabs a[href="#graph"]');
  await page.waitForSelector('.build-panel button.primary');
  await look('graph, before there is one');
  await page.click('.graph-page .chip:text-is("walk")');
  await page.click('.graph-page .build-panel button.primary');
  await until(() => /Left out|Nothing was left out/.test(document.querySelector('#verdict')?.textContent ?? ''));
  for (const theme of ['light', 'dark']) {
    await page.evaluate(to => {
      if (document.documentElement.dataset.theme !== to) document.querySelector('#theme').click();
    }, theme);
    if ((await page.evaluate(() => document.documentElement.dataset.theme ?? 'light')) !== theme) await page.click('#theme');
    for (const name of names) {
      await page.click(`.tabs a[href="#${name}"]`);
      await page.waitForSelector('.pages > :not([hidden])');
      await page.waitForTimeout(pictures ? 1500 : 100); // pictures show what has come by then
      await look(`${name}, ${theme}`);
      if (!pictures) continue;
      for (const [width, height] of kSizes) {
        await page.setViewportSize({ width, height });
        await page.waitForTimeout(900);
        await page.screenshot({ path: join(pictures, `${name}-${width}-${theme}.png`) });
      }
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    await page.click('.tabs a[href="#graph"]');
    await page.click('.graph-page >> text=Draw a path');
    await look(`drawing a path, ${theme}`);
    await page.keyboard.press('Escape');
    await page.click('[role=tab]:text-is("How it is connected")');
    await page.waitForSelector('.behaviors td');
    await look(`how a graph is connected, ${theme}`);
    await page.click('[role=tab]:text-is("Compare clips")');
    await look(`two clips compared, ${theme}`);
    await page.click('[role=tab]:text-is("Walk and draw")');
    await page.keyboard.press('?');
    await page.waitForSelector('dialog.key-sheet');
    await look(`the key sheet, ${theme}`);
    await page.keyboard.press('Escape');
    tell(`${names.length} pages, ${theme}`);
  }
  assert.deepEqual(findings, [], 'axe finds what is serious');
  assert.deepEqual(complaints, [], 'the page complains');
  assert.ok(await text('#library-name'));
});
