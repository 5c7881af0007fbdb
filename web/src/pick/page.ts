// SPDX-License-Identifier: MIT
// Picking by hand what a game needs (Zhao 2009 §5.5): key motions, and what leads from one to the other.
import { Cancelled, call, callPacked } from '../api';
import { commandBar } from '../command_bar';
import { button, counted, el, fill, leading } from '../dom';
import { jobEnd } from '../jobs';
import { Motion } from '../motion';
import { attempt, nameToBuild, notify } from '../notices';
import { Page } from '../page';
import { project } from '../project';
import { ClipInfo, PickBody, PickJudged, PickRange, PickTexts } from '../routes';
import { Player } from '../stage/player';
import { View } from '../stage/view';
import { keep, kept } from '../storage';
import { Database } from './database';
import { asked, kRequirements, selectWords } from './selection';
import { added, stillThere, told, totalSeconds } from './stretches';

const kWorst = 6; // pairs that are named
const kPatience = 150; // milliseconds after the last change before what was picked is judged
const kKept = 24; // motions held, so that pointing to and fro asks once

type Kind = 'keys' | 'picked';

export class PickPage implements Page {
  readonly name = 'pick';
  readonly title = 'Pick';
  readonly element: HTMLElement;
  private readonly view = new View();
  private readonly player = new Player(this.view);
  private readonly database = new Database({
    point: (clip, seconds) => void this.point(clip, seconds),
    draw: range => this.change(this.drawing, added(this.lists[this.drawing], range)),
    press: range => this.remove(range),
  });
  private readonly graphs = el('select', { 'aria-label': 'Graph', onchange: () => this.askAnew() });
  private readonly requirement = el(
    'select',
    { id: 'pick-requirement', 'aria-label': 'What is asked', onchange: () => this.askAnew() },
    kRequirements.map(({ name, text }, i) => el('option', { value: i + 1, title: text }, name)),
  );
  private readonly within = el('input', {
    type: 'number',
    min: 1,
    max: 10000,
    value: '40',
    'aria-label': 'Frames within which one motion leads to another',
    oninput: () => this.askAnew(),
  });
  private readonly unit = el('span', {});
  private readonly limit = el('label', { class: 'row' }, this.within, this.unit);
  private readonly graphName = el('input', {
    type: 'text',
    id: 'pick-name',
    value: 'picked',
    maxlength: 100,
    'aria-label': 'Name of the graph',
    oninput: () => this.tellCommand(),
  });
  private readonly keeping = button('Keep as a graph', () => void this.keepGraph(), {
    class: 'primary',
    title: 'What is still missing for what is asked is added, as Finish it does',
  });
  private readonly kept = el('p', { id: 'pick-kept', 'aria-live': 'polite' });
  private readonly modes = (['keys', 'picked'] as const).map(kind =>
    el(
      'button',
      { type: 'button', class: `mode ${kind}`, onclick: () => this.draw(kind) },
      kind === 'keys' ? 'Key motions' : 'Motion between',
    ),
  );
  private readonly keyList = el('ol', { class: 'pick-list', id: 'pick-keys' });
  private readonly pickedList = el('ul', { class: 'pick-list', id: 'pick-picked' });
  private readonly figures = el('div', { class: 'pick-figures', id: 'pick-figures' });
  private readonly worst = el('ol', { class: 'pick-list', id: 'pick-worst' });
  private readonly finishing = [
    button('Finish it', () => void this.finish(this.lists.picked), {
      title: 'The program adds the fewest frames that make every key motion lead to every other as asked',
    }),
    button('Do it alone', () => void this.finish([]), { title: 'The same without what was picked by hand' }),
  ];
  private readonly clearing = button('Clear', () => this.change('picked', []), { class: 'quiet', title: 'Take away all that was picked' });
  private readonly what = el('p', { class: 'faint' });
  private readonly lists: Record<Kind, PickRange[]> = { keys: [], picked: [] };
  // What the program was given where it picked the rest; null: all was picked by hand.
  private byHand: PickRange[] | null = null;
  private texts: PickTexts | null = null; // of the key motions and of what is picked by hand
  private drawing: Kind = 'keys';
  private readonly motions = new Map<string, Promise<Motion>>();
  private shownClip = '';
  private timer = 0;
  private asked: AbortController | null = null;

  constructor() {
    this.element = el(
      'div',
      { class: 'page pick-page' },
      el(
        'section',
        { class: 'panel', 'aria-label': 'Database' },
        el('label', {}, 'Graph', this.graphs),
        el('div', { class: 'row modes', role: 'group', 'aria-label': 'What a drag takes' }, el('span', {}, 'Drag takes'), this.modes),
        this.database.element,
      ),
      el(
        'section',
        { class: 'pick-middle', 'aria-label': 'Key motions' },
        el('div', { class: 'theatre' }, this.view.element),
        el('div', { class: 'panel' }, el('h2', {}, 'Key motions'), this.what, this.keyList),
      ),
      el(
        'section',
        { class: 'panel', 'aria-label': 'Picked' },
        el('h2', {}, 'How it does'),
        this.requirement,
        this.limit,
        this.figures,
        el('div', { class: 'row' }, this.finishing),
        el('div', { class: 'row pick-keep' }, this.graphName, this.keeping),
        this.kept,
        el('h2', {}, 'Worst'),
        this.worst,
        el('div', { class: 'row' }, el('h2', {}, 'Picked between'), this.clearing),
        this.pickedList,
      ),
    );
    this.draw('keys');
    this.showLimit();
  }

  enter(): void {
    project.watch(() => this.refresh());
  }

  hidden(): void {
    this.player.playing = false;
  }

  private refresh(): void {
    const state = project.state!,
      chosen = this.graphs.value;
    fill(
      this.graphs,
      state.graphs.map(graph => el('option', { value: graph.name }, graph.name)),
    );
    if (state.graphs.some(graph => graph.name === chosen)) this.graphs.value = chosen;
    const seconds = new Map(state.clips.map(clip => [clip.name, clip.seconds]));
    const before = kept(`pick:${state.path}`);
    if (before && !this.lists.keys.length && !this.lists.picked.length) this.restore(before);
    if (!state.graphs.some(graph => graph.name === this.kept.dataset.graph)) fill(this.kept);
    this.lists.keys = stillThere(this.lists.keys, seconds);
    this.lists.picked = stillThere(this.lists.picked, seconds);
    this.motions.clear();
    this.database.show(state.clips);
    this.show();
    this.judgeSoon();
  }

  private restore(text: string): void {
    try {
      const before = JSON.parse(text) as PickBody & { graph: string };
      this.lists.keys = before.keys;
      this.lists.picked = before.picked;
      if (asked(String(before.requirement), String(before.within))) {
        this.requirement.value = String(before.requirement);
        this.within.value = String(before.within);
        this.showLimit();
      }
      if ([...this.graphs.options].some(option => option.value === before.graph)) this.graphs.value = before.graph;
    } catch {
      return; // of another version of this page
    }
  }

  private draw(kind: Kind): void {
    this.drawing = kind;
    this.modes.forEach((mode, i) => mode.setAttribute('aria-pressed', String((i === 0) === (kind === 'keys'))));
  }

  private change(kind: Kind, list: PickRange[]): void {
    this.lists[kind] = list;
    this.askAnew();
  }

  // Something else is asked: what the program has added counts as picked from now on.
  private askAnew(): void {
    this.byHand = null;
    this.showLimit();
    this.show();
    const now = { ...this.lists, ...asked(this.requirement.value, this.within.value), graph: this.graphs.value };
    if (project.state) keep(`pick:${project.state.path}`, JSON.stringify(now));
    this.judgeSoon();
  }

  private showLimit(): void {
    const { text, unit } = kRequirements[Number(this.requirement.value) - 1];
    this.requirement.title = text;
    this.limit.hidden = !unit;
    this.unit.textContent = unit;
  }

  // What is asked of the server; null while it makes no sense.
  private body(picked: PickRange[]): PickBody | null {
    const wanted = asked(this.requirement.value, this.within.value);
    return this.graphs.value && this.lists.keys.length >= 2 && wanted ? { keys: this.lists.keys, picked, ...wanted } : null;
  }

  private tellCommand(): void {
    const body = this.body([]),
      name = this.graphName.value.trim();
    if (!this.texts || !body || !name) return;
    commandBar.show(this.name, ...selectWords(this.graphs.value, name, this.texts.key_texts, this.texts.picked_texts, body));
  }

  private remove(range: PickRange): void {
    for (const kind of ['keys', 'picked'] as const) {
      if (!this.lists[kind].includes(range)) continue;
      this.change(
        kind,
        this.lists[kind].filter(one => one !== range),
      );
    }
  }

  private show(): void {
    const { keys, picked } = this.lists;
    this.database.mark(keys, picked);
    const body = this.body(picked);
    this.finishing.forEach(one => (one.disabled = !body));
    this.keeping.disabled = !body;
    this.clearing.disabled = !picked.length;
    fill(
      this.what,
      !this.graphs.value
        ? leading('What is picked here is picked out of a graph: build one on the page ', 'graph', 'Graph', ' first.')
        : keys.length < 2
          ? 'Drag over the bars on the left: take a stretch of each motion that is needed, a walk, a jump, a turn.'
          : 'Point to see one. Then take “Motion between” for what leads from one to the other.',
    );
    fill(
      this.keyList,
      keys.map(one => this.entry(one)),
    );
    fill(
      this.pickedList,
      picked.map(one => this.entry(one)),
    );
  }

  private entry(one: PickRange): HTMLElement {
    return el(
      'li',
      { onpointerenter: () => void this.play(one) },
      told(one),
      button('×', () => this.remove(one), { class: 'quiet', title: `Take away ${told(one)}` }),
    );
  }

  private motion(clip: string): Promise<Motion> {
    let motion = this.motions.get(clip);
    if (!motion) {
      motion = callPacked('GET /api/clips/*/motion', { names: [clip] }).then(packed => new Motion(packed));
      motion.catch(() => this.motions.delete(clip));
      this.motions.set(clip, motion);
      if (this.motions.size > kKept) this.motions.delete(this.motions.keys().next().value!);
    }
    return motion;
  }

  // Shows a clip; says whether it is still the one that was asked for last.
  private async bring(clip: string): Promise<Motion | null> {
    this.shownClip = clip;
    const motion = await attempt(() => this.motion(clip));
    if (!motion || this.shownClip !== clip) return null;
    if (this.player.motion !== motion) await this.player.show(motion);
    return this.shownClip === clip ? motion : null;
  }

  private async point(clip: ClipInfo, seconds: number): Promise<void> {
    const motion = await this.bring(clip.name);
    if (!motion) return;
    this.player.playing = false;
    this.player.range = null;
    this.player.seek(seconds * motion.rate);
  }

  private async play(range: PickRange): Promise<void> {
    const motion = await this.bring(range.clip);
    if (!motion) return;
    this.player.range = [range.begin * motion.rate, Math.min(motion.frames - 1, range.end * motion.rate)];
    this.player.seek(range.begin * motion.rate);
    this.player.playing = true;
    this.view.invalidate();
  }

  private judgeSoon(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.judge(), kPatience);
  }

  private async judge(): Promise<void> {
    this.asked?.abort();
    const graph = this.graphs.value,
      { keys, picked } = this.lists,
      body = this.body(picked);
    if (!body) {
      this.texts = null;
      fill(this.figures);
      fill(this.worst);
      return;
    }
    const current = (this.asked = new AbortController());
    this.figures.setAttribute('aria-busy', 'true');
    const judged = await attempt(async () => {
      try {
        return await call('POST /api/graphs/*/pick', { names: [graph], body, signal: current.signal });
      } catch (error) {
        if (error instanceof Cancelled || current.signal.aborted) return null; // stopped before, or while it came
        throw error;
      }
    });
    if (current !== this.asked) return;
    this.figures.removeAttribute('aria-busy');
    if (!judged) return;
    this.tell(judged, keys);
    if (!this.byHand) this.texts = judged;
    this.tellCommand();
  }

  // Lets the program pick; what it takes is shown in the bars and listed like what was picked by hand.
  private async finish(picked: PickRange[]): Promise<void> {
    const graph = this.graphs.value,
      body = this.body(picked);
    if (!body) return notify(this.missing());
    this.finishing.forEach(one => (one.disabled = true));
    const done = await attempt(() => call('POST /api/graphs/*/finish', { names: [graph], body }));
    this.finishing.forEach(one => (one.disabled = false));
    const now = JSON.stringify(this.body(picked));
    if (!done || now !== JSON.stringify(body) || this.graphs.value !== graph) return;
    this.change('picked', done.picked);
    this.byHand = picked;
    this.texts = done;
    if (done.beyond_share > 0) {
      notify(`${Math.ceil(100 * done.beyond_share)} % of the ways take longer in the whole graph, too: they are as quick as there.`);
    }
  }

  private missing(): string {
    if (!this.graphs.value) return 'Build a graph first.';
    return this.lists.keys.length < 2 ? 'Take two key motions first.' : 'Say within how many frames.';
  }

  // Keeps what was picked, and what it takes besides, as a graph of its own.
  private async keepGraph(): Promise<void> {
    const graph = this.graphs.value,
      body = this.body(this.byHand ?? this.lists.picked);
    if (!body) return notify(this.missing());
    if (this.graphName.value.trim() === graph) return notify('Give it a name of its own.');
    const name = await nameToBuild(
      this.graphName,
      'graph',
      project.state!.graphs.map(other => other.name),
    );
    if (!name) return;
    fill(this.kept);
    this.keeping.disabled = true;
    try {
      const started = await attempt(() => call('POST /api/graphs/*/select', { names: [graph], body: { ...body, name } }));
      if (!started) return;
      commandBar.show(this.name, ...selectWords(graph, name, started.key_texts, started.picked_texts, body));
      const job = await jobEnd(started.job);
      if (job.state !== 'done') return;
    } finally {
      this.keeping.disabled = false;
    }
    await attempt(() => project.refresh());
    this.kept.dataset.graph = name;
    fill(this.kept, 'Kept. ', el('a', { href: `#graph/${encodeURIComponent(name)}` }, `Play ${name}`));
  }

  private tell(judged: PickJudged, keys: PickRange[]): void {
    const percent = (share: number) => `${Math.floor(100 * share)} %`,
      unit = kRequirements[Number(this.requirement.value) - 1].unit || 'frames',
      frames = (count: number | null) => (count === null ? 'no way' : `${count.toFixed(0)} ${unit} on average`);
    const figure = (id: string, value: string, what: string) =>
      el('div', { class: 'figure', id }, el('strong', {}, value), el('span', { class: 'faint' }, what));
    const lost = keys.filter((_, i) => judged.frames_of_keys[i] === 0);
    fill(
      this.figures,
      figure('pick-connected', percent(judged.connected_share), 'of the ways between key frames are there'),
      figure(
        'pick-satisfied',
        percent(judged.satisfied_share),
        `are as asked; ${frames(judged.mean_frames)}, ${judged.best_frames.toFixed(0)} in the whole graph`,
      ),
      figure(
        'pick-frames',
        String(judged.frames),
        `frames of ${judged.graph_frames} in the graph, ${counted(judged.key_frames, 'key frame')}, ` +
          `${totalSeconds(this.lists.picked).toFixed(0)} s picked`,
      ),
      lost.length ? el('p', { class: 'warning' }, `The graph has lost ${lost.map(told).join(', ')}: take another stretch.`) : null,
    );
    const bad = judged.pairs.filter(pair => pair.satisfied_share < 1).slice(0, kWorst);
    fill(
      this.worst,
      bad.length
        ? bad.map(pair =>
            el(
              'li',
              { onpointerenter: () => void this.play(keys[pair.from]) },
              pair.from === pair.to ? `within ${told(keys[pair.from])}` : `${told(keys[pair.from])} to ${told(keys[pair.to])}`,
              el(
                'span',
                { class: 'faint' },
                pair.connected_share === 0 ? 'no way' : `${percent(pair.satisfied_share)} as asked, ${frames(pair.mean_frames)}`,
              ),
            ),
          )
        : el('li', { class: 'faint' }, 'Every key motion leads to every other as asked.'),
    );
  }
}
