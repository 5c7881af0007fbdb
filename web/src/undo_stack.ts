// SPDX-License-Identifier: MIT
// Changes that can be taken back and made again, one after the other.

interface Change {
  what: string;
  back: () => Promise<unknown>;
  again: () => Promise<unknown>;
}

// What a stack needs of the page it is on.
export interface Surroundings {
  attempt: <T>(work: () => Promise<T>) => Promise<T | undefined>; // undefined where it failed, and that was told
  notify: (text: string) => void;
  changed: () => Promise<void>; // the library is another now
}

const kRemembered = 100;

export class UndoStack {
  onchange: (() => void) | null = null; // what can be taken back, or made again, is another
  private readonly done: Change[] = [];
  private readonly undone: Change[] = [];
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly page: Surroundings) {}

  // What would be taken back, and made again; null: nothing.
  get next(): { undo: string | null; redo: string | null } {
    return { undo: this.done.at(-1)?.what ?? null, redo: this.undone.at(-1)?.what ?? null };
  }

  // Makes a change that can be taken back; what `again` gives, or undefined where it failed and said so.
  change<T>(what: string, again: () => Promise<T>, back: () => Promise<unknown>): Promise<T | undefined> {
    return this.inTurn(async () => {
      let result: T | undefined,
        failed = true;
      await this.page.attempt(async () => {
        result = await again();
        failed = false;
      });
      if (failed) return undefined;
      this.done.push({ what, back, again });
      this.done.splice(0, this.done.length - kRemembered);
      this.undone.length = 0;
      this.onchange?.();
      await this.page.changed();
      return result;
    });
  }

  undo(): Promise<void> {
    return this.inTurn(() => this.move(this.done, this.undone, 'back', 'Undone'));
  }
  redo(): Promise<void> {
    return this.inTurn(() => this.move(this.undone, this.done, 'again', 'Done again'));
  }

  // When everything that was asked for so far is done.
  async settled(): Promise<void> {
    await this.last;
  }

  // One change after the other: what is undone while a change is on its way to the server is that change.
  private inTurn<T>(act: () => Promise<T>): Promise<T> {
    const mine = this.last.then(act);
    this.last = mine.catch(() => undefined);
    return mine;
  }

  private async move(from: Change[], to: Change[], act: 'back' | 'again', word: string): Promise<void> {
    const latest = from.pop();
    if (!latest) return this.page.notify(`Nothing to ${act === 'back' ? 'undo' : 'do again'}`);
    const worked = await this.page.attempt(async () => {
      await latest[act]();
      return true;
    });
    if (worked) to.push(latest);
    this.onchange?.();
    if (!worked) return;
    this.page.notify(`${word}: ${latest.what}`);
    await this.page.changed();
  }
}
