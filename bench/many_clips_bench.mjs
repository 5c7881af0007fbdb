// SPDX-License-Identifier: MIT
// The studio on a library of 2,425 clips of real capture: node bench/many_clips_bench.mjs build/bin/loom [CLIPS]
// The clips of ../shared/mocap, and further takes of them that begin some frames later: equal ones would be refused.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser } from '../tests/web/browser.mjs';
import { startStudio } from '../tests/web/studio_server.mjs';

const kLater = 2; // frames that a take begins later than the one before
const kShortest = 20; // frames that a take has to have
const [loom, count = '2425'] = process.argv.slice(2);
const mocap = resolve(dirname(fileURLToPath(import.meta.url)), '../../shared/mocap');
if (!loom || !existsSync(join(mocap, 'cmu30'))) {
  console.error(`usage: node bench/many_clips_bench.mjs build/bin/loom [CLIPS], with capture in ${mocap}`);
  process.exit(2);
}

// Writes takes of all files to `folder` until there are so many; a take without its first frames.
function makeTakes(folder, wanted) {
  const files = readdirSync(join(mocap, 'cmu30')).filter(name => name.endsWith('.bvh')).sort();
  let made = 0;
  for (let take = 0; made < wanted; ++take) {
    const before = made;
    mkdirSync(join(folder, String(take)), { recursive: true });
    for (const name of files) {
      if (made === wanted) break;
      const lines = readFileSync(join(mocap, 'cmu30', name), 'utf8').split(/\r?\n/);
      const head = lines.findIndex(line => line.startsWith('Frames:')), left = Number(lines[head].split(/\s+/)[1]) - kLater * take;
      if (left < kShortest) continue;
      const text = [...lines.slice(0, head), `Frames: ${left}`, lines[head + 1], ...lines.slice(head + 2 + kLater * take)];
      writeFileSync(join(folder, String(take), name.replace('.bvh', `-take${take + 1}.bvh`)), text.join('\n'));
      ++made;
    }
    if (made === before) throw new Error(`only ${made} takes can be made of these files`);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'loom-many-'));
// Seconds of processor that the server has used, of all its threads.
const kTicks = 100; // a second, of /proc
const used = pid => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / kTicks;
};
let server = null;
const timed = async (what, act) => {
  const begin = performance.now(),
    before = server && used(server);
  await act();
  const processor = server ? `, ${(used(server) - before).toFixed(2)} s of processor in the server` : '';
  console.log(`${what.padEnd(44)} ${((performance.now() - begin) / 1000).toFixed(1)} s${processor}`);
};
try {
  const library = join(folder, 'big.loom');
  makeTakes(join(folder, 'takes'), Number(count));
  await timed(`import of ${count} clips`, () => execFileSync(loom, ['import', library, join(folder, 'takes')], { stdio: 'ignore' }));
  const studio = await startStudio(loom, library);
  server = studio.pid;
  const { context, page } = await openBrowser(join(folder, 'profile'));
  page.setDefaultTimeout(180000);
  const until = test => page.waitForFunction(test);
  const visit = async name => {
    await page.click(`.tabs a[href="#${name}"]`);
    await page.waitForSelector(`.${name}-page:not([hidden])`);
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
  };
  await timed('first rows of the list', async () => {
    await page.goto(studio.address);
    await page.waitForSelector('.clip-row');
  });
  await timed('rows of a search for 144_', async () => {
    await page.fill('[placeholder^="Search clips"]', '144_');
    await until(() => [...document.querySelectorAll('.clip-row')].every(row => row.textContent.includes('144_')));
  });
  for (const name of ['graph', 'blend', 'pick', 'machine', 'world', 'plan', 'fight', 'characters', 'capture']) {
    await timed(`opening ${name}`, () => visit(name));
  }
  await timed('Play, until ten frames have come', async () => {
    await visit('play');
    await until(() => Number(document.querySelector('.play-page').dataset.frames) >= 10);
  });
  await timed('and until it plays with all motion', () => until(() => !document.querySelector('.play-page').dataset.part));
  await timed('Start again, until ten frames have come', () =>
    page.evaluate(
      () =>
        new Promise(done => {
          const shown = document.querySelector('.play-page');
          let anew = false; // frames are counted from one again
          const seen = new MutationObserver(() => {
            const frames = Number(shown.dataset.frames);
            anew ||= frames < 5;
            if (!anew || frames < 10) return;
            seen.disconnect();
            done();
          });
          seen.observe(shown, { attributes: true });
          [...shown.querySelectorAll('button')].find(one => one.textContent === 'Start again').click();
        }),
    ),
  );
  await context.close();
  await studio.end();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
