// SPDX-License-Identifier: MIT
// The clips of a page, those of one group together, and a field to find one.
import { el } from '../dom';
import { CarriedClip } from './carried';

export class ClipMenu {
  readonly element: HTMLElement;
  private readonly rows: HTMLElement[];

  constructor(clips: CarriedClip[], onchoose: (index: number) => void) {
    this.rows = clips.map((clip, index) =>
      el(
        'button',
        { type: 'button', role: 'option', title: clip.name, 'data-index': String(index), onclick: () => onchoose(index) },
        el('span', {}, clip.name),
        el('small', {}, `${((clip.frames - 1) / clip.rate).toFixed(1)} s`),
      ),
    );
    const filter = el('input', {
      id: 'filter',
      type: 'search',
      placeholder: 'Find a clip',
      'aria-label': 'Find a clip',
      oninput: () => this.narrow(clips, filter.value.toLowerCase()),
    });
    const list = el('div', { id: 'clip-list', role: 'listbox', 'aria-label': 'Clips' });
    let group = '';
    clips.forEach((clip, index) => {
      if (clip.group !== group) list.append(el('h3', {}, clip.group || 'other'));
      group = clip.group;
      list.append(this.rows[index]);
    });
    this.element = el('nav', { id: 'clips', class: 'panel', 'aria-label': 'Clips', hidden: clips.length < 2 }, filter, list);
  }

  choose(index: number): void {
    this.rows.forEach((row, i) => row.setAttribute('aria-selected', String(i === index)));
    this.rows[index].scrollIntoView({ block: 'nearest' });
  }

  private narrow(clips: CarriedClip[], wanted: string): void {
    this.rows.forEach((row, i) => {
      row.hidden = !`${clips[i].name} ${clips[i].group}`.toLowerCase().includes(wanted);
    });
  }
}
