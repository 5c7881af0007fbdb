// SPDX-License-Identifier: MIT
// Motion from a graph: an endless walk, behaviors in order, and a path drawn on the floor with the mouse.
import * as THREE from 'three';
import { addressOf, call, callPacked } from '../api';
import { commandBar } from '../command_bar';
import { Word, given, option } from '../command_words';
import { button, counted, el, fill, pressed, saveText, wantsStill } from '../dom';
import { Motion } from '../motion';
import { askText, attempt, notify } from '../notices';
import { MadeMoments, WantedWay } from '../moments/made_moments';
import { Rewind } from '../moments/rewind';
import { onFloor } from '../moments/ways';
import { newClipName, project } from '../project';
import { FileFormat, WovenHeader } from '../routes';
import { LiveView } from '../stage/live';
import { Player } from '../stage/player';
import { View } from '../stage/view';
import { socket } from '../socket';
import { Timeline } from '../timeline';
import { Transport } from '../transport';
import { onWorn } from '../worn';
import { betweenRecordings } from './between';
import { FloorLine, simplified } from './floor_line';
import { Sequence } from './sequence';
import { Verdict, asked } from './verdict';

const kNone = 'There is no graph yet: build one on the left, then walk on it, or draw a path on the floor.';
const kReady = 'Walk strolls through it without end. Or say what is to be done in order, or draw a path on the floor.';
const kSpacing = 0.08; // metres between two points of a path as it is drawn
const kTolerance = 0.02; // metres a path may be off what was drawn, to be said in few points

type Words = Word[]; // a command, but for where to put what it makes

interface Made {
  made: number;
  words: Words;
} // a motion that the server has under that number

export class PlayView {
  readonly element: HTMLElement;
  readonly transport: Transport;
  private readonly view = new View();
  private readonly player = new Player(this.view);
  private readonly live = new LiveView(this.view);
  private readonly timeline = new Timeline({
    seek: frame => {
      this.player.playing = false;
      this.player.seek(frame);
    },
  });
  private readonly moments = new MadeMoments(this.player);
  private readonly rewind = new Rewind(this.live, this.view, { hold: held => this.setSpeed(held ? 0 : 1) });
  private readonly line = new FloorLine();
  private readonly seed = el('input', { type: 'number', value: 7, min: 0, 'aria-label': 'Seed', title: 'Another seed, another walk' });
  private readonly sequence = new Sequence();
  private readonly perform = button('Do these in order', () => void this.come(), {
    title:
      'LABEL performs an action, or shows a state for 2 s; LABEL! performs it whatever it is, LABEL@SECONDS stays with it, CLIP:FRAME is a pose',
  });
  private readonly walkButton = button('Walk', () => void this.walk(), {
    class: 'primary',
    key: 'W',
    title: 'Stroll through the graph, live',
  });
  private readonly verdict = el('div', { class: 'verdict', id: 'verdict', role: 'status', hidden: true });
  private readonly label = el('select', { 'aria-label': 'How to go', title: 'How to go along the path' });
  private readonly draw = button('Draw a path', () => (this.drawing ? this.endDrawing() : this.setDrawing(true)), {
    key: 'D',
    title: 'Then draw on the floor',
  });
  private readonly read = el('p', { class: 'faint readout', id: 'play-readout' });
  private readonly keep = el('div', { class: 'row' });
  private graph: string | null = null;
  private drawing = false;
  private walkedBefore = false; // live, when drawing began
  private points: THREE.Vector3[] = [];
  private words: Words = []; // of the command that makes what is shown
  private searching: AbortController | null = null;
  private rate = 30; // of the live walk
  private walked = 0; // seconds of it so far
  private piece = ''; // what it is made of now

  constructor() {
    this.transport = new Transport(this.player);
    this.view.scene.add(this.line.object);
    this.element = el(
      'div',
      { class: 'graph-play' },
      el(
        'div',
        { class: 'tools' },
        el('div', { class: 'row' }, this.walkButton, el('label', { class: 'row' }, 'seed', this.seed)),
        el('div', { class: 'row' }, this.draw, this.label),
        el('div', { class: 'row grow' }, this.sequence.element, this.perform),
        this.keep,
      ),
      this.verdict,
      el(
        'div',
        { class: 'theatre' },
        this.view.element,
        this.read,
        this.rewind.element,
        this.transport.element,
        this.timeline.element,
        this.moments.element,
      ),
    );
    this.player.onframe = frame => {
      this.timeline.setFrame(frame);
      this.moments.setFrame(frame);
      this.transport.update();
    };
    this.live.onframe = ({ values }) => this.goOn(values[0]);
    socket.on('piece', event => {
      if (this.live.running) this.showLive(`${event.clip}, frame ${event.frame}`);
    });
    this.rewind.element.hidden = true; // until there is something live
    this.element.classList.add('is-idle');
    this.sequence.onenter = () => void this.come();
    this.listenToDrawing();
    this.setGraph(null, []);
  }

  // Says what came of building the graph; null: nothing is said.
  tell(verdict: Verdict | null, ask: (share: number) => void): void {
    this.verdict.hidden = !verdict;
    if (!verdict) return;
    fill(
      this.verdict,
      el('strong', {}, verdict.share),
      verdict.lost ? ` ${verdict.lost}` : null,
      verdict.advice ? ` ${verdict.advice}` : null,
      verdict.ask !== null
        ? button(`Ask for ${asked(verdict.ask)} %`, () => ask(verdict.ask!), {
            class: 'quiet',
            title: 'Sets it on the left; Build makes it so',
          })
        : null,
    );
  }

  setGraph(name: string | null, behaviors: string[]): void {
    this.graph = name;
    for (const one of [this.walkButton, this.draw, this.perform]) one.disabled = !name;
    this.label.disabled = this.seed.disabled = this.sequence.field.disabled = !name;
    this.sequence.offer(behaviors);
    if (!name) this.verdict.hidden = true;
    if (!name) this.read.textContent = kNone;
    else if (this.read.textContent === kNone) this.read.textContent = kReady;
    const kept = this.label.value;
    fill(
      this.label,
      el('option', { value: '' }, 'any motion'),
      behaviors.map(label => el('option', { value: label }, label)),
    );
    this.label.value = behaviors.includes(kept) ? kept : behaviors.includes('walk') ? 'walk' : '';
  }

  leave(): void {
    this.live.stop();
  }

  key(event: KeyboardEvent): boolean {
    const key = pressed(event);
    if (key === 'w' && this.graph) {
      void this.walk();
      return true;
    }
    if ((key === 'd' && this.graph) || (key === 'Escape' && this.drawing)) {
      if (this.drawing) this.endDrawing();
      else this.setDrawing(true);
      return true;
    }
    return this.transport.key(event);
  }

  async walk(): Promise<void> {
    if (!this.graph) return notify(kNone, 'error');
    const { graph } = this,
      seed = Number(this.seed.value);
    const scene = await attempt(() => call('POST /api/graphs/*/walk', { names: [graph], body: { seed } }));
    if (!scene) return;
    if (this.drawing) this.setDrawing(false);
    const words = (seconds: number): Words => ['graph', 'walk', 'LIBRARY', given(graph), '--seconds', seconds, '--seed', seed];
    commandBar.show('graph', ...words(60), '-o', 'walk.glb');
    this.rate = scene.rate;
    this.goOn(1);
    this.player.clear();
    this.moments.hide();
    this.setPath([]);
    // What has been walked until now is made anew, which gives the same: a walk is its graph, its seed and its length.
    this.offer('walk', async () => {
      const seconds = this.walked,
        packed = await attempt(() => callPacked('POST /api/graphs/*/walked', { names: [graph], body: { seed, seconds } }));
      return packed && { made: packed.header.made, words: words(seconds) };
    });
    this.element.classList.remove('is-idle');
    this.element.classList.add('is-live');
    this.rewind.start(scene);
    this.rewind.element.hidden = false;
    await this.live.start(scene);
    this.view.lookAt(new THREE.Vector3(0, 0.95, 0), 3.1);
  }

  private setSpeed(speed: number): void {
    if (this.live.running) socket.say({ speed });
  }

  // The live walk has come to that frame.
  private goOn(frame: number): void {
    const before = Math.floor(this.walked);
    this.walked = Number((frame / this.rate).toFixed(3));
    if (Math.floor(this.walked) !== before) this.showLive(this.piece);
  }

  private showLive(piece: string): void {
    this.piece = piece;
    this.read.textContent = `live · ${Math.floor(this.walked)} s · ${piece}`;
  }

  private async come(): Promise<void> {
    if (!this.graph) return notify(kNone, 'error');
    const keys = this.sequence.words;
    if (!keys.length) return notify('Say what is to be done, in order.', 'error');
    const packed = await this.search(signal => callPacked('POST /api/graphs/*/keys', { names: [this.graph!], body: { keys }, signal }));
    if (!packed) return;
    this.words = ['graph', 'keys', 'LIBRARY', given(this.graph), ...keys.map(given)];
    commandBar.show('graph', ...this.words, '-o', 'keys.glb');
    this.setPath([]);
    await this.play(new Motion(packed), packed.header);
  }

  private async follow(): Promise<void> {
    if (!this.graph) return notify(kNone, 'error');
    const round = (x: number) => +x.toFixed(3);
    const points = simplified(this.points, kTolerance).map(p => [round(p.x), round(p.z)]),
      label = this.label.value;
    const begun = performance.now();
    const packed = await this.search(signal =>
      callPacked('POST /api/graphs/*/follow', { names: [this.graph!], body: { points, label }, signal }),
    );
    if (!packed) return;
    const motion = new Motion(packed),
      f = packed.header;
    this.words = [
      'graph',
      'follow',
      'LIBRARY',
      given(this.graph),
      '--points',
      ...points.map(point => point.join(',')),
      ...(label ? option('--label', label) : []),
    ];
    commandBar.show('graph', ...this.words, '-o', 'follow.glb');
    await this.play(motion, f, [{ what: 'the way that was drawn', points: onFloor(points) }]);
    this.read.textContent = `${f.followed ? '' : 'This path was not followed, the graph has no way for it: '}${f.length_m.toFixed(1)} m in ${motion.seconds.toFixed(1)} s, off by ${(100 * f.mean_error_m).toFixed(0)} cm on average (${(100 * f.max_error_m).toFixed(0)} at most) · found in ${((performance.now() - begun) / 1000).toFixed(2)} s`;
    this.keep.append(
      button('Save path.csv', () => this.savePath(points, label), {
        class: 'quiet',
        title: 'For the command line: loom graph follow LIBRARY GRAPH path.csv',
      }),
    );
  }

  // Waits for what may take long, with a way to stop it; a later search ends an earlier one.
  private async search<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    this.searching?.abort();
    const mine = (this.searching = new AbortController());
    this.read.textContent = 'Searching…';
    const cancel = button('Cancel', () => mine.abort(), { class: 'cancel-search', title: 'Stop searching' });
    fill(this.keep, cancel);
    const found = await attempt(() => ask(mine.signal));
    if (this.searching !== mine) return undefined;
    this.searching = null;
    cancel.remove();
    if (!found) this.read.textContent = mine.signal.aborted ? 'The search was stopped.' : '';
    return found;
  }

  private async play(motion: Motion, { pieces, made }: WovenHeader, wanted: WantedWay[] = []): Promise<void> {
    this.live.stop();
    this.rewind.element.hidden = true;
    this.element.classList.remove('is-live', 'is-idle');
    this.player.playing = !wantsStill();
    const between = betweenRecordings(pieces, motion.frames);
    const marked = (frame: number) => between.some(({ begin, end }) => frame >= begin && frame < end);
    await this.player.show(motion, { keepCamera: this.points.length > 0, marked });
    if (this.points.length) this.framePath();
    this.timeline.show(motion, [...motion.labels, ...between]);
    this.timeline.setMarks(pieces.slice(1).map(piece => piece.begin));
    this.moments.show(pieces, wanted);
    const clips = new Set(pieces.filter(piece => !piece.between).map(piece => piece.clip));
    const madeUp = between.reduce((frames, { begin, end }) => frames + end - begin, 0);
    this.read.textContent =
      `${motion.seconds.toFixed(1)} s from ${counted(pieces.length, 'piece')} of ${counted(clips.size, 'clip')}` +
      (madeUp ? `, ${((100 * madeUp) / motion.frames).toFixed(0)} % between recordings` : '');
    const it = { made, words: this.words };
    this.offer(motion.name, async () => it);
  }

  // Offers to keep or to save a motion, which is asked for when somebody wants it.
  private offer(name: string, make: () => Promise<Made | undefined>): void {
    const download = async (format: FileFormat) => {
      const it = await make();
      if (!it) return;
      el('a', { href: addressOf('GET /api/made/*/file/*', { names: [it.made, format], query: onWorn(format) }), download: '' }).click();
      commandBar.show('graph', ...it.words, '-o', `${name}.${format}`);
    };
    const keep = async () => {
      const it = await make();
      const as = it && (await askText('Name of the new clip', `${name}-1`, [], newClipName));
      if (!it || !as || !(await attempt(() => call('POST /api/made/*/keep', { names: [it.made], body: { as } })))) return;
      notify(`${as} is in the library`);
      await project.refresh();
      commandBar.show('graph', ...it.words, ...option('--add', as));
    };
    fill(
      this.keep,
      button('Keep as a clip…', () => void keep()),
      button('Save glb', () => void download('glb')),
      button('Save BVH', () => void download('bvh')),
    );
  }

  private savePath(points: number[][], label: string): void {
    saveText('path.csv', `x,z,label\n${points.map(point => [...point, label].join(',')).join('\n')}\n`);
  }

  // The camera stands so that the whole path is in the picture; a long one is gone along with instead.
  private framePath(): void {
    const box = new THREE.Box3().setFromPoints(this.points),
      middle = box.getCenter(new THREE.Vector3()),
      size = box.getSize(new THREE.Vector3());
    const wide = Math.max(size.x / this.view.camera.aspect, size.z * 0.6) + 1.9; // a body's height besides
    const distance = wide / (2 * Math.tan(((this.view.camera.fov / 2) * Math.PI) / 180));
    if (distance > 9) {
      this.view.lookAt(this.points[0].clone().setY(0.9), 4.6, 0.5, 0.45);
      return;
    }
    this.view.follow = null;
    this.view.lookAt(middle.setY(0.6), Math.max(3.6, distance), 0, 0.55);
  }

  // While drawing the camera looks down from high up and keeps still.
  private setDrawing(on: boolean): void {
    this.drawing = on;
    this.draw.classList.toggle('primary', on);
    this.draw.setAttribute('aria-pressed', String(on));
    this.view.controls.enabled = !on;
    this.view.element.style.cursor = on ? 'crosshair' : '';
    if (!on) return;
    this.walkedBefore = this.live.running;
    this.live.stop();
    this.rewind.element.hidden = true;
    this.player.clear();
    this.setPath([]);
    this.view.setFloor(0);
    this.view.follow = null;
    this.view.lookAt(new THREE.Vector3(0, 0, 0), 10, 0, 1.7);
    this.read.textContent = 'Draw on the floor: the squares are metres. Esc ends drawing.';
  }

  // Nothing was drawn: whoever walked before walks again.
  private endDrawing(): void {
    this.setDrawing(false);
    this.setPath([]);
    this.read.textContent = kReady;
    if (this.walkedBefore) void this.walk();
  }

  private listenToDrawing(): void {
    const add = (event: PointerEvent) => {
      const point = this.view.floorPoint(event);
      if (!point || point.length() > 40) return;
      const last = this.points[this.points.length - 1];
      if (last && last.distanceTo(point) < kSpacing) return;
      this.setPath([...this.points, point]);
    };
    const canvas = this.view.canvas;
    canvas.addEventListener('pointerdown', event => {
      if (!this.drawing || event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      this.setPath([]);
      add(event);
      canvas.addEventListener('pointermove', add);
      canvas.addEventListener(
        'pointerup',
        () => {
          canvas.removeEventListener('pointermove', add);
          if (this.points.length < 3) return;
          this.setDrawing(false);
          void this.follow();
        },
        { once: true },
      );
    });
  }

  private setPath(points: THREE.Vector3[]): void {
    this.points = points;
    this.line.show(points);
    this.view.invalidate();
  }
}
