// SPDX-License-Identifier: MIT
// What a person does to the warps of a transition: moved, lengthened, pinned, thrown out, got back. Seconds of the
// motion that is left and of the one that is entered.
import { Knot, MachineWarp } from '../routes';

const kShortest = 0.05; // seconds of either motion from the first knot to the last

// Moments of both motions within which knots may lie.
export interface Bounds {
  from: [number, number];
  to: [number, number];
}

const within = (value: number, [least, most]: [number, number]) => Math.max(least, Math.min(most, value));

// One end put elsewhere; the knots between keep their share of the way. By hand, so it is pinned.
export function withEnd(warp: MachineWarp, last: boolean, at: Knot, bounds: Bounds): MachineWarp {
  const { knots } = warp,
    [a, b] = [knots[0], knots[knots.length - 1]],
    held = last ? a : b;
  const put = (k: 0 | 1, room: [number, number]) =>
    last ? Math.max(within(at[k], room), held[k] + kShortest) : Math.min(within(at[k], room), held[k] - kShortest);
  const end: Knot = [put(0, bounds.from), put(1, bounds.to)],
    [start, stop] = last ? [a, end] : [end, b];
  const moved = knots.map((knot): Knot => {
    const share = (k: 0 | 1) => start[k] + ((knot[k] - a[k]) / (b[k] - a[k])) * (stop[k] - start[k]);
    return [share(0), share(1)];
  });
  return { ...warp, knots: moved, pinned: true };
}

// All of it earlier or later, as far as there is room.
export function shifted(warp: MachineWarp, by: Knot, bounds: Bounds): MachineWarp {
  const [a, b] = [warp.knots[0], warp.knots[warp.knots.length - 1]];
  const step = ([0, 1] as const).map(k => {
    const [least, most] = k ? bounds.to : bounds.from;
    return Math.max(least - a[k], Math.min(most - b[k], by[k]));
  });
  return { ...warp, knots: warp.knots.map(([from, to]): Knot => [from + step[0], to + step[1]]), pinned: true };
}

export const thrownOut = (warp: MachineWarp): MachineWarp => ({ ...warp, out: true });
// What is got back is there because somebody wants it.
export const gotBack = (warp: MachineWarp): MachineWarp => ({ ...warp, out: false, pinned: true });

// Which of the transitions that were found a warp is: the one that begins where it does. -1: none, as of one thrown out.
export function transitionOf(warp: MachineWarp, transitions: { knots: Knot[] }[]): number {
  if (warp.out) return -1;
  return transitions.findIndex(({ knots }) => Math.abs(knots[0][0] - warp.knots[0][0]) + Math.abs(knots[0][1] - warp.knots[0][1]) < 0.01);
}
