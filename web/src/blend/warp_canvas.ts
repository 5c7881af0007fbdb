// SPDX-License-Identifier: MIT
// The warp path on its matrix: taken anywhere and dragged, it is held there by a pin; its ends are dragged too. Along
// the sides lie the frames of both clips with their strokes.
import { el, fill, onDrag } from '../dom';
import { Matrix } from '../graph/matrix';
import { Cell } from '../routes';

// What the user holds of a warp.
export interface Held {
  pins: Cell[];
  from: Cell | null;
  to: Cell | null;
}

export class WarpCanvas {
  readonly element: HTMLElement;
  readonly matrix = new Matrix();
  held: Held = { pins: [], from: null, to: null };
  onhold: (() => void) | null = null; // something was taken, moved or let go
  onstroke: ((which: number, frame: number, on: boolean) => void) | null = null; // a stroke is to be set or removed
  private readonly svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  private readonly line = document.createElementNS('http://www.w3.org/2000/svg', 'polyline');
  private readonly grip = document.createElementNS('http://www.w3.org/2000/svg', 'polyline'); // wide, unseen
  private readonly ends = [0, 1].map(which => this.endKnob(which));
  private readonly knobs = el('div', {});
  private readonly rulers = [0, 1].map(which =>
    el('div', {
      class: which ? 'ruler across' : 'ruler down',
      title: 'Press to mark a stroke here; press a mark to take it off',
      onclick: (event: MouseEvent) => this.pressRuler(which, event),
    }),
  );
  private size: Cell = [1, 1];
  private rate = 30;
  private strokes: number[][] = [[], []];
  private cells: Cell[] = [];

  constructor() {
    this.svg.setAttribute('class', 'warp');
    this.svg.setAttribute('preserveAspectRatio', 'none');
    this.grip.setAttribute('class', 'grip');
    this.svg.append(this.line, this.grip);
    this.matrix.element.append(this.svg, this.knobs, ...this.ends);
    this.element = el(
      'div',
      { class: 'warp-canvas' },
      el('div', { class: 'corner' }, 's'),
      this.rulers[1],
      this.rulers[0],
      this.matrix.element,
    );
    this.takeAnywhere();
  }

  setSize(size: Cell, rate: number): void {
    [this.size, this.rate] = [size, rate];
    this.svg.setAttribute('viewBox', `0 0 ${size[1]} ${size[0]}`);
  }

  setStrokes(strokes: number[][]): void {
    this.strokes = strokes;
    this.drawRulers();
  }

  // Shows a path; `met` are the strokes it was made to meet.
  show(cells: Cell[], met: Cell[]): void {
    this.cells = cells;
    const points = cells.map(([r, c]) => `${c + 0.5},${r + 0.5}`).join(' ');
    this.line.setAttribute('points', points);
    this.grip.setAttribute('points', points);
    this.ends.forEach((knob, k) => {
      knob.hidden = !cells.length;
      if (cells.length) this.place(knob, cells[k ? cells.length - 1 : 0]);
    });
    const kept = this.knobs.contains(document.activeElement) ? Array.from(this.knobs.children).indexOf(document.activeElement!) : -1;
    const pins = this.held.pins.map((cell, k) => this.pinKnob(cell, k));
    fill(
      this.knobs,
      pins,
      met.map(cell => {
        const mark = el('div', { class: 'warp-stroke', title: `Strokes meet at ${cell.join(':')}` });
        this.place(mark, cell);
        return mark;
      }),
    );
    pins[kept]?.focus();
  }

  letGo(): void {
    this.held = { pins: [], from: null, to: null };
    this.onhold?.();
  }

  private place(knob: HTMLElement, [r, c]: Cell): void {
    knob.style.top = `${(100 * (r + 0.5)) / this.size[0]}%`;
    knob.style.left = `${(100 * (c + 0.5)) / this.size[1]}%`;
  }

  private cellAt(event: PointerEvent): Cell {
    const box = this.matrix.element.getBoundingClientRect();
    const frame = (share: number, count: number) => Math.max(0, Math.min(count - 1, Math.floor(share * count)));
    return [frame((event.clientY - box.top) / box.height, this.size[0]), frame((event.clientX - box.left) / box.width, this.size[1])];
  }

  // Between what is held before and after it, a pin can be put; null where there is no room.
  private between([r, c]: Cell, before: Cell, after: Cell): Cell | null {
    const inside = (value: number, low: number, high: number) => Math.max(low + 1, Math.min(high - 1, value));
    if (after[0] - before[0] < 2 || after[1] - before[1] < 2) return null;
    return [inside(r, before[0], after[0]), inside(c, before[1], after[1])];
  }

  private movePin(index: number, to: Cell): void {
    const { pins, from, to: end } = this.held;
    const room = this.between(to, pins[index - 1] ?? from ?? [0, 0], pins[index + 1] ?? end ?? [this.size[0] - 1, this.size[1] - 1]);
    if (!room || room.join() === pins[index].join()) return;
    pins[index] = room;
    this.onhold?.();
  }

  // Taking the path puts a pin on it, which then goes with the pointer.
  private takeAnywhere(): void {
    let index = 0;
    onDrag(this.grip as unknown as HTMLElement, {
      down: event => {
        event.stopPropagation();
        const at = this.cellAt(event);
        const near = this.cells
          .slice(1, -1)
          .reduce<Cell | null>(
            (best, cell) =>
              !best || Math.hypot(cell[0] - at[0], cell[1] - at[1]) < Math.hypot(best[0] - at[0], best[1] - at[1]) ? cell : best,
            null,
          );
        if (!near) return false;
        index = this.held.pins.findIndex(pin => pin[0] >= near[0]);
        if (index < 0) index = this.held.pins.length;
        this.held.pins.splice(index, 0, near);
        this.onhold?.();
        return true;
      },
      move: event => this.movePin(index, this.cellAt(event)),
    });
  }

  private pinKnob(cell: Cell, index: number): HTMLElement {
    const remove = () => {
      this.held.pins.splice(index, 1);
      this.onhold?.();
    };
    const knob = el('div', {
      class: 'warp-pin',
      tabindex: 0,
      role: 'button',
      title: `Frames ${cell.join(' and ')} happen together; drag it, double-click or Delete lets it go`,
      'data-pin': cell.join(':'),
      ondblclick: remove,
      onkeydown: (event: KeyboardEvent) => {
        const step: Record<string, Cell> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
        if (event.key === 'Delete' || event.key === 'Backspace') remove();
        else if (step[event.key]) this.movePin(index, [cell[0] + step[event.key][0], cell[1] + step[event.key][1]]);
        else return;
        event.preventDefault();
        event.stopPropagation();
      },
    });
    // The knob is made anew with every path, so the drag is followed by what stays.
    knob.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      event.stopPropagation();
      event.preventDefault();
      knob.focus();
      this.followPointer(next => this.movePin(index, this.cellAt(next)));
    });
    this.place(knob, cell);
    return knob;
  }

  private followPointer(move: (event: PointerEvent) => void): void {
    const end = () => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
  }

  private endKnob(which: number): HTMLElement {
    const name = which ? 'to' : 'from';
    const knob = el('div', {
      class: 'warp-end',
      tabindex: 0,
      title: `Drag the ${which ? 'end' : 'start'} of the warp; double-click lets it go`,
      ondblclick: () => {
        this.held[name] = null;
        this.onhold?.();
      },
    });
    onDrag(knob, {
      down: event => {
        event.stopPropagation();
        return true;
      },
      move: event => {
        const { pins } = this.held,
          at = this.cellAt(event),
          last: Cell = [this.size[0] - 1, this.size[1] - 1];
        const next = which ? (pins[pins.length - 1] ?? this.held.from ?? [0, 0]) : (pins[0] ?? this.held.to ?? last);
        this.held[name] = [0, 1].map(k => (which ? Math.max(at[k], next[k] + 1) : Math.min(at[k], next[k] - 1))) as Cell;
        this.onhold?.();
      },
    });
    return knob;
  }

  private pressRuler(which: number, event: MouseEvent): void {
    const box = this.rulers[which].getBoundingClientRect();
    const share = which ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height;
    this.onstroke?.(which, Math.max(0, Math.min(this.size[which] - 1, Math.floor(share * this.size[which]))), true);
  }

  private drawRulers(): void {
    this.rulers.forEach((ruler, which) => {
      const seconds = this.size[which] / this.rate,
        step = [0.2, 0.5, 1, 2, 5, 10, 20, 60].find(s => seconds / s <= 8) ?? 120;
      const put = (node: HTMLElement, frame: number) => {
        node.style[which ? 'left' : 'top'] = `${(100 * (frame + 0.5)) / this.size[which]}%`;
        return node;
      };
      const ticks = [];
      for (let t = step; t < seconds; t += step) ticks.push(put(el('span', { class: 'tick' }, String(+t.toFixed(1))), t * this.rate));
      fill(
        ruler,
        ticks,
        this.strokes[which].map(frame =>
          put(
            el('button', {
              type: 'button',
              class: 'stroke-mark',
              title: `Stroke at frame ${frame}; press to take it off`,
              onclick: (event: MouseEvent) => {
                event.stopPropagation();
                this.onstroke?.(which, frame, false);
              },
            }),
            frame,
          ),
        ),
      );
    });
  }
}
