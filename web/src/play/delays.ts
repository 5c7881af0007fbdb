// SPDX-License-Identifier: MIT
// How long the player waits: from the press of a key to the picture in which the character does something else for it.
// Letting go is not counted: where a step has to be ended first, going on is the answer.
// The server says which wish a frame is the first to answer (apps/studio/play_scene.h).

const kLongest = 1000; // milliseconds; a wish that changes nothing, as one to stand while standing, is not counted

export class Delays {
  readonly all: number[] = []; // milliseconds
  private readonly waiting = new Map<number, number>();

  // The wish of that number was made by an event at `time`, milliseconds on the clock of performance.now().
  asked(seq: number, time: number): void {
    this.waiting.set(seq, time);
  }

  // A picture was drawn at `time` of a frame that answers everything up to `answered`; says whether that was news.
  drawn(answered: number, time: number): boolean {
    const before = this.all.length;
    for (const [seq, at] of this.waiting) {
      if (seq > answered) continue;
      this.waiting.delete(seq);
      if (time - at < kLongest) this.all.push(time - at);
    }
    return this.all.length > before;
  }

  text(): string {
    if (!this.all.length) return '';
    const sorted = [...this.all].sort((a, b) => a - b),
      share = (s: number) => sorted[Math.min(sorted.length - 1, Math.floor(s * sorted.length))].toFixed(0);
    return `key to changed pose ${this.all[this.all.length - 1].toFixed(0)} ms; median ${share(0.5)}, 95 % under ${share(0.95)}`;
  }
}
