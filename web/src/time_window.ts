// SPDX-License-Identifier: MIT
// What a timeline shows of a clip: frames [from, to] of 0 to `last`, zoomed and moved, never beyond the clip.

export type Window = [from: number, to: number];

const kLeast = 6; // frames that are seen at least

export const whole = (last: number): Window => [0, last];

// `by` times as many frames, with `at` staying where it is seen.
export function zoom([from, to]: Window, by: number, at: number, last: number): Window {
  const wide = Math.min(last, Math.max(Math.min(kLeast, last), (to - from) * by)),
    share = to > from ? Math.max(0, Math.min(1, (at - from) / (to - from))) : 0.5;
  return pan([at - share * wide, at + (1 - share) * wide], 0, last);
}

export function pan([from, to]: Window, by: number, last: number): Window {
  const wide = Math.min(to - from, last),
    first = Math.max(0, Math.min(last - wide, from + by));
  return [first, first + wide];
}

// The nearest of some frames, where it is within `near`; else the frame itself.
export function snapped(frame: number, stops: number[], near: number): number {
  let best = frame,
    least = near;
  for (const stop of stops) {
    const away = Math.abs(stop - frame);
    if (away <= least) {
      least = away;
      best = stop;
    }
  }
  return best;
}
