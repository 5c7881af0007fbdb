// SPDX-License-Identifier: MIT
// A well-connected graph on the page Graph, in a real browser: labels are chosen by chips and given back, λ is set by its
// slider and says how large the graph is, and motion between recordings has a colour of its own on the timeline.
//   node connected.mjs LOOM [FOLDER]     FOLDER keeps screenshots
// Exit status 77 means that it could not run: no Chromium, or playwright-core is not installed.
import { join, resolve } from 'node:path';
import assert from 'node:assert/strict';
import { tell, withPerson } from './person.mjs';

const loom = resolve(process.argv[2]),
  pictures = process.argv[3];

await withPerson(loom, { samples: ['walk'] }, async ({ page, text, until, api, visit, complaints }) => {
  const shoot = name => (pictures ? page.screenshot({ path: join(pictures, `connected-${name}.png`) }) : null);
  // As the arrow keys do it: the slider is moved and says so.
  const setLambda = exponent => page.fill('#lambda', String(exponent));
  const build = async name => {
    await page.fill('[name=graph-name]', name);
    await page.click('.graph-page .build-panel button.primary');
    await page.waitForSelector(`.graph-list [aria-current=true] [data-graph=${name}]`);
    return api(`/api/graphs/${name}`);
  };

  tell('a label is chosen by its chip, and given back by the same');
  await visit('graph');
  const chip = page.locator('.build-panel .chip:text-is("walk")'),
    other = page.locator('.build-panel .chip:text-is("crouch-walk")');
  await chip.click();
  await other.click();
  assert.match(await text('#command'), /--label walk.*--label crouch-walk|--label crouch-walk.*--label walk/);
  await other.click();
  assert.deepEqual([await chip.getAttribute('aria-pressed'), await other.getAttribute('aria-pressed')], ['true', 'false']);
  assert.match(await text('#command'), /^loom graph build .* --label walk$/);

  tell('λ is offered with motion between recordings alone, and the command that is shown has it');
  await page.click('.build-panel summary');
  assert.equal(await page.isVisible('#lambda'), false);
  await page.check('#between');
  await page.waitForSelector('#lambda', { state: 'visible' });
  await setLambda(0);
  assert.match(await text('.for-lambda'), /no longer/);
  assert.match(await text('#command'), /^loom graph connect .* --label walk --lambda 1$/);
  await setLambda(1.7);
  assert.match(await text('.for-lambda'), /50 times as long/);
  assert.match(await text('#command'), / --lambda 50$/);

  tell('the larger λ is, the fewer moments the graph has; those recorded stay');
  const small = await build('small');
  await setLambda(0.7);
  assert.match(await text('#command'), / --lambda 5$/);
  const large = await build('large');
  for (const graph of [small, large]) assert.ok(graph.recorded_nodes < graph.nodes, `${graph.name} has motion between recordings`);
  assert.ok(small.nodes < large.nodes / 2, `${small.nodes} moments at 50, ${large.nodes} at 5`);
  assert.equal(small.recorded_nodes, large.recorded_nodes);

  tell('and that is what the page says of it');
  await page.click('[role=tab]:text-is("How it is connected")');
  const said = (large.nodes - large.recorded_nodes).toLocaleString('en');
  await until(
    number => [...document.querySelectorAll('.numbers div')].some(one => one.textContent === `${number}of them between recordings`),
    said,
  );
  await shoot('numbers');

  tell('on the timeline recorded and mixed stretches have two colours');
  await page.click('.graph-page [role=tab] >> nth=0');
  await page.fill('#keys', 'walk-fast:60 walk-slow:150 walk-fast:90 walk@3');
  await page.click('text=Do these in order');
  await until(() => /between recordings$/.test(document.querySelector('#play-readout').textContent));
  // A line of pixels under the seconds, where bands are drawn: how much of it is brown, and how much blue.
  const colors = await page.$eval('.graph-play .timeline canvas.curves', canvas => {
    const y = Math.round((17 * canvas.height) / canvas.clientHeight),
      { data } = canvas.getContext('2d').getImageData(0, y, canvas.width, 1),
      counts = new Map();
    for (let i = 0; i < data.length; i += 4) {
      const color = Math.sign(data[i] - data[i + 2] - 1); // more red than blue, or not
      counts.set(color, (counts.get(color) ?? 0) + 1 / canvas.width);
    }
    return Object.fromEntries(counts);
  });
  assert.ok(colors[1] > 0.05 && colors[1] < 0.5 && colors[-1] > 0.5, JSON.stringify(colors));
  await shoot('timeline');
  assert.deepEqual(complaints, [], 'the page complains');
});
