// SPDX-License-Identifier: MIT
// Command lines to be copied: whatever people call their clips, a shell and the command take them as what they are.

// A word that somebody chose (a clip's name, a label) and that stands by itself: it may look like an option. All words by
// themselves that come after one are given, too. The server sends such words as it does here.
import { Given, Word } from './routes';

export type { Given, Word };

export const given = (text: string): Given => ({ given: text });

// An option and its value, which somebody chose.
export const option = (name: string, value: string): string[] => (value.startsWith('-') ? [`${name}=${value}`] : [name, value]);

// As a shell takes it: quoted where need be.
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

// A file in the folder one is in, or elsewhere.
export const path = (name: string): string => (name.startsWith('-') ? `./${name}` : name);

// The file that a clip is saved as, in the folder one is in: its name may hold a slash, or look like an option.
export const fileOf = (clip: string, format: string): string => path(`${clip.replaceAll(/[/\\]/g, '_')}.${format}`);

// From the first given word that looks like an option on, all given words stand at the end, behind '--'.
export function commandLine(...words: Word[]): string {
  const plain: string[] = [],
    last: string[] = [];
  for (const word of words) {
    if (typeof word !== 'object') plain.push(String(word));
    else (last.length || word.given.startsWith('-') ? last : plain).push(word.given);
  }
  return ['loom', ...plain, ...(last.length ? ['--', ...last] : [])].map(quote).join(' ');
}
