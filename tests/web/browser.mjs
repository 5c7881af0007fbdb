// SPDX-License-Identifier: MIT
// Debian's Chromium, driven by playwright-core. Where either is missing the test ends with status 77: not run.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export const require = createRequire(new URL('../tools/package.json', import.meta.url));

function skip(why) {
  console.log(`SKIPPED: ${why}`);
  process.exit(77);
}

// A browser with one page, its profile in `folder`; `complaints` gathers whatever the page complains about.
export async function openBrowser(folder, options = {}) {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync) ?? skip('Chromium is not installed');
  let chromium;
  try {
    ({ chromium } = require('playwright-core'));
  } catch {
    skip('playwright-core is not installed; run npm ci in tests/tools');
  }
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath,
    headless: true,
    viewport: { width: 1280, height: 720 },
    colorScheme: 'light',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
      '--disable-sync',
    ],
    ...options,
  });
  const page = context.pages()[0] ?? (await context.newPage()),
    complaints = [];
  page.setDefaultTimeout(300000); // the machine may be busy with other tests
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', error => complaints.push(error.message));
  return { context, page, complaints };
}
