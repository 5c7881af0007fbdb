// SPDX-License-Identifier: MIT
// The first minute: does what the page suggests, in an empty library, and ends with a walking character, a saved glb and
// a fight with a result. Tells how long each step took.
//   node first_minute.mjs LOOM [FOLDER]     FOLDER keeps a screenshot of every step
// Exit status 77 means that it could not run: no Chromium, or playwright-core is not installed.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import assert from 'node:assert/strict';
import { withPerson } from './person.mjs';

const loom = resolve(process.argv[2]),
  pictures = process.argv[3];

await withPerson(loom, { fresh: true }, async ({ page, text, until, download, complaints }) => {
  const begun = performance.now();
  let last = begun;
  const step = async what => {
    const now = performance.now();
    console.log(`${((now - begun) / 1000).toFixed(1).padStart(6)} s  ${what} (${((now - last) / 1000).toFixed(1)} s)`);
    if (pictures) await page.screenshot({ path: join(pictures, `first-${what.replaceAll(/\W+/g, '-')}.png`) });
    last = performance.now();
  };
  const isGlb = ({ path, name }) => {
    assert.match(name, /\.glb$/);
    assert.equal(readFileSync(path).subarray(0, 4).toString(), 'glTF');
    assert.ok(readFileSync(path).length > 20000, 'with motion in it');
  };

  await page.waitForSelector('.empty-library:not([hidden])');
  assert.match(await text('.empty-library'), /Add sample motions/);
  assert.match(await text('.empty-library'), /Drop your files/);
  await step('an empty library says how to begin');

  await page.click('text=Add sample motions');
  await page.waitForSelector('.clip-row');
  await until(() => Number(document.querySelector('#clock')?.textContent.match(/frame (\d+)/)?.[1]) > 2);
  await step('sample motions are there, the first one moves');

  await page.click('.job a[href="#graph"]'); // what the line says comes next
  await page.waitForSelector('.graph-page:not([hidden])');
  assert.ok(await page.isDisabled('.graph-play .tools button:text-is("Walk")'), 'nobody can walk yet');
  await page.click('.graph-page .build-panel button.primary');
  await until(() => /^live · [1-9]/.test(document.querySelector('#play-readout')?.textContent));
  assert.match(await text('#verdict'), /% of the motion is connected|All of the motion is connected/);
  await step('the character walks by itself');
  isGlb(await download(() => page.click('.graph-play:visible >> text=Save glb')));
  await step('the walk is saved as a glb');

  await page.click('.tabs a[href="#fight"]');
  await page.waitForSelector('.needs .met');
  assert.equal(await page.locator('.needs .unmet').count(), 0, 'the samples have what a fight needs');
  await page.click('.prepare button.primary');
  await until(() => JSON.parse(document.querySelector('.fight-page').dataset.counts ?? '[]').some(counts => counts[4] > 0));
  await step('two fight, and somebody has hit');
  isGlb(await download(() => page.click('.fight-page .transport >> text=Save glb')));
  await step('the bout is saved as a glb');

  await until(() => /Left out|Nothing was left out/.test(document.querySelector('#verdict').textContent));
  console.log(`the verdict: ${await text('#verdict')}`);
  assert.deepEqual(complaints, [], 'the page complains');
});
