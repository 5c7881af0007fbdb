// SPDX-License-Identifier: MIT
// Blue reaches, red does not; `share` of the error that is no reach at all (Huang 2012 §5.3.4).
export function reachColour(share: number): string {
  return `hsl(${Math.round(209 - 209 * Math.min(1, share))}, 75%, 50%)`;
}
