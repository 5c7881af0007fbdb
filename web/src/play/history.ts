// SPDX-License-Identifier: MIT
// What happened lately, moment by moment.

export interface Moment {
  at: number; // seconds
  root: Float32Array;
  rotations: Float32Array;
  worn: Float32Array; // of the character that is shown instead
  x: number;
  z: number;
  heading: number;
  piece: { clip: string; frame: number } | null; // what began to be played last
  wish: { left: number; forward: number; turn: number } | null;
}

const kKept = 60; // seconds

export class History {
  private moments: Moment[] = [];
  private frozen: Moment[] | null = null; // looked at; what happens meanwhile is not kept with it

  add(moment: Moment): void {
    this.moments.push(moment);
    if (moment.at - this.moments[0].at <= kKept + 1) return;
    const from = this.moments.findIndex(one => moment.at - one.at <= kKept);
    this.moments.splice(0, from);
  }
  clear(): void {
    this.moments = [];
    this.frozen = null;
  }
  freeze(): void {
    this.frozen = [...this.moments];
  }
  thaw(): void {
    this.frozen = null;
  }

  get length(): number {
    return this.shown.length;
  }
  at(index: number): Moment | undefined {
    return this.shown[index];
  }

  // The moment so many seconds after one, or before it.
  near(index: number, seconds: number): number {
    const from = this.shown[index];
    if (!from) return 0;
    let at = index;
    const step = Math.sign(seconds);
    while (this.shown[at + step] && (this.shown[at].at - from.at) * step < Math.abs(seconds)) at += step;
    return at;
  }

  // The last moment before one at which another piece began; the first of all where there is none.
  seamBefore(index: number): number {
    for (let i = Math.min(index, this.length) - 1; i > 0; --i) if (this.shown[i].piece !== this.shown[i - 1].piece) return i;
    return 0;
  }

  // Seconds since the piece began that is played then.
  sinceSeam(index: number): number {
    const { piece, at } = this.shown[index];
    let first = index;
    while (first > 0 && this.shown[first - 1].piece === piece) --first;
    return at - this.shown[first].at;
  }

  // The moments of so many seconds from one on.
  since(index: number, seconds: number): Moment[] {
    const from = this.shown[index];
    return from ? this.shown.slice(index).filter(one => one.at - from.at <= seconds) : [];
  }

  // Metres a second along the floor, over a fifth of a second.
  speed(index: number): number {
    const a = this.shown[this.near(index, -0.1)],
      b = this.shown[this.near(index, 0.1)];
    return a && b && b.at > a.at ? Math.hypot(b.x - a.x, b.z - a.z) / (b.at - a.at) : 0;
  }

  private get shown(): Moment[] {
    return this.frozen ?? this.moments;
  }
}
