// SPDX-License-Identifier: MIT
// Stretches of clips, in seconds: drawn, joined where they touch, taken away.
import { PickRange } from '../routes';

// Shorter than this is a slip of the hand.
export const kShortest = 0.1;

const touches = (a: PickRange, b: PickRange) => a.clip === b.clip && a.begin <= b.end && b.begin <= a.end;

// With one more; those of the same clip that it touches become one with it.
export function added(list: PickRange[], one: PickRange): PickRange[] {
  const joined = { ...one },
    rest: PickRange[] = [];
  for (const other of list) {
    if (!touches(other, joined)) {
      rest.push(other);
      continue;
    }
    joined.begin = Math.min(joined.begin, other.begin);
    joined.end = Math.max(joined.end, other.end);
  }
  // What has grown may touch what was passed over.
  return rest.length < list.length && rest.some(other => touches(other, joined)) ? added(rest, joined) : [...rest, joined];
}

// The stretch of a clip that a moment lies in.
export function stretchAt(list: PickRange[], clip: string, seconds: number): PickRange | undefined {
  return list.find(one => one.clip === clip && seconds >= one.begin && seconds <= one.end);
}

// Those of clips that are still there, cut to their lengths.
export function stillThere(list: PickRange[], seconds: Map<string, number>): PickRange[] {
  return list
    .filter(one => seconds.has(one.clip) && one.begin < seconds.get(one.clip)!)
    .map(one => ({ ...one, end: Math.min(one.end, seconds.get(one.clip)!) }));
}

export const totalSeconds = (list: PickRange[]) => list.reduce((sum, one) => sum + one.end - one.begin, 0);

export const told = (one: PickRange) => `${one.clip} · ${one.begin.toFixed(1)}–${one.end.toFixed(1)} s`;
