// SPDX-License-Identifier: MIT
// Walkers among the obstacles, live: what is moved while they walk is moved among them.
import { call } from '../api';
import { commandBar } from '../command_bar';
import { option } from '../command_words';
import { button, el } from '../dom';
import { attempt } from '../notices';
import { DrawnObstacle, WorldDrawing } from '../routes';
import { SceneFrame, socket } from '../socket';
import { LiveView } from '../stage/live';
import { placeOf } from './drawing';
import { WorldModel } from './model';

const kTints = [0xb8402a, 0x2a559e, 0x3f8a46, 0x9c7f28, 0x733f8c, 0x3f7f8c];
const kFacts = 3; // values before those of the obstacles that have moved

export interface CrowdListener {
  world: () => WorldDrawing;
  worldFile: () => string;
  begin: () => void; // the stage is to be free
}

export class CrowdPanel {
  readonly element: HTMLElement;
  private readonly count = el('input', { type: 'number', value: '20', min: 1, max: 200, 'aria-label': 'Walkers' });
  private readonly seed = el('input', {
    type: 'number',
    value: '1',
    min: 0,
    'aria-label': 'Seed',
    title: 'Another seed, other starts and goals',
  });
  private readonly steering = el(
    'select',
    { 'aria-label': 'How they avoid each other' },
    el('option', { value: 'reciprocal' }, 'reciprocal avoidance'),
    el('option', { value: 'avoid' }, 'steer to avoid'),
  );
  private readonly anywhere = el('input', { type: 'checkbox', checked: true, id: 'crowd-anywhere' });
  private readonly go = button('Let them walk', () => void this.walk(), { class: 'primary' });
  private readonly pause = button('Pause', () => this.setPaused(!this.paused));
  private readonly end = button('Stop', () => this.stop());
  private readonly told = el('p', { id: 'crowd-told', 'aria-live': 'polite' });
  private begun: WorldDrawing | null = null; // the world they walk in, as it was at first
  private paused = false;
  private turn = 0;

  constructor(
    private readonly live: LiveView,
    private readonly model: WorldModel,
    private readonly listener: CrowdListener,
  ) {
    this.pause.hidden = this.end.hidden = true;
    this.element = el(
      'section',
      { class: 'crowd-panel', 'aria-label': 'A crowd' },
      el('h2', {}, 'A crowd'),
      el('div', { class: 'numbers' }, el('label', {}, 'walkers', this.count), el('label', {}, 'seed', this.seed)),
      el('label', { class: 'wide' }, 'They avoid each other by', this.steering),
      el('label', { class: 'check', title: 'Else from the starts of the world to its goals' }, this.anywhere, 'from anywhere to anywhere'),
      el('div', { class: 'row' }, this.go, this.pause, this.end),
      this.told,
    );
    this.live.onframe = frame => this.show(frame);
  }

  get walking(): boolean {
    return this.begun !== null;
  }

  async walk(): Promise<void> {
    const turn = ++this.turn,
      world = this.listener.world();
    const body = {
      world,
      characters: Number(this.count.value),
      seed: Number(this.seed.value),
      steering: this.steering.value,
      anywhere: this.anywhere.checked,
    };
    this.go.disabled = true;
    this.told.textContent = 'Learning how the walks are steered…';
    const scene = await attempt(() => call('POST /api/worlds/crowd', { body }));
    this.go.disabled = false;
    this.told.textContent = '';
    if (!scene || turn !== this.turn) return;
    this.listener.begin(); // now: where nobody can walk, what is on the stage stays
    commandBar.show(
      'world',
      'crowd',
      'LIBRARY',
      ...option('--world', this.listener.worldFile()),
      '--characters',
      body.characters,
      '--seed',
      body.seed,
      ...(body.anywhere ? ['--anywhere'] : []),
      ...(body.steering === 'reciprocal' ? [] : ['--steering', body.steering]),
      '--seconds',
      30,
      '-o',
      'crowd.glb',
    );
    this.begun = world;
    this.go.hidden = true;
    this.pause.hidden = this.end.hidden = false;
    const tints = scene.bodies.map((_, i) => kTints[i % kTints.length]);
    await this.live.start(scene, tints);
    this.live.follow(null);
    this.setPaused(false);
    this.moved(this.listener.world()); // meanwhile
  }

  stop(): void {
    ++this.turn;
    if (!this.walking) return;
    this.begun = null;
    this.live.stop();
    this.model.settle();
    this.go.hidden = false;
    this.pause.hidden = this.end.hidden = true;
    delete this.element.dataset.seconds;
  }

  // The world was edited: obstacles that are elsewhere glide there. What is new counts with the next crowd.
  moved(world: WorldDrawing): void {
    if (!this.begun || !this.live.running) return;
    const before = new Map(this.last.map(o => [o.name, o]));
    for (const o of world.obstacles) {
      const first = this.begun.obstacles.find(({ name }) => name === o.name),
        known = before.get(o.name) ?? first;
      if (!first || !known || JSON.stringify(placeOf(o, first)) === JSON.stringify(placeOf(known, first))) continue;
      socket.say({ move: o.name, ...placeOf(o, first) });
    }
    this.last = world.obstacles;
  }
  private last: DrawnObstacle[] = [];

  private setPaused(paused: boolean): void {
    this.paused = paused;
    this.pause.textContent = paused ? 'Go on' : 'Pause';
    if (this.live.running) socket.say({ speed: paused ? 0 : 1 });
  }

  private show({ values, number }: SceneFrame): void {
    const begun = this.begun;
    if (!begun) return;
    const [seconds, arrived, all] = values;
    this.model.settle();
    const now = this.listener.world().obstacles;
    const elsewhere = new Map<number, { x: number; z: number; turn: number }>();
    for (let i = kFacts; i + 3 < values.length; i += 4) {
      elsewhere.set(values[i], { x: values[i + 1], z: values[i + 2], turn: values[i + 3] });
    }
    // Drawn where the page has it, shown where the scene has it: while it glides these are two.
    begun.obstacles.forEach((first, i) => {
      const o = now.find(({ name }) => name === first.name);
      const there = elsewhere.get(i) ?? placeOf(first, first);
      if (o) this.model.place(o.name, placeOf(o, first), there);
    });
    Object.assign(this.element.dataset, { seconds: seconds.toFixed(1), moved: String(elsewhere.size) });
    if (number % 6 === 1) this.told.textContent = `${seconds.toFixed(0)} s · ${arrived} of ${all} have arrived`;
  }
}
