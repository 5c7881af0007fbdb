// SPDX-License-Identifier: MIT
// A page that shows clips without a server: the studio's stage, player and time line on motion the page carries.
import * as THREE from 'three';
import { button, el, fill, isOperating, isTyping } from '../dom';
import { Player } from '../stage/player';
import { View } from '../stage/view';
import { toggleTheme } from '../theme';
import { Timeline } from '../timeline';
import { Transport } from '../transport';
import { Carried, CarriedMotion, bodySource, motionOf } from './carried';
import { ClipMenu } from './clip_menu';
import './style.css';

// From where a body is looked at: the angle from straight ahead, and how steeply.
const kViews = {
  start: { turn: -0.9, height: 0.22 },
  side: { turn: -Math.PI / 2, height: 0.08 },
  front: { turn: 0, height: 0.08 },
  top: { turn: -Math.PI / 2, height: 30 },
};
type ViewName = keyof typeof kViews;

const kKeys = [
  ['Space', 'play or pause'],
  ['← →', 'one frame back or on; ten with Shift'],
  ['Home End', 'first or last frame'],
  ['↑ ↓', 'previous or next clip'],
  ['1 2 3', 'from the side, the front, above'],
  ['F G T', 'follow, ghosts, light or dark'],
];

// A moment by its number in the recording.
function placeOf(motion: CarriedMotion, frame: number): string {
  const { clip } = motion,
    at = motion.frameNumber(frame);
  return `frame ${at} of ${clip.frames - 1} · ${(at / clip.rate).toFixed(2)} s`;
}

class ViewerPage {
  private readonly view = new View();
  private readonly player: Player<CarriedMotion>;
  private readonly transport: Transport<CarriedMotion>;
  private readonly timeline = new Timeline({ seek: frame => this.scrub(frame) }, { lanes: true });
  private readonly menu: ClipMenu;
  private readonly facts = el('p', { id: 'facts', class: 'faint' });
  private readonly labels = el('span', { id: 'labels' });
  private readonly following = button('follow', () => this.follow(!this.followed), { title: 'Keep the body in the middle', key: 'F' });
  private readonly help = this.makeHelp();
  private followed = true;
  private index = 0;

  constructor(private readonly carried: Carried) {
    this.player = new Player<CarriedMotion>(this.view, bodySource(carried));
    this.player.playing = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.transport = new Transport(this.player, placeOf);
    this.transport.element.querySelector('.clock')!.after(this.labels);
    this.menu = new ClipMenu(carried.clips, index => void this.choose(index));
    document.body.append(
      el(
        'header',
        {},
        el('div', {}, el('h1', {}, carried.title), this.facts),
        el(
          'div',
          { class: 'row', role: 'group', 'aria-label': 'View' },
          (['side', 'front', 'top'] as const).map((name, i) => {
            const one = button(name, () => this.look(name), { title: `From the ${name}`, key: String(i + 1) });
            one.dataset.view = name;
            return one;
          }),
          this.following,
          el(
            'button',
            { type: 'button', id: 'theme', title: 'Light or dark (T)', 'aria-label': 'Light or dark', onclick: toggleTheme },
            '◐',
          ),
          button('?', () => this.help.showModal(), { title: 'Keys', key: '?' }),
        ),
      ),
      el(
        'div',
        { class: 'viewer' },
        this.menu.element,
        el('main', { class: 'theatre' }, this.view.element, this.transport.element, this.timeline.element),
      ),
      this.help,
    );
    this.player.onframe = frame => this.showTime(frame);
    this.view.canvas.addEventListener('pointerdown', event => {
      if (event.shiftKey || event.button === 2) this.follow(false); // it is moved by hand, and must not be pulled back
    });
    addEventListener('keydown', event => this.key(event));
    this.follow(true);
  }

  async choose(index: number): Promise<void> {
    const { clips } = this.carried;
    this.index = (index + clips.length) % clips.length;
    const clip = clips[this.index],
      motion = motionOf(clip);
    this.menu.choose(this.index);
    const seconds = ((clip.frames - 1) / clip.rate).toFixed(2);
    this.facts.textContent = `${clip.name} · ${clip.frames} frames · ${+clip.rate.toFixed(3)} Hz · ${seconds} s · ${clip.joints} joints`;
    await this.player.show(motion);
    this.timeline.show(motion, motion.labels);
    this.look('start');
  }

  // Turns the camera around the body as it stands now, as far away as shows all of it.
  private look(name: ViewName): void {
    const { motion } = this.player;
    if (!motion) return;
    const frame = Math.round(this.player.frame),
      x = motion.roots[3 * frame],
      z = motion.roots[3 * frame + 2],
      floor = motion.floorAt(x, z),
      middle = floor + 0.95 * (motion.roots[3 * frame + 1] - floor);
    const { turn, height } = kViews[name];
    this.view.lookAt(new THREE.Vector3(x, middle, z), 2.4 * this.player.size, motion.headings[frame] + turn, height);
  }

  private follow(followed: boolean): void {
    this.followed = followed;
    this.player.follow(followed);
    this.following.setAttribute('aria-pressed', String(followed));
  }

  private scrub(frame: number): void {
    this.player.playing = false;
    this.player.seek(frame);
  }

  private showTime(frame: number): void {
    const { motion } = this.player;
    if (!motion) return;
    this.timeline.setFrame(frame);
    this.transport.update();
    const now = new Set(motion.labels.filter(({ begin, end }) => begin <= frame && frame < end).map(({ name }) => name));
    fill(
      this.labels,
      [...now].map(name => el('span', { class: 'tag' }, name)),
    );
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open || isTyping(event) || isOperating(event)) return;
    const actions: Record<string, () => void> = {
      ArrowUp: () => void this.choose(this.index - 1),
      ArrowDown: () => void this.choose(this.index + 1),
      1: () => this.look('side'),
      2: () => this.look('front'),
      3: () => this.look('top'),
      f: () => this.follow(!this.followed),
      t: toggleTheme,
      '?': () => this.help.showModal(),
    };
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return void this.transport.key(event);
    event.preventDefault();
    action();
  }

  private makeHelp(): HTMLDialogElement {
    return el(
      'dialog',
      { id: 'help' },
      el('h2', {}, 'Keys'),
      el(
        'table',
        {},
        kKeys.map(([keys, what]) =>
          el('tr', {}, el('td', {}, ...keys.split(' ').flatMap(one => [el('kbd', {}, one), ' '])), el('td', {}, what)),
        ),
      ),
      el('p', { class: 'faint' }, 'Drag turns, the wheel or two fingers zoom, the right button or Shift moves.'),
      el('form', { method: 'dialog' }, el('button', {}, 'Close')),
    );
  }
}

const carried: Carried = JSON.parse(document.getElementById('data')!.textContent!);
try {
  void new ViewerPage(carried).choose(0);
} catch (trouble) {
  document.body.append(el('p', { class: 'error' }, `The clips cannot be shown: ${(trouble as Error).message}`));
  throw trouble;
}
