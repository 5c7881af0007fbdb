// SPDX-License-Identifier: MIT
// Machines of behaviors (Srinivasan 2009 ch. 3, 4): mined or drawn by hand, beside each other, and put right by drawing
// the ways they are to go.
import { call } from '../api';
import { commandBar } from '../command_bar';
import { given } from '../command_words';
import { button, counted, el, fill } from '../dom';
import { jobEnd } from '../jobs';
import { attempt, notify } from '../notices';
import { Page } from '../page';
import { project } from '../project';
import { MachineAbout, MachineEdge, MachineGaps, MissingEdge, PreferAnswer } from '../routes';
import { MachineDrawing, Mark, Shape, keyOf } from './drawing';
import { CrossingPanel } from './crossing_panel';
import { layout } from './layout';
import { ListPanel, origin } from './list_panel';
import { LivePanel } from './live_panel';
import { difference, hasEdge } from './way';
import { WaysPanel } from './ways_panel';

const kTold = 12; // missing ways that are named
const kSlack = 0.13; // share of its size that a drawing may grow or shrink before it is laid out anew
const kPatience = 120; // milliseconds after the last change of size

const kWhy: Record<MissingEdge['why'], (edge: MissingEdge) => string> = {
  no_motion: () => 'one of the two has no motion in the graph',
  no_step: ({ from, to }) => `no frames are alike enough: capture motion that goes from ${from} to ${to}`,
  pruned: () => 'what leads there is worse than what else there is',
  rare: () => 'what leads there is rare',
};

export class MachinePage implements Page {
  readonly name = 'machine';
  readonly title = 'Machine';
  readonly element: HTMLElement;
  private readonly list = new ListPanel();
  private readonly ways = new WaysPanel();
  private readonly here = new MachineDrawing(true);
  private readonly there = new MachineDrawing(false);
  private readonly beside = el('select', { id: 'beside', 'aria-label': 'Machine beside it', onchange: () => void this.openOther() });
  private readonly legend = el('p', { class: 'machine-legend faint', id: 'machine-legend' });
  private readonly empty = el('p', { class: 'machine-empty faint' }, 'Mine a machine, or read one from a file.');
  private readonly live = new LivePanel();
  private readonly crossing = new CrossingPanel();
  private readonly building = button('Build', () => void this.build(), {
    class: 'primary',
    title: 'Fills the states with motion and finds the transitions between them',
  });
  private readonly playing = button('Play', () => this.togglePlay(), { title: 'The character plays the machine' });
  private readonly chosen = el('section', { id: 'machine-chosen', 'aria-label': 'Chosen' });
  private readonly gaps = el('section', { id: 'machine-gaps', 'aria-label': 'What is missing' });
  private machine: MachineAbout | null = null;
  private other: MachineAbout | null = null;
  private looked: PreferAnswer | null = null;
  private turn = 0; // machines asked for
  private timer = 0;
  private room: [number, number] = [0, 0]; // for which the drawings are laid out
  private laid: { key: string; shape: Shape } | null = null; // the last layout, with what it was made of

  constructor() {
    this.element = el(
      'div',
      { class: 'page machine-page' },
      this.list.element,
      el(
        'main',
        { class: 'machine-middle' },
        el('div', { class: 'tools' }, el('label', { class: 'row' }, 'Beside it', this.beside), this.building, this.playing, this.legend),
        el('div', { class: 'machine-drawings' }, this.here.element, this.there.element, this.empty),
        this.live.element,
      ),
      el('aside', { class: 'panel machine-panel' }, this.chosen, this.crossing.element, this.ways.element, this.gaps),
    );
    this.there.element.hidden = true;
    this.list.onchoose = name => void this.open(name);
    this.list.onnone = () => this.clear();
    this.ways.onways = ways => this.here.setWays(ways);
    this.ways.onlook = answer => {
      this.looked = answer;
      this.draw();
    };
    this.here.onway = (way, more) => this.ways.add(way, more);
    this.here.onrefuse = why => notify(`${why[0].toUpperCase()}${why.slice(1)}.`);
    this.here.onstate = state => this.tellState(state);
    this.live.onlights = lights => this.here.light(lights);
    this.live.onstart = () => this.tellPlaying();
    this.crossing.onplay = (motion, what) => {
      void this.live.showMotion(motion, what);
      this.tellPlaying();
    };
    this.here.onedge = edge => this.tellEdge(edge);
    new ResizeObserver(() => {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => {
        if (this.room.join() !== this.fitting.join()) this.draw();
      }, kPatience);
    }).observe(this.here.element);
  }

  enter(): void {
    project.watch(() => void this.list.refresh());
  }

  shown(): void {
    this.live.resume();
  }

  hidden(): void {
    this.live.pause();
  }

  key(event: KeyboardEvent): boolean {
    return this.live.key(event);
  }

  private async build(): Promise<void> {
    const { machine } = this;
    if (!machine) return;
    commandBar.show(this.name, 'machine', 'build', 'LIBRARY', given(machine.name));
    this.building.disabled = true;
    try {
      const started = await attempt(() => call('POST /api/machines/*/build', { names: [machine.name], body: {} }));
      if (!started || (await jobEnd(started.job)).state !== 'done') return;
    } finally {
      this.building.disabled = false;
    }
    await attempt(() => project.refresh());
    if (this.machine?.name === machine.name) void this.play();
  }

  private async play(): Promise<void> {
    if (!this.machine) return;
    this.crossing.hide();
    await this.live.start(this.machine.name);
    this.tellPlaying();
  }

  private togglePlay(): void {
    if (!this.live.running) return void this.play();
    this.live.stop();
    this.tellPlaying();
  }

  private tellPlaying(): void {
    this.playing.textContent = this.live.running ? 'Stop' : 'Play';
    this.playing.hidden = !this.machine?.built;
    this.building.hidden = !this.machine;
    this.building.textContent = this.machine?.built ? 'Build anew' : 'Build';
    this.building.classList.toggle('primary', !this.machine?.built);
  }

  private clear(): void {
    ++this.turn;
    this.live.stop();
    this.crossing.hide();
    this.machine = this.other = null;
    this.ways.show(null);
    fill(this.chosen);
    fill(this.gaps);
    this.here.element.hidden = this.there.element.hidden = true;
    this.empty.hidden = false;
    this.legend.textContent = '';
    this.fillBeside();
    this.tellPlaying();
  }

  private fillBeside(): void {
    const kept = this.beside.value,
      others = this.list.machines.filter(({ name }) => name !== this.machine?.name);
    fill(
      this.beside,
      el('option', { value: '' }, 'no other'),
      others.map(({ name }) => el('option', { value: name }, name)),
    );
    this.beside.disabled = !others.length;
    this.beside.value = others.some(({ name }) => name === kept) ? kept : '';
  }

  private async open(name: string): Promise<void> {
    const turn = ++this.turn,
      about = await attempt(() => call('GET /api/machines/*', { names: [name] }));
    if (turn !== this.turn || !about) return;
    const another = this.machine?.name !== about.name;
    this.machine = about;
    this.here.element.hidden = false;
    this.empty.hidden = true;
    this.fillBeside();
    if (another) {
      this.live.stop();
      this.crossing.hide();
      this.here.choose('');
      this.tellMachine();
      commandBar.show(this.name, 'machine', 'show', 'LIBRARY', given(about.name));
    }
    this.tellPlaying();
    this.ways.show(about);
    await this.openOther(turn);
  }

  // Opens the machine beside it, and asks what is missing.
  private async openOther(turn = ++this.turn): Promise<void> {
    const { machine } = this,
      against = this.beside.value;
    if (!machine) return;
    const other = against ? await attempt(() => call('GET /api/machines/*', { names: [against] })) : null;
    if (turn !== this.turn) return;
    this.other = other ?? null;
    this.there.element.hidden = !other;
    this.draw();
    const gaps = await attempt(() => call('GET /api/machines/*/gaps', { names: [machine.name], query: against ? { against } : {} }));
    if (turn === this.turn && gaps) this.tellGaps(gaps);
  }

  // Both drawings have their states in the same places, so that what differs is seen.
  private draw(): void {
    const { machine, other, looked } = this;
    if (!machine || !this.here.element.isConnected || !this.here.element.clientWidth) return;
    const edges = looked?.edges ?? machine.edges,
      shape = this.shape(machine, other),
      marks = new Map<string, Mark>();
    if (other) for (const { from, to } of difference(machine, other).onlyHere) marks.set(keyOf(from, to), 'only');
    if (looked) {
      for (const { from, to, probability } of looked.edges) {
        const before = machine.edges.find(edge => edge.from === from && edge.to === to)!.probability;
        if (Math.abs(Math.log(before / probability)) > 1e-6) marks.set(keyOf(from, to), 'changed');
      }
    }
    const lacking = other ? difference(machine, other).onlyThere : [];
    for (const { from, to } of lacking) marks.set(keyOf(from, to), 'lacking');
    const told = (about: MachineAbout) => [about.name, origin(about)].filter(Boolean).join(', ');
    this.here.show(machine, shape, [...edges, ...lacking.map(edge => ({ ...edge, probability: 0 }))], marks, other ? told(machine) : '');
    if (other) this.there.show(other, shape, other.edges, new Map(lacking.map(({ from, to }) => [keyOf(from, to), 'only'])), told(other));
    this.tellLegend();
  }

  private shape(machine: MachineAbout, other: MachineAbout | null): Shape {
    const states = [...machine.states, ...(other?.states ?? [])].sort((a, b) => Number(b.default) - Number(a.default));
    const names = [...new Set(states.map(state => state.name))],
      edges = new Map<string, { from: number; to: number; weight: number }>();
    for (const { from, to, probability } of [...machine.edges, ...(other?.edges ?? [])]) {
      const key = keyOf(from, to);
      edges.set(key, { from: names.indexOf(from), to: names.indexOf(to), weight: Math.max(probability, edges.get(key)?.weight ?? 0) });
    }
    const [width, height] = (this.room = this.fitting),
      key = JSON.stringify([names, [...edges], width, height]);
    for (const drawing of [this.here, this.there]) drawing.resize(width, height);
    if (this.laid?.key !== key) {
      const shape = { names, pairs: [...edges.keys()], layout: layout(names.length, [...edges.values()], width, height) };
      this.laid = { key, shape };
    }
    return this.laid.shape;
  }

  // The room to lay out for: that of before where it has hardly changed, so that nothing jumps when a line comes or goes.
  private get fitting(): [number, number] {
    const { width, height } = this.here.room,
      near = (now: number, before: number) => Math.abs(now - before) < kSlack * before;
    return near(width, this.room[0]) && near(height, this.room[1]) ? this.room : [width, height];
  }

  private tellLegend(): void {
    const { machine, other, looked } = this,
      parts: (HTMLElement | string)[] = ['Double ring: one can stay. Width: probability.'];
    if (other) {
      parts.push(
        ' ',
        el('span', { class: 'only' }, 'In this one only'),
        ', ',
        el('span', { class: 'lacking' }, `in ${other.name}, not in ${machine!.name}`),
        '.',
      );
    }
    if (looked) parts.push(' ', el('span', { class: 'changed' }, `What “${looked.method}” would change`), '.');
    fill(this.legend, parts);
  }

  private tellMachine(): void {
    const { machine } = this;
    if (!machine) return;
    fill(
      this.chosen,
      el('h2', {}, machine.name),
      el(
        'p',
        { class: 'faint' },
        `${counted(machine.states.length, 'state')}, ${counted(machine.edges.length, 'transition')}; ${origin(machine)}`,
      ),
    );
  }

  private tellState(name: string): void {
    const { machine } = this,
      state = machine?.states.find(one => one.name === name);
    if (!machine || !state) return;
    this.here.choose(name);
    this.crossing.hide();
    const row = (edge: MachineEdge, which: 'from' | 'to') =>
      el('tr', {}, el('td', {}, which === 'to' ? `→ ${edge.to}` : `← ${edge.from}`), el('td', {}, edge.probability.toFixed(3)));
    const space = el('div', {});
    if (machine.built) void this.showSpace(machine.name, name, space);
    const leaving = machine.edges.filter(edge => edge.from === name).sort((a, b) => b.probability - a.probability),
      coming = machine.edges.filter(edge => edge.to === name).sort((a, b) => b.probability - a.probability);
    fill(
      this.chosen,
      el('h2', {}, name),
      el(
        'p',
        { class: 'faint' },
        [
          state.cyclic ? 'one can stay' : 'goes on by itself',
          state.default ? 'one comes back to it' : '',
          state.after ? `${state.after} follows` : '',
          `of ${state.takes.join(', ')}`,
        ]
          .filter(Boolean)
          .join('; '),
      ),
      space,
      el(
        'table',
        { class: 'figures-table' },
        leaving.map(edge => row(edge, 'to')),
        coming.map(edge => row(edge, 'from')),
      ),
    );
  }

  private async showSpace(machine: string, state: string, room: HTMLElement): Promise<void> {
    const view = await this.live.spaceOf(machine, state);
    if (view) fill(room, view);
  }

  private tellEdge(edge: MachineEdge): void {
    const { machine } = this;
    if (!machine || !hasEdge(machine, edge.from, edge.to)) return;
    this.here.choose(keyOf(edge.from, edge.to));
    fill(
      this.chosen,
      el('h2', {}, `${edge.from} → ${edge.to}`),
      !machine.built && el('p', { class: 'faint' }, 'Build the machine to see how it goes over.'),
      el('p', {}, `Probability ${edge.probability.toFixed(3)}, cost ${(-Math.log(edge.probability)).toFixed(2)}`),
    );
    if (machine.built) void this.crossing.show(machine.name, edge);
    else this.crossing.hide();
  }

  private tellGaps(gaps: MachineGaps): void {
    const { machine, other } = this;
    const alike =
      gaps.chi === null || gaps.rho === null
        ? []
        : [
            el(
              'div',
              { class: 'numbers', id: 'likeness' },
              el(
                'div',
                { title: 'Transitions here for each one there (χ)' },
                el('strong', {}, `χ ${gaps.chi.toFixed(2)}`),
                el('span', { class: 'faint' }, `${machine!.edges.length} for ${gaps.hand_edges}`),
              ),
              el(
                'div',
                { title: 'Share of the transitions there that are here too (ρ)' },
                el('strong', {}, `ρ ${gaps.rho.toFixed(2)}`),
                el('span', { class: 'faint' }, `${gaps.common_edges} of ${gaps.hand_edges} found`),
              ),
            ),
          ];
    // Of all pairs of states, those that have not even a way round; of a drawn machine all that it asks for.
    const told = other ? gaps.missing : gaps.missing.filter(edge => edge.no_way),
      direct = gaps.missing.length - told.length;
    fill(
      this.gaps,
      other && el('h2', {}, `Against ${other.name}`),
      alike,
      gaps.mined && el('h3', {}, 'What is missing'),
      el(
        'ul',
        { class: 'pick-list', id: 'missing' },
        told.slice(0, kTold).map(edge => this.missing(edge)),
      ),
      told.length > kTold && el('p', { class: 'faint' }, `and ${told.length - kTold} more`),
      gaps.mined &&
        !told.length &&
        el('p', {}, other ? 'Nothing: all of its transitions were found.' : 'Every state can be come to from every other.'),
      gaps.mined &&
        direct > 0 &&
        el('p', { class: 'faint' }, `${direct} pairs of states have no transition of their own, but a way through others.`),
    );
  }

  private missing(edge: MissingEdge): HTMLElement {
    const { nearest } = edge;
    return el(
      'li',
      {},
      el('strong', {}, `${edge.from} → ${edge.to}`),
      `: ${kWhy[edge.why](edge)}${edge.no_way ? ' (no way through other states either)' : ''}`,
      nearest &&
        el(
          'span',
          { class: 'faint' },
          `nearest: ${nearest.from} frame ${nearest.from_frame}, ${nearest.to} frame ${nearest.to_frame}, ${nearest.distance.toPrecision(2)}`,
        ),
    );
  }
}
