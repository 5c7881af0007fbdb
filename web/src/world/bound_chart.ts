// SPDX-License-Identifier: MIT
// How the bound falls while a search goes on: a line of steps over time, from 10 times the least time down to 1.
import { el } from '../dom';

const kWide = 240,
  kHigh = 90,
  kMost = 10;

export interface BoundStep {
  at: number; // seconds
  bound: number;
}

// From 0 (the best walk) to 1 (ten times as long, or nothing known), so that small bounds have room.
export const heightOf = (bound: number): number => Math.log10(Math.min(kMost, Math.max(1, bound)));

// The corners of the line as SVG has them: each bound holds until a better one is known.
export function stepLine(steps: BoundStep[], until: number, seconds: number, wide = kWide, high = kHigh): string {
  const x = (at: number) => ((Math.min(at, seconds) / seconds) * wide).toFixed(1),
    y = (bound: number) => (high - heightOf(bound) * high).toFixed(1);
  const points: string[] = [];
  steps.forEach(({ at, bound }, i) => {
    points.push(`${x(at)},${y(bound)}`, `${x(steps[i + 1]?.at ?? until)},${y(bound)}`);
  });
  return points.join(' ');
}

const svg = <K extends keyof SVGElementTagNameMap>(tag: K, attributes: Record<string, string | number>): SVGElementTagNameMap[K] => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, String(value)));
  return element;
};

export class BoundChart {
  readonly element = el('div', { class: 'bound-chart' });
  private readonly line = svg('polyline', { class: 'bound', fill: 'none' });
  private readonly goal = svg('line', { class: 'wanted', x1: 0, x2: kWide });
  private steps: BoundStep[] = [];
  private seconds = 5;

  constructor() {
    const chart = svg('svg', { viewBox: `-26 -6 ${kWide + 32} ${kHigh + 22}`, role: 'img', 'aria-label': 'The bound over time' });
    for (const bound of [1, 2, 5, 10]) {
      const y = kHigh - heightOf(bound) * kHigh;
      const label = svg('text', { x: -5, y: y + 3, 'text-anchor': 'end' });
      label.textContent = `${bound}×`;
      chart.append(svg('line', { class: 'grid', x1: 0, x2: kWide, y1: y, y2: y }), label);
    }
    const end = svg('text', { class: 'end', x: kWide, y: kHigh + 13, 'text-anchor': 'end' });
    chart.append(this.goal, this.line, end);
    this.element.append(chart);
  }

  start(seconds: number, wanted: number): void {
    this.steps = [];
    this.seconds = seconds;
    const y = String(kHigh - heightOf(wanted) * kHigh);
    this.goal.setAttribute('y1', y);
    this.goal.setAttribute('y2', y);
    this.line.setAttribute('points', '');
    this.element.querySelector('.end')!.textContent = `${seconds} s`;
  }

  tell(at: number, bound: number | null): void {
    if (bound === null) return;
    const last = this.steps[this.steps.length - 1];
    at = Math.max(at, last?.at ?? 0);
    // What was found touched something when it was played, and is searched anew with more distance.
    if (last && bound > last.bound) this.steps = [];
    if (last?.bound !== bound) this.steps.push({ at, bound });
    this.line.setAttribute('points', stepLine(this.steps, at, this.seconds));
    this.element.dataset.bound = bound.toFixed(3);
    this.element.dataset.steps = String(this.steps.length);
  }
}
