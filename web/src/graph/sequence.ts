// SPDX-License-Identifier: MIT
// Behaviors to be performed one after the other: written as a line (`idle walk@3 jump`), shown as chips that can be
// dragged, moved by keys and taken off, with the labels of the graph beside them to add.
import { el, fill, onDrag } from '../dom';
import { Roving } from '../roving';

const kUsual = ['idle', 'walk@3', 'jump', 'idle']; // where the graph has them
const kFirst = 3; // of its labels, where it has none of those

// What a graph with these labels can show: said from its own labels, so that whatever is in the field can be done.
export function usualSequence(behaviors: string[]): string {
  const known = kUsual.filter(word => behaviors.includes(word.split('@')[0]));
  return (new Set(known).size > 1 ? known : behaviors.slice(0, kFirst)).join(' ');
}

// A label with blanks in it cannot be told from two in the line.
export const isWord = (label: string): boolean => !/\s/.test(label);

export class Sequence {
  readonly element: HTMLElement;
  onenter: (() => void) | null = null;
  readonly field = el('input', {
    type: 'text',
    'aria-label': 'Behaviors in order',
    id: 'keys',
    placeholder: 'Behaviors in order',
    oninput: () => {
      this.touched = true;
      this.draw();
    },
    onkeydown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') this.onenter?.();
    },
  });
  private readonly chips = el('ol', { class: 'sequence', 'aria-label': 'In this order; drag to reorder' });
  private readonly offered = el('div', { class: 'chips offered', role: 'group', 'aria-label': 'Behaviors to add' });
  private readonly roving = new Roving(this.offered, 'button');
  private readonly order = new Roving(this.chips, '.chip');
  private touched = false; // somebody wrote or chose something

  constructor() {
    this.element = el('div', { class: 'sequence-of-behaviors' }, this.field, this.chips, this.offered);
  }

  get words(): string[] {
    return this.field.value.split(/\s+/).filter(Boolean);
  }

  // The labels of the graph that is open.
  offer(behaviors: string[]): void {
    const known = this.words.every(word => behaviors.includes(word.replace(/[@!].*$/, '')) || word.includes(':'));
    if (!this.touched || !known || !this.words.length) {
      this.touched = false;
      this.field.value = usualSequence(behaviors.filter(isWord));
    }
    fill(
      this.offered,
      behaviors
        .filter(isWord)
        .map(name =>
          el(
            'button',
            { type: 'button', class: 'chip', title: `Add ${name}`, 'data-add': name, onclick: () => this.put([...this.words, name]) },
            `+ ${name}`,
          ),
        ),
    );
    this.field.placeholder = behaviors.length ? 'Behaviors in order' : 'No motion here has a label; CLIP:FRAME is a pose';
    this.roving.settle();
    this.draw();
  }

  private put(words: string[], focused = -1): void {
    this.touched = true;
    this.field.value = words.join(' ');
    this.draw();
    if (focused >= 0) (this.chips.children[focused]?.querySelector('.chip') as HTMLElement | null)?.focus();
  }

  private move(from: number, to: number): void {
    const words = this.words;
    if (to < 0 || to >= words.length || from === to) return;
    words.splice(to, 0, ...words.splice(from, 1));
    this.put(words, to);
  }

  private remove(i: number): void {
    this.put(
      this.words.filter((_, k) => k !== i),
      Math.max(0, i - 1),
    );
  }

  private draw(): void {
    fill(
      this.chips,
      this.words.map((word, i) => this.chip(word, i)),
    );
    this.chips.hidden = !this.words.length;
    this.order.settle();
  }

  private chip(word: string, i: number): HTMLElement {
    const chip = el(
      'button',
      {
        type: 'button',
        class: 'chip',
        title: 'Drag, or Shift and arrows, to reorder; Delete takes it off',
        onkeydown: (event: KeyboardEvent) => {
          const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
          if (event.shiftKey && by) this.move(i, i + by);
          else if (event.key === 'Delete' || event.key === 'Backspace') this.remove(i);
          else return;
          event.preventDefault();
          event.stopPropagation();
        },
      },
      word,
    );
    const off = el(
      'button',
      { type: 'button', class: 'quiet off', tabindex: -1, 'aria-label': `Take ${word} off`, onclick: () => this.remove(i) },
      '×',
    );
    onDrag(chip, {
      down: () => true,
      move: event => {
        const { left, width } = item.getBoundingClientRect();
        chip.style.translate = `${event.clientX - left - width / 2}px`;
      },
      up: event => {
        chip.style.translate = '';
        this.move(i, this.placeAt(event.clientX, i));
      },
    });
    const item = el('li', {}, chip, off);
    return item;
  }

  // Which place in the order a pointer is over.
  private placeAt(x: number, from: number): number {
    const middles = [...this.chips.children].map(item => {
      const box = item.getBoundingClientRect();
      return box.left + box.width / 2;
    });
    return middles.filter((middle, k) => k !== from && middle < x).length;
  }
}
