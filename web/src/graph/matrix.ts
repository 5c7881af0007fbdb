// SPDX-License-Identifier: MIT
// The distances of all frames of one clip from all of another, as a picture to point into. Dark is alike.
import { Packed } from '../api';
import { el, fill, onDrag } from '../dom';
import { MatrixHeader, Point } from '../routes';

// From near to far: deep blue, teal, sand (low values draw the eye).
const kScale = [
  [18, 32, 74],
  [32, 84, 147],
  [53, 142, 158],
  [137, 187, 164],
  [222, 222, 180],
  [244, 239, 222],
];

export function scaleColor(t: number): [number, number, number] {
  const at = Math.max(0, Math.min(1, t)) * (kScale.length - 1),
    i = Math.min(kScale.length - 2, Math.floor(at)),
    s = at - i;
  return [0, 1, 2].map(c => kScale[i][c] + (kScale[i + 1][c] - kScale[i][c]) * s) as [number, number, number];
}

export class Matrix {
  readonly element: HTMLElement;
  onpoint: ((i: number, j: number, distance: number) => void) | null = null; // frames of the two clips
  onpick: ((i: number, j: number) => void) | null = null;
  private readonly canvas = el('canvas', {
    class: 'matrix',
    tabindex: 0,
    role: 'img',
    'aria-label': 'Distances between the frames of two clips',
  });
  // What the colours mean: to be put near the matrix.
  readonly scale = el('div', { class: 'scale', title: 'How far apart the joints of two frames are on average' });
  private readonly cross = el('div', { class: 'cross', hidden: true });
  private cells: Float32Array = new Float32Array(0);
  private rows = 0;
  private columns = 0;
  private steps = [1, 1];
  private at: [number, number] = [0, 0];
  minima: Point[] = [];

  constructor() {
    this.element = el('div', { class: 'matrix-frame' }, this.canvas, this.cross);
    const point = (event: PointerEvent) => {
      const box = this.canvas.getBoundingClientRect();
      this.point(((event.clientY - box.top) / box.height) * this.rows, ((event.clientX - box.left) / box.width) * this.columns);
    };
    this.canvas.addEventListener('pointermove', event => {
      if (!event.buttons && this.rows) point(event);
    });
    onDrag(this.canvas, {
      down: event => {
        point(event);
        this.canvas.focus();
        return this.rows > 0;
      },
      move: point,
      up: () => this.pick(),
    });
    this.canvas.addEventListener('keydown', event => {
      const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (step) this.point(this.at[0] + step[0], this.at[1] + step[1]);
      if (event.key === 'Enter') this.pick();
      if (step || event.key === 'Enter') {
        event.preventDefault();
        event.stopPropagation();
      }
    });
  }

  show(packed: Packed<MatrixHeader>): void {
    const h = packed.header;
    this.rows = h.rows;
    this.columns = h.columns;
    this.steps = [h.row_step, h.column_step];
    this.minima = h.minima;
    this.cells = packed.floats(h.rows * h.columns);
    this.draw();
    if (this.minima.length) {
      this.go(0);
    }
  }

  // Goes to one of the minima, nearest first.
  go(number: number): void {
    const [i, j] = this.minima[number];
    this.point(i / this.steps[0], j / this.steps[1]);
    this.onpick?.(i, j);
  }

  private point(row: number, column: number): void {
    const r = Math.max(0, Math.min(this.rows - 1, Math.floor(row))),
      c = Math.max(0, Math.min(this.columns - 1, Math.floor(column)));
    this.at = [r, c];
    this.cross.hidden = false;
    this.cross.style.top = `${(100 * (r + 0.5)) / this.rows}%`;
    this.cross.style.left = `${(100 * (c + 0.5)) / this.columns}%`;
    this.onpoint?.(r * this.steps[0], c * this.steps[1], this.cells[r * this.columns + c]);
  }

  // Moves the cross to two frames without telling anybody.
  mark(i: number, j: number): void {
    this.cross.hidden = false;
    this.cross.style.top = `${(100 * (i / this.steps[0] + 0.5)) / this.rows}%`;
    this.cross.style.left = `${(100 * (j / this.steps[1] + 0.5)) / this.columns}%`;
  }

  private pick(): void {
    this.onpick?.(this.at[0] * this.steps[0], this.at[1] * this.steps[1]);
  }

  private draw(): void {
    const { canvas, rows, columns, cells } = this;
    canvas.width = columns;
    canvas.height = rows;
    canvas.style.aspectRatio = `${columns} / ${rows}`;
    const paint = canvas.getContext('2d')!,
      picture = paint.createImageData(columns, rows);
    let low = Infinity,
      high = 0;
    for (const value of cells)
      if (Number.isFinite(value)) {
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    const depth = (value: number) => Math.sqrt(Math.max(0, value - low) / Math.max(1e-12, high - low));
    for (let k = 0; k < cells.length; ++k) {
      const known = Number.isFinite(cells[k]);
      const [r, g, b] = known ? scaleColor(depth(cells[k])) : [128, 128, 128];
      picture.data.set([r, g, b, known ? 255 : 40], 4 * k);
    }
    paint.putImageData(picture, 0, 0);
    paint.fillStyle = '#ff7a3d';
    for (const [i, j] of this.minima.slice(0, 40))
      paint.fillRect(Math.floor(j / this.steps[1]), Math.floor(i / this.steps[0]), Math.max(1, columns / 160), Math.max(1, rows / 160));
    const centimetres = (square: number) => `${(100 * Math.sqrt(square)).toFixed(1)} cm`;
    fill(
      this.scale,
      centimetres(low),
      el('span', {
        class: 'colours',
        style: `background: linear-gradient(to right, ${kScale.map(c => `rgb(${c.join(' ')})`).join(', ')})`,
      }),
      centimetres(high),
    );
  }
}
