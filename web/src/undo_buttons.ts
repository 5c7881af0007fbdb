// SPDX-License-Identifier: MIT
// Undo and redo where they can be seen and pressed; each tells what it would take back or make again.
import { el } from './dom';
import { UndoStack } from './undo_stack';

export class UndoButtons {
  readonly element: HTMLElement;
  private readonly back = this.make('undo', '↶', () => this.stack.undo());
  private readonly again = this.make('redo', '↷', () => this.stack.redo());
  private stack: UndoStack;

  constructor(stack: UndoStack) {
    this.stack = stack;
    this.element = el('span', { class: 'undo-buttons', role: 'group', 'aria-label': 'Changes' }, this.back, this.again);
    this.show(stack);
  }

  // From now on they are about the changes of this stack: a page may have its own.
  show(stack: UndoStack): void {
    this.stack.onchange = null;
    this.stack = stack;
    stack.onchange = () => this.tell();
    this.tell();
  }

  private make(id: string, sign: string, act: () => Promise<void>): HTMLButtonElement {
    return el('button', { type: 'button', class: 'quiet', id, onclick: () => void act() }, sign);
  }

  private tell(): void {
    const { undo, redo } = this.stack.next;
    const put = (button: HTMLButtonElement, word: string, what: string | null, key: string) => {
      button.disabled = what === null;
      button.title = what === null ? `Nothing to ${word}` : `${word === 'undo' ? 'Undo' : 'Do again'}: ${what} (${key})`;
      button.setAttribute('aria-label', button.title);
    };
    put(this.back, 'undo', undo, 'Ctrl+Z');
    put(this.again, 'do again', redo, 'Ctrl+Shift+Z');
  }
}
