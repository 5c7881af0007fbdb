// SPDX-License-Identifier: MIT
// Motion as it is made: sources with how they do, the figure, calibration with a countdown, takes that are kept or thrown
// away (Huang 2012 chapters 5 and 9). Everything can be done from across the room, by keys or a gamepad.
import { call } from '../api';
import { commandBar } from '../command_bar';
import { option } from '../command_words';
import { button, counted, el, fill, isTyping } from '../dom';
import { attempt } from '../notices';
import { Page } from '../page';
import { Controls } from '../play/controls';
import { Events, LiveState, SourceInfo } from '../routes';
import { SceneFrame, socket } from '../socket';
import { LiveView } from '../stage/live';
import { View } from '../stage/view';
import { libraryChanges } from '../undo';
import { GrowingCoverage } from './coverage';
import { PhoneSensor } from './phone';
import { Take, TakeList } from './takes';

const kPoll = 500; // milliseconds between two looks at the sources
const kCountdown = 5; // seconds to get into a pose
const kHeld = 2; // seconds it is held
const kPages = 1; // the source that pages send to

export class CapturePage implements Page {
  readonly name = 'capture';
  readonly title = 'Capture';
  readonly element: HTMLElement;
  private readonly view = new View();
  private readonly live = new LiveView(this.view);
  private readonly address = el('input', {
    type: 'text',
    value: 'vmc:39539',
    'aria-label': 'Source',
    id: 'live-address',
    list: 'live-protocols',
  });
  private readonly protocols = el('datalist', { id: 'live-protocols' });
  private readonly poses: HTMLButtonElement[] = [];
  private readonly hint = el(
    'p',
    { class: 'faint' },
    'Start what sends motion (a suit’s program, a VR tracker, VSeeFace …), say its protocol and port, and press Listen. Or open this page on a phone and let it send how it is turned.',
  );
  private readonly sources = el('div', { class: 'live-sources', id: 'live-sources' });
  private readonly mirror = el('input', { type: 'checkbox', id: 'live-mirror', onchange: () => void this.show() });
  private readonly delay = el('input', {
    type: 'number',
    value: 60,
    min: 0,
    max: 2000,
    step: 10,
    'aria-label': 'Delay in milliseconds',
    onchange: () => void this.show(),
  });
  // What live motion goes over, and what of it the performer moves.
  private readonly over = el('select', { id: 'live-over', 'aria-label': 'What live motion goes over', onchange: () => this.showOver() });
  private readonly part = el(
    'select',
    { id: 'live-part', 'aria-label': 'What the performer moves', onchange: () => this.showOver() },
    el('option', { value: 'upper' }, 'the upper body is the performer’s'),
    el('option', { value: 'body' }, 'all of it, while somebody performs'),
  );
  private readonly steering = el(
    'p',
    { class: 'faint', hidden: true },
    'W or ↑ goes, Shift runs, A and D turn, Q and E step aside; or the sticks of a gamepad.',
  );
  private readonly controls = new Controls(false);
  private readonly countdown = el('div', { class: 'live-countdown', hidden: true, 'aria-live': 'assertive' });
  private readonly record = button('Record', () => this.setRecording(!this.recording), {
    class: 'live-record primary',
    key: 'Space',
    title: 'Record a take, or end it',
  });
  private readonly clock = el('span', { class: 'clock', id: 'live-clock' });
  private readonly told = el('p', { class: 'readout faint', id: 'live-told' });
  private readonly takes = new TakeList();
  private readonly coverage = new GrowingCoverage(this.view);
  private readonly phone = new PhoneSensor();
  private state: LiveState = { protocols: [], sources: [], roles: [] };
  private source = 0; // the one that is shown
  private scene = 0;
  private recording = false;
  private busy = false; // somebody stands in a pose
  private driven = false; // something else moves the character, too
  private wished = ''; // of it, last
  private turn = 0; // counts what is shown: a slow answer does not follow a later one
  private timer = 0;
  private pressed: boolean[] = []; // buttons of the gamepad

  constructor() {
    const pose = (text: string, name: string, key: string, title: string) => {
      const made = button(text, () => void this.calibrate(name), { key, title });
      this.poses.push(made);
      return made;
    };
    this.element = el(
      'div',
      { class: 'page capture-page' },
      el(
        'aside',
        { class: 'panel', 'aria-label': 'Sources' },
        el('h2', {}, 'Sources'),
        el(
          'div',
          { class: 'row' },
          this.address,
          button('Listen', () => void this.listen(), { class: 'primary' }),
        ),
        this.protocols,
        this.hint,
        this.sources,
        el('h2', {}, 'Calibration'),
        el(
          'div',
          { class: 'row wrap' },
          pose('T-pose', 't-pose', 'C', `In ${kCountdown} s: stand in a T-pose, looking ahead`),
          pose('Arms down', 'arms-down', '', 'After a T-pose: finds where sensors without a compass think ahead is'),
          pose('Bow', 'bow', '', 'The same for trunk and head'),
          pose('Headings', 'drift', 'H', 'Stand in the T-pose again: what has drifted is put right'),
        ),
        el('label', { class: 'check' }, this.mirror, 'the arm without sensors mirrors the other'),
        el('label', { class: 'row' }, 'delay, ms', this.delay),
        el('h2', {}, 'Over'),
        el('div', { class: 'live-over' }, this.over, this.part),
        this.steering,
        this.phone.element,
      ),
      el(
        'main',
        { class: 'theatre' },
        this.view.element,
        this.countdown,
        el('div', { class: 'transport' }, this.record, this.clock),
        this.told,
      ),
      el('aside', { class: 'panel', 'aria-label': 'Takes' }, this.coverage.element, this.takes.element),
    );
    this.live.onframe = frame => this.showFrame(frame);
    this.view.onbeat = () => this.poll();
    this.takes.oncommand = (words: (string | number)[]) => commandBar.show('capture', ...words);
    this.takes.onfamily = (family, examples) => void this.coverage.look(family, examples);
    this.phone.onjoin = () => this.choose(kPages);
    socket.on('take', event => this.addTake(event));
    addEventListener('keyup', event => {
      if (!this.element.hidden) this.controls.key(event, false);
    });
    addEventListener('blur', () => this.controls.letGo());
    this.offer([]);
    this.setUsable();
  }

  enter(): void {
    this.view.setFloor(0);
  }

  shown(): void {
    void this.look();
    void this.findPolicies();
    this.timer = window.setInterval(() => void this.look(), kPoll);
    if (this.source) void this.show();
  }

  hidden(): void {
    clearInterval(this.timer);
    this.controls.letGo();
    this.setRecording(false);
    this.live.stop();
  }

  key(event: KeyboardEvent): boolean {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return false;
    const does: Record<string, () => void> = {
      ' ': () => this.setRecording(!this.recording),
      c: () => void this.calibrate('t-pose'),
      h: () => void this.calibrate('drift'),
      b: () => this.mirror.click(),
      k: () => void this.takes.refine(),
      n: () => void this.takes.begin(),
      r: () => void this.takes.replace(),
      m: () => void this.takes.mirror(),
      x: () => void this.takes.throwLast(),
      u: () => void (event.shiftKey ? libraryChanges.redo() : libraryChanges.undo()),
    };
    if (this.driven && this.controls.key(event, true)) return true;
    if (event.repeat) return false; // a command is given once
    const act = does[event.key.toLowerCase()];
    if (!act) return false;
    event.preventDefault();
    act();
    return true;
  }

  // A gamepad in the free hand: its buttons by their numbers in the standard layout.
  private poll(): boolean {
    const pad = navigator.getGamepads?.().find(found => found) ?? null;
    const acts: Record<number, () => void> = {
      0: () => this.setRecording(!this.recording), // A
      1: () => void this.takes.throwLast(), // B
      2: () => void this.takes.refine(), // X
      3: () => void this.takes.replace(), // Y
      4: () => void libraryChanges.undo(), // the left shoulder
      5: () => void libraryChanges.redo(), // the right one
      8: () => this.mirror.click(), // back
      9: () => void this.calibrate('t-pose'), // start
      12: () => void this.takes.begin(), // the cross, up
      13: () => void this.takes.mirror(), // and down
    };
    const now = pad ? pad.buttons.map(({ pressed }) => pressed) : [];
    now.forEach((pressed, i) => {
      if (pressed && !this.pressed[i]) acts[i]?.();
    });
    this.pressed = now;
    this.steer();
    return false;
  }

  // Passes on what is wanted of the character that live motion goes over, when that has changed.
  private steer(): void {
    if (!this.driven || !this.live.running) return;
    const wish = this.controls.wish(),
      text = JSON.stringify(wish);
    if (text === this.wished) return;
    this.wished = text;
    socket.say(wish);
  }

  private async findPolicies(): Promise<void> {
    const found = await call('GET /api/policies').catch(() => null);
    if (found) this.offer(found.policies);
  }

  private offer(policies: string[]): void {
    const { value } = this.over;
    fill(
      this.over,
      el('option', { value: 'nothing' }, 'nothing: the performer alone'),
      el('option', { value: 'matching' }, 'motion matching'),
      policies.map(name => el('option', { value: `policy ${name}` }, `policy ${name}`)),
    );
    this.over.value = [...this.over.options].some(choice => choice.value === value) ? value : 'nothing';
    this.part.hidden = this.over.value === 'nothing';
  }

  // What was chosen does not keep the keys.
  private showOver(): void {
    this.over.blur();
    this.part.blur();
    this.part.hidden = this.over.value === 'nothing';
    void this.show();
  }

  private async look(): Promise<void> {
    const state = await call('GET /api/live').catch(() => null);
    if (!state) return;
    this.state = state;
    if (!this.protocols.childElementCount) {
      fill(
        this.protocols,
        state.protocols.map(({ name, port, what }) => el('option', { value: `${name}:${port}` }, what)),
      );
    }
    fill(
      this.sources,
      state.sources.filter(source => source.id !== kPages || source.frames > 0).map(source => this.row(source)),
    );
    this.setUsable();
    this.element.dataset.sources = JSON.stringify(state.sources.map(({ id, frames, used }) => [id, frames, used]));
  }

  // What needs a source cannot be pressed before there is one.
  private setUsable(): void {
    const some = this.source !== 0;
    this.hint.hidden = some;
    for (const one of [...this.poses, this.record]) one.disabled = !some;
  }

  private row(source: SourceInfo): HTMLElement {
    const silent = source.silent_s < 0 ? 'nothing yet' : source.silent_s > 1 ? `silent for ${source.silent_s.toFixed(0)} s` : null;
    const facts =
      silent ?? `${source.rate_hz.toFixed(0)} Hz, jitter ${source.jitter_ms.toFixed(1)} ms, ${counted(source.parts.length, 'part')}`;
    const worn = new Map(source.sensors.map(({ name, role }) => [name, role]));
    const unworn = source.parts.filter(part => source.used < source.parts.length || worn.has(part));
    return el(
      'section',
      { class: source.id === this.source ? 'live-source chosen' : 'live-source' },
      el(
        'div',
        { class: 'row' },
        button(source.address, () => this.choose(source.id), { class: 'quiet', title: 'Show what it sends' }),
        source.id !== kPages && button('×', () => void this.close(source.id), { class: 'quiet', title: 'Stop listening' }),
      ),
      el('p', { class: silent ? 'faint warn' : 'faint' }, facts),
      (source.malformed > 0 || source.lost > 0) &&
        el('p', { class: 'faint' }, `${source.malformed} not understood${source.fault ? ` (${source.fault})` : ''}, ${source.lost} lost`),
      source.parts.length > 0 &&
        source.used < source.parts.length &&
        el(
          'div',
          { class: 'live-worn' },
          unworn.slice(0, 20).map(part => this.wornOn(source, part, worn.get(part) ?? null)),
        ),
    );
  }

  private wornOn(source: SourceInfo, sensor: string, role: string | null): HTMLElement {
    const choice = el(
      'select',
      { 'aria-label': `Where ${sensor} is worn` },
      el('option', { value: '' }, 'worn nowhere'),
      this.state.roles.map(name => el('option', { value: name, selected: name === role }, name.replaceAll('_', ' '))),
    );
    choice.addEventListener('change', () => {
      void attempt(() => call('POST /api/live/*/worn', { names: [source.id], body: { sensor, role: choice.value || null } }));
    });
    return el('label', { class: 'row' }, sensor, choice);
  }

  private async listen(): Promise<void> {
    const opened = await attempt(() => call('POST /api/live', { body: { source: this.address.value } }));
    if (!opened) return;
    commandBar.show('capture', 'live', 'record', 'LIBRARY', ...option('--source', this.address.value), '--seconds', 10);
    await this.look();
    this.choose(opened.source);
  }

  private async close(id: number): Promise<void> {
    await attempt(() => call('DELETE /api/live/*', { names: [id] }));
    if (id === this.source) {
      this.source = 0;
      this.live.stop();
    }
    await this.look();
  }

  private choose(id: number): void {
    this.source = id;
    this.setUsable();
    this.takes.source = this.state.sources.find(source => source.id === id)?.address ?? this.address.value;
    void this.show();
    void this.look();
  }

  private async show(): Promise<void> {
    if (!this.source) return;
    this.setRecording(false);
    const [over, ...words] = this.over.value.split(' '),
      turn = ++this.turn;
    const body = {
      mirror: this.mirror.checked,
      delay: Number(this.delay.value) / 1000,
      over,
      policy: words.join(' '),
      part: this.part.value,
    };
    const scene = await attempt(() => call('POST /api/live/*/show', { names: [this.source], body }));
    if (!scene || turn !== this.turn || this.element.hidden) return;
    this.scene = scene.scene;
    this.driven = scene.driven;
    this.wished = '';
    this.steering.hidden = !scene.driven;
    await this.live.start(scene);
    Object.assign(this.element.dataset, { scene: String(scene.scene), driven: String(scene.driven) });
  }

  // Counts down, large enough to be read from where one stands, and takes the pose.
  private async calibrate(pose: string): Promise<void> {
    if (!this.source || this.busy) return;
    this.busy = true;
    this.countdown.hidden = false;
    const names: Record<string, string> = { 't-pose': 'T-pose', 'arms-down': 'Arms down', bow: 'Bow', drift: 'T-pose' };
    for (let left = Number(this.element.dataset.countdown ?? kCountdown); left > 0; --left) {
      this.countdown.textContent = `${names[pose]} in ${left}`;
      await new Promise(done => setTimeout(done, 1000));
    }
    this.countdown.textContent = `${names[pose]}: keep still`;
    const made = await attempt(() => call('POST /api/live/*/calibrate', { names: [this.source], body: { pose, seconds: kHeld } }));
    this.countdown.hidden = true;
    this.busy = false;
    if (made) this.told.textContent = `${names[pose]}: ${counted(made.corrected, 'sensor')} put right.`;
    await this.look();
  }

  private setRecording(on: boolean): void {
    if (on === this.recording || (on && !this.live.running)) return;
    this.recording = on;
    this.record.textContent = on ? 'Stop' : 'Record';
    this.record.classList.toggle('recording', on);
    socket.say({ record: on });
  }

  private showFrame(frame: SceneFrame): void {
    const [seconds, held, , x, z, heading, performs] = frame.values;
    this.coverage.follow(x, z, heading);
    this.clock.textContent = seconds >= 0 ? `${seconds.toFixed(1)} s` : '';
    Object.assign(this.element.dataset, {
      frames: String(this.live.frames),
      held: String(held),
      hand: this.placeOf(frame),
      place: `${x.toFixed(2)} ${z.toFixed(2)} ${heading.toFixed(2)}`,
      performs: String(performs),
      worn: String(frame.worn.length),
    });
  }

  private placeOf(frame: SceneFrame): string {
    return Array.from(frame.characters[0].rotations.subarray(0, 84), value => value.toFixed(2)).join(' ');
  }

  private addTake(event: Events['take']): void {
    if (event.scene !== this.scene) return;
    this.takes.add(new Take(event.made, event.seconds));
    this.told.textContent = `A take of ${event.seconds.toFixed(1)} s: K keeps it, N in a new family, R in the place of the last; X throws it away, U takes that back.`;
  }
}
