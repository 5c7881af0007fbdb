// SPDX-License-Identifier: MIT
// What is asked of the ways between key motions (Zhao 2009 §5.2), and the command that selects a graph by it.
import { Word, given, option } from '../command_words';
import { Asked } from '../routes';

// By their numbers, from 1 on; `unit`: of what `within` counts, nothing where it does not count.
export const kRequirements: { name: string; text: string; unit: string }[] = [
  { name: 'All key frames, within', text: 'Every key frame reaches every other within so many frames', unit: 'frames' },
  { name: 'All key frames, at the quickest', text: 'Every key frame reaches every other as soon as the graph can', unit: '' },
  {
    name: 'Ends to beginnings, within',
    text: 'The end of each key motion reaches the beginning of every other within so many frames',
    unit: 'frames',
  },
  {
    name: 'All key frames, smoothly, within',
    text: 'As the first, but rough transitions count as more frames',
    unit: 'frames and roughness',
  },
];

const kUsual: Asked = { requirement: 1, within: 40 };
const kLongest = 10000;

// As the fields of the page say it; null where `within` is no number of frames.
export function asked(requirement: string, within: string): Asked | null {
  const number = Number(requirement),
    frames = Math.round(Number(within));
  if (!kRequirements[number - 1]) return null;
  if (!kRequirements[number - 1].unit) return { requirement: number, within: kUsual.within };
  return frames >= 1 && frames <= kLongest ? { requirement: number, within: frames } : null;
}

// `keys` and `picked` as the command names stretches: walk:20-60.
export function selectWords(graph: string, name: string, keys: string[], picked: string[], wanted: Asked): Word[] {
  return [
    'graph',
    'select',
    'LIBRARY',
    given(graph),
    ...option('--name', name),
    ...keys.flatMap(key => option('--key', key)),
    ...picked.flatMap(stretch => option('--keep', stretch)),
    ...(wanted.requirement !== kUsual.requirement ? ['--requirement', wanted.requirement] : []),
    ...(kRequirements[wanted.requirement - 1].unit ? ['--within', wanted.within] : []),
  ];
}
