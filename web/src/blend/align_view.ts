// SPDX-License-Identifier: MIT
// The time-alignment tool (Srinivasan 2009 §5.2): the best warp on the matrix of costs, dragged with the mouse and
// recomputed as it moves; both clips play along it, side by side.
import * as THREE from 'three';
import { call, callPacked } from '../api';
import { commandBar } from '../command_bar';
import { Word, given, option } from '../command_words';
import { button, el, fill, isTyping } from '../dom';
import { Motion, getBody } from '../motion';
import { askText, attempt, notify } from '../notices';
import { newClipName, project } from '../project';
import { Cell, Label, Warp, WarpQuery } from '../routes';
import { Character } from '../stage/character';
import { View } from '../stage/view';
import { change } from '../undo';
import { Held, WarpCanvas } from './warp_canvas';

const kApart = 0.75; // metres each body stands from the middle

export class AlignView {
  readonly element: HTMLElement;
  private readonly view = new View();
  private readonly canvas = new WarpCanvas();
  private readonly choices = [0, 1].map(which =>
    el('select', { 'aria-label': which ? 'Clip across' : 'Clip down', onchange: () => void this.load() }),
  );
  private readonly free = this.check('Ends may be left out', false, 'Up to a third of a clip, where that makes a better match');
  private readonly meet = this.check('Meet at the strokes', true, 'Strokes marked in both clips are made to coincide, as in a family');
  private readonly read = el('p', { class: 'faint readout', id: 'align-readout' });
  private readonly play = button('Pause', () => this.toggle(), { class: 'play', key: 'Space', title: 'Play or pause' });
  private readonly clock = el('span', { class: 'clock' });
  private readonly scrub = el('input', {
    type: 'range',
    min: 0,
    max: 1,
    step: 0.001,
    'aria-label': 'Moment',
    class: 'grow',
    oninput: () => {
      this.playing = false;
      this.seek(Number(this.scrub.value) * this.length);
    },
  });
  private readonly middle = new THREE.Object3D();
  private motions: Motion[] = [];
  private characters: Character[] = [];
  private headings = [0, 0];
  private warp: Warp | null = null;
  private good: Held = { pins: [], from: null, to: null }; // what the shown path holds
  private time = 0; // seconds along the warp, in the time of the first clip
  private playing = true;
  private busy = false;
  private again = false;
  private marking = false;
  private known = ''; // labels of both clips, to see when strokes were changed elsewhere
  private wanted = 0; // counts what was asked for, so that a slow answer does not replace a later one

  constructor() {
    this.element = el(
      'div',
      { class: 'compare align' },
      el(
        'div',
        { class: 'matrix-side' },
        el('div', { class: 'pair' }, el('label', {}, 'Down', this.choices[0]), el('label', {}, 'Across', this.choices[1])),
        this.canvas.element,
        this.canvas.matrix.scale,
        this.read,
        el(
          'p',
          { class: 'faint hint' },
          'Drag the line anywhere: a pin holds it there; double-click lets go. Press along the rulers to mark strokes (◆).',
        ),
        el('div', { class: 'row wrap' }, this.free.label, this.meet.label),
        el(
          'div',
          { class: 'row wrap' },
          button('Let go', () => this.canvas.letGo(), { title: 'Of all pins and ends: the best warp again' }),
          button('Mark the stroke here', () => void this.markBoth(), { title: 'In both clips, at this moment' }),
          button('Keep as a clip…', () => void this.keep(), { title: 'The clip across, in the time of the clip down' }),
        ),
      ),
      el('div', { class: 'theatre' }, this.view.element, el('div', { class: 'transport' }, this.play, this.clock, this.scrub)),
    );
    this.view.onbeat = seconds => this.beat(seconds);
    this.view.lookAt(new THREE.Vector3(0, 0.95, 0), 4.2, 0, 0.2);
    this.view.scene.add(this.middle);
    this.view.follow = this.middle;
    this.canvas.onhold = () => void this.recompute();
    this.canvas.onstroke = (which, frame, on) => void this.mark(which, frame, on);
    this.canvas.matrix.onpoint = (i, j) => {
      if (!this.playing) this.pose(i, j);
    };
  }

  refresh(): void {
    const { clips } = project.state!,
      names = clips.map(clip => clip.name);
    this.choices.forEach((choice, k) => {
      const kept = choice.value,
        reaches = names.filter(name => /^(reach|walk-)/.test(name));
      fill(
        choice,
        names.map(name => el('option', { value: name }, name)),
      );
      choice.value = names.includes(kept) ? kept : (reaches[k * 4] ?? names[Math.min(k, names.length - 1)]);
    });
    if (names.length && !this.marking && (!this.motions.length || this.labelsNow() !== this.known)) void this.load(true);
  }

  key(event: KeyboardEvent): boolean {
    if (event.key !== ' ' || isTyping(event)) return false;
    event.preventDefault();
    this.toggle();
    return true;
  }

  private check(text: string, checked: boolean, title: string) {
    const input = el('input', { type: 'checkbox', checked, onchange: () => void this.recompute() });
    return { input, label: el('label', { class: 'check', title }, input, text) };
  }

  private get names(): string[] {
    return this.choices.map(choice => choice.value);
  }

  private labelsNow(): string {
    return JSON.stringify(this.names.map(name => project.state!.clips.find(clip => clip.name === name)?.labels));
  }

  // Shows the pair that is chosen; `again` when it is the same one with other strokes.
  private async load(again = false): Promise<void> {
    const [a, b] = this.names,
      same = again && this.motions[0]?.name === a && this.motions[1]?.name === b;
    this.known = this.labelsNow();
    const turn = ++this.wanted;
    const got = await attempt(() =>
      Promise.all([
        callPacked('GET /api/align', { query: { a, b } }),
        callPacked('GET /api/clips/*/motion', { names: [a] }),
        callPacked('GET /api/clips/*/motion', { names: [b] }),
      ]),
    );
    if (!got) return;
    const { header } = got[0],
      motions = [new Motion(got[1]), new Motion(got[2])];
    const bodies = await Promise.all(motions.map(motion => getBody(motion.body)));
    if (turn !== this.wanted) return;
    this.motions = motions;
    this.headings = header.headings;
    this.characters.forEach(character => character.dispose());
    this.characters = bodies.map(body => new Character(body));
    this.view.scene.add(...this.characters.map(character => character.object));
    this.canvas.setSize(header.frames, header.rate);
    this.canvas.matrix.show(got[0]);
    this.canvas.setStrokes(header.strokes);
    if (!same) {
      this.canvas.held = { pins: [], from: null, to: null };
      this.good = structuredClone(this.canvas.held);
      this.warp = null;
      this.time = 0;
    }
    await this.recompute();
  }

  private query(): WarpQuery {
    const [a, b] = this.names,
      { pins, from, to } = this.canvas.held,
      cell = (at: Cell) => at.join(':');
    return {
      a,
      b,
      pins: pins.length ? pins.map(cell).join(',') : undefined,
      from: from ? cell(from) : undefined,
      to: to ? cell(to) : undefined,
      free: this.free.input.checked ? '1' : undefined,
      strokes: this.meet.input.checked ? undefined : '0',
    };
  }

  private words(): Word[] {
    const { pins, from, to } = this.canvas.held,
      cell = (at: Cell) => at.join(':');
    return [
      'blend',
      'align',
      'LIBRARY',
      ...this.names.map(given),
      ...pins.flatMap(pin => ['--pin', cell(pin)]),
      ...(from ? ['--from', cell(from)] : []),
      ...(to ? ['--to', cell(to)] : []),
      ...(this.free.input.checked ? ['--free-ends'] : []),
      ...(this.meet.input.checked ? [] : ['--no-strokes']),
    ];
  }

  tell(): void {
    if (this.warp) commandBar.show('blend', ...this.words(), '--picture', 'warp.png');
  }

  // Asks for the warp again; while an answer is on its way only the last wish counts.
  private async recompute(): Promise<void> {
    if (this.busy) {
      this.again = true;
      return;
    }
    this.busy = true;
    do {
      this.again = false;
      const wish = structuredClone(this.canvas.held);
      const warp = await attempt(() => call('GET /api/warp', { query: this.query() }));
      if (!warp) continue;
      if ('refused' in warp) {
        if (!this.again) this.refuse(warp.refused);
      } else {
        this.good = wish;
        this.draw(warp);
      }
    } while (this.again);
    this.busy = false;
    this.tell();
  }

  // What no path can hold stays where it could be held last.
  private refuse(why: string): void {
    this.canvas.held = structuredClone(this.good);
    this.canvas.show(this.warp?.cells ?? [], this.warp?.strokes ?? []);
    this.read.textContent = why;
    this.read.classList.add('bad');
  }

  private draw(warp: Warp): void {
    this.warp = warp;
    const { cells } = warp,
      [first, last] = [cells[0], cells[cells.length - 1]],
      { pins } = this.canvas.held;
    this.canvas.show(cells, warp.strokes);
    this.read.classList.remove('bad');
    this.read.textContent =
      `mean cost ${warp.cost.toPrecision(3)} m² (${(100 * Math.sqrt(warp.cost)).toFixed(1)} cm apart) · frames ${first[0]} to ${last[0]} with ${first[1]} to ${last[1]}` +
      (pins.length ? ` · ${pins.length} ${pins.length > 1 ? 'pins' : 'pin'}` : '') +
      (warp.strokes.length ? ` · strokes meet at ${warp.strokes.map(cell => cell.join(':')).join(', ')}` : '');
    this.read.dataset.cost = String(warp.cost);
    this.read.dataset.path = cells.map(cell => cell.join(':')).join(' ');
    if (!this.playing) this.seek(this.time);
  }

  private toggle(): void {
    this.playing = !this.playing;
    this.play.textContent = this.playing ? 'Pause' : 'Play';
    this.view.invalidate();
  }

  private get length(): number {
    const cells = this.warp?.cells;
    return cells ? (cells[cells.length - 1][0] - cells[0][0]) / this.warp!.rate : 0;
  }

  private beat(seconds: number): boolean {
    if (!this.warp || !this.playing || this.characters.length < 2) return false;
    this.seek(this.length > 0 ? (this.time + seconds) % (this.length + 0.4) : 0);
    return true;
  }

  // The frames of both clips at a moment of the warp: the first runs as it was recorded, the second as the path says.
  private framesAt(time: number): Cell {
    const { cells, rate } = this.warp!,
      row = Math.min(cells[0][0] + time * rate, cells[cells.length - 1][0]);
    const next = Math.max(
        1,
        cells.findIndex(cell => cell[0] >= row),
      ),
      [a, b] = [cells[next - 1], cells[next] ?? cells[next - 1]];
    const share = b[0] > a[0] ? Math.max(0, (row - a[0]) / (b[0] - a[0])) : 0;
    return [row, a[1] + share * (b[1] - a[1])];
  }

  private seek(time: number): void {
    if (!this.warp) return;
    this.time = time;
    const [i, j] = this.framesAt(Math.min(time, this.length));
    this.canvas.matrix.mark(i, j);
    this.pose(i, j);
    this.scrub.value = String(this.length > 0 ? time / this.length : 0);
    this.clock.textContent = `frame ${Math.round(i)} with ${Math.round(j)}`;
    this.play.textContent = this.playing ? 'Pause' : 'Play';
  }

  // Both bodies side by side and facing the viewer, however they were recorded; they move, but stay in the picture.
  private pose(i: number, j: number): void {
    [i, j].forEach((frame, k) => {
      const motion = this.motions[k],
        character = this.characters[k];
      if (!motion || !character) return;
      character.poseAt(motion, (frame * motion.rate) / (this.warp?.rate ?? 30));
      const { object } = character,
        root = character.bones[0].position.clone();
      object.rotation.y = -this.headings[k];
      root.applyAxisAngle(new THREE.Vector3(0, 1, 0), -this.headings[k]);
      object.position.set(
        (k ? kApart : -kApart) - root.x,
        -motion.floorAt(character.bones[0].position.x, character.bones[0].position.z),
        -root.z,
      );
    });
    this.view.invalidate();
  }

  // A stroke is a label of one frame; it is kept in the library, and families are aligned by it too.
  private async mark(which: number, frame: number, on: boolean): Promise<void> {
    const motion = this.motions[which],
      scale = motion.rate / (this.warp?.rate ?? 30);
    const labels = project.state!.clips.find(clip => clip.name === motion.name)?.labels ?? [];
    const strokes = labels.filter(label => label.name === 'stroke');
    const begin = Math.min(motion.frames - 1, Math.round(frame * scale));
    const near = strokes.find(label => Math.abs(label.begin / scale - frame) < 0.75);
    const label: Label = on ? { name: 'stroke', begin, end: begin + 1 } : near!;
    if ((on && near) || !label) return;
    const post = (put: boolean) => () =>
      call('POST /api/clips/*/labels', { names: [motion.name], body: put ? { add: label } : { remove: label } });
    this.marking = true;
    const done = await change(`stroke of ${motion.name}`, post(on), post(!on)).finally(() => {
      this.marking = false;
    });
    if (!done) return;
    await this.load(true);
    commandBar.show(
      'blend',
      'label',
      'LIBRARY',
      given(motion.name),
      given('stroke'),
      ...(on ? [] : ['--remove']),
      '--from',
      label.begin,
      '--to',
      label.end,
    );
  }

  private async markBoth(): Promise<void> {
    if (!this.warp) return;
    const at = this.framesAt(Math.min(this.time, this.length)).map(Math.round);
    this.playing = false;
    for (const k of [0, 1]) await this.mark(k, at[k], true);
  }

  private async keep(): Promise<void> {
    const as = await askText('Name of the new clip', `${this.names[1]}-retimed`, [], newClipName);
    if (!as) return;
    const done = await attempt(async () => {
      const { header } = await callPacked('GET /api/retimed', { query: this.query() });
      return call('POST /api/made/*/keep', { names: [header.made], body: { as } });
    });
    if (!done) return;
    notify(`${as} is in the library`);
    await project.refresh();
    commandBar.show('blend', ...this.words(), ...option('--add', as));
  }
}
