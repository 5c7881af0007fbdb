// SPDX-License-Identifier: MIT
// A motion over time: a ruler to scrub on, speed and contacts, and labels that can be drawn, moved and stretched.
import { el, fill, onDrag } from './dom';
import { Motion } from './motion';
import { Label } from './routes';
import { color, onTheme } from './theme';

const kLane = 22; // pixels a lane of labels takes
const kEdge = 7; // pixels at either end of a label by which it is stretched

export interface TimelineEvents {
  seek: (frame: number) => void;
  select: (range: [number, number] | null) => void;
  change: (from: Label, to: Label) => void; // a label was moved or stretched
  choose: (label: Label | null) => void;
  name: (range: [number, number]) => void; // a stretch was drawn, to be labelled
}

export class Timeline {
  readonly element = el('div', { class: 'timeline' });
  private motion: Motion | null = null;
  private labels: Label[] = [];
  private selection: [number, number] | null = null;
  private chosen: Label | null = null;
  private readonly curves = el('canvas', { class: 'curves' });
  private readonly lanes = el('div', { class: 'lanes', title: 'Drag to label a stretch' });
  private readonly shade = el('div', { class: 'selection', hidden: true });
  private readonly head = el('div', { class: 'head' });
  private readonly editable: boolean;
  private readonly inLanes: boolean;

  // Labels lie in lanes where they can be changed, or where that is wanted; otherwise behind the curves.
  constructor(
    private readonly events: Partial<TimelineEvents>,
    options: { lanes?: boolean } = {},
  ) {
    this.editable = Boolean(events.change);
    this.inLanes = options.lanes ?? this.editable;
    this.element.append(this.curves, this.inLanes ? this.lanes : '', this.shade, this.head);
    if (!this.editable) this.lanes.removeAttribute('title');
    this.scrubOn(this.curves);
    if (this.editable) this.drawOn(this.lanes);
    new ResizeObserver(() => this.draw()).observe(this.element);
    onTheme(() => this.draw());
  }

  show(motion: Motion, labels: Label[]): void {
    this.motion = motion;
    this.labels = labels;
    this.chosen = null;
    this.select(null);
    this.draw();
  }

  clear(): void {
    this.motion = null;
    this.labels = [];
    this.chosen = null;
    this.select(null);
    this.draw();
  }

  setLabels(labels: Label[]): void {
    this.labels = labels;
    this.chosen = null;
    this.drawLabels();
  }

  setFrame(frame: number): void {
    this.head.style.left = `${100 * this.share(frame)}%`;
  }

  select(range: [number, number] | null): void {
    this.selection = range;
    this.shade.hidden = !range;
    if (range) {
      this.shade.style.left = `${100 * this.share(range[0])}%`;
      this.shade.style.width = `${100 * (this.share(range[1]) - this.share(range[0]))}%`;
    }
    this.events.select?.(range);
  }

  get selected(): [number, number] | null {
    return this.selection;
  }

  private get last(): number {
    return Math.max(1, (this.motion?.frames ?? 2) - 1);
  }
  private share(frame: number): number {
    return Math.max(0, Math.min(1, frame / this.last));
  }

  private frameAt(event: PointerEvent): number {
    const box = this.element.getBoundingClientRect();
    return Math.round(Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * this.last);
  }

  // Dragging scrubs; with Shift it selects a stretch.
  private scrubOn(element: HTMLElement): void {
    let start = 0,
      selecting = false;
    const move = (event: PointerEvent) => {
      const frame = this.frameAt(event);
      if (selecting) this.select(frame === start ? null : [Math.min(start, frame), Math.max(start, frame)]);
      this.events.seek?.(frame);
    };
    onDrag(element, {
      down: event => {
        if (!this.motion) return false;
        start = this.frameAt(event);
        selecting = event.shiftKey;
        if (!selecting) this.select(null);
        move(event);
        return true;
      },
      move,
    });
  }

  // Dragging over the lanes selects a stretch, which then asks for its label.
  private drawOn(element: HTMLElement): void {
    let start = 0;
    onDrag(element, {
      down: event => {
        if (event.target !== element || !this.motion) return false;
        start = this.frameAt(event);
        this.choose(null);
        this.select(null);
        return true;
      },
      move: event => {
        const frame = this.frameAt(event);
        this.select(frame === start ? null : [Math.min(start, frame), Math.max(start, frame)]);
        this.events.seek?.(frame);
      },
      up: () => {
        if (this.selection) this.events.name?.(this.selection);
      },
    });
  }

  private choose(label: Label | null): void {
    this.chosen = label;
    this.events.choose?.(label);
    this.lanes.querySelectorAll('.label').forEach((node, i) => node.classList.toggle('chosen', this.labels[i] === label));
  }

  private draw(): void {
    this.drawCurves();
    this.drawLabels();
  }

  private drawLabels(): void {
    const free: number[] = []; // for every lane the frame from which it is free
    const nodes = this.labels.map(label => {
      let lane = free.findIndex(from => from <= label.begin);
      if (lane < 0) lane = free.push(0) - 1;
      free[lane] = label.end;
      return this.labelNode(label, lane);
    });
    this.lanes.style.height = `${Math.max(1, free.length) * kLane + 4}px`;
    fill(this.lanes, nodes);
  }

  private labelNode(label: Label, lane: number): HTMLElement {
    const node = el(
      'div',
      { class: 'label', tabindex: 0, onfocus: () => this.choose(label), title: `${label.name}: frames ${label.begin} to ${label.end}` },
      label.name,
    );
    const place = (at: Label) => {
      node.style.left = `${100 * this.share(at.begin)}%`;
      node.style.width = `${100 * (this.share(Math.min(at.end, this.last)) - this.share(at.begin))}%`;
    };
    node.style.top = `${lane * kLane + 2}px`;
    node.classList.toggle('chosen', label === this.chosen);
    place(label);
    if (this.editable) this.dragLabel(node, label, place);
    return node;
  }

  // The middle of a label moves it, its ends stretch it.
  private dragLabel(node: HTMLElement, label: Label, place: (at: Label) => void): void {
    let grip = 0,
      start = 0,
      moved = label;
    onDrag(node, {
      down: event => {
        const box = node.getBoundingClientRect();
        grip = event.clientX - box.left < kEdge ? -1 : box.right - event.clientX < kEdge ? 1 : 0;
        start = this.frameAt(event);
        moved = label;
        this.choose(label);
        node.focus();
        return true;
      },
      move: event => {
        const frames = this.motion!.frames,
          by = this.frameAt(event) - start;
        let { begin, end } = label;
        if (grip <= 0) begin = Math.max(0, Math.min(begin + by, grip < 0 ? end - 1 : frames - (end - begin)));
        if (grip > 0) end = Math.max(begin + 1, Math.min(frames, end + by));
        if (grip === 0) end = begin + (label.end - label.begin);
        moved = { name: label.name, begin, end };
        place(moved);
        this.events.seek?.(grip > 0 ? end - 1 : begin);
      },
      up: () => {
        if (moved.begin !== label.begin || moved.end !== label.end) this.events.change?.(label, moved);
      },
    });
  }

  private drawCurves(): void {
    const { motion, curves } = this;
    const width = curves.clientWidth,
      height = curves.clientHeight;
    if (!width || !height) return;
    const scale = Math.min(devicePixelRatio, 2);
    curves.width = width * scale;
    curves.height = height * scale;
    const paint = curves.getContext('2d')!;
    paint.scale(scale, scale);
    if (!motion) return;
    const x = (frame: number) => this.share(frame) * width;
    this.drawRuler(paint, width, x);
    if (!this.inLanes) this.drawStretches(paint, height, x);
    this.drawContacts(paint, height, x);
    this.drawSpeed(paint, height, x);
  }

  private drawRuler(paint: CanvasRenderingContext2D, width: number, x: (frame: number) => number): void {
    const { rate, seconds } = this.motion!;
    const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60].find(s => (s / Math.max(seconds, 0.01)) * width > 56) ?? 120;
    paint.font = '10.5px system-ui, sans-serif';
    for (let t = 0; t <= seconds + 1e-6; t += step) {
      paint.fillStyle = color('line');
      paint.fillRect(Math.round(x(t * rate)), 0, 1, 14);
      paint.fillStyle = color('faint');
      paint.fillText(`${+t.toFixed(2)} s`, x(t * rate) + 4, 10);
    }
  }

  // Stretches that are only looked at: bands behind the curves, each with its name where there is room for it.
  private drawStretches(paint: CanvasRenderingContext2D, height: number, x: (frame: number) => number): void {
    for (const { name, begin, end } of this.labels) {
      const left = x(begin),
        wide = x(end) - left;
      paint.fillStyle = color('between');
      paint.globalAlpha = 0.25;
      paint.fillRect(left, 15, wide, height - 45);
      paint.globalAlpha = 1;
      if (paint.measureText(name).width + 8 < wide) paint.fillText(name, left + 4, height - 34);
    }
  }

  private drawContacts(paint: CanvasRenderingContext2D, height: number, x: (frame: number) => number): void {
    const { planted, frames } = this.motion!;
    ['left', 'right'].forEach((side, row) => {
      const y = height - 26 + 12 * row;
      const bitsOf = (f: number) => (planted[f] >> (2 * row)) & 3;
      paint.fillStyle = color(side);
      for (let begin = 0, end = 0; begin < frames; begin = end) {
        // runs of frames that are alike
        while (end < frames && bitsOf(end) === bitsOf(begin)) ++end;
        if (!bitsOf(begin)) continue;
        paint.globalAlpha = bitsOf(begin) === 3 ? 1 : 0.5; // the whole foot, or heel or toe alone
        paint.fillRect(x(begin - 0.5), y, x(end - 0.5) - x(begin - 0.5), 9);
      }
      paint.globalAlpha = 1;
    });
  }

  private drawSpeed(paint: CanvasRenderingContext2D, height: number, x: (frame: number) => number): void {
    const { roots, frames, rate } = this.motion!;
    const speed = (f: number) => {
      const a = Math.max(0, f - 2),
        b = Math.min(frames - 1, f + 2);
      return b > a ? (Math.hypot(roots[3 * b] - roots[3 * a], roots[3 * b + 2] - roots[3 * a + 2]) * rate) / (b - a) : 0;
    };
    let most = 1;
    for (let f = 0; f < frames; ++f) most = Math.max(most, speed(f));
    const low = height - 31,
      high = 17;
    paint.beginPath();
    for (let f = 0; f < frames; ++f) paint.lineTo(x(f), low - ((low - high) * speed(f)) / most);
    paint.strokeStyle = color('accent');
    paint.lineWidth = 1.5;
    paint.stroke();
    const text = `${most.toFixed(1)} m/s`,
      { width } = paint.measureText(text),
      right = this.curves.clientWidth - 4;
    paint.fillStyle = color('paper'); // so that it can be read where the curve goes through it
    paint.fillRect(right - width - 3, high - 1, width + 6, 13);
    paint.fillStyle = color('faint');
    paint.textAlign = 'right';
    paint.fillText(text, right, high + 9);
    paint.textAlign = 'left';
  }
}
