// SPDX-License-Identifier: MIT
// Picking by hand what a game needs (Zhao 2009 §5.5): key motions, and what leads from one to the other.
import { Cancelled, call, callPacked } from '../api';
import { button, counted, el, fill } from '../dom';
import { Motion } from '../motion';
import { attempt, notify } from '../notices';
import { Page } from '../page';
import { project } from '../project';
import { ClipInfo, PickJudged, PickRange } from '../routes';
import { Player } from '../stage/player';
import { View } from '../stage/view';
import { keep, kept } from '../storage';
import { Database } from './database';
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
  private readonly graphs = el('select', { 'aria-label': 'Graph', onchange: () => this.judgeSoon() });
  private readonly within = el('input', {
    type: 'number',
    min: 1,
    max: 1000,
    value: '40',
    'aria-label': 'Frames within which one motion leads to another',
    oninput: () => this.judgeSoon(),
  });
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
      title: 'The program adds the fewest frames that make every key motion lead to every other in time',
    }),
    button('Do it alone', () => void this.finish([]), { title: 'The same without what was picked by hand' }),
  ];
  private readonly what = el('p', { class: 'faint' });
  private readonly lists: Record<Kind, PickRange[]> = { keys: [], picked: [] };
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
        el('label', { class: 'row' }, 'One leads to another within', this.within, 'frames'),
        this.figures,
        el('div', { class: 'row' }, this.finishing),
        el('h2', {}, 'Worst'),
        this.worst,
        el(
          'div',
          { class: 'row' },
          el('h2', {}, 'Picked between'),
          button('Clear', () => this.change('picked', []), { class: 'quiet', title: 'Take away all that was picked' }),
        ),
        this.pickedList,
      ),
    );
    this.draw('keys');
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
    this.lists.keys = stillThere(this.lists.keys, seconds);
    this.lists.picked = stillThere(this.lists.picked, seconds);
    this.motions.clear();
    this.database.show(state.clips);
    this.show();
    this.judgeSoon();
  }

  private restore(text: string): void {
    try {
      const lists = JSON.parse(text) as Record<Kind, PickRange[]>;
      this.lists.keys = lists.keys;
      this.lists.picked = lists.picked;
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
    keep(`pick:${project.state!.path}`, JSON.stringify(this.lists));
    this.show();
    this.judgeSoon();
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
    this.what.textContent = !this.graphs.value
      ? 'Build a graph of the library on the page Graph first: what is picked here is picked out of it.'
      : keys.length < 2
        ? 'Drag over the bars on the left: take a stretch of each motion that is needed, a walk, a jump, a turn.'
        : 'Point to see one. Then take “Motion between” for what leads from one to the other.';
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
      within = Math.round(Number(this.within.value));
    if (!graph || keys.length < 2 || !(within > 0)) {
      fill(this.figures);
      fill(this.worst);
      return;
    }
    const asked = (this.asked = new AbortController());
    this.figures.setAttribute('aria-busy', 'true');
    const judged = await attempt(async () => {
      try {
        return await call('POST /api/graphs/*/pick', { names: [graph], body: { keys, picked, within }, signal: asked.signal });
      } catch (error) {
        if (error instanceof Cancelled) return null;
        throw error;
      }
    });
    if (asked !== this.asked) return;
    this.figures.removeAttribute('aria-busy');
    if (judged) this.tell(judged, keys);
  }

  // Lets the program pick; what it takes is shown in the bars and listed like what was picked by hand.
  private async finish(picked: PickRange[]): Promise<void> {
    const graph = this.graphs.value,
      { keys } = this.lists,
      within = Math.round(Number(this.within.value));
    if (!graph || keys.length < 2 || !(within > 0)) return notify('Take two key motions first.');
    this.finishing.forEach(one => (one.disabled = true));
    const done = await attempt(() => call('POST /api/graphs/*/finish', { names: [graph], body: { keys, picked, within } }));
    this.finishing.forEach(one => (one.disabled = false));
    if (!done || this.lists.keys !== keys) return;
    this.change('picked', done.picked);
    if (done.best_share < 1) {
      notify(`Of these ways ${Math.floor(100 * done.best_share)} % are quick enough in the whole graph: no picking makes the others so.`);
    }
  }

  private tell(judged: PickJudged, keys: PickRange[]): void {
    const percent = (share: number) => `${Math.floor(100 * share)} %`,
      frames = (count: number | null) => (count === null ? 'no way' : `${count.toFixed(0)} frames on average`);
    const figure = (id: string, value: string, what: string) =>
      el('div', { class: 'figure', id }, el('strong', {}, value), el('span', { class: 'faint' }, what));
    const lost = keys.filter((_, i) => judged.frames_of_keys[i] === 0);
    fill(
      this.figures,
      figure('pick-connected', percent(judged.connected_share), 'of the ways between key frames are there'),
      figure('pick-satisfied', percent(judged.satisfied_share), `are quick enough; ${frames(judged.mean_frames)}`),
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
              `${told(keys[pair.from])} to ${told(keys[pair.to])}`,
              el(
                'span',
                { class: 'faint' },
                pair.connected_share === 0 ? 'no way' : `${percent(pair.satisfied_share)} quick enough, ${frames(pair.mean_frames)}`,
              ),
            ),
          )
        : el('li', { class: 'faint' }, 'Every key motion leads to every other in time.'),
    );
  }
}
