// SPDX-License-Identifier: MIT
// Clips in an order.
import type { ClipFigures, ClipInfo } from '../routes';

export type SortKey = 'name' | 'length' | 'speed' | 'slide' | 'date';

export function inOrder(clips: ClipInfo[], key: SortKey, down: boolean, figures: Map<string, ClipFigures>): ClipInfo[] {
  const value = (clip: ClipInfo): number | string | null => {
    const known = figures.get(clip.name);
    switch (key) {
      case 'name':
        return clip.name;
      case 'length':
        return clip.seconds;
      case 'speed':
        return known?.speed_mps ?? null;
      case 'slide':
        return known?.slide_mps ?? null;
      case 'date':
        return known?.added ?? null;
    }
  };
  const byName = new Intl.Collator(undefined, { numeric: true }).compare;
  // What is not known stands last, whichever way.
  return clips
    .map(clip => ({ clip, value: value(clip) }))
    .sort((a, b) => {
      if (a.value === null || b.value === null)
        return Number(a.value === null) - Number(b.value === null) || byName(a.clip.name, b.clip.name);
      const way = typeof a.value === 'string' ? byName(a.value, b.value as string) : a.value - (b.value as number);
      return (down ? -way : way) || byName(a.clip.name, b.clip.name);
    })
    .map(({ clip }) => clip);
}
