// SPDX-License-Identifier: MIT
// A clock for performance.now() that stands still until a test moves it.
import { mock } from 'node:test';

export function stoppedClock() {
  const clock = { now: 0 };
  mock.method(performance, 'now', () => clock.now);
  return clock;
}
