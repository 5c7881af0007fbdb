// SPDX-License-Identifier: MIT
// A family in its parameter space: a target to drag, the character that follows it, and what can be reached.
import * as THREE from 'three';
import { addressOf, call, callPacked } from '../api';
import { commandBar } from '../command_bar';
import { Word, fileOf, given, option } from '../command_words';
import { button, el, fill, isTyping } from '../dom';
import { Moment } from '../moments/history';
import { Rewind } from '../moments/rewind';
import { floorWay, walkedWay } from '../moments/ways';
import { askText, attempt, notify } from '../notices';
import { newClipName, project } from '../project';
import { FamilyAbout, FileFormat } from '../routes';
import { SceneFrame, socket } from '../socket';
import { LiveView } from '../stage/live';
import { View } from '../stage/view';
import { onWorn } from '../worn';
import { reachColour } from './colours';
import { coverageCubes } from './coverage_cubes';
import { HandMesh } from './hand_mesh';
import { Target } from './target';
import { TargetList } from './target_list';
import { handIn, readBlendValues } from './wanted';

const kMethods: Record<string, string> = {
  barycentric: 'barycentric',
  'radial-basis': 'radial basis',
  neighbours: 'k nearest',
  inverse: 'inverse blending',
  'corrected-basis': 'corrected basis',
};

const kNone = 'There is no family yet: build one on the left, then drag its target and see the character follow.';

export class BlendView {
  readonly element: HTMLElement;
  private readonly view = new View();
  private readonly live = new LiveView(this.view);
  private readonly rewind = new Rewind(this.live, this.view, {
    note: () => this.ball ?? [],
    wanted: (moment, _, ahead) => this.wantedWay(moment, ahead),
    went: ahead => this.wentWay(ahead),
  });
  private readonly target = new Target(this.view);
  private readonly targets = new TargetList(this.view);
  private readonly around = new HandMesh(this.view);
  private readonly method = el('select', { id: 'method', 'aria-label': 'Method', onchange: () => this.tell() });
  private readonly playing = el('input', { type: 'checkbox', id: 'blend-playing', onchange: () => this.tell() });
  private readonly sliders = el('div', { class: 'sliders' });
  private readonly legend = el('p', { class: 'legend faint', id: 'blend-legend' });
  private readonly read = el('p', { class: 'faint readout', id: 'blend-readout' });
  private readonly examples = new THREE.Points(
    new THREE.BufferGeometry(),
    new THREE.PointsMaterial({ color: 0x2b6cb0, size: 7, sizeAttenuation: false }),
  );
  private cubes: THREE.InstancedMesh | null = null;
  private cubesKey: HTMLElement[] = []; // what their colours mean
  private readonly coverage = button('Coverage', () => void this.toggleCoverage(), { title: 'How precisely each place can be reached' });
  // What is made of a family: cannot be pressed without one.
  private readonly making = [
    button('Keep as a clip…', () => void this.keep()),
    button('Save glb', () => void this.save('glb')),
    button('Save BVH', () => void this.save('bvh')),
  ];
  private about: FamilyAbout | null = null;
  private turn = 0; // counts what was asked for, so that a slow answer does not replace a later one
  private values: number[] = [];

  constructor() {
    this.element = el(
      'div',
      { class: 'graph-play' },
      el(
        'div',
        { class: 'tools' },
        el(
          'div',
          { class: 'row' },
          this.method,
          el('label', { class: 'check', title: 'Space' }, this.playing, 'Play'),
          this.coverage,
          this.around.element,
        ),
        this.sliders,
        this.targets.element,
        el('div', { class: 'row' }, this.making),
      ),
      el('div', { class: 'theatre' }, this.view.element, this.legend, this.read, this.rewind.element),
    );
    this.view.scene.add(this.examples);
    this.view.ondrawn = () => this.target.drawn();
    this.target.onmove = at => {
      if (this.about?.places) this.values = [at.x, at.y, at.z];
      this.targets.point = [at.x, at.y, at.z];
      this.tell();
    };
    this.targets.onchange = () => {
      this.putBall();
      this.tell();
    };
    this.around.onchange = () => this.tell();
    this.live.onframe = frame => this.show(frame);
    this.allow(false);
  }

  private allow(there: boolean): void {
    for (const one of [this.method, this.playing, ...this.making]) one.disabled = !there;
    this.coverage.disabled = !there || !this.about?.places;
    this.rewind.element.hidden = !there;
  }

  async open(name: string): Promise<void> {
    const turn = ++this.turn;
    const about = await attempt(() => call('GET /api/families/*', { names: [name] }));
    if (!about || turn !== this.turn) return;
    if (about.name !== this.about?.name) {
      const { values } = about.members[about.reference];
      this.values = [];
      this.targets.reset(about.joints, about.strokes, {
        joint: about.joints[Math.max(0, about.joint)],
        point: about.places ? values : [0, 1, 0.5],
      });
    }
    this.around.enabled = about.places;
    this.about = about;
    this.dropCubes();
    fill(
      this.method,
      about.methods.map(method => el('option', { value: method, selected: method === 'inverse' }, kMethods[method] ?? method)),
    );
    this.playing.checked = !about.places;
    const points = about.members.flatMap(member => (about.places ? member.values : []));
    this.examples.geometry.dispose();
    this.examples.geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
    await this.start();
  }

  // Nothing is shown: there is no family.
  close(): void {
    ++this.turn;
    this.about = null;
    this.live.stop();
    this.dropCubes();
    this.targets.reset([], 0, { joint: '', point: [0, 1, 0.5] });
    this.around.enabled = false;
    this.target.visible = false;
    this.examples.visible = false;
    fill(this.sliders);
    fill(this.method);
    fill(this.legend);
    this.read.textContent = kNone;
    this.allow(false);
  }

  async start(): Promise<void> {
    if (!this.about) return;
    const { name, places } = this.about,
      turn = ++this.turn;
    const scene = await attempt(() => call('POST /api/families/*/scene', { names: [name], body: { method: this.method.value } }));
    if (!scene || turn !== this.turn) return;
    this.examples.visible = true;
    this.values = this.values.length === scene.target.length ? this.values : scene.target;
    this.allow(true);
    this.putBall();
    this.drawSliders();
    this.rewind.start(scene);
    await this.live.start(scene);
    if (places) {
      this.view.follow = null;
      this.view.lookAt(new THREE.Vector3(0, 1.05, 0.2), 3.4, 0.75, 0.3);
    } else {
      this.view.lookAt(new THREE.Vector3(0, 0.95, 0), 3.4, 0.9, 0.25);
    }
    this.drawLegend();
    this.tell();
  }

  stop(): void {
    ++this.turn;
    this.live.stop();
  }

  key(event: KeyboardEvent): boolean {
    if (isTyping(event) || !this.about) return false;
    const step = event.shiftKey ? 0.1 : 0.02;
    const moves: Record<string, [number, number, number]> = {
      ArrowLeft: [-step, 0, 0],
      ArrowRight: [step, 0, 0],
      ArrowUp: [0, step, 0],
      ArrowDown: [0, -step, 0],
      PageUp: [0, 0, step],
      PageDown: [0, 0, -step],
    };
    if (event.key === ' ') {
      this.playing.checked = !this.playing.checked;
      this.tell();
    } else if (moves[event.key] && this.ball) this.target.nudge(...moves[event.key]);
    else return false;
    event.preventDefault();
    return true;
  }

  // The places that were asked for in a second, one after the other; of a walk what it would have been exactly.
  private wantedWay({ poses, values }: Moment, ahead: Moment[]): number[] {
    return [...ahead.flatMap(({ noted }) => noted), ...walkedWay(poses[0], this.about?.parameters ?? [], values)];
  }
  // Where the hand went meanwhile, or the root.
  private wentWay(ahead: Moment[]): number[] {
    if (!this.about) return [];
    const { parameters, places } = this.about;
    return places
      ? ahead.flatMap(({ values }) => handIn(values, parameters.length))
      : floorWay(ahead.flatMap(({ poses }) => Array.from(poses[0].root)));
  }

  // Where the ball is: a target that has a place, or the parameters where they are one.
  private get ball(): number[] | null {
    return this.targets.point ?? (this.about?.places ? this.values : null);
  }
  private putBall(): void {
    const { ball } = this;
    this.target.visible = !!ball;
    if (ball) this.target.put(new THREE.Vector3().fromArray(ball));
  }

  private tell(): void {
    if (!this.about) return;
    if (this.about.places) this.targets.startAt(this.values);
    socket.say({
      target: this.values,
      targets: this.targets.texts,
      objective: this.targets.least,
      method: this.method.value,
      playing: this.playing.checked,
      mesh: this.around.wish,
    });
    this.sliders.querySelectorAll('input').forEach((input, p) => {
      input.value = String(this.values[p]);
    });
    this.sliders.querySelectorAll('output').forEach((output, p) => {
      output.textContent = this.worded(this.values[p], p);
    });
    commandBar.show('blend', ...this.words(this.about), '-o', fileOf(this.about.name, 'glb'));
  }

  // What is asked for, rounded as the command line says it.
  private get asked(): number[] {
    return this.values.map(value => Number(value.toFixed(3)));
  }
  private words({ name }: FamilyAbout): Word[] {
    const { texts, least } = this.targets;
    const asked = texts.length
      ? [...texts.flatMap(text => option('--target', text)), '--objective', least]
      : ['--at', this.asked.join(',')];
    return ['blend', 'make', 'LIBRARY', given(name), ...asked, '--method', this.method.value];
  }

  private worded(value: number, p: number): string {
    return `${value.toFixed(2)} ${this.about?.parameters[p].unit}`;
  }

  private drawLegend(): void {
    const dot = (colour: string, text: string, round = false) =>
      el('span', { class: 'key' }, el('i', { style: `background: ${colour}${round ? '; border-radius: 50%' : ''}` }), text);
    if (!this.about) return fill(this.legend);
    const { members, places } = this.about;
    fill(
      this.legend,
      places
        ? [dot('#d6336c', 'target: drag it', true), dot('#2b6cb0', `${members.length} examples`)]
        : `${members.length} examples, blended as the sliders say`,
      this.cubes ? this.cubesKey : null,
    );
  }

  private drawSliders(): void {
    if (!this.about) return;
    const { parameters, members } = this.about;
    fill(
      this.sliders,
      parameters.map((parameter, p) => {
        const all = members.map(member => member.values[p]),
          low = Math.min(...all),
          high = Math.max(...all),
          room = 0.1 * (high - low);
        const slider = el('input', {
          type: 'range',
          min: low - room,
          max: high + room,
          step: (high - low) / 500,
          value: this.values[p],
          oninput: () => {
            this.values = this.values.map((value, k) => (k === p ? Number(slider.value) : value));
            this.putBall();
            this.tell();
          },
        });
        return el(
          'label',
          { class: 'row', title: `Examples go from ${this.worded(low, p)} to ${this.worded(high, p)}` },
          parameter.name,
          slider,
          el('output', {}, this.worded(this.values[p], p)),
        );
      }),
    );
  }

  private show(frame: SceneFrame): void {
    if (!this.about) return;
    const { parameters, places } = this.about,
      told = readBlendValues(frame.values, parameters.length);
    const list = told.reached.map((value, p) => `${value.toFixed(2)} ${parameters[p].unit}`).join(', ');
    const away = places ? `${(100 * told.error).toFixed(1)} cm` : told.error.toFixed(2);
    const covered = this.around.show(told.mesh);
    this.targets.show(told.left);
    this.read.textContent =
      `reaches ${list}` +
      (told.left.length ? '' : ` · off by ${away}`) +
      (told.outside > 0.001 ? ` · target ${places ? `${(100 * told.outside).toFixed(0)} cm ` : ''}outside the examples` : '') +
      (covered === null ? '' : ` · around it ${(100 * covered).toFixed(0)} % covered`);
    this.read.dataset.error = String(told.error);
    this.read.dataset.hand = told.hand.join(' ');
    this.read.dataset.left = told.left.join(' ');
    this.read.dataset.covered = covered === null ? '' : String(covered);
    const { x, y } = this.target.screen;
    this.read.dataset.ball = `${x} ${y}`;
    this.read.dataset.target = told.target.join(' ');
  }

  private async toggleCoverage(): Promise<void> {
    if (!this.about) return notify(kNone, 'error');
    if (this.cubes) return this.dropCubes();
    const { about } = this,
      packed = await attempt(() => callPacked('GET /api/families/*/coverage', { names: [about.name] }));
    if (!packed || this.about !== about || this.cubes) return;
    const { samples, covered, error, tolerance, suggestion } = packed.header;
    const targets = packed.floats(3 * samples),
      errors = packed.floats(samples);
    const cubes = coverageCubes(packed.header, targets, errors);
    this.cubes = cubes;
    this.view.scene.add(cubes);
    this.view.invalidate();
    this.coverage.classList.add('primary');
    const reached = errors.filter(e => e < tolerance).length;
    this.cubesKey = [
      el(
        'span',
        { class: 'key scale' },
        `${reached} cubes reached, off by 0`,
        el('span', {
          class: 'colours',
          style: `background: linear-gradient(to right, ${[0, 0.25, 0.5, 0.75, 1].map(t => reachColour(t)).join(', ')})`,
        }),
        `${(100 * tolerance).toFixed(0)} cm`,
      ),
      el('span', { class: 'key' }, el('i', { class: 'small', style: `background: ${reachColour(1)}` }), `${samples - reached} not reached`),
      el(
        'span',
        { class: 'key' },
        `${(100 * covered).toFixed(0)} % covered (less the further a cube is off), ${(100 * error).toFixed(1)} cm off on average` +
          (suggestion
            ? `; one more example at ${suggestion.at.map(x => x.toFixed(2)).join(', ')} m would make it ${(100 * suggestion.covered_after).toFixed(0)} %`
            : ''),
      ),
    ];
    this.drawLegend();
    commandBar.show('blend', 'blend', 'coverage', 'LIBRARY', given(about.name), '-o', 'coverage.png');
  }

  private dropCubes(): void {
    this.cubes?.removeFromParent();
    this.cubes?.dispose();
    this.cubes = null;
    this.coverage.classList.remove('primary');
    if (this.about) this.drawLegend();
    this.view.invalidate();
  }

  // The motion as the command makes it: with its feet planted, and what that moved made good.
  private async made({ name }: FamilyAbout): Promise<number> {
    const { texts, least } = this.targets;
    const body = {
      ...(texts.length ? { targets: texts, objective: least } : { values: this.asked }),
      method: this.method.value,
    };
    return (await callPacked('POST /api/families/*/make', { names: [name], body })).header.made;
  }

  private async keep(): Promise<void> {
    const { about } = this;
    if (!about) return notify(kNone, 'error');
    const as = await askText('Name of the new clip', `${about.name}-blend`, [], newClipName);
    if (!as || !(await attempt(async () => call('POST /api/made/*/keep', { names: [await this.made(about)], body: { as } })))) return;
    notify(`${as} is in the library`);
    const words = this.words(about);
    await project.refresh();
    commandBar.show('blend', ...words, ...option('--add', as));
  }

  private async save(format: FileFormat): Promise<void> {
    const { about } = this;
    if (!about) return notify(kNone, 'error');
    const made = await attempt(() => this.made(about));
    if (!made) return;
    el('a', { href: addressOf('GET /api/made/*/file/*', { names: [made, format], query: onWorn(format) }), download: '' }).click();
    commandBar.show('blend', ...this.words(about), '-o', fileOf(about.name, format));
  }
}
