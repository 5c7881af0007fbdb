// SPDX-License-Identifier: MIT
// A world to move in: drawn by hand, searched for a walk from start to goal, or given to a crowd.
import * as THREE from 'three';
import { call } from '../api';
import { commandBar } from '../command_bar';
import { given } from '../command_words';
import { button, counted, el, isTyping, saveText } from '../dom';
import { MadeMoments } from '../moments/made_moments';
import { onFloor } from '../moments/ways';
import { attempt, notify } from '../notices';
import { Page } from '../page';
import { project } from '../project';
import { Ask, WorldDrawing } from '../routes';
import { LiveView } from '../stage/live';
import { Player } from '../stage/player';
import { View } from '../stage/view';
import { keep, kept } from '../storage';
import { Transport } from '../transport';
import { UndoStack } from '../undo_stack';
import { CrowdPanel } from './crowd_panel';
import { Chosen, changed, newWorld, removed } from './drawing';
import { Editor, Tool } from './editor';
import { WorldInspector, kAsks } from './inspector';
import { WorldModel } from './model';
import { PlanPanel } from './plan_panel';
import { SearchTree } from './tree';

const kTools: { tool: Tool; text: string; title: string; help: string }[] = [
  {
    tool: 'move',
    text: 'Move',
    title: 'Choose and move things, turn the camera',
    help: 'Drag an obstacle, the start or the goal; drag the floor to look around.',
  },
  { tool: 'box', text: 'Box', title: 'Drag from corner to corner', help: 'Drag on the floor from one corner of the box to the other.' },
  {
    tool: 'cylinder',
    text: 'Cylinder',
    title: 'Drag from the middle outwards',
    help: 'Drag on the floor from the middle of the pillar outwards.',
  },
  {
    tool: 'polygon',
    text: 'Outline',
    title: 'Press its corners',
    help: 'Press the corners one after the other; the first one again, or Enter, closes it. Esc begins anew.',
  },
];

export class WorldPage implements Page {
  readonly name = 'world';
  readonly title = 'World';
  readonly element: HTMLElement;
  private readonly view = new View();
  private readonly player = new Player(this.view);
  private readonly live = new LiveView(this.view);
  private readonly transport = new Transport(this.player);
  private readonly moments = new MadeMoments(this.player);
  private readonly model = new WorldModel();
  private readonly tree = new SearchTree();
  readonly changes = new UndoStack({ attempt, notify, changed: async () => {} });
  private world: WorldDrawing = newWorld();
  private before: WorldDrawing | null = null; // a drag that goes on
  private chosen: Chosen | null = null;
  private readonly editor = new Editor(
    this.view,
    this.model,
    {
      edit: (what, world, passing) => this.edit(what, world, passing),
      choose: chosen => this.choose(chosen),
      refuse: why => notify(why, 'error'),
    },
    this.world,
  );
  private readonly inspector = new WorldInspector(
    by => this.chosen && this.edit('change', changed(this.world, this.chosen, by), false),
    () => this.remove(),
  );
  private readonly plan = new PlanPanel({
    world: () => this.world,
    worldFile: () => this.file,
    begin: () => this.clearStage(),
    grow: (tree, share) => {
      this.tree.grow(tree, share);
      this.element.dataset.tree = String(this.tree.count);
      this.view.invalidate();
    },
    play: (motion, { pieces, way }) => {
      this.player.playing = true;
      this.transport.element.hidden = false;
      void this.player.show(motion, { keepCamera: true }).then(() => {
        this.view.follow = null;
        this.moments.show(pieces, [{ what: 'the way that was found', points: onFloor(way) }]);
      });
    },
  });
  private readonly crowd = new CrowdPanel(this.live, this.model, {
    world: () => this.world,
    worldFile: () => this.file,
    begin: () => this.clearStage(),
  });
  private readonly tools = kTools.map(({ tool, text, title }) =>
    el('button', { type: 'button', 'data-tool': tool, title, onclick: () => this.take(tool) }, text),
  );
  private readonly asks = el(
    'select',
    {
      id: 'world-asks',
      'aria-label': 'What the next obstacle asks for',
      onchange: () => {
        this.editor.ask = this.asks.value as Ask;
      },
    },
    kAsks.map(({ value, text, title }) => el('option', { value, title }, text)),
  );
  private readonly help = el('p', { class: 'readout faint', id: 'world-help' });
  private readonly count = el('p', { class: 'faint', id: 'world-count' });
  private readonly called = el('input', {
    type: 'text',
    id: 'world-name',
    maxlength: 60,
    'aria-label': 'Name of the world',
    onchange: () => this.edit('name', { ...this.world, name: this.called.value.trim() || 'drawn' }, false),
  });
  private readonly sizes = (['wide', 'deep'] as const).map((side, i) =>
    el('input', {
      type: 'number',
      min: 2,
      max: 200,
      'aria-label': `Floor, metres ${side}`,
      onchange: () => this.resize(i, Number(this.sizes[i].value)),
    }),
  );
  private readonly opener = el('input', {
    type: 'file',
    accept: '.world,.map',
    hidden: true,
    id: 'world-file',
    onchange: () => void this.open(),
  });

  constructor() {
    this.view.scene.add(this.model.object, this.tree.object);
    this.view.seeFar(120);
    this.transport.element.hidden = true;
    this.player.onframe = frame => {
      this.transport.update();
      this.moments.setFrame(frame);
    };
    this.element = el(
      'div',
      { class: 'page world-page' },
      el(
        'aside',
        { class: 'panel', 'aria-label': 'The world' },
        el('h2', {}, 'The world'),
        el('label', { class: 'wide' }, 'Name', this.called),
        el(
          'div',
          { class: 'row wrap' },
          button('New', () => this.edit('new world', newWorld(), false), { title: 'An empty floor' }),
          button('Open…', () => this.opener.click(), { title: 'A .world, or a .map of planning benchmarks' }),
          button('Save', () => void this.save(), { title: 'A readable file, which commands take as --world' }),
          this.opener,
        ),
        el('div', { class: 'numbers' }, el('label', {}, 'wide', this.sizes[0]), el('label', {}, 'deep', this.sizes[1])),
        el('h3', {}, 'Draw'),
        el('div', { class: 'tool-row', role: 'group', 'aria-label': 'Tools' }, this.tools),
        el('label', { class: 'wide' }, 'What is drawn next', this.asks),
        this.count,
        el('h3', {}, 'Chosen'),
        this.inspector.element,
      ),
      el('main', { class: 'theatre' }, this.view.element, this.help, this.transport.element, this.moments.element),
      el('aside', { class: 'panel', 'aria-label': 'Who walks' }, this.plan.element, this.crowd.element),
    );
    this.take('move');
  }

  enter(): void {
    let first = true;
    project.watch(() => {
      if (first) this.restore();
      first = false;
      this.plan.refresh();
    });
    this.show();
    this.frame();
  }

  shown(): void {
    this.view.invalidate();
  }

  hidden(): void {
    this.plan.leave();
    this.crowd.stop();
    this.player.playing = false;
  }

  key(event: KeyboardEvent): boolean {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return false;
    if ((event.key === 'Delete' || event.key === 'Backspace') && this.chosen) this.remove();
    else if (event.key === 'Escape') {
      if (!this.editor.drop()) this.take('move');
    } else if (event.key === 'Enter') {
      if (this.editor.tool === 'polygon') this.editor.close();
      else if ((event.target as HTMLElement).tagName === 'BUTTON') return false;
      else void this.plan.search();
    } else return !this.transport.element.hidden && this.transport.key(event);
    event.preventDefault();
    return true;
  }

  private get file(): string {
    return `${this.world.name}.world`;
  }

  private take(tool: Tool): void {
    this.editor.tool = tool;
    this.tools.forEach(one => one.setAttribute('aria-pressed', String(one.dataset.tool === tool)));
    this.help.textContent = kTools.find(one => one.tool === tool)!.help;
  }

  // Takes walks and crowds off the stage.
  private clearStage(): void {
    this.plan.leave();
    this.crowd.stop();
    this.player.clear();
    this.moments.hide();
    this.transport.element.hidden = true;
    this.tree.clear();
    this.view.follow = null;
    this.view.invalidate();
  }

  // One step to be undone; what a drag passes by is shown and forgotten.
  private edit(what: string, world: WorldDrawing, passing: boolean): void {
    this.before ??= this.world;
    this.set(world);
    if (passing) return;
    const from = this.before;
    this.before = null;
    if (JSON.stringify(from) === JSON.stringify(world)) return;
    const put = (to: WorldDrawing) => async () => this.set(to);
    void this.changes.change(what, put(world), put(from));
    if (!this.crowd.walking) commandBar.show('world', 'world', 'check', given(this.file));
  }

  private set(world: WorldDrawing): void {
    const another = this.world.ground !== world.ground;
    if (world.obstacles.length > this.world.obstacles.length) this.chosen = { kind: 'obstacles', index: world.obstacles.length - 1 };
    this.world = this.editor.world = world;
    if (this.chosen && !world[this.chosen.kind][this.chosen.index]) this.chosen = null;
    if (project.state) keep(`world:${project.state.path}`, JSON.stringify(world));
    this.show();
    this.crowd.moved(world);
    if (another) this.frame();
  }

  private choose(chosen: Chosen | null): void {
    this.chosen = chosen;
    this.show();
  }

  private remove(): void {
    if (!this.chosen) return;
    const gone = this.chosen;
    this.chosen = null;
    this.edit('remove', removed(this.world, gone), false);
  }

  private resize(side: number, metres: number): void {
    if (!(metres >= 2 && metres <= 200)) return this.show();
    const { x, z, wide, deep } = this.model.extent,
      [w, d] = side === 0 ? [metres, deep] : [wide, metres];
    this.edit('floor', { ...this.world, ground: [[x - w / 2, z - d / 2, x + w / 2, z + d / 2]] }, false);
  }

  private show(): void {
    const { world } = this;
    this.model.show(world, this.chosen);
    this.inspector.show(world, this.chosen);
    this.called.value = world.name;
    const { wide, deep } = this.model.extent;
    this.sizes.forEach((input, i) => {
      input.value = String(Math.round(10 * (i ? deep : wide)) / 10);
    });
    this.count.textContent = `${counted(world.obstacles.length, 'obstacle')}, ${counted(world.starts.length, 'start')}, ${counted(world.goals.length, 'goal')}`;
    this.element.dataset.obstacles = String(world.obstacles.length);
    this.view.invalidate();
  }

  // The camera sees the whole floor.
  private frame(): void {
    const { x, z, wide, deep } = this.model.extent;
    this.view.follow = null;
    this.view.setMiddle(x, z);
    this.view.lookAt(
      new THREE.Vector3(x, 0, z),
      Math.min(100, 1.5 * Math.max(wide / Math.max(0.6, this.view.camera.aspect), deep) + 1),
      0,
      1.15,
    );
  }

  private restore(): void {
    const before = kept(`world:${project.state!.path}`);
    if (!before) return;
    try {
      const world = JSON.parse(before) as WorldDrawing;
      if (world.ground.length && world.obstacles && world.starts && world.goals) this.set(world);
    } catch {
      return; // of another version of this page
    }
  }

  private async open(): Promise<void> {
    const [file] = this.opener.files ?? [];
    this.opener.value = '';
    if (!file) return;
    const world = await attempt(async () => call('POST /api/worlds/read', { body: { file: file.name, text: await file.text() } }));
    if (!world) return;
    this.edit(`open ${file.name}`, world, false);
    notify(`${file.name}: ${counted(world.obstacles.length, 'obstacle')}`);
  }

  private async save(): Promise<void> {
    const told = await attempt(() => call('POST /api/worlds/text', { body: { world: this.world } }));
    if (!told) return;
    saveText(this.file, told.text);
    commandBar.show('world', 'world', 'check', given(this.file));
  }
}
