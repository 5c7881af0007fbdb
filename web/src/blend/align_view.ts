// SPDX-License-Identifier: MIT
// The time-alignment tool (Srinivasan 2009 §5.2): the best warp on the matrix of distances, its ends dragged with the
// mouse and recomputed as they move; both clips play along it, side by side.
import { encode, getJson, getPacked, send } from '../api';
import { commandBar } from '../command_bar';
import { button, el, fill, onDrag } from '../dom';
import { Matrix } from '../graph/matrix';
import { Motion, getBody } from '../motion';
import { attempt } from '../notices';
import { project } from '../project';
import { Character } from '../stage/character';
import { View } from '../stage/view';

interface Warp { cells: [number, number][]; cost: number; rate: number }

export class AlignView {
  readonly element: HTMLElement;
  private readonly view = new View();
  private readonly matrix = new Matrix();
  private readonly svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  private readonly handles = [0, 1].map(which => this.handle(which));
  private readonly choices = [0, 1].map(which => el('select', { 'aria-label': which ? 'Columns' : 'Rows', title: which ? 'Columns' : 'Rows', onchange: () => void this.load() }));
  private readonly free = el('input', { type: 'checkbox', onchange: () => { this.held = [null, null]; void this.recompute(); } });
  private readonly read = el('p', { class: 'faint readout', id: 'align-readout' });
  private motions: Motion[] = [];
  private characters: Character[] = [];
  private warp: Warp | null = null;
  private held: ([number, number] | null)[] = [null, null];  // cells the user holds the ends at
  private size = [1, 1];
  private time = 0;  // seconds along the warp
  private playing = true;
  private busy = false;
  private again = false;

  constructor() {
    this.svg.setAttribute('class', 'warp');
    this.matrix.element.append(this.svg, ...this.handles);
    this.element = el('div', { class: 'compare' },
      el('div', { class: 'matrix-side' }, el('div', { class: 'row' }, this.choices[0]), el('div', { class: 'row' }, this.choices[1]), this.matrix.element, this.read,
        el('div', { class: 'row' }, el('label', { class: 'check' }, this.free, 'Ends may be left out'), button('Let go', () => { this.held = [null, null]; void this.recompute(); }, { title: 'The best warp again' })),
        el('div', { class: 'row' }, button('Mark the stroke here', () => void this.markStrokes(), { title: 'In both clips, at this moment' }))),
      el('div', { class: 'theatre' }, this.view.element));
    this.view.onbeat = seconds => this.beat(seconds);
    this.matrix.onpoint = (i, j) => { if (!this.playing) this.pose(i, j); };
  }

  refresh(): void {
    const names = project.state!.clips.map(clip => clip.name);
    this.choices.forEach((choice, k) => {
      const kept = choice.value, reaches = names.filter(name => /^(reach|walk-)/.test(name));
      fill(choice, names.map(name => el('option', { value: name }, name)));
      choice.value = names.includes(kept) ? kept : reaches[k * 4] ?? names[Math.min(k, names.length - 1)];
    });
    if (!this.motions.length && names.length) void this.load();
  }

  key(event: KeyboardEvent): boolean {
    if (event.key !== ' ') return false;
    event.preventDefault();
    this.playing = !this.playing;
    return true;
  }

  private async load(): Promise<void> {
    const [a, b] = this.choices.map(choice => choice.value);
    const got = await attempt(() => Promise.all([getPacked(`/api/matrix?a=${encode(a)}&b=${encode(b)}`),
      getPacked(`/api/clips/${encode(a)}/motion`), getPacked(`/api/clips/${encode(b)}/motion`)]));
    if (!got) return;
    this.motions = [new Motion(got[1]), new Motion(got[2])];
    this.size = got[0].header.frames;
    this.characters.forEach(character => character.dispose());
    this.characters = await Promise.all(this.motions.map(async motion => new Character(await getBody(motion.body))));
    this.view.scene.add(...this.characters.map(character => character.object));
    this.held = [null, null];
    this.time = 0;
    this.matrix.show(got[0]);
    await this.recompute();
  }

  // Asks for the warp again; while an answer is on its way only the last wish counts.
  private async recompute(): Promise<void> {
    if (this.busy) { this.again = true; return; }
    this.busy = true;
    do {
      this.again = false;
      const [a, b] = this.choices.map(choice => choice.value), [start, end] = this.held;
      const query = [`a=${encode(a)}`, `b=${encode(b)}`, start && `i=${start[0]}&j=${start[1]}`, end && `k=${end[0]}&l=${end[1]}`, this.free.checked && 'free=1'];
      const warp = await attempt(() => getJson<Warp>(`/api/warp?${query.filter(Boolean).join('&')}`));
      if (warp) this.draw(warp);
    } while (this.again);
    this.busy = false;
    commandBar.show('blend', 'family', 'LIBRARY', '--name', 'pair', '--clips', ...this.choices.map(choice => choice.value));
  }

  private draw(warp: Warp): void {
    this.warp = warp;
    const [rows, columns] = this.size, { cells } = warp;
    this.svg.setAttribute('viewBox', `0 0 ${columns} ${rows}`);
    this.svg.setAttribute('preserveAspectRatio', 'none');
    this.svg.innerHTML = `<polyline points="${cells.map(([r, c]) => `${c + 0.5},${r + 0.5}`).join(' ')}"/>`;
    [cells[0], cells[cells.length - 1]].forEach(([r, c], k) => {
      this.handles[k].style.top = `${100 * (r + 0.5) / rows}%`;
      this.handles[k].style.left = `${100 * (c + 0.5) / columns}%`;
    });
    this.read.textContent = `mean cost ${warp.cost.toPrecision(3)} · frames ${cells[0].join('/')} to ${cells[cells.length - 1].join('/')}`;
    this.read.dataset.cost = String(warp.cost);
  }

  private handle(which: number): HTMLElement {
    const knob = el('div', { class: 'warp-end', tabindex: 0, title: which ? 'Drag the end of the warp' : 'Drag the start of the warp' });
    onDrag(knob, {
      down: event => { event.stopPropagation(); return true; },
      move: event => {
        const box = this.matrix.element.getBoundingClientRect();
        const at = (share: number, count: number) => Math.max(0, Math.min(count - 1, Math.round(share * count)));
        this.held[which] = [at((event.clientY - box.top) / box.height, this.size[0]), at((event.clientX - box.left) / box.width, this.size[1])];
        void this.recompute();
      },
    });
    return knob;
  }

  private beat(seconds: number): boolean {
    const { warp } = this;
    if (!warp || !this.playing || this.characters.length < 2) return false;
    const length = (warp.cells.length - 1) / warp.rate;
    this.time = length > 0 ? (this.time + seconds) % (length + 0.4) : 0;
    const at = warp.cells[Math.min(warp.cells.length - 1, Math.floor(this.time * warp.rate))];
    this.matrix.mark(at[0], at[1]);
    this.pose(at[0], at[1]);
    return true;
  }

  // Both bodies side by side, each where its clip has it, seen from where it started.
  private pose(i: number, j: number): void {
    [i, j].forEach((frame, k) => {
      const motion = this.motions[k], character = this.characters[k];
      if (!motion || !character) return;
      character.poseAt(motion, frame * motion.rate / 30);
      character.object.position.set((k ? 0.75 : -0.75) - motion.roots[0], -motion.floorAt(motion.roots[0], motion.roots[2]), -motion.roots[2]);
    });
    this.view.invalidate();
  }

  private async markStrokes(): Promise<void> {
    if (!this.warp) return;
    const at = this.warp.cells[Math.min(this.warp.cells.length - 1, Math.floor(this.time * this.warp.rate))];
    for (const k of [0, 1]) {
      const motion = this.motions[k], frame = Math.min(motion.frames - 1, Math.round(at[k] * motion.rate / 30));
      await attempt(() => send('POST', `/api/clips/${encode(motion.name)}/labels`, { add: { name: 'stroke', begin: frame, end: frame + 1 } }));
      commandBar.show('label', 'LIBRARY', motion.name, 'stroke', '--from', frame, '--to', frame + 1);
    }
    await project.refresh();
  }
}
