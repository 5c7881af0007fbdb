// SPDX-License-Identifier: MIT
// Back in time on a live stage: the last minute is kept, and can be looked at moment by moment: which clip and frame it
// came from, why, what was wanted and where the character went. What goes on meanwhile is gone back to.
import { button, el } from '../dom';
import { Events, Part, SceneInfo } from '../routes';
import { SceneFrame, socket } from '../socket';
import { LiveView } from '../stage/live';
import { View } from '../stage/view';
import { DrawnWays } from './drawn_ways';
import { History, Moment } from './history';
import { MomentPanel } from './moment_panel';
import { floorWay, kAhead } from './ways';

const kValues = 64; // numbers of a frame that are kept with it
const kEvery = 6; // frames after which the panel is drawn anew while nothing is held

export interface RewindOptions {
  who?: string[]; // names of those who can be looked at; one otherwise
  hold?: (held: boolean) => void; // what is live waits meanwhile; it goes on where there is none
  look?: (moment: Moment) => void; // a moment is looked at
  note?: () => number[]; // what the page wants to know of this moment later
  // Where one was to go from there on, and where one went: x, y, z a point. `ahead` are the moments of the next second.
  wanted?: (moment: Moment, who: number, ahead: Moment[]) => number[];
  went?: (ahead: Moment[], who: number) => number[]; // the root, on the floor, where this is missing
}

export class Rewind {
  readonly element: HTMLElement;
  private readonly history = new History();
  private readonly slider = el('input', {
    type: 'range',
    min: 0,
    max: 0,
    value: 0,
    'aria-label': 'Moment',
    oninput: () => this.look(Number(this.slider.value)),
  });
  private readonly now = button('Back to now', () => this.release(), { class: 'quiet', title: 'Goes on' });
  private readonly told = el('span', { class: 'faint rewound' });
  private readonly panel = new MomentPanel();
  private readonly chooser: HTMLSelectElement | null;
  private readonly ways: DrawnWays;
  private scene: SceneInfo | null = null;
  private pieces: (Events['piece'] | null)[] = [];
  private mixes: (Part[] | null)[] = [];
  private wish: Events['asked'] | null = null;
  private held = false;
  private kept = 0;

  constructor(
    private readonly live: LiveView,
    private readonly view: View,
    private readonly options: RewindOptions = {},
  ) {
    const back = (seconds: number) => button(`−${seconds} s`, () => this.step(-seconds), { class: 'quiet', title: `${seconds} s back` });
    const seam = button('Last seam', () => this.toSeam(-1), { class: 'quiet', title: 'Where it went from one recording to another' });
    this.ways = new DrawnWays(view);
    this.now.hidden = true;
    this.chooser = options.who
      ? el(
          'select',
          { 'aria-label': 'Whose moments', onchange: () => this.again() },
          options.who.map((name, i) => el('option', { value: i }, name)),
        )
      : null;
    this.element = el(
      'div',
      { class: 'moments' },
      el('div', { class: 'row rewind' }, this.chooser, back(2), back(0.1), this.slider, seam, this.now, this.told),
      this.ways.legend,
      this.panel.element,
    );
    this.panel.onseam = by => this.toSeam(by);
    this.panel.onopen = () => this.again();
    live.onmoment = frame => this.keep(frame);
    socket.on('piece', event => {
      if (event.scene === this.scene?.scene) this.pieces = withEntry(this.pieces, event.character, event);
    });
    socket.on('mix', event => {
      if (event.scene === this.scene?.scene) this.mixes = withEntry(this.mixes, event.character, event.parts);
    });
    socket.on('asked', event => {
      if (event.scene === this.scene?.scene) this.wish = event;
    });
  }

  // Another scene begins.
  start(scene: SceneInfo): void {
    this.release();
    this.history.clear();
    this.scene = scene;
    this.pieces = [];
    this.mixes = [];
    this.wish = null;
    this.slider.max = '0';
  }

  get isHeld(): boolean {
    return this.held;
  }

  private get who(): number {
    return Number(this.chooser?.value ?? 0);
  }
  private get index(): number {
    return this.held ? Number(this.slider.value) : this.history.length - 1;
  }

  private keep(frame: SceneFrame): boolean {
    const moment = this.momentOf(frame);
    // What stands still, since it waits, is one moment; the others would push out what there was.
    if (!(this.held && this.options.hold) && !alike(this.history.newest, moment)) this.history.add(moment);
    if (!this.held) {
      this.slider.max = this.slider.value = String(Math.max(0, this.history.length - 1));
      if (this.panel.isOpen && ++this.kept % kEvery === 0) this.again();
    }
    return !this.held;
  }

  private momentOf(frame: SceneFrame): Moment {
    const count = this.options.who?.length ?? 1;
    return {
      at: performance.now() / 1000,
      poses: frame.characters.slice(0, count).map(({ root, rotations, clip, frame: at }) => ({
        root: root.slice(),
        rotations: rotations.slice(),
        clip,
        frame: at,
      })),
      worn: frame.worn.slice(0, (frame.worn.length / frame.characters.length) * count),
      values: Array.from(frame.values.subarray(0, kValues)),
      pieces: this.pieces,
      mixes: this.mixes,
      wish: this.wish && { left: this.wish.left, forward: this.wish.forward, turn: this.wish.turn },
      noted: this.options.note?.() ?? [],
    };
  }

  private step(seconds: number): void {
    this.look(this.history.near(this.index, seconds));
  }

  private toSeam(by: number): void {
    this.look(by < 0 ? this.history.seamBefore(this.index, this.who) : this.history.seamAfter(this.index, this.who));
  }

  // The same moment, told anew.
  private again(): void {
    if (this.held) this.look(this.index);
    else {
      const moment = this.history.at(this.index);
      if (moment) this.tell(moment, this.index, 'Now');
    }
  }

  private look(index: number): void {
    const moment = this.history.at(index);
    if (!moment) return;
    if (!this.held) {
      this.history.freeze();
      this.options.hold?.(true);
    }
    this.held = true;
    this.now.hidden = false;
    this.slider.max = String(this.history.length - 1);
    this.slider.value = String(index);
    this.live.pose({ characters: moment.poses, worn: moment.worn });
    const ago = this.history.at(this.history.length - 1)!.at - moment.at;
    this.told.textContent = this.tell(moment, index, `${ago.toFixed(1)} s ago`);
    this.draw(moment, index);
    this.options.look?.(moment);
    this.view.invalidate();
  }

  // Tells a moment in the panel, and in a line, which is returned.
  private tell(moment: Moment, index: number, when: string): string {
    const { who } = this,
      pose = moment.poses[who],
      clips = this.scene?.clips ?? [],
      piece = moment.pieces[who] ?? null,
      { wish } = moment;
    const alone = pose && clips[pose.clip] !== undefined ? [{ clip: clips[pose.clip], frame: pose.frame, share: 1 }] : [];
    const parts = moment.mixes[who] ?? alone;
    const wants = wish ? `wanted ${wish.forward.toFixed(1)} m/s ahead, ${wish.left.toFixed(1)} left, turning ${wish.turn.toFixed(1)}` : '';
    const went = `went ${this.history.speed(index, who).toFixed(2)} m/s`;
    const since = piece ? `for ${this.history.sinceSeam(index, who).toFixed(2)} s` : '';
    this.panel.tell({ when, parts, piece, more: [since, wants, went].filter(Boolean).join(', ') });
    const played = parts.length ? `${parts[0].clip}, frame ${parts[0].frame}` : 'nothing yet';
    return [when, played, wants, went].filter(Boolean).join(' · ');
  }

  // What was wanted from there on, and where the character went.
  private draw(moment: Moment, index: number): void {
    const ahead = this.history.since(index, kAhead),
      { who } = this;
    const root = () => floorWay(ahead.flatMap(({ poses }) => Array.from(poses[who]?.root ?? [])));
    this.ways.show([this.options.wanted?.(moment, who, ahead) ?? []], [this.options.went?.(ahead, who) ?? root()]);
  }

  private release(): void {
    if (this.held) {
      this.history.thaw();
      this.options.hold?.(false);
    }
    this.held = false;
    this.now.hidden = true;
    this.told.textContent = '';
    this.ways.hide();
  }
}

// A new list with one entry put in, so that moments may keep the old one.
function withEntry<T>(list: (T | null)[], at: number, value: T): (T | null)[] {
  return Array.from({ length: Math.max(list.length, at + 1) }, (_, i) => (i === at ? value : (list[i] ?? null)));
}

function alike(a: Moment | undefined, b: Moment): boolean {
  return (
    !!a &&
    a.poses.length === b.poses.length &&
    a.poses.every(({ root, rotations }, i) => same(root, b.poses[i].root) && same(rotations, b.poses[i].rotations))
  );
}

function same(a: Float32Array, b: Float32Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
