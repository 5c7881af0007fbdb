// SPDX-License-Identifier: MIT
// Two clips against each other: point into the matrix to see both poses, press to see the transition played.
import { addressOf, call, callPacked } from '../api';
import { commandBar } from '../command_bar';
import { Word, given, option } from '../command_words';
import { button, el, fill } from '../dom';
import { Motion, getBody } from '../motion';
import { askText, attempt, notify } from '../notices';
import { newClipName, project } from '../project';
import { FileFormat } from '../routes';
import { Character } from '../stage/character';
import { Player } from '../stage/player';
import { View } from '../stage/view';
import { Timeline } from '../timeline';
import { Transport } from '../transport';
import { onWorn } from '../worn';
import { Matrix } from './matrix';

export class CompareView {
  readonly element: HTMLElement;
  private readonly view = new View();
  private readonly player = new Player(this.view);
  readonly transport = new Transport(this.player);
  private readonly timeline = new Timeline({
    seek: frame => {
      this.player.playing = false;
      this.player.seek(frame);
    },
  });
  private readonly matrix = new Matrix();
  private readonly choices = [this.select('Clip to come from'), this.select('Clip to go to')];
  private readonly saves = [
    button('Keep as a clip…', () => void this.keep()),
    button('Save glb', () => this.save('glb')),
    button('Save BVH', () => this.save('bvh')),
  ];
  private readonly read = el('p', { class: 'faint readout', id: 'compare-readout' });
  private readonly poses: (Character | null)[] = [null, null];
  private motions: (Motion | null)[] = [null, null];
  private turn = 0;
  private at: [number, number] | null = null; // the frames of the transition that is shown
  private made = 0; // its number at the server
  private next = 0; // of the minima, the one to go to next

  constructor() {
    this.element = el(
      'div',
      { class: 'compare' },
      el(
        'div',
        { class: 'matrix-side' },
        el('div', { class: 'pair' }, el('label', {}, 'From, down', this.choices[0]), el('label', {}, 'To, across', this.choices[1])),
        this.matrix.element,
        this.matrix.scale,
        this.read,
        el(
          'p',
          { class: 'faint hint' },
          'Dark is alike, orange most alike. Point to see both poses (green from, violet to), press to see the transition.',
        ),
        el(
          'div',
          { class: 'row wrap' },
          button('Next most alike', () => this.goOn(), { title: 'The next of the orange dots' }),
          this.saves,
        ),
      ),
      el('div', { class: 'theatre' }, this.view.element, this.transport.element, this.timeline.element),
    );
    this.player.onframe = frame => {
      this.timeline.setFrame(frame);
      this.transport.update();
    };
    this.setMade(0);
    this.matrix.onpoint = (i, j, distance) => this.showPoses(i, j, distance);
    this.matrix.onpick = (i, j) => void this.playTransition(i, j);
  }

  refresh(): void {
    const names = project.state!.clips.map(clip => clip.name);
    this.choices.forEach((choice, k) => {
      const kept = choice.value;
      fill(
        choice,
        names.map(name => el('option', { value: name }, name)),
      );
      choice.value = names.includes(kept) ? kept : this.guess(names, k);
    });
    if (names.length && this.choices.some((choice, k) => choice.value !== this.motions[k]?.name)) void this.load();
  }

  // Two clips that are likely to have something in common.
  private guess(names: string[], which: number): string {
    const walks = project.state!.clips.filter(clip => clip.labels.some(label => label.name === 'walk') && clip.seconds < 12);
    return walks[Math.min(which * 3, walks.length - 1)]?.name ?? names[Math.min(which, names.length - 1)];
  }

  async open(a: string, b: string, i?: number, j?: number): Promise<void> {
    this.choices[0].value = a;
    this.choices[1].value = b;
    if ((await this.load()) && i !== undefined && j !== undefined) await this.playTransition(i, j);
  }

  tell(): void {
    if (this.motions[0]) commandBar.show('graph', ...this.words(), '--picture', 'matrix.png', ...(this.at ? ['-o', 'transition.glb'] : []));
  }

  private words(): Word[] {
    return [
      'graph',
      'compare',
      'LIBRARY',
      ...this.choices.map(choice => given(choice.value)),
      ...(this.at ? ['--at', this.at.join(':')] : []),
    ];
  }

  private goOn(): void {
    if (!this.matrix.minima.length) return;
    this.next = (this.next + 1) % this.matrix.minima.length;
    this.matrix.go(this.next);
  }

  private async keep(): Promise<void> {
    if (!this.made) return;
    const as = await askText('Name of the new clip', `${this.choices[0].value}-to-${this.choices[1].value}`, [], newClipName);
    if (!as || !(await attempt(() => call('POST /api/made/*/keep', { names: [this.made], body: { as } })))) return;
    notify(`${as} is in the library`);
    await project.refresh();
    commandBar.show('graph', ...this.words(), ...option('--add', as));
  }

  private save(format: FileFormat): void {
    if (!this.made) return;
    el('a', { href: addressOf('GET /api/made/*/file/*', { names: [this.made, format], query: onWorn(format) }), download: '' }).click();
    commandBar.show('graph', ...this.words(), '-o', `transition.${format}`);
  }

  private select(title: string): HTMLSelectElement {
    return el('select', { title, 'aria-label': title, onchange: () => void this.load() });
  }

  // Says whether the pair is shown: a later one may have been asked for meanwhile.
  private async load(): Promise<boolean> {
    const turn = ++this.turn,
      [a, b] = this.choices.map(choice => choice.value);
    const got = await attempt(async () => {
      const [matrix, ...packed] = await Promise.all([
        callPacked('GET /api/matrix', { query: { a, b } }),
        callPacked('GET /api/clips/*/motion', { names: [a] }),
        callPacked('GET /api/clips/*/motion', { names: [b] }),
      ]);
      const motions = packed.map(one => new Motion(one));
      return { matrix, motions, bodies: await Promise.all(motions.map(motion => getBody(motion.body))) };
    });
    if (!got || turn !== this.turn) return false;
    this.motions = got.motions;
    for (const k of [0, 1]) {
      this.poses[k]?.dispose();
      this.poses[k] = new Character(got.bodies[k], { opacity: 0.55, tint: k === 0 ? 0x8fd0a8 : 0xd9a6e8 });
      this.view.scene.add(this.poses[k]!.object);
      this.poses[k]!.object.visible = false;
    }
    this.at = null;
    this.next = 0;
    this.setMade(0);
    this.matrix.show(got.matrix);
    this.tell();
    return true;
  }

  // Both poses side by side before the transition, each turned to face the same way.
  private showPoses(i: number, j: number, distance: number): void {
    this.read.textContent =
      `${this.choices[0].value} frame ${i} · ${this.choices[1].value} frame ${j} · ` +
      (Number.isFinite(distance)
        ? `distance ${distance.toPrecision(3)} (${(100 * Math.sqrt(distance)).toFixed(1)} cm)`
        : 'too near an end');
    [i, j].forEach((frame, k) => {
      const motion = this.motions[k],
        pose = this.poses[k],
        shown = this.player.motion;
      if (!motion || !pose) return;
      pose.poseAt(motion, (frame * motion.rate) / 30);
      const root = pose.bones[0].position,
        base = shown ? shown.roots : [0, 0, 0];
      pose.object.position.set(base[0] - root.x + (k === 0 ? -1 : 1), -motion.floorAt(root.x, root.z), base[2] - root.z);
      pose.object.visible = true;
    });
    this.view.invalidate();
  }

  // What cannot be kept or saved yet cannot be pressed.
  private setMade(made: number): void {
    this.made = made;
    for (const save of this.saves) save.disabled = !made;
  }

  private async playTransition(i: number, j: number): Promise<void> {
    const turn = ++this.turn,
      [a, b] = this.motions.map(motion => motion!.name);
    const packed = await attempt(() => callPacked('GET /api/transition', { query: { a, b, i, j } }));
    if (!packed || turn !== this.turn) return;
    const { header } = packed,
      motion = new Motion(packed);
    this.at = [i, j];
    this.setMade(header.made);
    this.tell();
    this.player.playing = true;
    await this.player.show(motion);
    const change = header.change_frame;
    this.timeline.show(motion, []);
    this.timeline.select([Math.max(0, change - 5), Math.min(motion.frames - 1, change + 5)]);
    this.player.range = null;
    this.showPoses(i, j, header.distance);
  }
}
