// SPDX-License-Identifier: MIT
// What the player did, as a trace that `loom fragments train` reads (docs/fragments.md).
import { PlayWish } from '../routes';

export class Trace {
  keptAs = ''; // the name under which its beginning is in the library
  keptSeconds = 0; // of it that are there, or on the way
  saving: Promise<unknown> | null = null;
  private readonly wishes: { at: number; text: string }[] = []; // at whole milliseconds, which ascend
  private begun = 0;

  add(wish: PlayWish): void {
    const { wishes } = this;
    if (!wishes.length) this.begun = performance.now();
    const text = `${wish.left.toFixed(3)},${wish.forward.toFixed(3)},${wish.turn.toFixed(3)},${Number(wish.jump)}`;
    if (text === wishes.at(-1)?.text) return;
    const at = this.milliseconds;
    if (wishes.at(-1)?.at === at) wishes.pop(); // of two at once the later counts
    wishes.push({ at, text });
  }

  // Whether anything but standing was asked for.
  get isWorthKeeping(): boolean {
    return this.wishes.length > 2 && this.seconds >= 5;
  }

  get seconds(): number {
    return this.milliseconds / 1000;
  }

  csv(): string {
    const last = this.wishes.at(-1),
      end = last ? [{ at: Math.max(this.milliseconds, last.at + 1), text: last.text }] : [];
    const lines = [...this.wishes, ...end].map(({ at, text }) => `${(at / 1000).toFixed(3)},${text}`);
    return `# name: studio\ntime,left,forward,turn,airborne\n${lines.join('\n')}\n`;
  }

  private get milliseconds(): number {
    return this.wishes.length ? Math.round(performance.now() - this.begun) : 0;
  }
}
