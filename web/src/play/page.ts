// SPDX-License-Identifier: MIT
// A character in the player's hand, and the little game to try it in.
import * as THREE from 'three';
import { addressOf, call, callLast, callPacked } from '../api';
import { commandBar } from '../command_bar';
import { Word, option } from '../command_words';
import { button, el, fill, saveText, workButton } from '../dom';
import { jobEnd } from '../jobs';
import { askText, attempt, confirmed, notify } from '../notices';
import { Page } from '../page';
import { Rewind } from '../moments/rewind';
import { wantedWay } from '../moments/ways';
import { newClipName, project } from '../project';
import { PlayedTrace, PlayInfo } from '../routes';
import { SceneFrame, socket } from '../socket';
import { LiveView } from '../stage/live';
import { Pointers } from '../stage/pointers';
import { Trailing } from '../stage/trailing';
import { View } from '../stage/view';
import { onWorn } from '../worn';
import { Controls } from './controls';
import { Delays } from './delays';
import { Game } from './game';
import { Sticks } from './sticks';
import { Trace } from './trace';
import { askTraining } from './train_dialog';

const kKeepSeconds = 20; // of play, after which it is kept
const kTrailSeconds = 0.6; // in which the camera goes round after the character
const kWorthSaving = 1; // seconds of play
const kRoots = [
  ['between', 'recorded steps, nudged your way'],
  ['motion', 'recorded steps as they are'],
  ['control', 'exactly where you steer'],
];

export class PlayPage implements Page {
  readonly name = 'play';
  readonly title = 'Play';
  readonly element: HTMLElement;
  private readonly view = new View();
  private readonly live = new LiveView(this.view);
  private readonly trailing = new Trailing(this.view, kTrailSeconds);
  private readonly pointers = new Pointers(this.view);
  private heading = 0; // of the character
  private readonly place = new THREE.Vector3();
  private asked = { policy: '', root: '' }; // of the scene that is played
  private words: Word[] = []; // of the command that plays the same
  private readonly rewind = new Rewind(this.live, this.view, { wanted: ({ values, wish }) => wantedWay(values, wish) });
  private readonly controls = new Controls();
  private readonly sticks = new Sticks(event => this.tell(event));
  private game: Game | null = null;
  private info: PlayInfo | null = null; // of what is played: of a part of the motion nothing is kept
  private scene = 0; // that the trace is of
  private trace = new Trace();
  private traces: PlayedTrace[] = [];
  private policies: string[] = []; // that there are
  private asking = false; // what is to be trained
  private readonly policy = el('select', { id: 'policy', 'aria-label': 'Controller', onchange: () => this.startAnew(this.policy) });
  private readonly root = el(
    'select',
    {
      id: 'root',
      'aria-label': 'Who decides where the character is',
      title: 'Who decides where the character is',
      onchange: () => this.startAnew(this.root),
    },
    kRoots.map(([value, text]) => el('option', { value }, text)),
  );
  private readonly count = el(
    'select',
    { 'aria-label': 'Characters', id: 'characters', onchange: () => this.startAnew(this.count) },
    [1, 5, 20].map(n => el('option', { value: n }, n === 1 ? '1 character' : `${n} characters`)),
  );
  private readonly saves = el(
    'span',
    { class: 'row' },
    workButton('Keep as a clip…', () => this.keep(), { title: 'What your character did so far, as a clip of the library' }),
    workButton('Save glb', () => this.saveGlb(), { title: 'What your character did so far, for Blender and engines' }),
    button('Save steering', () => this.save(), { title: 'What you pressed, as trace.csv for the command below' }),
  );
  private readonly score = el('p', { class: 'readout', id: 'score' });
  private readonly delay = el('span', { class: 'faint delay', id: 'delay' });
  private readonly delays = new Delays();
  private answered = 0; // by the newest frame
  private last = '';
  private entered = false;
  private waits = false; // for motion
  private turn = 0; // counts starts, so that a slow one does not follow a later one

  constructor() {
    const touched = el(
      'button',
      { type: 'button', id: 'sticks', 'aria-pressed': false, onclick: () => this.showSticks(this.sticks.element.hidden) },
      'Sticks',
    );
    this.sticks.element.hidden = true;
    this.view.element.append(this.pointers.element, this.sticks.element);
    this.controls.sticks = () => this.sticks.wish();
    this.element = el(
      'div',
      { class: 'page play-page' },
      el(
        'main',
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
            button('Train a policy…', () => void this.train(), { title: 'A controller that learns from what was played here' }),
            this.saves,
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
          'W or ↑ goes, Shift runs, A and D turn, Q and E step aside, Space jumps; or a gamepad. Collect the spheres, jump over the gaps; arrows at the edge point at spheres out of sight.',
        ),
      ),
    );
    this.live.onframe = frame => this.show(frame);
    socket.on('whole', event => {
      if (event.scene !== this.info?.scene) return;
      this.info = { ...this.info, clips: event.clips, part: undefined };
      this.rewind.start(this.info);
    });
    socket.on('asked', event => {
      if (event.scene === this.scene && !this.info?.part) this.trace.add(event);
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
    this.view.onbeat = seconds => {
      this.tell();
      if (this.live.running) this.trailing.go(this.heading, seconds);
      this.element.dataset.behind = this.trailing.off(this.heading).toFixed(3);
      return false;
    };
    this.view.ondrawn = () => {
      if (this.game) this.element.dataset.pointed = String(this.pointers.show(this.game.goals, this.place));
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

  // What was chosen does not keep the keys: they are the player's.
  private startAnew(chosen: HTMLSelectElement): void {
    chosen.blur();
    void this.start();
  }

  private async refresh(): Promise<void> {
    const got = await attempt(() => call('GET /api/policies'));
    if (!got) return;
    this.traces = got.traces;
    this.policies = got.policies;
    const kept = this.policy.value,
      first = !this.policy.options.length;
    fill(
      this.policy,
      el('option', { value: '' }, 'motion matching'),
      got.policies.map(name => el('option', { value: name }, `policy ${name}`)),
    );
    this.policy.value = got.policies.includes(kept) ? kept : '';
    if (first || (this.waits && !this.element.hidden)) await this.start();
  }

  private async start(): Promise<void> {
    void this.keepTrace();
    this.waits = !project.state?.clips.length; // what leads to motion stands in the place of the page
    if (this.waits) return;
    this.score.textContent = 'making ready…';
    const turn = ++this.turn,
      asked = { policy: this.policy.value, root: this.root.value };
    const scene = await attempt(() => call('POST /api/play', { body: { ...asked, characters: Number(this.count.value) } }));
    if (turn !== this.turn) return;
    if (!scene || this.element.hidden) {
      this.score.textContent = '';
      return;
    }
    this.asked = asked;
    this.words = [...scene.command, '--trace', 'trace.csv'];
    commandBar.show('play', ...this.words, '-o', 'play.glb');
    this.game?.object.removeFromParent();
    this.game = new Game();
    this.trace = new Trace();
    this.scene = scene.scene;
    this.info = scene;
    this.view.scene.add(this.game.object);
    this.rewind.start(scene);
    await this.live.start(scene);
    this.view.lookAt(new THREE.Vector3(0, 0.9, 0), 6.5, Math.PI, 0.5);
    this.trailing.reset();
    this.heading = 0;
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
    const [x, z, heading] = frame.values;
    this.heading = heading;
    this.place.set(x, 0.9, z);
    this.saves.toggleAttribute('inert', this.trace.seconds < kWorthSaving);
    this.game?.update(x, z, frame.characters[0].planted !== 0);
    if (this.game) this.score.textContent = this.told(this.game);
    Object.assign(this.element.dataset, {
      x: x.toFixed(3),
      z: z.toFixed(3),
      heading: frame.values[2].toFixed(3),
      frames: String(this.live.frames),
      pictures: String(this.view.pictures),
      planted: String(frame.characters[0].planted),
      part: String(this.info?.part?.clips ?? ''),
    });
  }

  private told(game: Game): string {
    const part = this.info?.part;
    const time = part
      ? `with ${part.clips} of ${part.of.toLocaleString('en')} clips until all are measured; what you do from then on can be kept`
      : `${this.trace.seconds.toFixed(0)} s played`;
    return `${game.score} spheres · ${game.jumped} gaps jumped${game.stepped ? `, stepped into ${game.stepped}` : ''} · ${time}`;
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
    const asked = await this.askTraining();
    const started = asked && (await attempt(() => call('POST /api/policies', { body: asked })));
    if (!asked || !started) return;
    for (const command of started.commands) commandBar.show('play', ...command);
    const job = await jobEnd(started.job);
    if (job.state !== 'done') return;
    notify(`The policy ${asked.name} is ready`);
    await this.refresh();
    this.policy.value = asked.name;
    await this.start();
  }

  // What is to be trained, once: a second press asks nothing. A name that is taken is asked about, and may be changed.
  private async askTraining(): Promise<{ name: string; traces: string[] } | null> {
    if (this.asking) return null;
    this.asking = true;
    try {
      await this.keepSoFar(this.trace);
      await this.refresh();
      for (let named = 'studio'; ;) {
        const asked = await askTraining(this.traces, named);
        if (!asked || !this.policies.includes(asked.name)) return asked;
        if (await confirmed(`There is a policy called ${asked.name} already. Put a new one in its place?`, 'Replace it')) return asked;
        named = asked.name;
      }
    } finally {
      this.asking = false;
    }
  }

  private save(): void {
    saveText('trace.csv', this.trace.csv());
    commandBar.show('play', ...this.words, '-o', 'play.glb');
  }

  // What was played so far, made once more of what was asked for; the number under which the server has it.
  private async remake(): Promise<number | undefined> {
    const body = { ...this.asked, csv: this.trace.csv() };
    return (await attempt(() => callPacked('POST /api/play/played', { body })))?.header.made;
  }

  private async saveGlb(): Promise<void> {
    const made = await this.remake();
    if (made === undefined) return;
    el('a', { href: addressOf('GET /api/made/*/file/*', { names: [made, 'glb'], query: onWorn('glb') }), download: '' }).click();
    commandBar.show('play', ...this.words, '-o', 'play.glb');
  }

  private async keep(): Promise<void> {
    const made = await this.remake();
    if (made === undefined) return;
    const as = await askText('Name of the new clip', 'played-1', [], newClipName);
    if (!as || !(await attempt(() => call('POST /api/made/*/keep', { names: [made], body: { as } })))) return;
    notify(`${as} is in the library`);
    await project.refresh();
    commandBar.show('play', ...this.words, ...option('--add', as));
  }
}
