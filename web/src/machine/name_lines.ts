// SPDX-License-Identifier: MIT
// The name of a state within its circle: over several lines, as large as fits.

export interface NameLines {
  lines: string[];
  size: number; // of the letters, pixels
}

const kLargest = 13;
const kSmallest = 8.5;
const kLetter = 0.57; // width of a letter, of its size

// Broken at hyphens, blanks and underscores; what is short stays with what comes before. Too long for a line: cut.
export function nameLines(name: string, radius: number): NameLines {
  const lines: string[] = [];
  for (const part of name.split(/(?<=[-_ /])/)) {
    const last = lines[lines.length - 1];
    if (last !== undefined && (last + part).trim().length <= 6) lines[lines.length - 1] += part;
    else lines.push(part);
  }
  const shown = lines.slice(0, 3).map(line => line.trim());
  if (lines.length > 3) shown[2] += '…';
  const width = 2 * radius * (shown.length > 2 ? 0.78 : 0.88),
    longest = Math.max(...shown.map(line => line.length));
  const size = Math.max(kSmallest, Math.min(kLargest, width / (kLetter * longest), (1.5 * radius) / (1.1 * shown.length)));
  const most = Math.max(3, Math.floor(width / (kLetter * size) + 1e-6));
  return { size, lines: shown.map(line => (line.length > most ? `${line.slice(0, most - 1)}…` : line)) };
}
