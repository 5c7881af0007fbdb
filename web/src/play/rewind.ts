// SPDX-License-Identifier: MIT
// Back in time while playing: the last minute is kept, and can be looked at moment by moment: which clip it came from, what
// was wanted and where the character went. The game goes on meanwhile, and is gone back to.
import * as THREE from 'three';
import { button, el } from '../dom';
import { Events } from '../routes';
import { SceneFrame, socket } from '../socket';
import { LiveView } from '../stage/live';
import { View } from '../stage/view';
import { History, Moment } from './history';

const kAhead = 1; // seconds of what is wanted that are drawn
const kWanted = 0xd9480f;
const kWent = 0x2b6cb0;

export class Rewind {
  readonly element: HTMLElement;
  private readonly history = new History();
  private readonly slider = el('input', {
    type: 'range',
    min: 0,
    max: 0,
    value: 0,
    'aria-label': 'Moment',
    id: 'rewind',
    oninput: () => this.look(Number(this.slider.value)),
  });
  private readonly now = button('Back to now', () => this.release(), { class: 'quiet', title: 'Goes on playing' });
  private readonly told = el('span', { class: 'faint', id: 'rewound' });
  private readonly wanted = line(kWanted);
  private readonly went = line(kWent);
  private piece: { clip: string; frame: number } | null = null;
  private wish: Events['asked'] | null = null;
  private held = false;

  constructor(
    private readonly live: LiveView,
    private readonly view: View,
  ) {
    const back = (seconds: number) => button(`−${seconds} s`, () => this.step(-seconds), { class: 'quiet', title: `${seconds} s back` });
    const seam = button('Last seam', () => this.toSeam(), { class: 'quiet', title: 'Where it went from one recording to another' });
    this.now.hidden = true;
    this.element = el('div', { class: 'row rewind' }, back(2), back(0.1), this.slider, seam, this.now, this.told);
    view.scene.add(this.wanted, this.went);
    this.wanted.visible = this.went.visible = false;
    live.onmoment = frame => this.keep(frame);
    socket.on('piece', event => {
      this.piece = { clip: event.clip, frame: event.frame };
    });
    socket.on('asked', event => {
      this.wish = event;
    });
  }

  // Another character begins.
  start(): void {
    this.release();
    this.history.clear();
    this.piece = this.wish = null;
    this.slider.max = '0';
  }

  get isHeld(): boolean {
    return this.held;
  }

  private keep(frame: SceneFrame): boolean {
    const [pose] = frame.characters,
      [x, z, heading] = frame.values;
    this.history.add({
      at: performance.now() / 1000,
      root: pose.root.slice(),
      rotations: pose.rotations.slice(),
      worn: frame.worn.slice(),
      x,
      z,
      heading,
      piece: this.piece,
      wish: this.wish && { left: this.wish.left, forward: this.wish.forward, turn: this.wish.turn },
    });
    if (!this.held) {
      this.slider.max = this.slider.value = String(Math.max(0, this.history.length - 1));
    }
    return !this.held;
  }

  private step(seconds: number): void {
    const from = this.held ? Number(this.slider.value) : this.history.length - 1;
    this.look(this.history.near(from, seconds));
  }

  private toSeam(): void {
    const from = this.held ? Number(this.slider.value) : this.history.length - 1;
    this.look(this.history.seamBefore(from));
  }

  private look(index: number): void {
    const moment = this.history.at(index);
    if (!moment) return;
    if (!this.held) this.history.freeze();
    this.held = true;
    this.now.hidden = false;
    this.slider.max = String(this.history.length - 1);
    this.slider.value = String(index);
    this.live.pose({ characters: [moment], worn: moment.worn });
    this.tell(moment, index);
    this.draw(moment, index);
    this.view.invalidate();
  }

  private tell(moment: Moment, index: number): void {
    const ago = this.history.at(this.history.length - 1)!.at - moment.at,
      { piece, wish } = moment;
    const played = piece ? `${piece.clip}, from frame ${piece.frame} for ${this.history.sinceSeam(index).toFixed(2)} s` : 'nothing yet';
    const wants = wish
      ? `wanted ${wish.forward.toFixed(1)} m/s ahead, ${wish.left.toFixed(1)} left, turning ${wish.turn.toFixed(1)}`
      : 'nothing wanted';
    const speed = this.history.speed(index);
    this.told.textContent = `${ago.toFixed(1)} s ago · ${played} · ${wants} · went ${speed.toFixed(2)} m/s`;
  }

  // What was wanted from there on, and where the character went, on the floor.
  private draw(moment: Moment, index: number): void {
    const wanted: number[] = [],
      steps = 12;
    let { x, z, heading } = moment;
    wanted.push(x, 0.02, z);
    for (let i = 0; i < steps && moment.wish; ++i) {
      const dt = kAhead / steps;
      heading += moment.wish.turn * dt;
      x += (Math.sin(heading) * moment.wish.forward + Math.cos(heading) * moment.wish.left) * dt;
      z += (Math.cos(heading) * moment.wish.forward - Math.sin(heading) * moment.wish.left) * dt;
      wanted.push(x, 0.02, z);
    }
    const went = this.history.since(index, kAhead).flatMap(one => [one.x, 0.025, one.z]);
    put(this.wanted, wanted);
    put(this.went, went);
  }

  private release(): void {
    if (this.held) this.history.thaw();
    this.held = false;
    this.now.hidden = true;
    this.told.textContent = '';
    this.wanted.visible = this.went.visible = false;
    this.view.invalidate();
  }
}

function line(hue: number): THREE.Line {
  const it = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: hue }));
  it.frustumCulled = false;
  return it;
}

function put(it: THREE.Line, points: number[]): void {
  it.geometry.dispose();
  it.geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(new Float32Array(points), 3));
  it.visible = points.length >= 6;
}
