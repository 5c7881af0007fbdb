// SPDX-License-Identifier: MIT
// Runs the Khronos glTF validator over the files given; prints every error and warning and fails if there is one.
import { readFile } from 'node:fs/promises';
import validator from 'gltf-validator';

let complaints = 0;
for (const file of process.argv.slice(2)) {
  const report = await validator.validateBytes(new Uint8Array(await readFile(file)), { maxIssues: 50 });
  for (const message of report.issues.messages) {
    if (message.severity > 1) continue;
    console.error(`${file}: ${['error', 'warning'][message.severity]}: ${message.message} (${message.pointer})`);
    complaints += 1;
  }
}
process.exit(complaints > 0 ? 1 : 0);
