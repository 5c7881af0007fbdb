// SPDX-License-Identifier: MIT
// Motion as it is made: sources with how they do, the figure, calibration with a countdown, takes that are kept or thrown
// away (Huang 2012 chapters 5 and 9). Everything can be done from across the room, by keys or a gamepad.
import { call } from '../api';
import { commandBar } from '../command_bar';
import { option } from '../command_words';
import { button, counted, el, fill, isTyping } from '../dom';
import { attempt } from '../notices';
import { Page } from '../page';
import { Events, LiveState, SourceInfo } from '../routes';
import { SceneFrame, socket } from '../socket';
import { LiveView } from '../stage/live';
import { View } from '../stage/view';
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
  private readonly countdown = el('div', { class: 'live-countdown', hidden: true, 'aria-live': 'assertive' });
  private readonly record = button('Record', () => this.setRecording(!this.recording), {
    class: 'live-record primary',
    key: 'Space',
    title: 'Record a take, or end it',
  });
  private readonly clock = el('span', { class: 'clock', id: 'live-clock' });
  private readonly told = el('p', { class: 'readout faint', id: 'live-told' });
  private readonly takes = new TakeList();
  private readonly phone = new PhoneSensor();
  private state: LiveState = { protocols: [], sources: [], roles: [] };
  private source = 0; // the one that is shown
  private scene = 0;
  private recording = false;
  private busy = false; // somebody stands in a pose
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
      el('aside', { class: 'panel', 'aria-label': 'Takes' }, this.takes.element),
    );
    this.live.onframe = frame => this.showFrame(frame);
    this.view.onbeat = () => this.poll();
    this.takes.oncommand = (words: (string | number)[]) => commandBar.show('capture', ...words);
    this.phone.onjoin = () => this.choose(kPages);
    socket.on('take', event => this.addTake(event));
    this.setUsable();
  }

  enter(): void {
    this.view.setFloor(0);
  }

  shown(): void {
    void this.look();
    this.timer = window.setInterval(() => void this.look(), kPoll);
    if (this.source) void this.show();
  }

  hidden(): void {
    clearInterval(this.timer);
    this.setRecording(false);
    this.live.stop();
  }

  key(event: KeyboardEvent): boolean {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return false;
    const does: Record<string, () => void> = {
      ' ': () => this.setRecording(!this.recording),
      c: () => void this.calibrate('t-pose'),
      h: () => void this.calibrate('drift'),
      m: () => this.mirror.click(),
      k: () => void this.takes.keepLast(),
      r: () => void this.takes.replaceLast(),
      x: () => void this.takes.throwLast(),
    };
    const act = does[event.key.toLowerCase()];
    if (!act) return false;
    event.preventDefault();
    act();
    return true;
  }

  // A gamepad in the free hand: A records, X keeps, Y replaces, B throws away, the shoulder mirrors.
  private poll(): boolean {
    const pad = navigator.getGamepads?.().find(found => found) ?? null;
    const acts = [
      () => this.setRecording(!this.recording),
      () => void this.takes.throwLast(),
      () => void this.takes.keepLast(),
      () => void this.takes.replaceLast(),
      () => this.mirror.click(),
    ];
    const now = pad ? pad.buttons.map(({ pressed }) => pressed) : [];
    acts.forEach((act, i) => {
      if (now[i] && !this.pressed[i]) act();
    });
    this.pressed = now;
    return false;
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
    const body = { mirror: this.mirror.checked, delay: Number(this.delay.value) / 1000 };
    const scene = await attempt(() => call('POST /api/live/*/show', { names: [this.source], body }));
    if (!scene || this.element.hidden) return;
    this.scene = scene.scene;
    await this.live.start(scene);
    this.element.dataset.scene = String(scene.scene);
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
    const [seconds, held] = frame.values;
    this.clock.textContent = seconds >= 0 ? `${seconds.toFixed(1)} s` : '';
    Object.assign(this.element.dataset, { frames: String(this.live.frames), held: String(held), hand: this.placeOf(frame) });
  }

  private placeOf(frame: SceneFrame): string {
    return Array.from(frame.characters[0].rotations.subarray(0, 84), value => value.toFixed(2)).join(' ');
  }

  private addTake(event: Events['take']): void {
    if (event.scene !== this.scene) return;
    this.takes.add(new Take(event.made, event.seconds));
    this.told.textContent = `A take of ${event.seconds.toFixed(1)} s: K keeps it, R puts it in the place of the last, X throws it away.`;
  }
}
