// SPDX-License-Identifier: MIT
// How one goes from a state to another (Srinivasan 2009 §5.4): its warps on the distances of both motions. Drag a line or
// its ends, pin it, throw it out, get it back; play it.
import { Packed, call, callPacked } from '../api';
import { button, el, fill, onDrag } from '../dom';
import { Matrix } from '../graph/matrix';
import { Motion } from '../motion';
import { attempt } from '../notices';
import { CrossingsHeader, Knot, MachineEdge, MachineWarp } from '../routes';
import { change } from '../undo';
import { svg } from './svg';
import { Bounds, gotBack, shifted, thrownOut, transitionOf, withEnd } from './warps';

export class CrossingPanel {
  readonly element = el('section', { id: 'crossing', 'aria-label': 'Transition', hidden: true });
  onplay: ((motion: Motion, what: string) => void) | null = null;
  onchanged: (() => void) | null = null;
  private readonly matrix = new Matrix();
  private readonly lines = svg('svg', { class: 'warps', preserveAspectRatio: 'none' });
  private readonly knobs = [0, 1].map(which => this.knob(which));
  private readonly list = el('ul', { class: 'warp-list', id: 'warps' });
  private readonly tools = el('div', { class: 'row wrap' });
  private readonly hint = el(
    'p',
    { class: 'faint' },
    'Down: the motion that is left, across: the one that is entered, dark where they are alike. Drag a line, or its ends.',
  );
  private machine = '';
  private edge: MachineEdge | null = null;
  private header: CrossingsHeader | null = null;
  private chosen = 0;
  private turn = 0;

  constructor() {
    this.matrix.element.append(this.lines, ...this.knobs);
    this.element.append(this.hint, el('div', { class: 'warp-frame' }, this.matrix.element), this.matrix.scale, this.list, this.tools);
    this.followLines();
  }

  hide(): void {
    ++this.turn;
    this.element.hidden = true;
  }

  async show(machine: string, edge: MachineEdge, keep = false): Promise<void> {
    const turn = ++this.turn,
      query = { from: edge.from, to: edge.to };
    const got = await attempt(() => callPacked('GET /api/machines/*/crossings', { names: [machine], query }));
    if (turn !== this.turn || !got) return;
    this.machine = machine;
    this.edge = edge;
    this.take(got, keep);
    this.element.hidden = false;
    await this.play();
  }

  private take(got: Packed<CrossingsHeader>, keep: boolean): void {
    this.header = got.header;
    this.matrix.show(got);
    if (!keep || this.chosen >= this.header.warps.length)
      this.chosen = Math.max(
        0,
        this.header.warps.findIndex(warp => !warp.out),
      );
    this.draw();
  }

  private get bounds(): Bounds {
    return { from: this.header!.from_seconds, to: this.header!.to_seconds };
  }
  private get warp(): MachineWarp | undefined {
    return this.header?.warps[this.chosen];
  }

  private draw(): void {
    const { header } = this;
    if (!header) return;
    const [fromBegin, fromEnd] = header.from_seconds,
      [toBegin, toEnd] = header.to_seconds;
    this.lines.setAttribute('viewBox', `${toBegin} ${fromBegin} ${toEnd - toBegin} ${fromEnd - fromBegin}`);
    fill(
      this.lines,
      header.warps.flatMap((warp, i) => {
        const points = warp.knots.map(([from, to]) => `${to},${from}`).join(' '),
          kind = `${warp.out ? ' out' : ''}${warp.pinned ? ' pinned' : ''}${i === this.chosen ? ' chosen' : ''}`;
        return [svg('polyline', { class: `line${kind}`, points }), svg('polyline', { class: 'grip', 'data-warp': i, points })];
      }),
    );
    const { warp } = this;
    this.knobs.forEach((knob, which) => {
      knob.hidden = !warp || warp.out;
      if (!warp) return;
      const [from, to] = warp.knots[which ? warp.knots.length - 1 : 0];
      knob.style.top = `${(100 * (from - fromBegin)) / (fromEnd - fromBegin)}%`;
      knob.style.left = `${(100 * (to - toBegin)) / (toEnd - toBegin)}%`;
    });
    fill(
      this.list,
      header.warps.map((one, i) => this.row(one, i)),
    );
    this.drawTools();
  }

  private row(warp: MachineWarp, i: number): HTMLElement {
    const { knots } = warp,
      [a, b] = [knots[0], knots[knots.length - 1]],
      transition = this.header!.transitions[transitionOf(warp, this.header!.transitions)];
    const state = warp.out ? 'thrown out' : transition ? `${(100 * Math.sqrt(transition.cost)).toFixed(1)} cm` : '';
    return el(
      'li',
      { 'aria-selected': String(i === this.chosen), class: warp.out ? 'out' : '' },
      el(
        'button',
        { type: 'button', class: 'quiet', 'data-warp': i, onclick: () => this.choose(i) },
        `${a[0].toFixed(2)} s to ${a[1].toFixed(2)} s, over ${(b[0] - a[0]).toFixed(2)} s`,
        ' ',
        el('span', { class: 'faint' }, [state, warp.pinned ? 'pinned' : ''].filter(Boolean).join(', ')),
      ),
    );
  }

  private drawTools(): void {
    const { warp } = this;
    if (!warp) return fill(this.tools, el('p', { class: 'faint' }, 'Nothing leads there yet.'));
    fill(
      this.tools,
      !warp.out && button('Play', () => void this.play()),
      !warp.out &&
        (warp.pinned
          ? button('Let go', () => this.put({ ...warp, pinned: false }), { title: 'The program may move it' })
          : button('Pin', () => this.put({ ...warp, pinned: true }), { title: 'A new build keeps it as it is' })),
      !warp.out && button('Longer', () => this.longer(0.1)),
      !warp.out && button('Shorter', () => this.longer(-0.1)),
      warp.out ? button('Get back', () => this.put(gotBack(warp))) : button('Throw out', () => this.put(thrownOut(warp))),
    );
  }

  private choose(i: number): void {
    this.chosen = i;
    this.draw();
    void this.play();
  }

  private longer(seconds: number): void {
    const { warp } = this;
    if (!warp) return;
    const [from, to] = warp.knots[warp.knots.length - 1];
    this.put(withEnd(warp, true, [from + seconds, to + seconds], this.bounds));
  }

  private async play(): Promise<void> {
    const { warp, header, edge, machine, turn } = this;
    if (!warp || !header || !edge) return;
    const index = transitionOf(warp, header.transitions);
    if (index < 0) return;
    const query = { from: edge.from, to: edge.to, index };
    const packed = await attempt(() => callPacked('GET /api/machines/*/crossing', { names: [machine], query }));
    if (!packed || turn !== this.turn) return;
    const { change_frame, changed_frame, rate } = packed.header;
    this.onplay?.(
      new Motion(packed),
      `${edge.from} → ${edge.to}, from ${(change_frame / rate).toFixed(2)} to ${(changed_frame / rate).toFixed(2)} s`,
    );
  }

  // Keeps a warp in place of the chosen one, in a way that can be undone.
  private put(warp: MachineWarp): void {
    const { header, edge, chosen, machine } = this;
    if (!header || !edge) return;
    const before = header.warps.map(one => one),
      after = before.map((one, i) => (i === chosen ? warp : one)),
      { from, to } = edge;
    const set = async (warps: MachineWarp[]) => {
      await call('POST /api/machines/*/warps', { names: [machine], body: { from, to, warps } });
      if (this.edge === edge && !this.element.hidden) await this.show(machine, edge, true);
      this.onchanged?.();
    };
    this.element.setAttribute('aria-busy', 'true');
    void change(
      `the transition from ${from} to ${to} changed`,
      () => set(after),
      () => set(before),
    ).finally(() => this.element.removeAttribute('aria-busy'));
  }

  private at(event: PointerEvent): Knot {
    const box = this.matrix.element.getBoundingClientRect(),
      [fromBegin, fromEnd] = this.header!.from_seconds,
      [toBegin, toEnd] = this.header!.to_seconds;
    return [
      fromBegin + ((event.clientY - box.top) / box.height) * (fromEnd - fromBegin),
      toBegin + ((event.clientX - box.left) / box.width) * (toEnd - toBegin),
    ];
  }

  // Shows a warp that is being dragged; it is kept once it is let go.
  private hold(warp: MachineWarp): void {
    this.header = { ...this.header!, warps: this.header!.warps.map((one, i) => (i === this.chosen ? warp : one)) };
    this.draw();
  }

  private dragged(
    element: HTMLElement,
    down: (event: PointerEvent) => boolean,
    move: (event: PointerEvent, warp: MachineWarp, start: Knot) => MachineWarp,
  ): void {
    let before: CrossingsHeader | null = null,
      start: Knot = [0, 0],
      original: MachineWarp | null = null;
    onDrag(element, {
      down: event => {
        if (!this.header || !down(event) || !this.warp || this.warp.out) return false;
        event.stopPropagation();
        before = this.header;
        original = this.warp;
        start = this.at(event);
        return true;
      },
      move: event => this.hold(move(event, original!, start)),
      up: () => {
        const now = this.warp!;
        this.header = before;
        if (JSON.stringify(now) === JSON.stringify(original)) return this.draw();
        this.put(now);
      },
    });
  }

  private followLines(): void {
    this.dragged(
      this.lines as unknown as HTMLElement,
      event => {
        const index = (event.target as SVGElement).dataset.warp;
        if (index === undefined) return false;
        if (Number(index) !== this.chosen) this.choose(Number(index));
        return true;
      },
      (event, warp, start) => {
        const at = this.at(event);
        return shifted(warp, [at[0] - start[0], at[1] - start[1]], this.bounds);
      },
    );
  }

  private knob(which: number): HTMLElement {
    const knob = el('div', { class: 'warp-end', title: which ? 'Where it ends' : 'Where it begins', hidden: true });
    this.dragged(
      knob,
      () => true,
      (event, warp) => withEnd(warp, which === 1, this.at(event), this.bounds),
    );
    return knob;
  }
}
