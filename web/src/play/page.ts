// SPDX-License-Identifier: MIT
// A character in the player's hand, and the little game to try it in.
import * as THREE from 'three';
import { call, callLast } from '../api';
import { commandBar } from '../command_bar';
import { button, el, fill, saveText } from '../dom';
import { jobEnd } from '../jobs';
import { attempt, notify } from '../notices';
import { Page } from '../page';
import { project } from '../project';
import { PlayedTrace } from '../routes';
import { SceneFrame, socket } from '../socket';
import { LiveView } from '../stage/live';
import { View } from '../stage/view';
import { Controls } from './controls';
import { Delays } from './delays';
import { Game } from './game';
import { Rewind } from './rewind';
import { Sticks } from './sticks';
import { Trace } from './trace';
import { askTraining } from './train_dialog';

const kKeepSeconds = 20; // of play, after which it is kept
const kRoots = [
  ['between', 'motion, drawn to the stick'],
  ['motion', 'motion alone'],
  ['control', 'stick alone'],
];

export class PlayPage implements Page {
  readonly name = 'play';
  readonly title = 'Play';
  readonly element: HTMLElement;
  private readonly view = new View();
  private readonly live = new LiveView(this.view);
  private readonly rewind = new Rewind(this.live, this.view);
  private readonly controls = new Controls();
  private readonly sticks = new Sticks(event => this.tell(event));
  private game: Game | null = null;
  private scene = 0; // that the trace is of
  private trace = new Trace();
  private traces: PlayedTrace[] = [];
  private readonly policy = el('select', { id: 'policy', 'aria-label': 'Controller', onchange: () => void this.start() });
  private readonly root = el(
    'select',
    {
      id: 'root',
      'aria-label': 'Who decides where the character is',
      title: 'Who decides where the character is',
      onchange: () => void this.start(),
    },
    kRoots.map(([value, text]) => el('option', { value }, text)),
  );
  private readonly count = el(
    'select',
    { 'aria-label': 'Characters', id: 'characters', onchange: () => void this.start() },
    [1, 5, 20].map(n => el('option', { value: n }, n === 1 ? '1 character' : `${n} characters`)),
  );
  private readonly score = el('p', { class: 'readout', id: 'score' });
  private readonly delay = el('span', { class: 'faint delay', id: 'delay' });
  private readonly delays = new Delays();
  private answered = 0; // by the newest frame
  private last = '';
  private entered = false;
  private turn = 0; // counts starts, so that a slow one does not follow a later one

  constructor() {
    const touched = el(
      'button',
      { type: 'button', id: 'sticks', 'aria-pressed': false, onclick: () => this.showSticks(this.sticks.element.hidden) },
      'Sticks',
    );
    this.sticks.element.hidden = true;
    this.view.element.append(this.sticks.element);
    this.controls.sticks = () => this.sticks.wish();
    this.element = el(
      'div',
      { class: 'page play-page' },
      el(
        'div',
        { class: 'graph-play' },
        el(
          'div',
          { class: 'tools' },
          el(
            'div',
            { class: 'row' },
            this.policy,
            this.root,
            this.count,
            button('Start again', () => void this.start()),
            touched,
          ),
          el(
            'div',
            { class: 'row' },
            button('Train a policy…', () => void this.train(), { title: 'From what was played here' }),
            button('Save trace.csv', () => this.save(), { title: 'What you did, for `loom fragments train`' }),
          ),
        ),
        el(
          'div',
          { class: 'theatre' },
          this.view.element,
          this.rewind.element,
          el('div', { class: 'row readouts' }, this.score, el('span', { class: 'grow' }), this.delay),
        ),
        el(
          'p',
          { class: 'faint readout' },
          'W or ↑ goes, Shift runs, A and D turn, Q and E step aside, Space jumps; or a gamepad. Collect the spheres, jump over the gaps.',
        ),
      ),
    );
    this.live.onframe = frame => this.show(frame);
    socket.on('asked', event => {
      if (event.scene === this.scene) this.trace.add(event);
      if (this.trace.seconds > this.trace.keptSeconds + kKeepSeconds) void this.keepSoFar(this.trace);
    });
    addEventListener('keyup', event => {
      if (!this.element.hidden) {
        this.controls.key(event, false);
        this.tell(event);
      }
    });
    addEventListener('blur', event => {
      this.controls.letGo();
      this.tell(event);
    });
    addEventListener('pagehide', () => void this.keepTrace(true));
    this.view.onbeat = () => {
      this.tell();
      return false;
    };
    this.view.ondrawn = () => {
      if (!this.delays.drawn(this.answered, performance.now())) return;
      this.delay.textContent = this.delays.text();
      this.element.dataset.delays = this.delays.all.map(delay => delay.toFixed(1)).join(' ');
    };
    this.showSticks(matchMedia('(pointer: coarse)').matches);
  }

  enter(): void {
    project.watch(() => void this.refresh());
  }

  shown(): void {
    if (this.entered) void this.start();
    this.entered = true;
  }

  hidden(): void {
    this.controls.letGo();
    this.live.stop();
    void this.keepTrace();
  }

  key(event: KeyboardEvent): boolean {
    const ours = this.controls.key(event, true);
    if (ours) this.tell(event);
    return ours;
  }

  private showSticks(shown: boolean): void {
    this.sticks.element.hidden = !shown;
    this.element.querySelector('#sticks')!.setAttribute('aria-pressed', String(shown));
  }

  private async refresh(): Promise<void> {
    const got = await attempt(() => call('GET /api/policies'));
    if (!got) return;
    this.traces = got.traces;
    const kept = this.policy.value,
      first = !this.policy.options.length;
    fill(
      this.policy,
      el('option', { value: '' }, 'motion matching'),
      got.policies.map(name => el('option', { value: name }, `policy ${name}`)),
    );
    this.policy.value = got.policies.includes(kept) ? kept : '';
    if (first) await this.start();
  }

  private async start(): Promise<void> {
    void this.keepTrace();
    this.score.textContent = 'making ready…';
    const turn = ++this.turn;
    const scene = await attempt(() =>
      call('POST /api/play', { body: { policy: this.policy.value, root: this.root.value, characters: Number(this.count.value) } }),
    );
    if (turn !== this.turn) return;
    if (!scene || this.element.hidden) {
      this.score.textContent = '';
      return;
    }
    commandBar.show('play', ...scene.command, '--trace', 'trace.csv', '-o', 'play.glb');
    this.game?.object.removeFromParent();
    this.game = new Game();
    this.trace = new Trace();
    this.scene = scene.scene;
    this.view.scene.add(this.game.object);
    this.rewind.start();
    await this.live.start(scene);
    this.view.lookAt(new THREE.Vector3(0, 0.9, 0), 6.5, Math.PI, 0.5);
    this.last = '';
    this.tell();
  }

  // Passes on what the player wants, when that has changed; by which event, where there was one.
  private tell(event?: Event): void {
    if (!this.live.running) return;
    const wish = this.controls.wish(),
      text = JSON.stringify(wish);
    if (text === this.last) return;
    this.last = text;
    const seq = socket.say(wish);
    if (event?.type === 'keydown' || event?.type === 'pointerdown') this.delays.asked(seq, event.timeStamp);
  }

  private show(frame: SceneFrame): void {
    this.answered = frame.answered;
    const [x, z] = frame.values;
    this.game?.update(x, z, frame.characters[0].planted !== 0);
    const { game } = this;
    if (game)
      this.score.textContent = `${game.score} spheres · ${game.jumped} gaps jumped${game.stepped ? `, stepped into ${game.stepped}` : ''} · ${this.trace.seconds.toFixed(0)} s played`;
    Object.assign(this.element.dataset, {
      x: x.toFixed(3),
      z: z.toFixed(3),
      heading: frame.values[2].toFixed(3),
      frames: String(this.live.frames),
      pictures: String(this.view.pictures),
      planted: String(frame.characters[0].planted),
    });
  }

  // What was played is kept in the library, whatever happens to the page: as it goes on, and when it ends.
  private async keepTrace(closing = false): Promise<void> {
    const { trace } = this;
    this.trace = new Trace();
    this.scene = 0;
    if (!trace.isWorthKeeping || project.state?.read_only) return;
    if (closing) {
      callLast('POST /api/traces', { body: { name: this.traceName, csv: trace.csv(), again: trace.keptAs } });
    } else {
      await this.keepSoFar(trace);
      await attempt(() => this.refresh());
    }
  }

  // A page that closes can send no more than 64 kB, which is less than a minute of a gamepad's stick.
  private async keepSoFar(trace: Trace): Promise<void> {
    if (!trace.isWorthKeeping || project.state?.read_only) return;
    trace.keptSeconds = trace.seconds;
    await trace.saving;
    trace.saving = attempt(async () => {
      trace.keptAs = (await call('POST /api/traces', { body: { name: this.traceName, csv: trace.csv(), again: trace.keptAs } })).name;
    });
    await trace.saving;
  }

  private get traceName(): string {
    return `played-${new Date().toISOString().slice(0, 16).replace(/[-:]/g, '').replace('T', '-')}`;
  }

  private async train(): Promise<void> {
    await this.keepSoFar(this.trace);
    await this.refresh();
    const asked = await askTraining(this.traces);
    if (!asked) return;
    const started = await attempt(() => call('POST /api/policies', { body: asked }));
    if (!started) return;
    for (const command of started.commands) commandBar.show('play', ...command);
    const job = await jobEnd(started.job);
    if (job.state !== 'done') return;
    notify(`The policy ${asked.name} is ready`);
    await this.refresh();
    this.policy.value = asked.name;
    await this.start();
  }

  private save(): void {
    saveText('trace.csv', this.trace.csv());
  }
}
