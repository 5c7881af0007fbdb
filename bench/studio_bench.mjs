// SPDX-License-Identifier: MIT
// Measures the studio as a browser sees it: node bench/studio_bench.mjs build/bin/loom [REAL.bvh ...]
// With motion files of a 31-joint body, the live figures are of that body; otherwise of the sample body.
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

// When frames of the scene were on the stage of the page, milliseconds, over some seconds.
async function arrivals(page, characters, seconds) {
  await page.evaluate(() => { location.hash = 'play'; });
  await page.waitForSelector('#characters');
  await page.selectOption('#characters', String(characters));
  await page.waitForFunction(() => Number(document.querySelector('.play-page').dataset.frames) > 30);
  return page.evaluate(async length => {
    const times = [], element = document.querySelector('.play-page');
    const watcher = new MutationObserver(() => times.push(performance.now()));
    watcher.observe(element, { attributes: true, attributeFilter: ['data-frames'] });
    await new Promise(done => setTimeout(done, 1000 * length));
    watcher.disconnect();
    return times;
  }, seconds);
}

async function keyDelays(page, presses) {
  const delays = [];
  for (let i = 0; i < presses; ++i) {
    const key = ['w', 'a', 'd'][i % 3];
    delays.push(await page.evaluate(code => new Promise(done => {
      const read = document.querySelector('#delay'), begin = performance.now(), before = document.querySelector('.play-page').dataset;
      const was = JSON.stringify([before.x, before.z, before.heading]);
      const text = read.textContent;
      const watcher = new MutationObserver(() => {
        if (read.textContent === text || JSON.stringify([before.x, before.z, before.heading]) === was) return;
        watcher.disconnect();
        done(performance.now() - begin);
      });
      watcher.observe(document.querySelector('.play-page'), { subtree: true, attributes: true, childList: true, characterData: true });
      dispatchEvent(new KeyboardEvent('keydown', { code, key: 'x', bubbles: true }));
      setTimeout(() => { watcher.disconnect(); done(1000); }, 1000);
    }), `Key${key.toUpperCase()}`));
    await page.evaluate(code => dispatchEvent(new KeyboardEvent('keyup', { code, key: 'x', bubbles: true })), `Key${key.toUpperCase()}`);
    await page.waitForTimeout(120 + 17 * (i % 7));
  }
  return delays;
}

// How long the browser's main thread takes for every step of scrolling through all clips, pictures and all.
async function scrolling(page) {
  await page.evaluate(() => { location.hash = 'library'; });
  await page.waitForSelector('.clip-row');
  await page.click('.transport .play');
  return page.evaluate(async () => {
    const list = document.querySelector('.clip-list'), times = [];
    for (let top = 0; top < list.scrollHeight; top += 400) {
      const begin = performance.now();
      list.scrollTop = top;
      list.dispatchEvent(new Event('scroll'));
      list.getBoundingClientRect();
      times.push(performance.now() - begin);
      await new Promise(requestAnimationFrame);
    }
    return { times, rows: document.querySelectorAll('.clip-row').length };
  });
}

let studio, browser;
try {
  const library = join(folder, 'bench.loom');
  if (files.length) execFileSync(loom, ['import', library, ...files], { stdio: 'ignore' });
  studio = await startStudio(loom, library, { samples: files.length ? null : ['walk', 'walk-turn', 'run', 'idle', 'jump'] });
  browser = await openBrowser(folder);
  const { page } = browser;
  tell('first page, to the first pose', `${(await firstPage(page, studio.address)).toFixed(2)} s, again ${(await firstPage(page, studio.address)).toFixed(2)} s`);
  const script = await (await fetch(`${studio.address}app.js`)).arrayBuffer();
  tell('script', `${(script.byteLength / 1e3).toFixed(0)} kB, compressed ${(gzipSync(Buffer.from(script)).length / 1e3).toFixed(0)} kB`);
  const state = await (await fetch(`${studio.address}api/library`)).json();
  for (const characters of [1, 20]) {
    tell(`frames over the socket, ${characters} × ${state.clips[0].joints} joints`, `${(await delivered(page, studio.address, characters, 8)).toFixed(1)} a second`);
    await page.goto(studio.address);
    const times = await arrivals(page, characters, 8);
    tell('  posed and drawn by the page', `${((times.length - 1) / (times[times.length - 1] - times[0]) * 1000).toFixed(1)} a second`);
  }
  await page.selectOption('#characters', '1');
  await page.waitForTimeout(2000);
  tell('key press to changed pose', spread(await keyDelays(page, 60)));
  for (let i = state.clips.length; i < kClips; ++i) {
    const clip = state.clips[i % state.clips.length], from = i % Math.max(1, clip.frames - 40);
    await fetch(`${studio.address}api/clips/${encodeURIComponent(clip.name)}/derive`, { method: 'POST', body: JSON.stringify({ as: `clip-${String(i).padStart(4, '0')}`, from, to: from + 30 }) });
  }
  tell(`first page of ${kClips} clips`, `${(await firstPage(page, `${studio.address}#library`)).toFixed(2)} s`);
  await page.reload();
  const { times, rows: shown } = await scrolling(page);
  tell(`a step of scrolling through ${kClips} clips`, `${spread(times)}; ${shown} rows in the page`);
} finally {
  await browser?.context.close();
  await studio?.end();
  rmSync(folder, { recursive: true, force: true });
}
