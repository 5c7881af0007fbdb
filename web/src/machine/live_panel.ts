// SPDX-License-Identifier: MIT
// The character plays a built machine live (Srinivasan 2009 §6.1): wishes by keys and buttons; state, mode and queue.
import { call } from '../api';
import { button, el, fill, isTyping } from '../dom';
import { Motion } from '../motion';
import { Rewind } from '../moments/rewind';
import { walkedWay } from '../moments/ways';
import { attempt } from '../notices';
import { Events, MachineScene } from '../routes';
import { SceneFrame, socket } from '../socket';
import { LiveView } from '../stage/live';
import { Player } from '../stage/player';
import { View } from '../stage/view';
import { Lights } from './drawing';
import { SpaceView } from './space_view';
import { wishKeys } from './wish_keys';

const kModes = ['playback', 'preparation', 'transition'];

export class LivePanel {
  readonly element: HTMLElement;
  onlights: ((lights: Lights | null) => void) | null = null;
  onstart: (() => void) | null = null; // it began to play by itself
  private readonly view = new View();
  private readonly live = new LiveView(this.view);
  private readonly rewind = new Rewind(this.live, this.view, {
    hold: held => this.say({ speed: held ? 0 : 1 }),
    // States that vary in how fast one goes have a way that is wanted; others have none.
    wanted: ({ poses, values }) => walkedWay(poses[0], this.scene?.states[values[0]]?.parameters ?? [], values.slice(4)),
  });
  private readonly player = new Player(this.view); // of single transitions
  private readonly modes = kModes.map(mode => el('span', { class: 'mode-light', 'data-mode': mode }, mode));
  private readonly wishes = el('div', { class: 'chips wishes', id: 'wishes', role: 'group', 'aria-label': 'Behaviors to wish for' });
  private readonly queue = el('span', { id: 'machine-queue', 'aria-live': 'polite' });
  private readonly delay = el('span', { class: 'faint', id: 'machine-delay' });
  private readonly sliders = el('div', { class: 'sliders', id: 'machine-parameters' });
  private readonly what = el('p', { class: 'readout', id: 'machine-shown' });
  private readonly controls: HTMLElement;
  private machine = '';
  private scene: MachineScene | null = null;
  private state = '';
  private turn = 0; // starts and stops
  private starting = false; // since a place in a space was dragged
  private space: { state: string; view: SpaceView } | null = null; // that is looked at
  private inputs: { input: HTMLInputElement; output: HTMLOutputElement }[] = [];

  constructor() {
    this.controls = el(
      'div',
      { class: 'live-controls' },
      el('div', { class: 'row modes-row' }, this.modes),
      el(
        'div',
        { class: 'row' },
        this.queue,
        button('Drop wishes', () => this.say({ drop: true }), { class: 'quiet' }),
      ),
      this.wishes,
      this.sliders,
      this.delay,
    );
    this.element = el(
      'section',
      { class: 'machine-live', hidden: true },
      el('div', { class: 'theatre' }, this.view.element, this.what, this.rewind.element),
      this.controls,
    );
    this.live.onframe = frame => this.show(frame);
    socket.on('machine', event => {
      if (event.scene === this.scene?.scene) this.tell(event);
    });
  }

  // What the motions of a state vary in, to be dragged; null where it is one motion. Where nothing plays, dragging
  // begins to play, and goes to that state.
  async spaceOf(machine: string, state: string): Promise<HTMLElement | null> {
    this.space = null;
    const built = this.scene?.states ?? (await attempt(() => call('GET /api/machines/*/states', { names: [machine] })))?.states,
      known = built?.find(({ name }) => name === state);
    if (!known?.parameters.length) return null;
    const view = new SpaceView();
    view.show(known.parameters, known.points);
    view.onwant = (parameter, value) => void this.want(machine, state, parameter, value);
    this.space = { state, view };
    return view.element;
  }

  private async want(machine: string, state: string, parameter: string, value: number): Promise<void> {
    if (!this.live.running) {
      if (this.starting) return;
      this.starting = true;
      await this.start(machine).finally(() => (this.starting = false));
      this.onstart?.();
      this.wish(state);
    }
    this.say({ state, parameter, value });
  }

  get running(): boolean {
    return this.live.running;
  }

  async start(machine: string): Promise<void> {
    const turn = ++this.turn,
      scene = await attempt(() => call('POST /api/machines/*/play', { names: [machine], body: {} }));
    if (!scene || turn !== this.turn) return;
    this.player.clear();
    this.machine = machine;
    this.scene = scene;
    this.state = '';
    this.element.hidden = this.controls.hidden = this.rewind.element.hidden = false;
    this.what.textContent = '';
    this.delay.textContent =
      'Press a key or a button: the character goes there the likeliest way. With Shift the wish waits for those before.';
    const keys = wishKeys(scene.states.map(state => state.name));
    fill(
      this.wishes,
      scene.states.map(({ name }, i) =>
        el(
          'button',
          { type: 'button', class: 'chip', 'data-wish': name, onclick: (event: MouseEvent) => this.wish(name, event.shiftKey) },
          keys[i] ? el('kbd', {}, keys[i]) : '',
          name,
        ),
      ),
    );
    this.rewind.start(scene);
    await this.live.start(scene);
  }

  stop(): void {
    ++this.turn;
    this.live.stop();
    this.scene = null;
    this.player.clear();
    this.element.hidden = true;
    this.onlights?.(null);
  }

  pause(): void {
    this.live.stop();
    this.player.playing = false;
  }

  // Comes back to what was going on.
  resume(): void {
    if (this.scene && !this.live.running) void this.start(this.machine);
  }

  // One transition, again and again, in place of the live character.
  async showMotion(motion: Motion, what: string): Promise<void> {
    ++this.turn;
    this.live.stop();
    this.scene = null;
    this.onlights?.(null);
    this.element.hidden = false;
    this.controls.hidden = this.rewind.element.hidden = true;
    this.what.textContent = what;
    await this.player.show(motion);
    this.player.playing = true;
    this.view.invalidate();
  }

  wish(state: string, queue = false): void {
    this.say({ wish: state, queue });
  }

  // Whether the key was a wish.
  key(event: KeyboardEvent): boolean {
    if (!this.scene || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return false;
    const index = wishKeys(this.scene.states.map(state => state.name)).indexOf(event.key.toLowerCase());
    if (index < 0 || event.repeat) return index >= 0;
    this.wish(this.scene.states[index].name, event.shiftKey);
    event.preventDefault();
    return true;
  }

  private say(message: Parameters<typeof socket.say>[0]): void {
    if (this.live.running) socket.say(message);
  }

  private tell(event: Events['machine']): void {
    this.modes.forEach(light => light.classList.toggle('on', light.dataset.mode === event.mode));
    const rest = event.queue.slice(1).map(({ state }) => state);
    fill(
      this.queue,
      el('strong', {}, event.mode === 'transition' ? `${event.state} → ${event.next}` : event.state),
      event.way.length > 0 && ` · going ${event.way.join(' → ')}`,
      rest.length > 0 && ` · then ${rest.join(', ')}`,
    );
    if (event.delay !== null) this.delay.textContent = `The last wish was answered after ${event.delay.toFixed(2)} s.`;
    this.wishes.querySelectorAll<HTMLElement>('[data-wish]').forEach(chip => {
      chip.setAttribute('aria-pressed', String(chip.dataset.wish === event.state));
      chip.classList.toggle(
        'waiting',
        event.queue.some(({ state }) => state === chip.dataset.wish),
      );
    });
    if (event.state !== this.state) this.showParameters(event.state);
    this.state = event.state;
    this.onlights?.({ state: event.state, queue: [...event.way, ...rest], going: event.mode !== 'playback' });
  }

  private showParameters(state: string): void {
    const known = this.scene?.states.find(({ name }) => name === state)?.parameters ?? [];
    this.inputs = known.map(({ name, least, most, usual }) => ({
      output: el('output', {}),
      input: el('input', {
        type: 'range',
        min: least,
        max: most,
        step: (most - least) / 200 || 1,
        value: String(usual),
        'aria-label': name,
        oninput: (event: Event) => this.say({ state, parameter: name, value: Number((event.target as HTMLInputElement).value) }),
      }),
    }));
    fill(
      this.sliders,
      known.map(({ name, unit }, i) => el('label', {}, `${name} `, this.inputs[i].input, this.inputs[i].output, ` ${unit}`)),
    );
  }

  private show(frame: SceneFrame): void {
    this.element.dataset.frames = String(this.live.frames);
    if (this.space?.state === this.state && frame.values.length > 4) this.space.view.mark(Array.from(frame.values.slice(4)));
    this.inputs.forEach(({ output }, i) => {
      const value = frame.values[4 + i];
      if (value !== undefined) output.textContent = value.toFixed(2);
    });
  }
}
