// SPDX-License-Identifier: MIT
// The keys there are, shown by `?`: those of the page one is on first, then those that work everywhere.
import { showDialog } from './dialog';
import { el } from './dom';

type Keys = [keys: string, what: string][];

const kMotion: Keys = [
  ['Space', 'play or pause'],
  ['← →', 'a frame back or on; with Shift ten'],
  ['Home, End', 'first and last frame'],
  ['G', 'ghosts'],
];
const kOfPage: Record<string, Keys> = {
  library: [
    ['/', 'search'],
    ...kMotion,
    ['I O, [ ]', 'the selected stretch begins, or ends, at this frame'],
    ['+ - 0', 'less of the clip on the timeline, larger; more of it; all of it'],
    ['F', 'the body in the middle'],
    ['Ctrl+A, Shift and arrows', 'pick several clips; Esc lets go of them'],
    ['L', 'label the selected stretch'],
    ['C', 'cut it out'],
    ['M', 'mirror the clip'],
    ['Delete', 'take the chosen label off'],
    ['Esc', 'select nothing'],
  ],
  graph: [
    ['W', 'walk'],
    ['D', 'draw a path on the floor; Esc ends drawing'],
    ...kMotion,
    ['arrows', 'in the matrix of two clips: the cross; in the table of behaviors: from field to field, Enter asks why'],
  ],
  blend: [
    ['Space', 'play or pause'],
    ['arrows', 'a pin: a frame of either clip; a reach target: 2 cm, with Shift 10'],
    ['Page up, Page down', 'a reach target: nearer or farther'],
    ['Delete', 'take a pin off'],
  ],
  play: [
    ['W or ↑', 'go; with Shift run'],
    ['S or ↓', 'step back'],
    ['A D or ← →', 'turn'],
    ['Q E', 'step aside'],
    ['Space', 'jump'],
  ],
  fight: [
    ['Enter', 'a new bout'],
    ['Space', 'pause or go on'],
    ['A D, W S or arrows', 'with a fighter of yours: move as seen on the screen'],
    ['J, K, L', 'punch, kick, evade'],
  ],
  machine: [['letters', 'while it plays: the behavior whose button has the letter; with Shift after those that wait']],
  world: [
    ['Enter', 'search a way; closes an outline that is being drawn'],
    ['Esc', 'drop what is being drawn'],
    ['Delete', 'remove what is chosen'],
    ...kMotion,
  ],
  capture: [
    ['Space', 'record or stop'],
    ['K, N', 'keep the newest take in the family (refine), or in a new one'],
    ['R, X', 'keep it in the place of the last one, throw it away'],
    ['M', 'the take kept last a second time, mirrored, for the other hand'],
    ['U, Shift+U', 'take the last command back, do it again'],
    ['C, H, B', 'T-pose, headings put right, the other arm does the same'],
    ['W or ↑, A D or ← →, Q E', 'steer what live motion goes over'],
  ],
  plan: kMotion,
  characters: [['Esc', 'leave the role that was chosen'], ...kMotion],
};
const kEverywhere: Keys = [
  ['1 to 9', 'the pages, from left to right'],
  ['Ctrl+Z, Ctrl+Shift+Z', 'take the last change back, make it again'],
  ['?', 'this sheet'],
];

const list = (keys: Keys) =>
  el(
    'dl',
    { class: 'facts keys' },
    keys.flatMap(([key, what]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, what)]),
  );

export function showKeys(page: string, title: string): void {
  const own = kOfPage[page] ?? [];
  showDialog('Keys', 'key-sheet', ...(own.length ? [el('h3', {}, title), list(own)] : []), el('h3', {}, 'Everywhere'), list(kEverywhere));
}
