// SPDX-License-Identifier: MIT
// A walk from start to goal, searched while one looks on: the tree grows, the bound falls, and what there is can be taken.
import { addressOf, call, callPacked } from '../api';
import { commandBar } from '../command_bar';
import { option } from '../command_words';
import { button, counted, el, fill, leading } from '../dom';
import { Motion } from '../motion';
import { askText, attempt, notify } from '../notices';
import { newClipName, project } from '../project';
import { Events, FileFormat, PlanTold, Word, WorldDrawing } from '../routes';
import { socket } from '../socket';
import { onWorn } from '../worn';
import { BoundChart } from './bound_chart';

export interface PlanListener {
  world: () => WorldDrawing;
  worldFile: () => string; // under which the world is saved
  begin: () => void; // the stage is to be free, and the tree empty
  grow: (tree: number[], share: number) => void;
  play: (motion: Motion, plan: PlanTold) => void;
}

export class PlanPanel {
  readonly element: HTMLElement;
  private readonly with = el('select', { id: 'plan-with', 'aria-label': 'What to search', title: 'What to search' });
  private readonly seconds = el('input', {
    type: 'number',
    value: '5',
    min: 0.1,
    max: 600,
    step: 1,
    'aria-label': 'Seconds to search at most',
  });
  private readonly bound = el('input', {
    type: 'number',
    value: '1.2',
    min: 1,
    step: 0.1,
    'aria-label': 'Good enough: times the least time',
  });
  private readonly go = button('Search', () => void this.search(), {
    class: 'primary',
    key: 'Enter',
    title: 'Look for a walk from start to goal',
  });
  private readonly enough = button('That is enough', () => this.stop(), { title: 'Take the best walk so far' });
  private readonly chart = new BoundChart();
  private readonly none = el(
    'p',
    { class: 'faint' },
    leading('A way is searched on a graph: build one of walks on the page ', 'graph', 'Graph', ' first.'),
  );
  private readonly told = el('p', { class: 'faint', id: 'plan-told', 'aria-live': 'polite' });
  private readonly facts = el('dl', { class: 'facts', id: 'plan-facts' });
  private readonly keep = el('div', { class: 'row wrap' });
  private scene = 0; // that is searched in; 0: none
  private limit = 5;

  constructor(private readonly listener: PlanListener) {
    this.enough.hidden = true;
    this.element = el(
      'section',
      { class: 'plan-panel', 'aria-label': 'A walk' },
      el('h2', {}, 'A walk'),
      this.none,
      el('label', { class: 'wide' }, 'Walks on', this.with),
      el('div', { class: 'numbers' }, el('label', {}, 'seconds at most', this.seconds), el('label', {}, 'times the best time', this.bound)),
      el('div', { class: 'row' }, this.go, this.enough),
      this.chart.element,
      this.told,
      this.facts,
      this.keep,
    );
    this.chart.element.hidden = true;
    socket.on('search', event => this.hear(event));
    socket.on('planned', event => void this.end(event));
    socket.on('over', event => {
      if (event.scene === this.scene && event.why) this.leave(event.why);
    });
  }

  get searching(): boolean {
    return this.scene !== 0;
  }

  // The graphs that there are.
  refresh(): void {
    const before = this.with.value,
      names = project.state!.graphs.map(({ name }) => `graph:${name}`);
    fill(
      this.with,
      names.map(name => el('option', { value: name }, name.replace(':', ' '))),
    );
    if (names.includes(before)) this.with.value = before;
    this.go.disabled = !names.length;
    this.with.disabled = !names.length;
    this.none.hidden = names.length > 0;
  }

  async search(): Promise<void> {
    if (!this.with.value || this.searching) return;
    const seconds = Number(this.seconds.value),
      bound = Number(this.bound.value);
    this.listener.begin();
    this.go.disabled = true;
    fill(this.facts);
    fill(this.keep);
    this.told.textContent = 'Making the graph ready…';
    const body = { world: this.listener.world(), with: this.with.value, seconds, bound };
    const scene = await attempt(() => call('POST /api/worlds/plan', { body }));
    this.go.disabled = false;
    if (!scene) {
      this.told.textContent = '';
      return;
    }
    commandBar.show('world', ...this.words(), '-o', 'plan.glb');
    this.limit = seconds;
    this.chart.start(seconds, bound);
    this.chart.element.hidden = false;
    this.go.hidden = true;
    this.enough.hidden = false;
    this.told.textContent = 'Searching…';
    this.scene = scene.scene;
    this.element.dataset.state = 'searching';
    socket.join(scene.scene);
  }

  // Takes what there is; a search that has nothing yet ends without a walk.
  stop(): void {
    if (this.searching) socket.say({ enough: true });
  }

  // Gives a search up, because the page is left.
  leave(why = ''): void {
    if (!this.searching) return;
    this.scene = 0;
    socket.leave();
    this.go.hidden = false;
    this.enough.hidden = true;
    this.told.textContent = why;
    this.element.dataset.state = 'idle';
  }

  private words(): Word[] {
    return [
      'plan',
      'walk',
      'LIBRARY',
      ...option('--world', this.listener.worldFile()),
      ...option('--with', this.with.value),
      '--seconds',
      Number(this.seconds.value),
      '--bound',
      Number(this.bound.value),
    ];
  }

  private hear(event: Events['search']): void {
    if (event.scene !== this.scene) return;
    this.listener.grow(event.tree, event.at_s / this.limit);
    this.chart.tell(event.at_s, event.bound);
    const looked = `${event.expanded.toLocaleString('en')} states looked at`;
    this.told.textContent =
      event.bound === null
        ? `Searching… ${looked}`
        : `A walk of ${event.cost_s!.toFixed(1)} s, at most ${event.bound.toFixed(2)} times the least time · ${looked}`;
  }

  private async end({ scene, plan, error }: Events['planned']): Promise<void> {
    if (scene !== this.scene) return;
    this.leave(error ?? '');
    if (error) notify(error, 'error');
    if (!plan) return;
    this.chart.tell(plan.searched_s, plan.bound);
    const packed = await attempt(() => callPacked('GET /api/made/*/motion', { names: [plan.made] }));
    if (!packed) return;
    this.show(plan);
    this.offer(plan.made);
    this.element.dataset.state = 'planned';
    this.listener.play(new Motion(packed), plan);
  }

  private show(plan: PlanTold): void {
    const rows: [string, string][] = [
      ['motion', `${plan.seconds.toFixed(1)} s, ${plan.length_m.toFixed(1)} m`],
      ['shortest way', `${plan.floor_m.toFixed(1)} m or more`],
      ['takes at most', `${plan.bound.toFixed(2)} times the least time`],
      ['first walk found', `after ${plan.first_s.toFixed(2)} s of ${plan.searched_s.toFixed(2)}`],
      ['misses the goal by', `${(100 * plan.end_error_m).toFixed(1)} cm, ${plan.end_error_deg.toFixed(1)}°`],
      ['touches something', plan.collisions ? `in ${counted(plan.collisions, 'pose')}` : 'nowhere'],
    ];
    this.told.textContent = '';
    fill(
      this.facts,
      rows.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]),
    );
  }

  private offer(made: number): void {
    const words = this.words();
    const save = (format: FileFormat) => {
      el('a', { href: addressOf('GET /api/made/*/file/*', { names: [made, format], query: onWorn(format) }), download: '' }).click();
      commandBar.show('world', ...words, '-o', `plan.${format}`);
    };
    const keep = async () => {
      const as = await askText('Name of the new clip', 'plan-1', [], newClipName);
      if (!as || !(await attempt(() => call('POST /api/made/*/keep', { names: [made], body: { as } })))) return;
      notify(`${as} is in the library`);
      await project.refresh();
      commandBar.show('world', ...words, ...option('--add', as));
    };
    fill(
      this.keep,
      button('Save glb', () => save('glb'), { title: 'The world and the character in one scene' }),
      button('Save BVH', () => save('bvh')),
      button('Keep as a clip…', () => void keep()),
    );
  }
}
