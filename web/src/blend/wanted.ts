// SPDX-License-Identifier: MIT
// What is wanted of a joint at a stroke (Huang 2012 §3.4), as fields of a form and as the command and the server read it.

export type WantedKind = 'place' | 'line' | 'turn';

export interface Wanted {
  joint: string;
  kind: WantedKind;
  point: number[]; // metres; of places and lines
  direction: number[]; // of lines
  turn: number[]; // degrees, a rotation vector; of turns
  axes: string; // of turns: which of x, y and z count
  stroke: number; // counted from 1
  priority: number; // c, 0 to 1
  norm: number; // n; 0: the usual
}

export const kAxes = ['xyz', 'x', 'y', 'z', 'xy', 'xz', 'yz'];

export const hasPoint = (wanted: Wanted) => wanted.kind !== 'turn';

const worded = (numbers: number[]) => numbers.map(value => Number(value.toFixed(3)) || 0).join(',');

// As `loom blend make --target` takes it.
export function targetText(wanted: Wanted): string {
  const what = {
    place: worded(wanted.point),
    line: `line:${worded(wanted.point)}:${worded(wanted.direction)}`,
    turn: `turn:${worded(wanted.turn)}${wanted.axes === 'xyz' ? '' : `:${wanted.axes}`}`,
  }[wanted.kind];
  const stroke = wanted.stroke > 1 ? `stroke${wanted.stroke}` : 'stroke';
  const weight = (wanted.priority === 1 ? '' : `,c=${worded([wanted.priority])}`) + (wanted.norm > 0 ? `,n=${worded([wanted.norm])}` : '');
  return `${wanted.joint}=${what}@${stroke}${weight}`;
}

// What is left of a wish, in its own unit.
export function leftText(wanted: Wanted, left: number): string {
  return wanted.kind === 'turn' ? `${((180 / Math.PI) * left).toFixed(1)}°` : `${(100 * left).toFixed(1)} cm`;
}

// The mesh of local coverage: rows of points, and how far from each a blend comes out.
export interface Mesh {
  columns: number;
  rows: number;
  points: Float32Array; // x, y, z and the error of each
}

// What a frame of a blend scene tells beside poses (apps/studio/blend_scene.h).
export interface BlendValues {
  target: number[];
  reached: number[];
  error: number;
  outside: number;
  hand: number[];
  left: number[]; // of each constraint
  mesh: Mesh | null;
}

// Where the hand is, in the first numbers of a frame.
export function handIn(values: number[], parameters: number): number[] {
  return values.slice(2 * parameters + 3, 2 * parameters + 6);
}

export function readBlendValues(values: Float32Array, parameters: number): BlendValues {
  let at = 0;
  const take = (count: number) => values.subarray(at, (at += count)),
    list = (count: number) => Array.from(take(count));
  const [target, reached] = [list(parameters), list(parameters)],
    [error, outside] = take(3),
    hand = list(3),
    left = list(take(1)[0] ?? 0),
    columns = take(1)[0] ?? 0;
  if (!columns) return { target, reached, error, outside, hand, left, mesh: null };
  const rows = take(1)[0];
  return { target, reached, error, outside, hand, left, mesh: { columns, rows, points: take(4 * columns * rows) } };
}
