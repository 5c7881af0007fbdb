// SPDX-License-Identifier: MIT
// All clips as bars in which one draws: point to see, drag to take a stretch, press one to take it away.
import { el, fill, onDrag } from '../dom';
import { ClipInfo, PickRange } from '../routes';
import { kShortest, stretchAt } from './stretches';

const kMostRows = 400; // shown at once; the field above finds the others

export interface DatabaseEvents {
  point: (clip: ClipInfo, seconds: number) => void;
  draw: (range: PickRange) => void;
  press: (range: PickRange) => void; // one that is there already
}

export class Database {
  readonly element: HTMLElement;
  private readonly field = el('input', {
    type: 'search',
    placeholder: 'Clip or label',
    'aria-label': 'Clips of this name or label',
    oninput: () => this.list(),
  });
  private readonly rows = el('div', { class: 'pick-rows', role: 'list' });
  private readonly more = el('p', { class: 'faint hint' });
  private clips: ClipInfo[] = [];
  private keys: PickRange[] = [];
  private picked: PickRange[] = [];
  private readonly bars = new Map<string, HTMLElement>();

  constructor(private readonly events: DatabaseEvents) {
    this.element = el('div', { class: 'pick-database' }, this.field, this.rows, this.more);
  }

  show(clips: ClipInfo[]): void {
    this.clips = clips;
    this.list();
  }

  mark(keys: PickRange[], picked: PickRange[]): void {
    this.keys = keys;
    this.picked = picked;
    for (const clip of this.clips) this.markBar(clip);
  }

  private list(): void {
    const word = this.field.value.trim().toLowerCase();
    const fitting = this.clips.filter(
      clip => !word || clip.name.toLowerCase().includes(word) || clip.labels.some(label => label.name.toLowerCase().includes(word)),
    );
    this.bars.clear();
    fill(
      this.rows,
      fitting.slice(0, kMostRows).map(clip => this.row(clip)),
    );
    const left = fitting.length - kMostRows;
    this.more.textContent = left > 0 ? `and ${left} more: look for a name or a label` : fitting.length ? '' : 'No clip is called so.';
    this.mark(this.keys, this.picked);
  }

  private row(clip: ClipInfo): HTMLElement {
    const labels = [...new Set(clip.labels.map(label => label.name))].join(', ');
    const bar = el('div', { class: 'pick-bar', title: 'Drag to take a stretch; press one to take it away' });
    this.bars.set(clip.name, bar);
    const at = (event: PointerEvent) => {
      const box = bar.getBoundingClientRect();
      return Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * clip.seconds;
    };
    let begin = 0;
    const drawn = el('span', { class: 'drawn', hidden: true });
    const range = (event: PointerEvent): PickRange => {
      const end = at(event);
      return { clip: clip.name, begin: Math.min(begin, end), end: Math.max(begin, end) };
    };
    bar.addEventListener('pointermove', event => this.events.point(clip, at(event)));
    onDrag(bar, {
      down: event => {
        begin = at(event);
        bar.append(drawn);
        return true;
      },
      move: event => {
        drawn.hidden = false;
        place(drawn, range(event), clip);
      },
      up: event => {
        drawn.hidden = true;
        const one = range(event);
        if (one.end - one.begin >= kShortest) return this.events.draw(one);
        const there = stretchAt(this.keys, clip.name, one.begin) ?? stretchAt(this.picked, clip.name, one.begin);
        if (there) this.events.press(there);
      },
    });
    return el(
      'div',
      { class: 'pick-row', role: 'listitem' },
      el('span', { class: 'name', title: clip.name }, clip.name),
      el('span', { class: 'faint labels', title: labels }, labels),
      bar,
      el(
        'button',
        {
          type: 'button',
          class: 'quiet',
          title: `Take all of ${clip.name}`,
          'aria-label': `Take all of ${clip.name}`,
          onclick: () => this.events.draw({ clip: clip.name, begin: 0, end: clip.seconds }),
        },
        '+',
      ),
    );
  }

  private markBar(clip: ClipInfo): void {
    const bar = this.bars.get(clip.name);
    if (!bar) return;
    const marks = (list: PickRange[], kind: string) =>
      list
        .filter(one => one.clip === clip.name)
        .map(one => {
          const mark = el('span', { class: kind });
          place(mark, one, clip);
          return mark;
        });
    fill(bar, marks(this.picked, 'picked'), marks(this.keys, 'key'));
  }
}

function place(mark: HTMLElement, range: PickRange, clip: ClipInfo): void {
  mark.style.left = `${(100 * range.begin) / clip.seconds}%`;
  mark.style.width = `${(100 * (range.end - range.begin)) / clip.seconds}%`;
}
