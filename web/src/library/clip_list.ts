// SPDX-License-Identifier: MIT
// The clips of the library, thousands of them: only the rows that can be seen are in the page.
import { addressOf } from '../api';
import { el, fill } from '../dom';
import { ClipInfo } from '../routes';

const kRow = 68; // pixels, as in the style sheet
const kBeyond = 4; // rows kept ready above and below

export class ClipList {
  readonly element = el('div', { class: 'clip-list', tabindex: 0, role: 'listbox', 'aria-label': 'Clips' });
  onchoose: ((clip: ClipInfo) => void) | null = null;
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

  // The clip after one, or before it where it is the last.
  neighbour(name: string | null): string | null {
    const at = this.clips.findIndex(clip => clip.name === name);
    return (this.clips[at + 1] ?? this.clips[at - 1])?.name ?? null;
  }

  private onKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8, Home: -1e9, End: 1e9 }[event.key];
    if (!step || !this.clips.length) return;
    event.preventDefault();
    event.stopPropagation();
    const now = this.clips.findIndex(clip => clip.name === this.chosen);
    const next = this.clips[Math.max(0, Math.min(this.clips.length - 1, now + step))];
    this.choose(next.name);
    this.onchoose?.(next);
  }

  private mark(row: HTMLElement, name: string): void {
    row.setAttribute('aria-selected', String(name === this.chosen));
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
        onclick: () => {
          this.choose(clip.name);
          this.onchoose?.(clip);
        },
      },
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
        el('div', { class: 'faint' }, `${clip.seconds.toFixed(1)} s · ${clip.frames} frames · ${+clip.rate.toFixed(2)} Hz`),
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
