// SPDX-License-Identifier: MIT
// What the player did, as a trace that `loom fragments train` reads (docs/fragments.md).
import { Wish } from './controls';

export class Trace {
  private readonly lines: string[] = [];
  private begun = 0;
  private last = '';

  add(wish: Wish): void {
    if (!this.lines.length) this.begun = performance.now();
    const text = `${wish.left.toFixed(3)},${wish.forward.toFixed(3)},${wish.turn.toFixed(3)},${Number(wish.jump)}`;
    if (text === this.last) return;
    this.last = text;
    this.lines.push(`${((performance.now() - this.begun) / 1000).toFixed(3)},${text}`);
  }

  // Whether anything but standing was asked for.
  get isWorthKeeping(): boolean { return this.lines.length > 2 && this.seconds >= 5; }

  get seconds(): number { return this.lines.length ? (performance.now() - this.begun) / 1000 : 0; }

  csv(): string {
    const end = this.lines.length ? [`${this.seconds.toFixed(3)},${this.last}`] : [];
    return `# name: studio\ntime,left,forward,turn,airborne\n${[...this.lines, ...end].join('\n')}\n`;
  }
}
