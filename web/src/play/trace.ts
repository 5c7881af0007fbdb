// SPDX-License-Identifier: MIT
// What the character was asked for, as a trace that `loom fragments train` reads (docs/fragments.md). It is the scene
// that tells it, so that a command that plays the trace makes the motion that was seen.
import { Events } from '../routes';

export class Trace {
  keptAs = ''; // the name under which its beginning is in the library
  keptSeconds = 0; // of it that are there, or on the way
  saving: Promise<unknown> | null = null;
  private readonly lines: { time: number; text: string }[] = [];
  private heardAt = 0; // when the last line came, milliseconds

  add({ time, left, forward, turn, jump }: Events['asked']): void {
    this.lines.push({ time, text: `${left.toFixed(3)},${forward.toFixed(3)},${turn.toFixed(3)},${Number(jump)}` });
    this.heardAt = performance.now();
  }

  // Whether anything but standing was asked for.
  get isWorthKeeping(): boolean {
    return this.lines.length > 2 && this.seconds >= 5;
  }

  get seconds(): number {
    const last = this.lines.at(-1);
    return last ? last.time - this.lines[0].time + (performance.now() - this.heardAt) / 1000 : 0;
  }

  csv(): string {
    const [first, last] = [this.lines[0], this.lines.at(-1)],
      end = last ? [{ time: Math.max(first.time + this.seconds, last.time + 0.001), text: last.text }] : [];
    const lines = [...this.lines, ...end].map(({ time, text }) => `${time.toFixed(4)},${text}`);
    return `# name: studio\ntime,left,forward,turn,airborne\n${lines.join('\n')}\n`;
  }
}
