// SPDX-License-Identifier: MIT
// Keys by which behaviors are wished for: a letter of their name where there is one left, or else any.

const kOthers = 'qwertyuiopasdfghjklzxcvbnm';

export function wishKeys(names: string[]): string[] {
  const taken = new Set<string>();
  const keys = names.map(name => {
    const key = [...name.toLowerCase()].find(letter => kOthers.includes(letter) && !taken.has(letter)) ?? '';
    taken.add(key);
    return key;
  });
  return keys.map(key => {
    if (key) return key;
    const other = [...kOthers].find(letter => !taken.has(letter)) ?? '';
    taken.add(other);
    return other;
  });
}
