// SPDX-License-Identifier: MIT
// Starts `loom studio` for a test or a measurement.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';

// A server on a library of the sample motions named (by name or group), or on a new one; end() stops it and says its
// status.
export async function startStudio(loom, library, { samples = null, port = 0, fresh = false } = {}) {
  if (samples) execFileSync(loom, ['sample', library, '--only', ...samples], { stdio: 'ignore' });
  const server = spawn(loom, ['studio', library, '--port', String(port), '--json', ...(fresh ? ['--new'] : [])], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, XDG_CACHE_HOME: `${library}.cache` }, // a test's own
  });
  let text = '';
  for await (const part of server.stdout.iterator({ destroyOnReturn: false })) {
    text += part;
    if (text.includes('}')) break;
  }
  const { address } = JSON.parse(text);
  return {
    address,
    pid: server.pid,
    async end() {
      server.kill('SIGTERM');
      const [status] = await once(server, 'exit');
      return status;
    },
  };
}
