// SPDX-License-Identifier: MIT
// Two characters who fight, each in a style set by sliders (Chiu 2007 §6), or one of them in the player's hand.
import * as THREE from 'three';
import { addressOf, call } from '../api';
import { commandBar } from '../command_bar';
import { option } from '../command_words';
import { button, counted, el, fill, isTyping, saveText, workButton } from '../dom';
import { jobEnd } from '../jobs';
import { attempt } from '../notices';
import { Rewind } from '../moments/rewind';
import { Page } from '../page';
import { project } from '../project';
import { Delays } from '../play/delays';
import { Events, FightNeed } from '../routes';
import { SceneFrame, socket } from '../socket';
import { LiveView } from '../stage/live';
import { Trailing } from '../stage/trailing';
import { View } from '../stage/view';
import { Impacts } from './impact';
import { Act, Pad } from './pad';
import { Side } from './side';

const kSides = ['Left', 'Right'];
const kTints = [0xd9683a, 0x3f7fc4];
const kCounts = ['attacks', 'punches', 'kicks', 'evasions', 'hits'];
const kHits = 4; // its place among the counts
const kWayPoints = 6; // of where a fighter means to be in the next second: x, z
const kTurnSeconds = 0.7; // in which the camera goes round after the fighters
const kWide = 3.6; // metres across that two fighters take
const kStates: Record<string, string> = {
  punch: 'Punches',
  kick: 'Kicks',
  evade: 'Evasions',
  reaction: 'Being hit',
  locomotion: 'Stance and steps',
};
const kFighting = ['fight-stance', 'fight-step', 'fight-change', 'punch', 'kick', 'evade']; // groups of samples

// Where a fighter had decided to go, of what a frame tells (apps/studio/fight_scene.h).
function plannedWay(values: number[], who: number): number[] {
  const from = kCounts.length * kSides.length + 2 * kWayPoints * who;
  return Array.from({ length: kWayPoints }, (_, i) => [values[from + 2 * i], 0.025, values[from + 2 * i + 1]]).flat();
}

export class FightPage implements Page {
  readonly name = 'fight';
  readonly title = 'Fight';
  readonly element: HTMLElement;
  private readonly view = new View();
  private readonly live = new LiveView(this.view);
  private readonly trailing = new Trailing(this.view, kTurnSeconds);
  private readonly rewind = new Rewind(this.live, this.view, {
    who: kSides,
    hold: held => this.setPaused(held),
    look: ({ poses }) => this.putMiddle(poses.map(({ root }) => new THREE.Vector3(...root))),
    wanted: ({ values }, who) => plannedWay(values, who),
  });
  private readonly impacts = new Impacts();
  private readonly middle = new THREE.Object3D();
  private readonly pad = new Pad();
  private readonly sides = kSides.map((title, i) => new Side(title, i));
  private readonly seed = el('input', { type: 'number', value: 1, min: 0, 'aria-label': 'Seed' });
  private readonly speed = el(
    'select',
    {
      'aria-label': 'Speed',
      onchange: () => {
        this.speed.blur();
        this.setPaused(false);
      },
    },
    [0.25, 0.5, 1, 2].map(value => el('option', { value, selected: value === 1 }, `${value} ×`)),
  );
  private readonly pause = button('Pause', () => this.setPaused(!this.paused), { class: 'play', key: 'Space', title: 'Pause or go on' });
  private readonly save = button('Save what I did', () => this.saveWishes(), {
    title: 'Your moves and the styles you changed, as wishes.csv: with it the command below fights the same bout',
  });
  private readonly delay = el('span', { class: 'faint', id: 'fight-delay' });
  private readonly clock = el('span', { class: 'clock', id: 'bout-clock' });
  private readonly score = el('div', { class: 'bout-score' });
  private readonly hits = [0, 1].map(i => el('strong', { class: `fighter-${i}` }, '0'));
  private readonly share = el('div', { class: 'share' });
  private readonly tally = el('div', { class: 'tally', id: 'tally' });
  private readonly news = el('p', { class: 'readout faint', id: 'bout-news' });
  private readonly needs = el('ul', { class: 'needs', 'aria-label': 'What a fight needs' });
  private readonly lacking = el('p', { class: 'lacking' });
  private readonly preparing = workButton('Prepare', () => this.build(), { class: 'primary', title: 'A few seconds' });
  private readonly addSamples = workButton('Add sample motions', () => this.addFighters(), {
    title: 'Stances, steps, punches, kicks and evasions of the procedural performer',
  });
  private readonly prepare = el(
    'div',
    { class: 'prepare', hidden: true },
    el('p', {}, 'What a fight needs of this library:'),
    this.needs,
    this.lacking,
    el('div', { class: 'row' }, this.preparing, this.addSamples),
  );
  private readonly fightButton = button('Fight', () => void this.start(), { class: 'primary', key: 'Enter', title: 'A new bout' });
  private readonly saveScene = workButton('Save glb', () => this.saveGlb(), {
    title: 'Both fighters, from the beginning of the bout until now, for Blender and engines',
  });
  private bout = 0; // the scene
  private turn = 0; // bouts asked for
  private begun = { styles: '', seed: 1 };
  private wishes: string[] = []; // lines of the file
  private delays = new Delays();
  private answered = 0; // by the newest frame
  private said = 'stay';
  private free = true; // whether the player's fighter can obey at once: it is not in the midst of an action
  private paused = false;
  private rate = 30;
  private steps = 0; // of the bout
  private direction = 0; // from left to right, radians
  private entered = false;

  constructor() {
    fill(
      this.score,
      el('span', {}, 'Left'),
      this.hits[0],
      el('div', { class: 'shares', title: 'Who hit more' }, this.share),
      this.hits[1],
      el('span', {}, 'Right'),
    );
    this.element = el(
      'div',
      { class: 'page fight-page' },
      el('aside', { class: 'panel', 'aria-label': 'Left fighter' }, this.sides[0].element),
      el(
        'main',
        { class: 'theatre' },
        this.score,
        this.view.element,
        this.rewind.element,
        this.prepare,
        this.pad.element,
        el(
          'div',
          { class: 'transport' },
          this.fightButton,
          this.pause,
          this.speed,
          el('label', { class: 'row' }, 'seed', this.seed),
          this.clock,
          this.saveScene,
          this.save,
        ),
        el('div', { class: 'row bout-line' }, this.news, this.delay),
        this.tally,
      ),
      el('aside', { class: 'panel', 'aria-label': 'Right fighter' }, this.sides[1].element),
    );
    this.view.scene.add(this.middle, this.impacts.object);
    this.live.onframe = frame => this.show(frame);
    this.view.onbeat = seconds => this.beat(seconds);
    this.view.ondrawn = () => {
      this.delays.drawn(this.answered, performance.now());
      this.element.dataset.margins = this.margins();
    };
    this.pad.onwish = (act, time) => this.wish(act, time);
    this.sides.forEach((side, i) => {
      side.onplayer = () => {
        this.sides[1 - i].giveBack();
        void this.start();
      };
      side.onstyle = () => this.restyle();
    });
    socket.on('bout', event => this.tell(event));
    socket.on('wish', event => this.keepWish(event));
    addEventListener('keyup', event => {
      if (!this.element.hidden) this.pad.key(event, false);
    });
    addEventListener('blur', () => {
      this.pad.letGo();
      this.wish('nothing');
    });
  }

  enter(): void {
    project.watch(() => {
      if (!this.prepare.hidden || !this.bout) void this.ready(); // other labels: something else may be missing
    });
  }

  shown(): void {
    if (this.entered) void this.start();
    this.entered = true;
  }

  hidden(): void {
    this.pad.letGo();
    this.live.stop();
  }

  key(event: KeyboardEvent): boolean {
    if (this.player >= 0 && this.pad.key(event, true)) return true;
    const onButton = (event.target as HTMLElement).tagName === 'BUTTON';
    if (onButton || (event.key === ' ' && isTyping(event)) || (event.key !== ' ' && event.key !== 'Enter')) return false;
    event.preventDefault();
    if (event.key === ' ') this.setPaused(!this.paused);
    else void this.start();
    return true;
  }

  private get player(): number {
    return this.sides.findIndex(side => side.isPlayer);
  }
  private get styles(): string {
    return this.sides.map(side => side.written).join(',');
  }

  private async ready(): Promise<void> {
    const state = await attempt(() => call('GET /api/fights'));
    if (!state) return;
    this.prepare.hidden = state.ready;
    this.tellNeeds(state.needs);
    for (const one of [this.fightButton, this.pause, this.saveScene, this.save]) one.disabled = !state.ready;
    this.rewind.element.hidden = !state.ready;
    this.speed.disabled = this.seed.disabled = !state.ready;
    this.sides.forEach((side, i) => side.setStyles(state.styles, i ? 'defensive' : 'aggressive'));
    if (state.ready) await this.start();
  }

  // What there is of what a fight needs, with ticks, before it is asked for.
  private tellNeeds(needs: FightNeed[]): void {
    const missing = needs.filter(need => !need.met && !need.optional);
    fill(
      this.needs,
      needs.map(({ state, labels, clips, seconds, met, optional }) =>
        el(
          'li',
          { class: met ? 'met' : optional ? 'optional' : 'unmet' },
          el('span', { class: 'tick', 'aria-label': met ? 'there' : 'missing' }, met ? '✓' : optional ? '–' : '✗'),
          el('strong', {}, kStates[state] ?? state),
          el(
            'span',
            { class: 'faint' },
            met
              ? `${counted(clips, 'clip')}, ${seconds.toFixed(0)} s`
              : `${optional ? 'none, and it does without' : 'none'}: label motion ${labels.map(label => `“${label}”`).join(' or ')}`,
          ),
        ),
      ),
    );
    this.lacking.textContent = missing.length
      ? 'Label such motion on the Library page, import some, or take the sample fighter’s.'
      : 'Everything is there. Preparing finds how the motions lead into each other.';
    this.preparing.disabled = missing.length > 0;
    this.addSamples.hidden = !missing.length;
  }

  private async addFighters(): Promise<void> {
    const started = await attempt(() => call('POST /api/samples', { body: { only: kFighting } }));
    if (!started) return;
    commandBar.show('fight', 'sample', 'LIBRARY', '--only', ...kFighting);
    if ((await jobEnd(started.job)).state === 'done') await this.ready();
  }

  // The bout so far, fought once more by the server as the command fights it.
  private async saveGlb(): Promise<void> {
    const { styles, seed } = this.begun,
      seconds = this.steps / this.rate;
    const fought = await attempt(() => call('POST /api/fights/fought', { body: { styles, seed, seconds, wishes: this.wishText } }));
    if (!fought) return;
    el('a', { href: addressOf('GET /api/fights/fought/*', { names: [fought.bout] }), download: '' }).click();
    this.showCommand(seconds);
  }

  private get wishText(): string {
    return this.wishes.length ? `frame,fighter,move,act,style\n${this.wishes.join('\n')}\n` : '';
  }

  private async build(): Promise<void> {
    const started = await attempt(() => call('POST /api/fights/prepare', { body: {} }));
    if (!started) return;
    commandBar.show('fight', 'states', 'build', 'LIBRARY', '--name', 'fighting');
    if ((await jobEnd(started.job)).state === 'done') await this.ready();
  }

  private async start(): Promise<void> {
    if (!this.prepare.hidden) return;
    const { player, styles } = this,
      seed = Number(this.seed.value),
      turn = ++this.turn;
    const scene = await attempt(() => call('POST /api/fights', { body: { styles, seed, player: player < 0 ? null : player } }));
    if (!scene || this.element.hidden || turn !== this.turn) return;
    Object.assign(this, {
      bout: scene.scene,
      begun: { styles, seed },
      wishes: [],
      delays: new Delays(),
      said: 'stay',
      free: true,
      rate: scene.rate,
      steps: 0,
      direction: 0,
    });
    Object.assign(this.element.dataset, { bout: String(scene.scene), steps: '0' });
    this.impacts.clear();
    this.delay.textContent = this.news.textContent = '';
    this.pad.element.hidden = this.save.hidden = player < 0;
    this.showCommand(30);
    this.rewind.start(scene);
    await this.live.start(scene, kTints);
    if (turn !== this.turn) return;
    this.view.follow = this.middle;
    this.trailing.reset();
    this.frame();
    this.setPaused(false);
    this.wish('nothing');
    if (this.styles !== styles) this.restyle(); // meanwhile
  }

  // Both fighters are in the picture, however narrow it is.
  private frame(): void {
    const { camera } = this.view,
      halfWide = Math.atan(Math.tan((camera.fov * Math.PI) / 360) * camera.aspect);
    const distance = Math.max(4.2, kWide / 2 / Math.tan(halfWide));
    this.view.lookAt(new THREE.Vector3(0, 0.9, 0), distance, -Math.PI / 2, 0.25);
  }

  // How much room there is between both fighters and the edges of the picture: left, right, bottom, top.
  private margins(): string {
    const box = new THREE.Box3(),
      at = new THREE.Vector3();
    for (const { bones } of this.live.characters)
      for (const bone of bones) box.expandByPoint(bone.getWorldPosition(at).project(this.view.camera));
    return [1 + box.min.x, 1 - box.max.x, 1 + box.min.y, 1 - box.max.y].map(margin => (margin / 2).toFixed(3)).join(' ');
  }

  // Fights this bout again, as far as it was steered.
  private showCommand(seconds: number): void {
    const { styles, seed } = this.begun;
    commandBar.show(
      'fight',
      'fight',
      'LIBRARY',
      '--states',
      'fighting',
      ...option('--style', styles),
      '--seed',
      seed,
      '--seconds',
      Number(seconds.toFixed(3)),
      ...(this.save.hidden ? [] : ['--wishes', 'wishes.csv']),
      '-o',
      'bout.glb',
    );
  }

  private setPaused(paused: boolean): void {
    this.paused = paused;
    this.pause.textContent = paused ? 'Go on' : 'Pause';
    if (this.live.running) socket.say({ speed: paused ? 0 : Number(this.speed.value) });
  }

  // Styles change while they fight.
  private restyle(): void {
    if (this.live.running) socket.say({ styles: this.styles });
  }

  // What the bout was told, at the step at which it was: what makes it another one than its styles and seed alone do.
  private keepWish({ scene, frame, fighter, move, act, style }: Events['wish']): void {
    if (scene !== this.bout) return;
    this.wishes.push([frame, fighter + 1, move, act, style].join(','));
    if (!style) return;
    this.save.hidden = false;
    this.showCommand(Math.max(30, Math.ceil(frame / this.rate) + 10));
    this.news.textContent = `From ${(frame / this.rate).toFixed(1)} s on ${kSides[fighter]} fights in the new style; Fight starts a bout in it from the beginning.`;
  }

  // Passes on what the player wants: an act, or a move that has changed.
  private wish(act: Act, time = performance.now()): void {
    if (!this.live.running || this.player < 0) return;
    const { move } = this.pad;
    if (act === 'nothing' && move === this.said) return;
    this.said = move;
    const seq = socket.say({ move, act });
    // In the midst of an action a wish waits for its end, which says nothing of how quick the answer is.
    if (this.free) this.delays.asked(seq, time);
  }

  private saveWishes(): void {
    saveText('wishes.csv', this.wishText);
    this.showCommand(this.steps / this.rate);
  }

  private tell(event: Events['bout']): void {
    if (event.scene !== this.bout) return;
    const who = kSides[event.fighter];
    this.news.textContent = `${event.seconds.toFixed(1)} s: ${who} ${event.kind === 'hit' ? `hits the ${event.part} with the ${event.limb}` : event.kind === 'attack' ? 'attacks' : 'evades'}`;
    if (!event.place) return;
    this.impacts.add(new THREE.Vector3(...event.place), this.live.characters[event.other]);
    this.hits[event.fighter]?.animate([{ transform: 'scale(1.7)' }, { transform: 'scale(1)' }], 400);
  }

  private beat(seconds: number): boolean {
    this.pad.poll();
    this.trailing.go(this.direction, seconds);
    return this.impacts.step(seconds, this.view.camera);
  }

  private show(frame: SceneFrame): void {
    const [left, right] = frame.characters.map(character => new THREE.Vector3(...character.root));
    if (!this.rewind.isHeld) this.putMiddle([left, right]);
    const counts = this.sides.map((_, f) => Array.from(frame.values.subarray(kCounts.length * f, kCounts.length * (f + 1))));
    const [steps, free] = frame.values.subarray(-2),
      player = this.player;
    this.steps = steps;
    if (player >= 0) {
      this.free = free > 0;
      this.pad.facesEast = this.isEast(player ? left : right, player ? right : left);
      this.wish('nothing');
      this.answered = frame.answered;
      this.delay.textContent = this.delays.text();
    }
    this.showCounts(counts, frame.number % 10 === 1);
    Object.assign(this.element.dataset, {
      steps: String(steps),
      counts: JSON.stringify(counts),
      place: `${left.x.toFixed(3)} ${left.z.toFixed(3)}`,
    });
  }

  // What the camera goes along with.
  private putMiddle([left, right]: THREE.Vector3[]): void {
    this.middle.position.set((left.x + right.x) / 2, 0, (left.z + right.z) / 2);
    this.direction = Math.atan2(right.x - left.x, right.z - left.z);
  }

  // Whether one point is to the right of another on the screen.
  private isEast(point: THREE.Vector3, of: THREE.Vector3): boolean {
    const { camera } = this.view;
    return point.clone().project(camera).x > of.clone().project(camera).x;
  }

  private showCounts(counts: number[][], all: boolean): void {
    const hits = counts.map(row => row[kHits]);
    this.hits.forEach((element, f) => {
      element.textContent = String(hits[f]);
    });
    this.share.style.width = `${hits[0] + hits[1] ? (100 * hits[0]) / (hits[0] + hits[1]) : 50}%`;
    if (!all) return;
    this.clock.textContent = `${(this.steps / this.rate).toFixed(1)} s`;
    fill(
      this.tally,
      el(
        'table',
        {},
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            ['', ...kCounts].map(name => el('th', {}, name)),
          ),
        ),
        el(
          'tbody',
          {},
          this.sides.map(({ title }, f) =>
            el(
              'tr',
              {},
              el('th', {}, title),
              counts[f].map(count => el('td', {}, count)),
            ),
          ),
        ),
      ),
    );
  }
}
