// SPDX-License-Identifier: MIT
// The clips of the library, thousands of them: only the rows that can be seen are in the page.
import { addressOf } from '../api';
import { el, fill } from '../dom';
import { ClipInfo } from '../routes';

const kRow = 68; // pixels, as in the style sheet
const kBeyond = 4; // rows kept ready above and below

export class ClipList {
  readonly element = el('div', { class: 'clip-list', tabindex: 0, role: 'listbox', 'aria-label': 'Clips', 'aria-multiselectable': 'true' });
  onchoose: ((clip: ClipInfo) => void) | null = null;
  about: ((clip: ClipInfo) => string | null) | null = null; // what more is told of a clip
  onpick: ((names: string[]) => void) | null = null; // several are picked, or none any more
  private readonly picked = new Set<string>();
  private from: string | null = null; // where Shift picks from
  private readonly space = el('div', { class: 'space' });
  private clips: ClipInfo[] = [];
  private rows = new Map<string, HTMLElement>();
  private chosen: string | null = null;

  constructor() {
    this.element.append(this.space);
    this.element.addEventListener('scroll', () => this.draw(), { passive: true });
    this.element.addEventListener('keydown', event => this.onKey(event));
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  show(clips: ClipInfo[]): void {
    this.clips = clips;
    this.rows.clear();
    const there = new Set(clips.map(clip => clip.name)),
      before = this.picked.size;
    for (const name of this.picked) if (!there.has(name)) this.picked.delete(name);
    if (this.picked.size !== before) this.onpick?.(this.names);
    fill(this.space);
    this.space.style.height = `${clips.length * kRow}px`;
    this.draw();
  }

  choose(name: string | null): void {
    this.chosen = name;
    this.rows.forEach((row, key) => this.mark(row, key));
    const index = this.clips.findIndex(clip => clip.name === name);
    if (index < 0) return;
    const top = index * kRow,
      { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    if (top + kRow > scrollTop + clientHeight) this.element.scrollTop = top + kRow - clientHeight;
  }

  // Those that are picked, in the order of the list.
  get names(): string[] {
    return this.clips.filter(clip => this.picked.has(clip.name)).map(clip => clip.name);
  }

  pick(names: string[]): void {
    this.picked.clear();
    names.forEach(name => this.picked.add(name));
    this.rows.forEach((row, key) => this.mark(row, key));
    this.element.classList.toggle('picking', this.picked.size > 0);
    this.onpick?.(this.names);
  }

  // As file managers do: Ctrl adds or takes away one, Shift everything from the last.
  private pickBy(name: string, event: { ctrlKey: boolean; metaKey: boolean; shiftKey: boolean }): boolean {
    if (event.shiftKey) {
      const a = this.clips.findIndex(clip => clip.name === (this.from ?? this.chosen)),
        b = this.clips.findIndex(clip => clip.name === name);
      this.pick(this.clips.slice(Math.max(0, Math.min(a, b)), Math.max(a, b) + 1).map(clip => clip.name));
      return true;
    }
    if (!event.ctrlKey && !event.metaKey) return false;
    const names = new Set(this.picked.size || !this.chosen ? this.picked : [this.chosen]);
    if (!names.delete(name)) names.add(name);
    this.from = name;
    this.pick([...names]);
    return true;
  }

  // The clip after one, or before it where it is the last.
  neighbour(name: string | null): string | null {
    const at = this.clips.findIndex(clip => clip.name === name);
    return (this.clips[at + 1] ?? this.clips[at - 1])?.name ?? null;
  }

  private onKey(event: KeyboardEvent): void {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a') {
      event.preventDefault();
      event.stopPropagation();
      return this.pick(this.clips.map(clip => clip.name));
    }
    if (event.key === 'Escape' && this.picked.size) {
      event.stopPropagation();
      return this.pick([]);
    }
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8, Home: -1e9, End: 1e9 }[event.key];
    if (!step || !this.clips.length) return;
    event.preventDefault();
    event.stopPropagation();
    const now = this.clips.findIndex(clip => clip.name === this.chosen);
    const next = this.clips[Math.max(0, Math.min(this.clips.length - 1, now + step))];
    const from = this.chosen;
    this.choose(next.name);
    if (event.shiftKey) {
      this.from ??= from;
      this.pickBy(next.name, event);
    } else {
      this.from = next.name;
      if (this.picked.size) this.pick([]);
    }
    this.onchoose?.(next);
  }

  private mark(row: HTMLElement, name: string): void {
    row.setAttribute('aria-selected', String(name === this.chosen || this.picked.has(name)));
    row.classList.toggle('shown', name === this.chosen);
    row.classList.toggle('picked', this.picked.has(name));
  }

  private draw(): void {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / kRow) - kBeyond);
    const last = Math.min(this.clips.length, Math.ceil((scrollTop + clientHeight) / kRow) + kBeyond);
    const kept = new Map<string, HTMLElement>();
    for (let i = first; i < last; ++i) {
      const clip = this.clips[i];
      const row = this.rows.get(clip.name) ?? this.row(clip);
      row.style.transform = `translateY(${i * kRow}px)`;
      if (!row.isConnected) this.space.append(row);
      kept.set(clip.name, row);
    }
    this.rows.forEach((row, name) => {
      if (!kept.has(name)) row.remove();
    });
    this.rows = kept;
  }

  private row(clip: ClipInfo): HTMLElement {
    const labels = [...new Set(clip.labels.map(label => label.name))];
    const row = el(
      'div',
      {
        class: 'clip-row',
        role: 'option',
        'data-clip': clip.name,
        onclick: (event: MouseEvent) => {
          if (this.pickBy(clip.name, event)) return;
          this.from = clip.name;
          if (this.picked.size) this.pick([]);
          this.choose(clip.name);
          this.onchoose?.(clip);
        },
      },
      // For a pointer: keys, and those who listen, pick the row itself.
      el('span', {
        class: 'pick',
        title: 'Pick several: Ctrl or Shift and click',
        'aria-hidden': 'true',
        onclick: (event: MouseEvent) => {
          event.stopPropagation();
          this.pickBy(clip.name, { ctrlKey: true, metaKey: false, shiftKey: event.shiftKey });
        },
      }),
      el('img', {
        src: addressOf('GET /api/clips/*/thumbnail', { names: [clip.name], query: { hash: clip.hash } }),
        width: 84,
        height: 56,
        alt: '',
        decoding: 'async',
      }),
      el(
        'div',
        { class: 'about' },
        el('div', { class: 'name', title: clip.name }, clip.name),
        el(
          'div',
          { class: 'faint' },
          `${clip.seconds.toFixed(1)} s · ${this.about?.(clip) ?? `${clip.frames} frames · ${+clip.rate.toFixed(2)} Hz`}`,
        ),
        el(
          'div',
          { class: 'tags' },
          labels.slice(0, 4).map(label => el('span', { class: 'tag' }, label)),
        ),
      ),
    );
    this.mark(row, clip.name);
    return row;
  }
}
