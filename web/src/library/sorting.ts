// SPDX-License-Identifier: MIT
// The order of the clips: by name, length, speed, foot slide or when they came. What has to be measured is asked for in
// parts, once, and the list is put in order anew as it comes.
import { call } from '../api';
import { el } from '../dom';
import { attempt } from '../notices';
import { project } from '../project';
import { ClipFigures, ClipInfo } from '../routes';
import { keep, kept } from '../storage';
import { SortKey, inOrder } from './order';

const kAtOnce = 40; // clips asked for in one go: about half a second

const kKeys: [SortKey, string][] = [
  ['name', 'Name'],
  ['length', 'Length'],
  ['speed', 'Speed'],
  ['slide', 'Foot slide'],
  ['date', 'Added'],
];

export class Sorting {
  readonly element: HTMLElement;
  onchange: (() => void) | null = null;
  private key = (kept('library-sort') ?? 'name') as SortKey;
  private down = kept('library-sort-down') === '1';
  private readonly figures = new Map<string, ClipFigures>();
  private readonly hashes = new Map<string, string>();
  private asking = false;

  constructor() {
    const select = el(
      'select',
      {
        class: 'sort',
        title: 'Sort by',
        'aria-label': 'Sort by',
        onchange: () => {
          this.key = select.value as SortKey;
          keep('library-sort', this.key);
          this.changed();
        },
      },
      kKeys.map(([value, text]) => el('option', { value, selected: value === this.key }, text)),
    );
    const way = el(
      'button',
      {
        type: 'button',
        class: 'quiet sort-way',
        title: 'Smallest or largest first',
        'aria-label': 'Smallest or largest first',
        onclick: () => {
          this.down = !this.down;
          keep('library-sort-down', this.down ? '1' : '0');
          way.textContent = this.down ? '↓' : '↑';
          this.changed();
        },
      },
      this.down ? '↓' : '↑',
    );
    this.element = el('span', { class: 'sorting' }, select, way);
  }

  sort(clips: ClipInfo[]): ClipInfo[] {
    if (this.key !== 'name' && this.key !== 'length') void this.measure();
    return inOrder(clips, this.key, this.down, this.figures);
  }

  // What stands below a clip's name, of what it is sorted by.
  told(clip: ClipInfo): string | null {
    const known = this.figures.get(clip.name);
    if (!known) return null;
    if (this.key === 'speed') return `${known.speed_mps.toFixed(2)} m/s`;
    if (this.key === 'slide') return known.slide_mps === null ? 'no feet' : `slides ${(100 * known.slide_mps).toFixed(1)} cm/s`;
    if (this.key === 'date') return known.added.slice(0, 16).replace('T', ' ');
    return null;
  }

  private changed(): void {
    this.onchange?.();
  }

  // Asks for what is not known yet, or of another motion.
  private async measure(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    for (;;) {
      const missing = project.state!.clips.filter(clip => this.hashes.get(clip.name) !== clip.hash).slice(0, kAtOnce);
      if (!missing.length) break;
      const told = await attempt(() => call('POST /api/many/figures', { body: { clips: missing.map(clip => clip.name) } }));
      if (!told) break;
      missing.forEach(clip => this.hashes.set(clip.name, clip.hash));
      told.figures.forEach(figures => this.figures.set(figures.clip, figures));
      this.onchange?.();
    }
    this.asking = false;
  }
}
