// SPDX-License-Identifier: MIT
// The page Characters in a real browser: a model is dropped and its joints are marked, one is put right by a click and put
// back, a clip plays on it beside its source, and the other pages show it instead of the plain body.
//   node characters.mjs LOOM [FOLDER]    FOLDER: where pictures of the pages are to be written; with MODEL in the
//   environment that file is dropped in place of the sample performer
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join, resolve } from 'node:path';
import { openBrowser } from './browser.mjs';
import { startStudio } from './studio_server.mjs';

const loom = resolve(process.argv[2]),
  pictures = process.argv[3],
  folder = mkdtempSync(join(tmpdir(), 'loom-characters-')),
  library = join(folder, 'a.loom');
const kPatience = { timeout: 240_000 }; // milliseconds: the machine may do other things, too

const { context, page, complaints } = await openBrowser(folder);
const picture = async name => {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
};
const kSamples = ['walk', 'idle', 'run', 'jump', 'reach', 'fight-stance', 'fight-step', 'fight-change', 'punch', 'kick', 'evade'];
const kMachine = `machine drawn
state idle: idle
state walk: walk
transition idle -> idle self
transition idle -> walk
transition walk -> idle
`;
let server, sender;

// Whether the page that is open draws so many bodies as the character.
const draws = bodies =>
  page.waitForFunction(
    least => [...document.querySelectorAll('.view')].some(view => view.clientWidth > 0 && Number(view.dataset.worn) >= least),
    bodies,
    kPatience,
  );
const shown = async (name, bodies = 1) => {
  await draws(bodies);
  await page.waitForTimeout(pictures ? 2500 : 0);
  await picture(`characters-${name}`);
};
const ask = (method, path, body) =>
  page.evaluate(([m, p, b]) => fetch(p, { method: m, body: b && JSON.stringify(b) }).then(answer => answer.json()), [method, path, body]);
const made = async (path, list, name) => {
  while (!(await ask('GET', path))[list].some(one => one.name === name)) await page.waitForTimeout(200);
};

// A port of this machine that is free.
async function freePort() {
  const socket = createSocket('udp4');
  await new Promise(bound => socket.bind(0, '127.0.0.1', bound));
  const { port } = socket.address();
  await new Promise(closed => socket.close(closed));
  return port;
}

// Every page that shows bodies, each with something to show.
async function pagesDrawIt() {
  await ask('POST', '/api/graphs', { name: 'ways', labels: [], mirror: true, metric: 'pointcloud', connect: 0.9 });
  await made('/api/library', 'graphs', 'ways');
  await ask('POST', '/api/families', { name: 'shown', label: 'reach', mirror: false });
  await made('/api/families', 'families', 'shown');

  await page.goto(`${server.address}#graph`);
  await page.click('.graph-list button:has-text("ways")');
  await page.click('.tools:visible >> text=Walk');
  await shown('graph');
  await page.goto(`${server.address}#blend`);
  await page.click('[data-family=shown]');
  await shown('blend');
  await page.goto(`${server.address}#fight`);
  await page.click('text=Prepare');
  await shown('fight', 2);
  await page.goto(`${server.address}#machine`);
  await page.setInputFiles('#machine-file', { name: 'drawn.machine', mimeType: 'text/plain', buffer: Buffer.from(kMachine) });
  await page.waitForFunction(() => document.querySelector('#machine-chosen h2')?.textContent === 'drawn', null, kPatience);
  await page.click('.machine-page >> text="Build"');
  await shown('machine');
  await page.goto(`${server.address}#world`);
  await page.fill('.world-page [aria-label="Seconds to search at most"]', '60');
  await page.fill('.world-page [aria-label^="Good enough"]', '20'); // the first walk, however slow the machine
  await page.selectOption('.world-page #plan-with', 'graph:ways');
  await page.click('.world-page .plan-panel button.primary');
  await shown('world');
  await page.goto(`${server.address}#plan`);
  await page.waitForSelector('.plan-page #show-family option[value=shown]', { state: 'attached', ...kPatience });
  await page.selectOption('.plan-page #show-family', 'shown');
  await shown('plan');
  const port = await freePort();
  sender = spawn(loom, ['live', 'send', library, 'reach-01', '--to', `vmc:${port}`, '--loop', '--seconds', '600'], { stdio: 'ignore' });
  await page.goto(`${server.address}#capture`);
  await page.fill('#live-address', `vmc:${port}`);
  await page.click('text=Listen');
  await shown('capture');
}

try {
  server = await startStudio(loom, library, { samples: kSamples });
  let model = process.env.MODEL;
  if (!model) {
    model = join(folder, 'hero.glb');
    execFileSync(loom, ['export', library, 'walk-slow', '-o', model], { stdio: 'ignore' });
  }
  const name = basename(model, extname(model));
  const kept = async () => JSON.parse(execFileSync(loom, ['character', 'map', library, name, '--json'], { encoding: 'utf8' })).joints;
  const command = () => page.textContent('#command');

  await page.goto(`${server.address}#characters`);
  await page.waitForSelector('text=/Drop a rigged character/', kPatience);
  assert.ok(await page.locator('#worn').isHidden(), 'there is nobody to choose yet');

  // Dropped as people drop it.
  const bytes = readFileSync(model).toString('base64');
  await page.evaluate(
    async ([data, file]) => {
      const raw = Uint8Array.from(atob(data), c => c.charCodeAt(0)),
        transfer = new DataTransfer();
      transfer.items.add(new File([raw], file));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    },
    [bytes, basename(model)],
  );
  await page.waitForSelector(`.characters-page[data-character="${name}"]`, kPatience);
  assert.match(await command(), new RegExp(`^loom character (add|map) .*${name}`));
  await page.waitForFunction(
    () => JSON.parse(document.querySelector('.characters-page').dataset.places ?? '[]').length > 10,
    null,
    kPatience,
  );
  const row = role => page.locator(`.role[data-role=${role}]`),
    jointOf = async role => Number(await row(role).getAttribute('data-joint'));
  assert.ok((await jointOf('left_hand')) >= 0 && (await jointOf('hips')) >= 0);
  await picture('characters-joints');

  // A role, then the joint on the figure.
  const hand = await jointOf('left_hand'),
    forearm = await jointOf('left_forearm');
  const at = async joint => JSON.parse(await page.getAttribute('.characters-page', 'data-places'))[joint];
  await row('left_hand').locator('button').click();
  await page.waitForSelector('text=/Click the joint that is the left hand/', kPatience);
  await page.mouse.click(...(await at(forearm)));
  await page.waitForFunction(
    joint => document.querySelector('.role[data-role=left_hand]').dataset.joint === String(joint),
    forearm,
    kPatience,
  );
  assert.equal(await jointOf('left_forearm'), -1, 'no joint has two roles');
  await page.waitForFunction(() => / --set left_hand=/.test(document.querySelector('#command').textContent), null, kPatience);
  assert.ok(!(await kept()).some(({ role }) => role === 'left_forearm'), 'it is kept in the library');
  await page.keyboard.press('Control+z');
  await page.waitForFunction(
    ([a, b]) =>
      document.querySelector('.role[data-role=left_hand]').dataset.joint === String(a) &&
      document.querySelector('.role[data-role=left_forearm]').dataset.joint === String(b),
    [hand, forearm],
    kPatience,
  );
  assert.ok(
    (await kept()).some(({ role }) => role === 'left_forearm'),
    'and put back',
  );

  // Source and target side by side.
  await page.click('.character-parts >> text=Motion');
  await page.selectOption('#character-clip', 'walk-slow');
  await page.waitForFunction(() => Number(document.querySelector('.characters-page').dataset.scale) > 0, null, kPatience);
  await page.waitForFunction(
    () => /^loom export .* walk-slow --on .* -o .*\.glb$/.test(document.querySelector('#command').textContent),
    null,
    kPatience,
  );
  await page.waitForTimeout(1500);
  await picture('characters-motion');

  // Every page shows it.
  await page.selectOption('#worn', name);
  const carried = page.waitForResponse(response => /\/api\/clips\/.*\/on\//.test(response.url()), kPatience);
  await page.goto(`${server.address}#library`);
  assert.ok((await carried).ok());
  await shown('library');
  const wearing = page.waitForResponse(response => /\/api\/scenes\/.*\/wear/.test(response.url()), kPatience);
  await page.goto(`${server.address}#play`);
  assert.ok((await wearing).ok());
  await shown('play');
  assert.match(await command(), new RegExp(`-o play\\.glb --on ${name}`), 'what is written is what is shown');
  await pagesDrawIt();
  await page.goto(`${server.address}#play`);
  await page.selectOption('#worn', '');
  await page.waitForFunction(() => !document.querySelector('#command').textContent.includes('--on'), null, kPatience);

  await page.goto(`${server.address}#characters`);
  await page.click('.character-card.chosen >> text=Remove');
  await page.click('dialog >> text=Remove');
  await page.waitForSelector('text=/Drop a rigged character/', kPatience);
  assert.deepEqual(complaints, []);
  console.log('the page Characters keeps, marks, puts right, compares, and dresses the other pages');
} finally {
  sender?.kill();
  await context.close();
  await server?.end();
  rmSync(folder, { recursive: true, force: true });
}
