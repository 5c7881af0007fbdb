// SPDX-License-Identifier: MIT
// What the tests of the page share that use it as a person does: a server on a library, a browser on it, and ways to
// wait for what is seen.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import { openBrowser } from './browser.mjs';
import { startStudio } from './studio_server.mjs';

const kPatience = Number(process.env.LOOM_PATIENCE ?? 240000); // milliseconds: the machine may do other things, too

// Somebody in front of the studio on a library: `act` uses it, and afterwards everything is put away.
export async function withPerson(loom, { samples = null, fresh = false, browser = {}, before = null }, act) {
  const folder = mkdtempSync(join(tmpdir(), 'loom-person-')),
    library = join(folder, 'test.loom');
  let studio, opened;
  try {
    studio = await startStudio(loom, library, { samples, fresh });
    opened = await openBrowser(folder, browser);
    const { page } = opened;
    page.setDefaultTimeout(kPatience);
    if (before) await page.addInitScript(before);
    const person = {
      page,
      folder,
      library,
      address: studio.address,
      complaints: opened.complaints,
      text: selector => page.textContent(selector),
      until: (what, argument) => page.waitForFunction(what, argument),
      api: path => page.evaluate(async p => (await fetch(p)).json(), path),
      visit: async name => {
        await page.click(`.tabs a[href="#${name}"]`);
        await page.waitForSelector(`.${name}-page:not([hidden])`, { state: 'attached' }).catch(() => {});
      },
      // Waits for what is asked of the server: waitForFunction takes a promise for a yes.
      untilServer: async (path, holds) => {
        for (const end = Date.now() + kPatience; !holds(await person.api(path)); await page.waitForTimeout(50)) {
          assert.ok(Date.now() < end, `${path} never comes to ${holds}`);
        }
      },
      download: async action => {
        const [file] = await Promise.all([page.waitForEvent('download'), action()]);
        return { name: file.suggestedFilename(), path: await file.path() };
      },
      // Drops files on the page, as a file manager does.
      drop: async files => {
        const transfer = await page.evaluateHandle(list => {
          const data = new DataTransfer();
          for (const { name, body } of list) data.items.add(new File([body], name));
          return data;
        }, files);
        await page.dispatchEvent('body', 'dragover', { dataTransfer: transfer });
        await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
      },
      // Runs the command that is shown, as somebody who copied it would, in the test's folder.
      runShown: async () => {
        const words = (await person.text('#command')).match(/'(?:[^']|'\\'')*'|\S+/g).map(word => word.replaceAll("'", ''));
        assert.equal(words[0], 'loom');
        if (words.includes('-o')) words.splice(words.indexOf('-o'), 0, '--force');
        return execFileSync(loom, words.slice(1), { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
      },
    };
    await page.goto(studio.address);
    await act(person);
  } finally {
    await opened?.context.close();
    await studio?.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const tell = text => console.log(`- ${text}`);
