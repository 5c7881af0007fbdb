// SPDX-License-Identifier: MIT
// What came of building a graph, in plain words: how much of the motion hangs together, what does not, why, and what
// would connect it.
import { GraphAbout, GraphOutline, Loss } from '../routes';

export interface Verdict {
  share: string; // how much is connected
  lost: string; // what is not, and why; empty where all is
  advice: string; // what would connect it; empty where nothing is known
  ask: number | null; // the share of the motion to ask for, where that would do it
}

const kNamed = 3;

const named = (names: string[]) =>
  names.length <= kNamed ? names.join(', ') : `${names.slice(0, kNamed).join(', ')} and ${names.length - kNamed} more`;

// What is not all of it is never told as 100 %.
export const percent = (share: number): string => `${share < 1 ? Math.min(99, Math.round(100 * share)) : 100} %`;
// What is to be asked for so that as much is kept.
export const asked = (share: number): number => Math.min(100, Math.ceil(100 * share - 1e-9));

// The share of the motion that a threshold would connect, of those that were tried: the first that is no smaller.
function shareAt(shares: [number, number][], threshold: number): number | null {
  return shares.find(([at]) => at >= threshold)?.[1] ?? null;
}

// `about` comes later than `outline`, when everything is measured; null until then.
export function verdictOf(outline: GraphOutline, about: GraphAbout | null): Verdict {
  const connected = outline.frames ? outline.nodes / outline.frames : 0;
  const share =
    connected >= 1
      ? 'All of the motion is connected: the character can go on from any moment to any other.'
      : `${percent(connected)} of the motion is connected: within it the character can go on from any moment to any other.`;
  if (!about) return { share, lost: '', advice: '', ask: null };
  const whole = about.lost.filter(loss => loss.frames_lost >= loss.frames),
    parts = about.lost.length - whole.length;
  if (!about.lost.length) return { share, lost: 'Nothing was left out.', advice: '', ask: null };
  const lost = whole.length
    ? `Left out: ${named(whole.map(loss => loss.clip))}${parts ? `, and the beginning or the end of ${parts} more` : ''}: ${reasons(whole)}.`
    : `Left out: only the beginning or the end of ${parts} ${parts === 1 ? 'clip' : 'clips'}, where nothing leads in or out.`;
  return { share, lost, ...adviceFor(whole, about) };
}

function reasons(losses: Loss[]): string {
  const most = new Map<string, number>();
  losses.forEach(({ reason }) => most.set(reason, (most.get(reason) ?? 0) + 1));
  return [...most].sort((a, b) => b[1] - a[1])[0][0];
}

function adviceFor(whole: Loss[], about: GraphAbout): { advice: string; ask: number | null } {
  const joinable = whole.filter(loss => loss.joins_at !== null).sort((a, b) => a.joins_at! - b.joins_at!);
  if (!whole.length) return { advice: '', ask: null };
  if (!joinable.length)
    return { advice: 'Nothing in the library is like it: capture motion that leads from one to the other, and build again.', ask: null };
  const first = joinable[0],
    share = shareAt(about.shares, first.joins_at!);
  return share && share > about.component_share
    ? { advice: `${first.clip} comes in when ${asked(share)} % are asked for; its transitions are then less alike.`, ask: share }
    : { advice: `${first.clip} would come in were moments taken for alike that are less so.`, ask: null };
}
