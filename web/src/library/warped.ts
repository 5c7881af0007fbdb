// SPDX-License-Identifier: MIT
// Moments of two clips that belong together.
import type { Cell } from '../routes';

// Which moment of the second clip belongs to one of the first, along the cells of a warp; frames of either.
export function along(cells: Cell[], moment: number): number {
  if (!cells.length) return moment;
  let low = 0,
    high = cells.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cells[middle][0] < moment) low = middle + 1;
    else high = middle;
  }
  const next = cells[low],
    before = cells[Math.max(0, low - 1)];
  if (next[0] <= before[0] || moment >= next[0]) return next[1];
  const share = Math.max(0, (moment - before[0]) / (next[0] - before[0]));
  return before[1] + share * (next[1] - before[1]);
}
