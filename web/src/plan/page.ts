// SPDX-License-Identifier: MIT
// Somebody walks up to a thing and shows it: furniture, target and observer are dragged, and the plan is made anew
// meanwhile.
import * as THREE from 'three';
import { addressOf, call, callPacked } from '../api';
import { commandBar } from '../command_bar';
import { option } from '../command_words';
import { button, counted, el, fill, isTyping, leading, saveText } from '../dom';
import { Motion } from '../motion';
import { MadeMoments, WantedWay } from '../moments/made_moments';
import { onFloor } from '../moments/ways';
import { attempt, notify } from '../notices';
import { Page } from '../page';
import { project } from '../project';
import { DrawnObstacle, DrawnSpot, FileFormat, ShowPlan, ShowTold, Word, WorldDrawing } from '../routes';
import { Player } from '../stage/player';
import { View } from '../stage/view';
import { Transport } from '../transport';
import { Chosen } from '../world/drawing';
import { Editor } from '../world/editor';
import { WorldModel } from '../world/model';
import { onWorn } from '../worn';
import { PlanMarks, kReasons } from './marks';

const kHelp = 'Drag the table, the shelf, the lamp or the plant, the target and who looks on; drag the floor to look around.';

const spot = (name: string, x: number, z: number, turn: number | null = null): DrawnSpot => ({ name, x, z, turn });
const solid = (name: string, shape: 'box' | 'cylinder', x: number, z: number, size: Partial<DrawnObstacle>): DrawnObstacle => ({
  name,
  shape,
  x,
  z,
  turn: 0,
  bottom: 0,
  top: 1,
  width: 1,
  depth: 1,
  radius: 0.1,
  outline: [],
  ask: 'nothing',
  path: [],
  loops: false,
  ...size,
});

// A room to begin with. The first goal is the target; the others look on.
function newRoom(): WorldDrawing {
  return {
    name: 'room',
    ground: [[-3.5, -3.5, 3.5, 3.5]],
    obstacles: [
      solid('table', 'box', 0, 0, { width: 1.4, depth: 0.7, bottom: 0.7, top: 0.75 }),
      solid('lamp', 'cylinder', 0.45, 0.1, { radius: 0.06, bottom: 0.75, top: 1.25 }),
      solid('shelf', 'box', -3.1, 0, { width: 0.5, depth: 2, top: 1.9 }),
      solid('plant', 'cylinder', 1.2, 1.3, { radius: 0.25, top: 1.4 }),
    ],
    starts: [spot('', -2.3, -2.5, 90)],
    goals: [spot('target', 0.15, -0.15), spot('observer', 0, 2.2)],
  };
}

export class PlanPage implements Page {
  readonly name = 'plan';
  readonly title = 'Plan';
  readonly element: HTMLElement;
  private readonly view = new View();
  private readonly player = new Player(this.view);
  private readonly transport = new Transport(this.player);
  private readonly moments = new MadeMoments(this.player);
  private readonly model = new WorldModel();
  private readonly marks = new PlanMarks();
  private room = newRoom();
  private chosen: Chosen | null = null;
  private readonly editor = new Editor(
    this.view,
    this.model,
    {
      edit: (_what, world, passing) => this.edit(world, passing),
      choose: chosen => {
        this.chosen = chosen;
        this.model.show(this.room, chosen);
        this.view.invalidate();
      },
      refuse: why => notify(why, 'error'),
    },
    this.room,
  );
  private readonly family = el('select', { id: 'show-family', 'aria-label': 'What is done', onchange: () => void this.plan(true) });
  private readonly height = el('input', {
    type: 'range',
    id: 'show-height',
    min: 0.3,
    max: 2,
    step: 0.05,
    value: '0.95',
    'aria-label': 'Height of the target in metres',
    oninput: () => this.raise(),
  });
  private readonly heightText = el('span', { class: 'faint' });
  private readonly walks = el('input', { type: 'checkbox', id: 'show-walk', checked: true, onchange: () => void this.plan(true) });
  private readonly fewer = button('One less', () => this.dropObserver());
  private readonly told = el('p', { class: 'faint', id: 'show-told', 'aria-live': 'polite' });
  private readonly facts = el('dl', { class: 'facts', id: 'show-facts' });
  private readonly legend = el('ul', { class: 'reasons', id: 'show-legend' });
  private readonly keep = el('div', { class: 'row wrap' });
  private readonly help = el('p', { class: 'readout faint', id: 'show-help', 'aria-live': 'polite' }, kHelp);
  private busy = false; // a plan is being made
  private again: boolean | null = null; // what moved meanwhile: whether a drag was over

  constructor() {
    this.view.scene.add(this.model.object, this.marks.object);
    this.view.seeFar(40);
    this.transport.element.hidden = true;
    this.player.onframe = frame => {
      this.transport.update();
      this.moments.setFrame(frame);
    };
    this.view.element.addEventListener('pointermove', event => this.point(event));
    this.element = el(
      'div',
      { class: 'page plan-page' },
      el(
        'aside',
        { class: 'panel', 'aria-label': 'The room' },
        el('h2', {}, 'The room'),
        el('label', { class: 'wide' }, 'What is done', this.family),
        el('label', { class: 'wide' }, 'Height of the target', el('span', { class: 'row' }, this.height, this.heightText)),
        el('label', { class: 'check' }, this.walks, ' walks there from the start'),
        el(
          'div',
          { class: 'row wrap' },
          button('One more looks on', () => this.addObserver(), { title: 'Everybody is to see the target, and to be seen' }),
          this.fewer,
          button('New room', () => this.edit(newRoom(), false), { title: 'The room as it was' }),
          button('Save room', () => void this.save(), { title: 'A readable file, which commands take as --world' }),
        ),
        el('h3', {}, 'Places to stand'),
        this.legend,
      ),
      el('main', { class: 'theatre' }, this.view.element, this.help, this.transport.element, this.moments.element),
      el('aside', { class: 'panel plan-panel', 'aria-label': 'The plan' }, el('h2', {}, 'The plan'), this.told, this.facts, this.keep),
    );
    this.fewer.disabled = this.room.goals.length <= 2;
    this.raise(false);
  }

  enter(): void {
    project.watch(() => void this.refresh());
    this.show();
    this.view.setMiddle(0, 0);
    this.view.lookAt(new THREE.Vector3(0, 0.5, 0), 6.5, 0.6, 0.62);
  }

  shown(): void {
    this.view.invalidate();
  }

  hidden(): void {
    this.player.playing = false;
  }

  key(event: KeyboardEvent): boolean {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return false;
    return !this.transport.element.hidden && this.transport.key(event);
  }

  // The families that there are.
  private async refresh(): Promise<void> {
    const before = this.family.value,
      answer = await attempt(() => call('GET /api/families'));
    const names = answer?.families.map(({ name }) => name) ?? [];
    fill(
      this.family,
      names.map(name => el('option', { value: name }, name)),
    );
    if (names.includes(before)) this.family.value = before;
    this.family.disabled = this.walks.disabled = this.height.disabled = !names.length;
    if (!names.length)
      fill(this.told, leading('A thing is shown by a family of reaches: build one on the page ', 'blend', 'Align and blend', ' first.'));
    else if (!this.element.dataset.state || this.family.value !== before) void this.plan(true);
  }

  private get target(): { x: number; y: number; z: number } {
    const { x, z } = this.room.goals[0];
    return { x, y: Number(this.height.value), z };
  }
  private get observers(): { x: number; z: number }[] {
    return this.room.goals.slice(1).map(({ x, z }) => ({ x, z }));
  }

  private raise(anew = true): void {
    this.heightText.textContent = ` ${Number(this.height.value).toFixed(2)} m`;
    this.marks.showTarget(this.target.x, this.target.y, this.target.z);
    this.view.invalidate();
    if (anew) void this.plan(true);
  }

  private addObserver(): void {
    const n = this.room.goals.length;
    this.edit({ ...this.room, goals: [...this.room.goals, spot(`observer ${n}`, -1.5 + 0.8 * n, 2.2)] }, false);
  }
  private dropObserver(): void {
    if (this.room.goals.length > 2) this.edit({ ...this.room, goals: this.room.goals.slice(0, -1) }, false);
  }

  private edit(room: WorldDrawing, passing: boolean): void {
    this.room = this.editor.world = room;
    this.fewer.disabled = room.goals.length <= 2;
    this.show();
    void this.plan(!passing);
  }

  private show(): void {
    this.model.show(this.room, this.chosen);
    this.marks.showTarget(this.target.x, this.target.y, this.target.z);
    this.view.invalidate();
  }

  // Plans what there is now. One plan at a time: what moves meanwhile is planned after it. `settled`: a drag is over.
  private async plan(settled: boolean): Promise<void> {
    if (!this.family.value) return;
    if (this.busy) {
      this.again = settled;
      return;
    }
    this.busy = true;
    this.element.dataset.state = 'planning';
    const body = {
      world: this.room,
      family: this.family.value,
      target: this.target,
      observers: this.observers,
      walk: this.walks.checked,
    };
    const told = await attempt(() => call('POST /api/worlds/show', { body }));
    if (told) await this.tell(told, settled);
    this.busy = false;
    const { again } = this;
    this.again = null;
    if (again !== null) await this.plan(again);
  }

  private async tell(told: ShowTold, settled: boolean): Promise<void> {
    this.marks.showCandidates(told.candidates, told.plan ? told.plan.chosen : -1);
    this.marks.showPrints(told.plan?.footprints ?? []);
    this.marks.showTree(told.plan?.tree ?? []);
    this.explain(told);
    this.state(told);
    this.view.invalidate();
    if (told.made === null) {
      this.player.clear();
      this.moments.hide();
      this.transport.element.hidden = true;
    } else {
      const packed = await attempt(() => callPacked('GET /api/made/*/motion', { names: [told.made!] }));
      if (!packed) return;
      const another = this.player.motion === null;
      this.transport.element.hidden = false;
      if (another) this.player.playing = true;
      await this.player.show(new Motion(packed), { keepCamera: true, keepFrame: !settled });
      this.view.follow = null;
      this.moments.show(told.plan?.pieces ?? [], told.plan ? wantedWays(told.plan) : []);
      this.offer(told.made);
    }
    if (settled) commandBar.show('plan', ...this.words(told.joint), '-o', 'show.glb');
    this.element.dataset.state = told.error ? 'failed' : 'planned';
  }

  private words(joint: string): Word[] {
    const { x, y, z } = this.target,
      at = (values: number[]) => values.map(value => value.toFixed(2)).join(',');
    return [
      'plan',
      'show',
      'LIBRARY',
      { given: this.family.value },
      ...option('--world', `${this.room.name}.world`),
      ...option('--target', `${joint}=${at([x, y, z])}`),
      ...this.observers.flatMap(one => option('--observer', at([one.x, one.z]))),
      ...(this.walks.checked ? [] : ['--there']),
    ];
  }

  private explain({ candidates }: ShowTold): void {
    const counts = new Map<string, number>();
    candidates.forEach(({ rejected }) => counts.set(rejected, (counts.get(rejected) ?? 0) + 1));
    fill(
      this.legend,
      [...counts].map(([why, count]) =>
        el(
          'li',
          {},
          el('span', { class: 'swatch', style: `background:#${(kReasons[why]?.colour ?? 0).toString(16).padStart(6, '0')}` }),
          ` ${counted(count, 'place')}: ${kReasons[why]?.text ?? why}`,
        ),
      ),
    );
    this.element.dataset.candidates = String(candidates.length);
    this.element.dataset.free = String(counts.get('') ?? 0);
  }

  private state({ plan, error, milliseconds, no_walk }: ShowTold): void {
    this.told.textContent = error ?? (no_walk && this.walks.checked ? `Nobody walks: ${no_walk}` : '');
    const rows: [string, string][] = plan
      ? [
          ['planned in', `${milliseconds.toFixed(0)} ms`],
          ['walks', plan.footprints.length ? `${plan.walked_s.toFixed(1)} s, ${counted(plan.footprints.length - 2, 'step')}` : 'no'],
          ['stops beside by', `${(1000 * plan.stop_error_m).toFixed(1)} mm, ${plan.stop_error_deg.toFixed(1)}°`],
          ['hand misses by', `${(1000 * plan.hand_error_m).toFixed(1)} mm`],
          ['looks past observer by', `${plan.sight_off_deg.toFixed(0)}°`],
          ['looks at', plan.gaze.map(({ at, at_s }) => `${at} ${at_s.toFixed(1)} s`).join(', ')],
          ['way of the hand', plan.tree.length ? `searched, ${counted(plan.tree.length, 'try', 'tries')}` : 'free as recorded'],
        ]
      : [];
    fill(
      this.facts,
      rows.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]),
    );
    if (!plan) fill(this.keep);
  }

  private offer(made: number): void {
    const save = (format: FileFormat) =>
      el('a', { href: addressOf('GET /api/made/*/file/*', { names: [made, format], query: onWorn(format) }), download: '' }).click();
    fill(
      this.keep,
      button('Save glb', () => save('glb'), { title: 'The room and the character in one scene' }),
      button('Save BVH', () => save('bvh')),
    );
  }

  // Why nobody stands where the pointer is.
  private point(event: PointerEvent): void {
    if (event.buttons) return;
    const at = this.view.floorPoint(event),
      one = at && this.marks.candidateAt([at.x, at.z]);
    this.help.textContent = !one
      ? kHelp
      : one.rejected
        ? `Not there: ${kReasons[one.rejected]?.text ?? one.rejected}.`
        : `One can stand there, and sees ${Math.round(100 * one.clearance)} % of who looks on.`;
  }

  private async save(): Promise<void> {
    const told = await attempt(() => call('POST /api/worlds/text', { body: { world: this.room } }));
    if (told) saveText(`${this.room.name}.world`, told.text);
  }
}

// The way on the floor, and that of the hand.
function wantedWays({ way, hand }: ShowPlan): WantedWay[] {
  return [
    { what: 'the planned way', points: onFloor(way) },
    { what: "the hand's planned way", points: hand.planned.flat(), went: { begin: hand.begin, points: hand.went.flat() } },
  ].filter(({ points }) => points.length > 0);
}
