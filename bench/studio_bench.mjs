// SPDX-License-Identifier: MIT
// Measures the studio as a browser sees it: node bench/studio_bench.mjs build/bin/loom [REAL.bvh ...]
// Without motion files all sample motions are used.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openBrowser } from '../tests/web/browser.mjs';
import { startStudio } from '../tests/web/studio_server.mjs';

const kClips = 2000;
const [loom, ...files] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'loom-bench-'));
const rows = [];
const tell = (what, figure) => { rows.push([what, figure]); console.log(`${what.padEnd(52)} ${figure}`); };
const spread = (values, unit = 'ms') => {
  const sorted = [...values].sort((a, b) => a - b), at = share => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(1);
  return `median ${at(0.5)}, 95 % under ${at(0.95)}, worst ${at(1)} ${unit} (${sorted.length})`;
};

const delaysTold = delays => `${spread(delays)}, ${Math.round(100 * delays.filter(delay => delay < 50).length / delays.length)} % under 50`;

// Seconds from asking for the page until the first clip stands on the stage.
async function firstPage(page, address) {
  const begin = performance.now();
  await page.goto(address);
  await page.waitForFunction(() => /frame \d/.test(document.querySelector('#clock')?.textContent ?? ''));
  return (performance.now() - begin) / 1000;
}

// Frames of a scene that come to a page which draws nothing, a second.
async function delivered(page, address, characters, seconds) {
  await page.goto(`${address}icon.svg`);
  return page.evaluate(async ([count, length]) => {
    const { scene } = await (await fetch('/api/play', { method: 'POST', body: JSON.stringify({ characters: count }) })).json();
    const socket = new WebSocket(`ws://${location.host}/ws`);
    socket.binaryType = 'arraybuffer';
    await new Promise(done => { socket.onopen = done; });
    let frames = 0;
    socket.onmessage = message => { if (message.data instanceof ArrayBuffer) ++frames; };
    socket.send(JSON.stringify({ do: 'join', scene }));
    await new Promise(done => setTimeout(done, 1000));
    frames = 0;
    const begin = performance.now();
    await new Promise(done => setTimeout(done, 1000 * length));
    socket.close();
    return frames / (performance.now() - begin) * 1000;
  }, [characters, seconds]);
}

// Frames that came to the page and pictures it drew of them, a second each.
async function shown(page, characters, seconds) {
  await page.evaluate(() => { location.hash = 'play'; });
  await page.waitForSelector('#characters');
  await page.selectOption('#characters', String(characters));
  await page.waitForFunction(() => Number(document.querySelector('.play-page').dataset.frames) > 30);
  await page.waitForTimeout(4000);  // the page finds out how many pixels it can afford
  return page.evaluate(async length => {
    const { dataset } = document.querySelector('.play-page'), canvas = document.querySelector('.play-page canvas');
    const begin = performance.now(), frames = Number(dataset.frames), pictures = Number(dataset.pictures);
    await new Promise(done => setTimeout(done, 1000 * length));
    const passed = (performance.now() - begin) / 1000;
    return { frames: (Number(dataset.frames) - frames) / passed, pictures: (Number(dataset.pictures) - pictures) / passed, width: canvas.width, height: canvas.height };
  }, seconds);
}

// Milliseconds from each of many key presses to the picture that answers it, as the page tells them.
async function keyDelays(page, presses) {
  await page.evaluate(() => document.activeElement?.blur());
  const told = async () => (await page.$eval('.play-page', element => element.dataset.delays ?? '')).split(' ').filter(Boolean).map(Number);
  const before = (await told()).length, keys = ['w', 'a', 'd', 'w', 'e', 'q'];
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.down('w');
  for (let i = 0; i < presses; ++i) {
    const key = keys[i % keys.length];
    if (key === 'w') await page.keyboard.up('w'); else await page.keyboard.down(key);
    await page.waitForTimeout(230 + 37 * (i % 7));
    if (key === 'w') await page.keyboard.down('w'); else await page.keyboard.up(key);
    await page.waitForTimeout(310 + 23 * (i % 5));
  }
  await page.keyboard.up('w');
  await page.waitForTimeout(300);
  return (await told()).slice(before);
}

// Milliseconds from picture to picture while somebody scrolls through all clips, their thumbnails coming in.
async function scrolling(page) {
  await page.evaluate(() => { location.hash = 'library'; });
  await page.waitForSelector('.clip-row');
  await page.click('.transport .play');
  return page.evaluate(async () => {
    const list = document.querySelector('.clip-list'), gaps = [];
    let last = await new Promise(requestAnimationFrame);
    for (let top = 0; top < list.scrollHeight; top += 120) {
      list.scrollTop = top;
      const now = await new Promise(requestAnimationFrame);
      gaps.push(now - last);
      last = now;
    }
    return { gaps, rows: document.querySelectorAll('.clip-row').length };
  });
}

// Pictures a second that a reaching character makes by each method, while its target is dragged to and fro.
async function dragging(page, address) {
  await page.goto(`${address}#blend`);
  await page.waitForFunction(() => document.querySelector('#blend-readout')?.dataset.hand);
  const methods = await page.$$eval('#method option', options => options.map(option => option.value)), told = [];
  for (const method of methods) {
    await page.selectOption('#method', method);
    await page.waitForTimeout(1500);
    const pictures = await page.evaluate(async () => {
      const slider = document.querySelectorAll('.sliders input')[1], low = Number(slider.min), high = Number(slider.max);
      const begin = performance.now(), before = window.pictures;
      while (performance.now() - begin < 5000) {
        slider.value = low + (high - low) * (0.5 + 0.3 * Math.sin(performance.now() / 300));
        slider.dispatchEvent(new Event('input'));
        await new Promise(requestAnimationFrame);
      }
      return (window.pictures - before) / (performance.now() - begin) * 1000;
    });
    told.push(`${method} ${pictures.toFixed(1)}`);
  }
  return told.join(', ');
}

let studio, browser;
try {
  const library = join(folder, 'bench.loom');
  execFileSync(loom, files.length ? ['import', library, ...files] : ['sample', library], { stdio: 'ignore' });
  studio = await startStudio(loom, library);
  browser = await openBrowser(folder);
  const { page } = browser;
  await page.addInitScript(() => {  // every picture begins with a clear
    const { prototype } = WebGL2RenderingContext, { clear } = prototype;
    window.pictures = 0;
    prototype.clear = function (...bits) { ++window.pictures; return clear.apply(this, bits); };
  });
  tell('first page, to the first pose', `${(await firstPage(page, studio.address)).toFixed(2)} s, again ${(await firstPage(page, studio.address)).toFixed(2)} s`);
  const script = await (await fetch(`${studio.address}app.js`)).arrayBuffer();
  tell('script', `${(script.byteLength / 1e3).toFixed(0)} kB, compressed ${(gzipSync(Buffer.from(script)).length / 1e3).toFixed(0)} kB`);
  const state = await (await fetch(`${studio.address}api/library`)).json();
  if (state.labels.some(label => label.name === 'reach')) {
    execFileSync(loom, ['blend', 'family', library, '--label', 'reach', '--name', 'reach'], { stdio: 'ignore' });
    tell('pictures a second while a target is dragged', await dragging(page, studio.address));
  }
  for (const characters of [1, 20]) {
    tell(`frames over the socket, ${characters} × ${state.clips[0].joints} joints`, `${(await delivered(page, studio.address, characters, 8)).toFixed(1)} a second`);
    await page.goto(studio.address);
    const { frames, pictures, width, height } = await shown(page, characters, 8);
    tell('  taken and drawn by the page', `${frames.toFixed(1)} and ${pictures.toFixed(1)} a second, ${width} × ${height} pixels`);
  }
  await page.selectOption('#characters', '1');
  await page.waitForTimeout(4000);
  tell('key press to changed pose, motion matching', delaysTold(await keyDelays(page, 60)));
  await page.selectOption('#root', 'control');
  await page.waitForTimeout(3000);
  tell('  the same with the root from the stick', delaysTold(await keyDelays(page, 30)));
  await page.click('text=Train a policy…');
  await page.click('dialog >> text=Train >> nth=-1');
  await page.waitForFunction(() => document.querySelector('#policy').value === 'studio');
  await page.waitForTimeout(4000);
  tell('  by a policy trained on these presses', delaysTold(await keyDelays(page, 30)));
  for (let i = state.clips.length; i < kClips; ++i) {
    const clip = state.clips[i % state.clips.length], from = i % Math.max(1, clip.frames - 40);
    await fetch(`${studio.address}api/clips/${encodeURIComponent(clip.name)}/derive`, { method: 'POST', body: JSON.stringify({ as: `clip-${String(i).padStart(4, '0')}`, from, to: from + 30 }) });
  }
  tell(`first page of ${kClips} clips`, `${(await firstPage(page, `${studio.address}#library`)).toFixed(2)} s`);
  await page.reload();
  const { gaps, rows: inPage } = await scrolling(page);
  tell(`from picture to picture, scrolling through ${kClips}`, `${spread(gaps)}; ${inPage} rows in the page`);
} finally {
  await browser?.context.close();
  await studio?.end();
  rmSync(folder, { recursive: true, force: true });
}
