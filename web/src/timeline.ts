// SPDX-License-Identifier: MIT
// A motion over time: a ruler to select on, curves to scrub on, contacts, and labels that can be drawn, moved and
// stretched. Wheel and pinch zoom, what is seen is moved with Shift and wheel or on the strip below.
import { el, fill, onDrag } from './dom';
import { kBetween } from './graph/between';
import { Motion } from './motion';
import { Label } from './routes';
import { color, onTheme } from './theme';
import { Window, pan, snapped, whole, zoom } from './time_window';

const kLane = 22; // pixels a lane of labels takes
const kEdge = 7; // pixels at either end of a label by which it is stretched
const kRuler = 20; // pixels at the top on which dragging selects
const kGrip = 9; // pixels around the end of a selection by which it is moved
const kSnap = 7; // pixels from which a drag goes to what is there

// A curve over the frames of a motion, drawn with the speed of its root.
export interface Curve {
  name: string;
  unit: string;
  values: Float32Array;
}
export const kCurveColors = ['good', 'left', 'between', 'bad'];

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
  private readonly curves = el('canvas', { class: 'curves', title: 'Drag on the seconds to select a stretch, below them to scrub' });
  private readonly lanes = el('div', { class: 'lanes', title: 'Drag to label a stretch' });
  private readonly seen = el('div', { class: 'seen' });
  private readonly strip = el('div', { class: 'strip', hidden: true, title: 'What is seen of the clip: drag to move it' }, this.seen);
  private window: Window = [0, 1];
  private extra: Curve[] = [];
  private marks: number[] = [];
  private head_ = 0;
  snapping = true;
  private readonly shade = el('div', { class: 'selection', hidden: true });
  private readonly head = el('div', { class: 'head' });
  private readonly legend = el('p', { class: 'timeline-legend' });
  private readonly editable: boolean;
  private readonly inLanes: boolean;

  // Labels lie in lanes where they can be changed, or where that is wanted; otherwise behind the curves.
  constructor(
    private readonly events: Partial<TimelineEvents>,
    options: { lanes?: boolean } = {},
  ) {
    this.editable = Boolean(events.change);
    this.inLanes = options.lanes ?? this.editable;
    this.element.append(this.curves, this.inLanes ? this.lanes : '', this.strip, this.shade, this.head, this.legend);
    this.tellLegend();
    this.zoomOn(this.element);
    this.panOn(this.strip);
    if (!this.editable) this.lanes.removeAttribute('title');
    this.scrubOn(this.curves);
    if (this.editable) this.drawOn(this.lanes);
    new ResizeObserver(() => this.draw()).observe(this.element);
    onTheme(() => this.draw());
  }

  show(motion: Motion, labels: Label[]): void {
    const same = this.motion?.name === motion.name && this.motion.frames === motion.frames;
    this.motion = motion;
    this.labels = labels;
    this.chosen = null;
    if (!same) {
      this.window = [0, this.last];
      this.extra = [];
      this.tellLegend();
    }
    this.marks = [];
    this.select(null);
    this.draw();
  }

  // What the colours mean: curves, and the bars of the feet.
  private tellLegend(): void {
    const key = (name: string, kind: string, text: string) =>
      el('span', {}, el('i', { class: kind, style: `background: var(--${name})` }), text);
    fill(
      this.legend,
      key('accent', 'line', 'speed'),
      this.extra.map((curve, i) => key(kCurveColors[i % kCurveColors.length], 'line', curve.name)),
      key('left', 'bar', 'left foot stands'),
      key('right', 'bar', 'right foot stands'),
      el('span', {}, 'pale: heel or toe alone'),
    );
  }

  // Curves that are drawn with the speed.
  setCurves(curves: Curve[]): void {
    this.extra = curves;
    this.tellLegend();
    this.drawCurves();
  }

  // Frames with a tick on the ruler, such as seams.
  setMarks(frames: number[]): void {
    this.marks = frames;
    this.drawCurves();
  }

  // Shows more or less of the clip around a frame, the one that is shown where none is said.
  zoom(by: number, at = this.head_): void {
    this.look(zoom(this.window, by, at, this.last));
  }
  showAll(): void {
    this.look(whole(this.last));
  }
  get seenFrames(): Window {
    return this.window;
  }

  private look(window: Window): void {
    this.window = window;
    this.draw();
    this.setFrame(this.head_);
    this.placeShade();
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
    this.head_ = frame;
    const [from, to] = this.window;
    // What plays out of sight is followed, by pages; what is held is not moved under the hand.
    if (!this.held && this.motion && (frame < from || frame > to) && to - from < this.last) {
      return this.look(pan(this.window, (frame < from ? frame - to : frame - from) + 0.02 * (to - from), this.last));
    }
    this.head.hidden = frame < from || frame > to;
    this.head.style.left = `${100 * this.share(frame)}%`;
  }

  select(range: [number, number] | null): void {
    this.selection = range;
    this.placeShade();
    this.events.select?.(range);
  }

  private placeShade(): void {
    const range = this.selection;
    this.shade.hidden = !range || range[1] < this.window[0] || range[0] > this.window[1];
    if (!range) return;
    this.shade.style.left = `${100 * this.share(range[0])}%`;
    this.shade.style.width = `${100 * (this.share(range[1]) - this.share(range[0]))}%`;
  }

  get selected(): [number, number] | null {
    return this.selection;
  }

  private get last(): number {
    return Math.max(1, (this.motion?.frames ?? 2) - 1);
  }
  // Where a frame lies in what is seen, 0 to 1, kept within.
  private share(frame: number): number {
    return Math.max(0, Math.min(1, this.place(frame)));
  }
  private place(frame: number): number {
    return (frame - this.window[0]) / Math.max(1e-6, this.window[1] - this.window[0]);
  }

  private frameAt(event: PointerEvent | WheelEvent): number {
    const box = this.element.getBoundingClientRect(),
      [from, to] = this.window;
    const share = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
    return Math.round(Math.max(0, Math.min(this.last, from + share * (to - from))));
  }

  // The frame under the pointer, or one nearby at which something begins or ends; with Alt exactly what is pointed at.
  private snappedAt(event: PointerEvent, without?: Label): number {
    const frame = this.frameAt(event);
    if (!this.snapping || event.altKey || !this.motion) return frame;
    const near = (kSnap * (this.window[1] - this.window[0])) / Math.max(1, this.element.clientWidth);
    return snapped(frame, this.stops(without), near);
  }

  // Frames at which something begins or ends: the clip, labels, steps, and the one that is shown.
  private stops(without?: Label): number[] {
    const stops = [0, this.last, Math.round(this.head_)];
    for (const label of this.labels) if (label !== without) stops.push(label.begin, Math.min(label.end, this.last));
    const { planted, frames } = this.motion!;
    const feet = (f: number) => (planted[f] & 3 ? 1 : 0) | (planted[f] & 12 ? 2 : 0);
    for (let f = 1; f < frames; ++f) if (feet(f) !== feet(f - 1)) stops.push(f);
    return stops;
  }

  private held = false; // something is dragged

  private drag(element: HTMLElement, handlers: Parameters<typeof onDrag>[1]): void {
    onDrag(element, {
      down: event => (this.held = handlers.down(event)),
      move: handlers.move,
      up: event => {
        this.held = false;
        handlers.up?.(event);
      },
    });
  }

  // Dragging scrubs; on the ruler, and everywhere with Shift, it selects a stretch, or moves the end that is taken hold of.
  private scrubOn(element: HTMLElement): void {
    let start = 0,
      selecting = false;
    const move = (event: PointerEvent) => {
      const frame = selecting ? this.snappedAt(event) : this.frameAt(event);
      if (selecting) this.select(frame === start ? null : [Math.min(start, frame), Math.max(start, frame)]);
      this.events.seek?.(frame);
    };
    this.drag(element, {
      down: event => {
        if (!this.motion) return false;
        const onRuler = event.clientY - element.getBoundingClientRect().top < kRuler;
        selecting = Boolean(this.events.select) && (event.shiftKey || onRuler);
        const other = onRuler ? this.otherEnd(event) : null;
        start = other ?? (selecting ? this.snappedAt(event) : this.frameAt(event));
        if (other === null && !(onRuler && this.selection)) this.select(null);
        if (other === null) this.events.seek?.(start);
        return true;
      },
      move,
      up: event => {
        // A press on the ruler that goes nowhere lets go of the selection.
        if (selecting && this.selection && this.otherEnd(event) === null && Math.abs(this.frameAt(event) - start) < 1) this.select(null);
      },
    });
  }

  // The end of the selection that stays when the other one is taken hold of here; null: neither is near.
  private otherEnd(event: PointerEvent): number | null {
    if (!this.selection) return null;
    const box = this.element.getBoundingClientRect();
    const away = (frame: number) => Math.abs(event.clientX - box.left - this.place(frame) * box.width);
    const [begin, end] = this.selection;
    if (Math.min(away(begin), away(end)) > kGrip) return null;
    return away(begin) < away(end) ? end : begin;
  }

  // The wheel zooms about the pointer; sideways, or with Shift, it moves along. Two fingers do both.
  private zoomOn(element: HTMLElement): void {
    element.addEventListener(
      'wheel',
      event => {
        if (!this.motion) return;
        const along = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
        const width = this.window[1] - this.window[0];
        if (Math.abs(along) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
          this.look(pan(this.window, (along / Math.max(1, element.clientWidth)) * width, this.last));
        } else if (!(event.target as HTMLElement).closest('.lanes') || event.ctrlKey) {
          this.look(zoom(this.window, Math.exp(event.deltaY * 0.002), this.frameAt(event), this.last));
        } else return;
        event.preventDefault();
      },
      { passive: false },
    );
    const fingers = new Map<number, PointerEvent>();
    const spread = () => {
      const [a, b] = [...fingers.values()];
      return Math.max(20, Math.abs(a.clientX - b.clientX));
    };
    element.addEventListener('pointerdown', event => fingers.set(event.pointerId, event), true);
    element.addEventListener(
      'pointermove',
      event => {
        if (fingers.size !== 2 || !fingers.has(event.pointerId)) return;
        const before = spread();
        fingers.set(event.pointerId, event);
        this.look(zoom(this.window, before / spread(), this.frameAt(event), this.last));
        event.stopPropagation();
      },
      true,
    );
    for (const end of ['pointerup', 'pointercancel'] as const) {
      element.addEventListener(end, event => fingers.delete(event.pointerId), true);
    }
  }

  // What is seen, as a part of the whole; dragging moves it.
  private panOn(element: HTMLElement): void {
    let at = 0;
    this.drag(element, {
      down: event => {
        at = event.clientX;
        return Boolean(this.motion);
      },
      move: event => {
        this.look(pan(this.window, ((event.clientX - at) / Math.max(1, element.clientWidth)) * this.last, this.last));
        at = event.clientX;
      },
    });
  }

  // Dragging over the lanes selects a stretch, which then asks for its label.
  private drawOn(element: HTMLElement): void {
    let start = 0;
    this.drag(element, {
      down: event => {
        if ((event.target !== element && !(event.target as HTMLElement).matches('.free')) || !this.motion) return false;
        start = this.snappedAt(event);
        this.choose(null);
        this.select(null);
        return true;
      },
      move: event => {
        const frame = this.snappedAt(event);
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
    const [from, to] = this.window;
    this.strip.hidden = !this.motion || to - from >= this.last - 1e-6;
    this.seen.style.left = `${(100 * from) / this.last}%`;
    this.seen.style.width = `${(100 * (to - from)) / this.last}%`;
    this.drawCurves();
    this.drawLabels();
  }

  private drawLabels(): void {
    // For every lane the frame from which it is free. Where labels are drawn the first lane is always free.
    const free: number[] = this.editable ? [Infinity] : [];
    const nodes = this.labels.map(label => {
      let lane = free.findIndex(from => from <= label.begin);
      if (lane < 0) lane = free.push(0) - 1;
      free[lane] = label.end;
      return this.labelNode(label, lane);
    });
    this.lanes.style.height = `${Math.max(1, free.length) * kLane + 4}px`;
    fill(this.lanes, this.editable && this.motion ? el('div', { class: 'free' }, 'Drag here to label a stretch') : null, nodes);
  }

  private labelNode(label: Label, lane: number): HTMLElement {
    const node = el(
      'div',
      { class: 'label', tabindex: 0, onfocus: () => this.choose(label), title: `${label.name}: frames ${label.begin} to ${label.end}` },
      label.name,
    );
    const place = (at: Label) => {
      node.hidden = at.end < this.window[0] || at.begin > this.window[1];
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
    this.drag(node, {
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
          held = grip > 0 ? label.end : label.begin,
          // The end that is moved goes to what is near; of a label that is moved as a whole its beginning does.
          near = (kSnap * (this.window[1] - this.window[0])) / Math.max(1, this.element.clientWidth),
          wished = held + this.frameAt(event) - start,
          by = (this.snapping && !event.altKey ? snapped(wished, this.stops(label), near) : wished) - held;
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
    const x = (frame: number) => this.place(frame) * width;
    this.drawRuler(paint, width, x);
    if (!this.inLanes) this.drawStretches(paint, height, x);
    paint.fillStyle = color('bad');
    for (const frame of this.marks) paint.fillRect(Math.round(x(frame)), 14, 1, height - 44);
    this.drawContacts(paint, height, x);
    this.drawSpeed(paint, height, x);
    this.extra.forEach((curve, i) => this.drawCurve(paint, height, x, curve, kCurveColors[i % kCurveColors.length]));
  }

  // A curve from its least value to its most, with both told at the left.
  private drawCurve(paint: CanvasRenderingContext2D, height: number, x: (frame: number) => number, curve: Curve, hue: string): void {
    const { values } = curve,
      low = height - 31,
      high = 19;
    let least = Infinity,
      most = -Infinity;
    for (const value of values) {
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    const scale = (low - high) / Math.max(1e-6, most - least),
      [first, last] = this.drawn();
    paint.beginPath();
    for (let f = first; f <= last && f < values.length; ++f) paint.lineTo(x(f), low - scale * (values[f] - least));
    paint.strokeStyle = color(hue);
    paint.lineWidth = 1.5;
    paint.stroke();
  }

  // The frames that are seen, and one to either side.
  private drawn(): [number, number] {
    return [Math.max(0, Math.floor(this.window[0]) - 1), Math.min(this.last, Math.ceil(this.window[1]) + 1)];
  }

  private drawRuler(paint: CanvasRenderingContext2D, width: number, x: (frame: number) => number): void {
    const { rate, seconds } = this.motion!,
      [from, to] = this.window,
      across = (to - from) / rate;
    const step = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60].find(s => (s / Math.max(across, 0.01)) * width > 56) ?? 120;
    paint.font = '10.5px system-ui, sans-serif';
    if (this.events.select) {
      paint.fillStyle = color('hover');
      paint.fillRect(0, 0, width, 14);
    }
    for (let t = Math.max(0, Math.floor(from / rate / step) * step); t <= Math.min(seconds, to / rate) + 1e-6; t += step) {
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
      const mixed = name === kBetween; // a label covers what is recorded, too
      paint.fillStyle = color(mixed ? 'between' : 'accent');
      paint.globalAlpha = mixed ? 0.4 : 0.1;
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
    const [first, last] = this.drawn();
    const low = height - 31,
      high = 17;
    paint.beginPath();
    for (let f = first; f <= last; ++f) paint.lineTo(x(f), low - ((low - high) * speed(f)) / most);
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
