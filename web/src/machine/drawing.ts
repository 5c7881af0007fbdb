// SPDX-License-Identifier: MIT
// One machine drawn (Srinivasan 2009 fig. 3.3): states as circles, those in which one can stay with a double ring,
// transitions as arrows as wide as they are likely. Drag from state to state to draw a way.
import { el, fill } from '../dom';
import { MachineAbout, MachineEdge } from '../routes';
import { Curve, Layout, Point, pointOn, pointsOf } from './layout';
import { nameLines } from './name_lines';
import { svg } from './svg';
import { extended } from './way';

// What the drawings beside each other share: where the states of both stand.
export interface Shape {
  names: string[];
  pairs: string[]; // as `keyOf` has them, one a curve
  layout: Layout;
}
export const keyOf = (from: string, to: string) => JSON.stringify([from, to]);

// How a transition is told apart: `only` here and not in the other machine, `lacking` here and in the other, `changed`
// by an answer that is looked at.
export type Mark = 'only' | 'lacking' | 'changed';
// What the character does just now.
export interface Lights {
  state: string;
  queue: string[]; // states to come, in order
  going: boolean; // on the way to the first of them
}

const kReach = 5; // pixels around a state that still are the state
const kNear = 9; // and around a line

const path = ({ begin, middle, end }: Curve) =>
  `M${begin.x.toFixed(1)} ${begin.y.toFixed(1)}Q${middle.x.toFixed(1)} ${middle.y.toFixed(1)} ${end.x.toFixed(1)} ${end.y.toFixed(1)}`;

function tip({ middle, end }: Curve, width: number): string {
  const angle = Math.atan2(end.y - middle.y, end.x - middle.x),
    half = 3.2 + 0.6 * width;
  const at = (ahead: number, aside: number) =>
    `${(end.x + ahead * Math.cos(angle) - aside * Math.sin(angle)).toFixed(1)} ${(end.y + ahead * Math.sin(angle) + aside * Math.cos(angle)).toFixed(1)}`;
  return `M${at(8, 0)}L${at(-1, half)}L${at(-1, -half)}Z`;
}

export class MachineDrawing {
  readonly element: HTMLElement;
  onway: ((way: string[], more: boolean) => void) | null = null; // drawn to its end; `more`: beside those there are
  onstate: ((state: string) => void) | null = null;
  onedge: ((edge: MachineEdge) => void) | null = null;
  onrefuse: ((why: string) => void) | null = null;
  private readonly title = el('h3', {});
  private readonly canvas = svg('svg', { class: 'machine-drawing', role: 'group' });
  private readonly hand = svg('path', { class: 'hand' }); // from the way to the pointer
  private machine: MachineAbout | null = null;
  private shape: Shape | null = null;
  private marks = new Map<string, Mark>();
  private ways: string[][] = [];
  private drawn: string[] = []; // the way that is being drawn
  private pressed: Point | null = null;
  private chosen = ''; // a state's name, or the key of a transition
  private lights: Lights | null = null;
  private readonly groups = new Map<string, SVGGElement>();

  constructor(readonly editable: boolean) {
    this.element = el('section', { class: 'machine-side' }, this.title);
    this.element.append(this.canvas);
    this.canvas.addEventListener('pointerdown', event => this.press(event));
    this.canvas.addEventListener('pointermove', event => {
      if (!this.pressed) this.hover(this.stateAt(event));
    });
    this.canvas.addEventListener('pointerleave', () => this.hover(null));
  }

  // `edges` are those that are drawn, `marks` by their keys.
  show(machine: MachineAbout, shape: Shape, edges: MachineEdge[], marks: Map<string, Mark>, title: string): void {
    this.machine = machine;
    this.shape = shape;
    this.marks = marks;
    this.title.textContent = title;
    this.title.hidden = !title;
    this.canvas.setAttribute('aria-label', `Machine ${machine.name}`);
    this.groups.clear();
    const { names, layout } = shape,
      own = new Map(machine.states.map(state => [state.name, state]));
    const lines = edges.map(edge => this.edge(edge)),
      numbers = edges.map(edge => this.number(edge)).filter(number => number !== null);
    const states = names.map((name, i) => this.state(name, layout.places[i], own.get(name) ?? null));
    fill(
      this.canvas,
      svg('g', { class: 'edges' }, ...lines),
      this.hand,
      svg('g', { class: 'numbers' }, ...numbers),
      svg('g', { class: 'states' }, ...states),
    );
    this.paint();
  }

  setWays(ways: string[][]): void {
    this.ways = ways;
    this.paint();
  }

  choose(what: string): void {
    this.chosen = what;
    this.paint();
  }

  light(lights: Lights | null): void {
    if (JSON.stringify(lights) === JSON.stringify(this.lights)) return;
    this.lights = lights;
    this.paint();
  }

  // The room there is, pixels.
  get room(): { width: number; height: number } {
    const box = this.element.getBoundingClientRect();
    return { width: Math.max(240, box.width), height: Math.max(220, box.height - (this.title.hidden ? 0 : 26)) };
  }

  resize(width: number, height: number): void {
    this.canvas.setAttribute('viewBox', `0 0 ${width} ${height}`);
  }

  private curve(from: string, to: string): { curve: Curve; number: Point | null } | null {
    const index = this.shape!.pairs.indexOf(keyOf(from, to));
    return index < 0 ? null : { curve: this.shape!.layout.curves[index], number: this.shape!.layout.numbers[index] };
  }

  private edge(edge: MachineEdge): SVGGElement {
    const { curve } = this.curve(edge.from, edge.to)!,
      key = keyOf(edge.from, edge.to),
      width = 1 + 6 * edge.probability;
    const told = `${edge.from} to ${edge.to}: ${edge.probability.toFixed(3)}`;
    const group = svg(
      'g',
      { class: 'edge', 'data-from': edge.from, 'data-to': edge.to },
      svg('title', {}, told),
      svg('path', { class: 'touch', d: path(curve) }),
      svg('path', { class: 'line', d: path(curve), 'stroke-width': width.toFixed(2) }),
      svg('path', { class: 'tip', d: tip(curve, width) }),
    );
    this.groups.set(key, group);
    return group;
  }

  // Those without room of their own are shown while their line is pointed at.
  private number(edge: MachineEdge): SVGTextElement | null {
    const { curve, number } = this.curve(edge.from, edge.to)!,
      at = number ?? pointOn(curve, 0.45);
    if (this.marks.get(keyOf(edge.from, edge.to)) === 'lacking') return null;
    return svg(
      'text',
      { x: at.x.toFixed(1), y: (at.y + 4).toFixed(1), class: number ? '' : 'crowded', 'data-edge': keyOf(edge.from, edge.to) },
      edge.probability.toFixed(2),
    );
  }

  private state(name: string, at: Point, own: MachineAbout['states'][number] | null): SVGGElement {
    const { radius } = this.shape!.layout,
      { lines, size } = nameLines(name, radius - (own?.cyclic ? 4 : 0));
    const group = svg(
      'g',
      {
        class: `state${own ? '' : ' absent'}${own?.default ? ' home' : ''}`,
        'data-state': name,
        tabindex: own ? 0 : undefined,
        role: own ? 'button' : undefined,
        'aria-label': own ? `${name}${own.cyclic ? ', one can stay' : ''}` : undefined,
        transform: `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})`,
      },
      svg('title', {}, own ? `${name}${own.cyclic ? ': one can stay in it' : ''}` : `${name} is not in this machine`),
      svg('circle', { r: radius.toFixed(1) }),
      ...(own?.cyclic ? [svg('circle', { class: 'inner', r: (radius - 4).toFixed(1) })] : []),
      ...lines.map((line, i) =>
        svg('text', { 'font-size': size.toFixed(1), y: ((i - (lines.length - 1) / 2) * 1.12 * size + 0.35 * size).toFixed(1) }, line),
      ),
    );
    group.addEventListener('keydown', event => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      event.stopPropagation();
      if (own) this.onstate?.(name);
    });
    this.groups.set(name, group);
    return group;
  }

  // Puts the classes right that say what is on a way, chosen, or going on.
  private paint(): void {
    const steps = new Set<string>(),
      onWay = new Set<string>();
    for (const way of [...this.ways, this.drawn]) {
      way.forEach((state, i) => {
        onWay.add(state);
        if (i) steps.add(keyOf(way[i - 1], state));
      });
    }
    const lights = this.lights,
      coming = lights ? [lights.state, ...lights.queue] : [];
    for (const [key, group] of this.groups) {
      const isState = group.hasAttribute('data-state');
      group.classList.toggle('way', isState ? onWay.has(key) : steps.has(key));
      group.classList.toggle('chosen', key === this.chosen);
      if (!isState) {
        for (const mark of ['only', 'lacking', 'changed']) group.classList.toggle(mark, this.marks.get(key) === mark);
        group.classList.toggle(
          'coming',
          coming.some((state, i) => i > 0 && keyOf(coming[i - 1], state) === key),
        );
        continue;
      }
      group.classList.toggle('now', lights?.state === key);
      group.classList.toggle('next', Boolean(lights?.going) && lights?.queue[0] === key);
      group.querySelector('.turn')?.remove();
      const turn = lights?.queue.indexOf(key) ?? -1,
        { radius } = this.shape!.layout;
      if (turn < 0) continue;
      const away = 0.74 * radius;
      group.append(
        svg(
          'g',
          { class: 'turn', transform: `translate(${away.toFixed(1)} ${(-away).toFixed(1)})` },
          svg('circle', { r: 9 }),
          svg('text', { y: 4 }, String(turn + 1)),
        ),
      );
    }
  }

  private hover(state: string | null): void {
    this.canvas.classList.toggle('looking', state !== null);
    for (const [, group] of this.groups) {
      const near = state !== null && [group.dataset.from, group.dataset.to, group.dataset.state].includes(state);
      group.classList.toggle('near', near);
    }
    this.canvas.querySelectorAll<SVGTextElement>('.numbers text').forEach(text => {
      text.classList.toggle('near', state !== null && (JSON.parse(text.dataset.edge!) as string[]).includes(state));
    });
  }

  private place(event: PointerEvent): Point {
    const box = this.canvas.getBoundingClientRect(),
      room = this.canvas.viewBox.baseVal;
    // The drawing is as large as its room but for a moment after a change of size.
    const scale = room.width ? Math.max(room.width / box.width, room.height / box.height) : 1;
    return {
      x: (event.clientX - box.left - box.width / 2) * scale + room.width / 2,
      y: (event.clientY - box.top - box.height / 2) * scale + room.height / 2,
    };
  }

  private stateAt(event: PointerEvent): string | null {
    if (!this.shape || !this.machine) return null;
    const at = this.place(event),
      { places, radius } = this.shape.layout;
    const index = places.findIndex(({ x, y }) => Math.hypot(x - at.x, y - at.y) <= radius + kReach),
      name = this.shape.names[index];
    return this.machine.states.some(state => state.name === name) ? name : null;
  }

  private edgeAt(event: PointerEvent): MachineEdge | null {
    const at = this.place(event);
    let best: MachineEdge | null = null,
      least = kNear;
    for (const edge of this.machine?.edges ?? []) {
      const found = this.curve(edge.from, edge.to);
      if (!found) continue;
      const far = Math.min(...pointsOf(found.curve).map(({ x, y }) => Math.hypot(x - at.x, y - at.y)));
      if (far < least) {
        best = edge;
        least = far;
      }
    }
    return best;
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0 || !this.machine) return;
    const state = this.stateAt(event);
    if (state === null) {
      const edge = this.edgeAt(event);
      if (edge) this.onedge?.(edge);
      return;
    }
    event.preventDefault();
    this.pressed = this.place(event);
    this.drawn = [state];
    this.hover(null);
    this.paint();
    const { canvas } = this,
      move = (next: PointerEvent) => this.drag(next);
    canvas.setPointerCapture(event.pointerId);
    const end = (last: PointerEvent) => {
      for (const name of ['pointerup', 'pointercancel'] as const) canvas.removeEventListener(name, end);
      canvas.removeEventListener('pointermove', move);
      this.release(last.type === 'pointerup', last.shiftKey);
    };
    canvas.addEventListener('pointermove', move);
    for (const name of ['pointerup', 'pointercancel'] as const) canvas.addEventListener(name, end);
  }

  private drag(event: PointerEvent): void {
    if (!this.editable) return;
    const at = this.place(event),
      state = this.stateAt(event),
      last = this.drawn[this.drawn.length - 1];
    if (state !== null && state !== last) {
      const next = extended(this.machine!, this.drawn, state);
      this.drawn = next.way;
      if (next.refused) this.onrefuse?.(next.refused);
      this.canvas.classList.toggle('refused', Boolean(next.refused));
      this.paint();
    } else if (state === null) {
      this.canvas.classList.remove('refused');
    }
    const from = this.shape!.layout.places[this.shape!.names.indexOf(this.drawn[this.drawn.length - 1])];
    this.hand.setAttribute('d', `M${from.x} ${from.y}L${at.x} ${at.y}`);
  }

  private release(done: boolean, more: boolean): void {
    const way = this.drawn;
    this.drawn = [];
    this.pressed = null;
    this.hand.setAttribute('d', '');
    this.canvas.classList.remove('refused');
    this.paint();
    if (!done) return;
    if (way.length > 1) this.onway?.(way, more);
    else this.onstate?.(way[0]);
  }
}
