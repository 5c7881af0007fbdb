// SPDX-License-Identifier: MIT
// What happened lately on a live stage, moment by moment.
import type { Events, Part } from '../routes';

export interface PastPose {
  root: Float32Array;
  rotations: Float32Array;
  clip: number; // it was taken from, as the scene counts them
  frame: number;
}

export interface Moment {
  at: number; // seconds
  poses: PastPose[]; // of those who are looked at
  worn: Float32Array; // of the character that is shown instead
  values: number[]; // the first of those that the scene tells
  pieces: (Events['piece'] | null)[]; // what each began to play last
  mixes: (Part[] | null)[]; // what each was mixed of
  wish: { left: number; forward: number; turn: number } | null;
  noted: number[]; // what the page noted with it
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
  // The newest, whatever is looked at.
  get newest(): Moment | undefined {
    return this.moments[this.moments.length - 1];
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

  // The last moment before one at which somebody began another piece; the first of all where there is none.
  seamBefore(index: number, who = 0): number {
    for (let i = Math.min(index, this.length) - 1; i > 0; --i) if (this.isSeam(i, who)) return i;
    return 0;
  }
  // The first such moment after one; the last of all where there is none.
  seamAfter(index: number, who = 0): number {
    for (let i = index + 1; i < this.length; ++i) if (this.isSeam(i, who)) return i;
    return Math.max(0, this.length - 1);
  }

  // Seconds since the piece began that is played then.
  sinceSeam(index: number, who = 0): number {
    let first = index;
    while (first > 0 && !this.isSeam(first, who)) --first;
    return this.shown[index].at - this.shown[first].at;
  }

  // The moments of so many seconds from one on.
  since(index: number, seconds: number): Moment[] {
    const from = this.shown[index];
    return from ? this.shown.slice(index).filter(one => one.at - from.at <= seconds) : [];
  }

  // Metres a second along the floor, over a fifth of a second.
  speed(index: number, who = 0): number {
    const a = this.shown[this.near(index, -0.1)],
      b = this.shown[this.near(index, 0.1)];
    if (!a?.poses[who] || !b?.poses[who] || b.at <= a.at) return 0;
    const [from, to] = [a.poses[who].root, b.poses[who].root];
    return Math.hypot(to[0] - from[0], to[2] - from[2]) / (b.at - a.at);
  }

  private isSeam(index: number, who: number): boolean {
    return index > 0 && this.shown[index].pieces[who] !== this.shown[index - 1].pieces[who];
  }
  private get shown(): Moment[] {
    return this.frozen ?? this.moments;
  }
}
