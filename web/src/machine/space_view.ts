// SPDX-License-Identifier: MIT
// What the motions of a state vary in: its examples in the space of two parameters, and the place that is wanted, which
// can be dragged. With one parameter the examples lie on a line.
import { el, fill } from '../dom';
import { StateParameter } from '../routes';
import { svg } from './svg';

const kWidth = 280;
const kHeight = 200;
const kRim = 44; // on the left, for numbers such as -108.1
const kFoot = 26; // below

export class SpaceView {
  readonly element = el('div', { class: 'space-view' });
  onwant: ((parameter: string, value: number) => void) | null = null;
  private readonly plot = svg('svg', { viewBox: `0 0 ${kWidth} ${kHeight}`, role: 'img', 'aria-label': 'Examples by their parameters' });
  private readonly now = svg('circle', { class: 'now', r: 6 });
  private shown: StateParameter[] = [];

  constructor() {
    this.plot.addEventListener('pointerdown', event => {
      event.preventDefault();
      this.plot.setPointerCapture(event.pointerId);
      const move = (next: PointerEvent) => this.want(next),
        end = () => {
          this.plot.removeEventListener('pointermove', move);
          this.plot.removeEventListener('pointerup', end);
          this.plot.removeEventListener('pointercancel', end);
        };
      this.want(event);
      this.plot.addEventListener('pointermove', move);
      this.plot.addEventListener('pointerup', end);
      this.plot.addEventListener('pointercancel', end);
    });
    this.element.append(this.plot);
  }

  // `points` are the examples, a value for each parameter; the first two parameters are drawn.
  show(parameters: StateParameter[], points: number[][]): void {
    this.shown = parameters.slice(0, 2);
    const [across, up] = this.shown;
    fill(
      this.plot,
      svg('rect', { x: kRim, y: 6, width: kWidth - kRim - 6, height: kHeight - kFoot - 6 }),
      ...points.map(values => svg('circle', { class: 'example', r: 3.5, ...this.at(values) })),
      this.now,
      svg('text', { x: (kWidth + kRim) / 2, y: kHeight - 8, 'text-anchor': 'middle' }, `${across.name}, ${across.unit}`),
      svg('text', { x: kRim, y: kHeight - 8 }, across.least.toFixed(1)),
      svg('text', { x: kWidth - 6, y: kHeight - 8, 'text-anchor': 'end' }, across.most.toFixed(1)),
      ...(up
        ? [
            svg('text', { transform: `translate(12 ${kHeight / 2}) rotate(-90)`, 'text-anchor': 'middle' }, `${up.name}, ${up.unit}`),
            svg('text', { x: kRim - 3, y: 16, 'text-anchor': 'end' }, up.most.toFixed(1)),
            svg('text', { x: kRim - 3, y: kHeight - kFoot, 'text-anchor': 'end' }, up.least.toFixed(1)),
          ]
        : []),
    );
    this.mark(parameters.map(parameter => parameter.usual));
  }

  // Where the character is.
  mark(values: number[]): void {
    const { cx, cy } = this.at(values);
    this.now.setAttribute('cx', String(cx));
    this.now.setAttribute('cy', String(cy));
  }

  private at(values: number[]): { cx: number; cy: number } {
    const share = (k: number) => {
      const { least, most } = this.shown[k] ?? { least: 0, most: 1 };
      return this.shown[k] && most > least ? ((values[k] ?? least) - least) / (most - least) : 0.5;
    };
    return { cx: kRim + 8 + share(0) * (kWidth - kRim - 22), cy: kHeight - kFoot - 8 - share(1) * (kHeight - kFoot - 22) };
  }

  private want(event: PointerEvent): void {
    const box = this.plot.getBoundingClientRect(),
      x = ((event.clientX - box.left) / box.width) * kWidth,
      y = ((event.clientY - box.top) / box.height) * kHeight;
    const shares = [(x - kRim - 8) / (kWidth - kRim - 22), (kHeight - kFoot - 8 - y) / (kHeight - kFoot - 22)];
    const values = this.shown.map(({ least, most }, k) => least + Math.max(0, Math.min(1, shares[k])) * (most - least));
    this.mark(values);
    this.shown.forEach(({ name }, k) => this.onwant?.(name, values[k]));
  }
}
