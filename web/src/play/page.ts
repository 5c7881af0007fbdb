// SPDX-License-Identifier: MIT
// A character in the player's hand, and the little game to try it in.
import * as THREE from 'three';
import { getJson, send } from '../api';
import { commandBar } from '../command_bar';
import { button, el, fill } from '../dom';
import { jobEnd } from '../jobs';
import { askText, attempt, notify } from '../notices';
import { Page } from '../page';
import { project } from '../project';
import { SceneFrame, socket } from '../socket';
import { LiveView } from '../stage/live';
import { View } from '../stage/view';
import { Controls } from './controls';
import { Game } from './game';
import { Trace } from './trace';

export class PlayPage implements Page {
  readonly name = 'play';
  readonly title = 'Play';
  readonly element: HTMLElement;
  private readonly view = new View();
  private readonly live = new LiveView(this.view);
  private readonly controls = new Controls();
  private game: Game | null = null;
  private trace = new Trace();
  private readonly policy = el('select', { id: 'policy', 'aria-label': 'Controller', onchange: () => void this.start() });
  private readonly count = el('select', { 'aria-label': 'Characters', id: 'characters', onchange: () => void this.start() }, [1, 5, 20].map(n => el('option', { value: n }, n === 1 ? '1 character' : `${n} characters`)));
  private readonly score = el('p', { class: 'readout', id: 'score' });
  private readonly delay = el('span', { class: 'faint', id: 'delay' });
  private readonly waiting = new Map<number, number>();  // number of a message: when its key was pressed
  private readonly delays: number[] = [];
  private last = '';
  private entered = false;

  constructor() {
    this.element = el('div', { class: 'page play-page' },
      el('div', { class: 'graph-play' },
        el('div', { class: 'tools' }, el('div', { class: 'row' }, this.policy, this.count, button('Start again', () => void this.start())),
          el('div', { class: 'row' }, button('Train a policy…', () => void this.train(), { title: 'From what was played here' }), button('Save trace.csv', () => this.save(), { title: 'What you did, for `loom fragments train`' })),
          el('span', { class: 'grow' }), this.delay),
        el('div', { class: 'theatre' }, this.view.element, this.score),
        el('p', { class: 'faint readout' }, 'W or ↑ goes, Shift runs, A and D turn, Q and E step aside, Space jumps; or a gamepad. Collect the spheres, jump over the gaps.')));
    this.live.onframe = frame => this.show(frame);
    addEventListener('keyup', event => { if (!this.element.hidden) { this.controls.key(event, false); this.tell(); } });
    addEventListener('blur', () => { this.controls.letGo(); this.tell(); });
    this.view.onbeat = () => { this.tell(); return this.live.running; };
  }

  enter(): void { project.watch(() => void this.refresh()); }

  shown(): void {
    if (this.entered) void this.start();
    this.entered = true;
  }

  hidden(): void {
    this.controls.letGo();
    this.live.stop();
  }

  key(event: KeyboardEvent): boolean {
    const ours = this.controls.key(event, true);
    if (ours) this.tell();
    return ours;
  }

  private async refresh(): Promise<void> {
    const got = await attempt(() => getJson<{ policies: string[] }>('/api/policies'));
    if (!got) return;
    const kept = this.policy.value, first = !this.policy.options.length;
    fill(this.policy, el('option', { value: '' }, 'motion matching'), got.policies.map(name => el('option', { value: name }, `policy ${name}`)));
    this.policy.value = got.policies.includes(kept) ? kept : '';
    if (first) await this.start();
  }

  private async start(): Promise<void> {
    const policy = this.policy.value;
    this.score.textContent = 'making ready…';
    const scene = await attempt(() => send<any>('POST', '/api/play', { policy, characters: Number(this.count.value) }));
    if (!scene || this.element.hidden) return;
    commandBar.show(...(policy ? ['fragments', 'play', 'LIBRARY', policy] : ['match', 'play', 'LIBRARY']), '--trace', 'trace.csv', '-o', 'play.glb');
    this.game?.object.removeFromParent();
    this.game = new Game();
    this.trace = new Trace();
    this.view.scene.add(this.game.object);
    await this.live.start(scene);
    this.view.lookAt(new THREE.Vector3(0, 0.9, 0), 6.5, Math.PI, 0.5);
    this.last = '';
    this.tell();
  }

  // Passes on what the player wants, when that has changed.
  private tell(): void {
    if (!this.live.running) return;
    const wish = this.controls.wish(), text = JSON.stringify(wish);
    if (text === this.last) return;
    this.last = text;
    this.trace.add(wish);
    this.waiting.set(socket.say(wish), performance.now());
  }

  private show(frame: SceneFrame): void {
    for (const [seq, at] of this.waiting) {
      if (seq > frame.heard) continue;
      this.waiting.delete(seq);
      this.delays.push(performance.now() - at);
    }
    const [x, z] = frame.values;
    this.game?.update(x, z, frame.characters[0].planted !== 0);
    const { game } = this, sorted = [...this.delays].sort((a, b) => a - b);
    if (game) this.score.textContent = `${game.score} spheres · ${game.jumped} gaps jumped${game.stepped ? `, stepped into ${game.stepped}` : ''} · ${this.trace.seconds.toFixed(0)} s played`;
    if (sorted.length) this.delay.textContent = `key to pose ${this.delays[this.delays.length - 1].toFixed(0)} ms (median ${sorted[sorted.length >> 1].toFixed(0)})`;
    Object.assign(this.element.dataset, { x: x.toFixed(3), z: z.toFixed(3), heading: frame.values[2].toFixed(3), frames: String(this.live.frames), pictures: String(this.view.pictures) });
  }

  private async train(): Promise<void> {
    const enough = this.trace.seconds > 60;
    const name = await askText(enough ? 'Name of the policy' : 'Name of the policy (less than a minute was played: a simulated player is learnt from)', 'studio');
    if (!name) return;
    const started = await attempt(() => send<{ job: number }>('POST', '/api/policies', { name, traces: enough ? [this.trace.csv()] : [] }));
    if (!started) return;
    commandBar.show('fragments', 'train', 'LIBRARY', name, ...(enough ? ['--traces', 'trace.csv'] : []));
    const job = await jobEnd(started.job);
    if (job.state !== 'done') return;
    notify(`The policy ${name} is ready`);
    await this.refresh();
    this.policy.value = name;
    await this.start();
  }

  private save(): void {
    const url = URL.createObjectURL(new Blob([this.trace.csv()], { type: 'text/csv' }));
    el('a', { href: url, download: 'trace.csv' }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }
}
