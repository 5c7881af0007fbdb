// SPDX-License-Identifier: MIT
// Two characters who fight, each in a style set by sliders (Chiu 2007 §6).
import * as THREE from 'three';
import { getJson, send } from '../api';
import { commandBar } from '../command_bar';
import { button, el, fill } from '../dom';
import { jobEnd } from '../jobs';
import { attempt } from '../notices';
import { Page } from '../page';
import { SceneFrame, socket } from '../socket';
import { LiveView } from '../stage/live';
import { View } from '../stage/view';

const kSliders = ['punch', 'kick', 'evade', 'distance'];
const kTints = [0xd9683a, 0x3f7fc4];
const kStyles: Record<string, number[]> = {
  aggressive: [0.9, 0.9, 0.15, 0.2], defensive: [0.2, 0.2, 0.95, 0.8], puncher: [0.95, 0.02, 0.4, 0.2], kicker: [0.02, 0.95, 0.4, 0.55],
};

export class FightPage implements Page {
  readonly name = 'fight';
  readonly title = 'Fight';
  readonly element: HTMLElement;
  private readonly view = new View();
  private readonly live = new LiveView(this.view);
  private readonly middle = new THREE.Object3D();
  private readonly seed = el('input', { type: 'number', value: 1, min: 0, 'aria-label': 'Seed' });
  private readonly tally = el('div', { class: 'tally', id: 'tally' });
  private readonly news = el('p', { class: 'readout faint', id: 'bout-news' });
  private readonly fighters: { style: HTMLSelectElement; sliders: HTMLInputElement[] }[] = [];
  private readonly prepare = el('div', { class: 'prepare', hidden: true }, el('p', {}, 'The fighting machine has to be bound to the clips of this library first (a few seconds).'),
    button('Prepare', () => void this.build(), { class: 'primary' }));
  private entered = false;

  constructor() {
    const panels = [0, 1].map(which => this.panel(which, which ? 'defensive' : 'aggressive'));
    this.element = el('div', { class: 'page fight-page' },
      el('aside', { class: 'panel' }, panels[0]),
      el('main', { class: 'theatre' }, this.view.element, this.prepare, this.news, this.tally,
        el('div', { class: 'transport' }, button('Fight', () => void this.start(), { class: 'primary', key: 'Enter', title: 'A new bout' }), 'seed', this.seed)),
      el('aside', { class: 'panel' }, panels[1]));
    this.view.scene.add(this.middle);
    this.live.onframe = frame => this.show(frame);
    socket.on('bout', event => {
      const who = `${['Left', 'Right'][event.fighter] ?? `Fighter ${event.fighter + 1}`}`;
      this.news.textContent = `${event.seconds.toFixed(1)} s: ${who} ${event.kind === 'hit' ? `hits the ${event.part} with the ${event.limb}` : event.kind === 'attack' ? 'attacks' : 'evades'}`;
    });
  }

  enter(): void { void this.ready(); }

  shown(): void {
    if (this.entered) void this.start();
    this.entered = true;
  }

  hidden(): void { this.live.stop(); }

  key(event: KeyboardEvent): boolean {
    if (event.key !== 'Enter') return false;
    void this.start();
    return true;
  }

  private panel(which: number, style: string): HTMLElement {
    const sliders = kSliders.map((name, i) => el('input', { type: 'range', min: 0, max: 1, step: 0.01, value: kStyles[style][i], 'aria-label': name, 'data-slider': name, oninput: () => { choice.value = ''; } }));
    const choice: HTMLSelectElement = el('select', { 'aria-label': 'Style', onchange: () => {
      kStyles[choice.value]?.forEach((value, i) => { sliders[i].value = String(value); });
    } }, el('option', { value: '' }, 'as set below'), Object.keys(kStyles).map(name => el('option', { value: name, selected: name === style }, name)));
    this.fighters[which] = { style: choice, sliders };
    return el('div', { class: 'form', 'data-fighter': which }, el('h2', {}, which ? 'Right' : 'Left'), el('label', {}, 'Style', choice),
      kSliders.map((name, i) => el('label', {}, name === 'distance' ? 'keeps away' : `${name === 'evade' ? 'evades' : `${name}es`.replace('kickes', 'kicks')}`, sliders[i])));
  }

  private async ready(): Promise<void> {
    const state = await attempt(() => getJson<{ ready: boolean }>('/api/fights'));
    if (!state) return;
    this.prepare.hidden = state.ready;
    if (state.ready) await this.start();
  }

  private async build(): Promise<void> {
    const started = await attempt(() => send<{ job: number }>('POST', '/api/fights/prepare', {}));
    if (!started) return;
    commandBar.show('states', 'build', 'LIBRARY', '--name', 'fighting');
    if ((await jobEnd(started.job)).state === 'done') await this.ready();
  }

  private async start(): Promise<void> {
    if (!this.prepare.hidden) return;
    const fighters = this.fighters.map(({ sliders }) => Object.fromEntries(kSliders.map((name, i) => [name, Number(sliders[i].value)])));
    const scene = await attempt(() => send<any>('POST', '/api/fights', { fighters, seed: Number(this.seed.value) }));
    if (!scene || this.element.hidden) return;
    commandBar.show('fight', 'LIBRARY', '--style', this.fighters.map(({ style }) => style.value || 'aggressive').join(','), '--seed', Number(this.seed.value), '--seconds', 30, '-o', 'bout.glb');
    await this.live.start(scene, kTints);
    this.view.follow = this.middle;
    this.view.lookAt(new THREE.Vector3(0, 0.95, 0), 4.6, -Math.PI / 2, 0.25);
  }

  private show(frame: SceneFrame): void {
    const roots = frame.characters.map(character => character.root);
    this.middle.position.set((roots[0][0] + roots[1][0]) / 2, 0, (roots[0][2] + roots[1][2]) / 2);
    const row = (f: number) => Array.from(frame.values.subarray(5 * f, 5 * f + 5));
    if (frame.number % 10 !== 1) return;
    fill(this.tally, el('table', {}, el('thead', {}, el('tr', {}, ['', 'attacks', 'punches', 'kicks', 'evasions', 'hits'].map(name => el('th', {}, name)))),
      el('tbody', {}, ['Left', 'Right'].map((name, f) => el('tr', {}, el('th', {}, name), row(f).map(count => el('td', {}, count)))))));
    this.element.dataset.hits = String(row(0)[4] + row(1)[4]);
    this.element.dataset.attacks = String(row(0)[0] + row(1)[0]);
  }
}
