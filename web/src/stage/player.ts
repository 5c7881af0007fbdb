// SPDX-License-Identifier: MIT
// Plays one motion on a view: play, scrub, speed, loop, ghosts before and after, footprints, the path on the floor; and
// another beside it or over it, to be compared.
import * as THREE from 'three';
import { BodySource, Motion, getBody } from '../motion';
import { Character, Look } from './character';
import { isCrowd } from './drawing';
import { Footprints } from './footprints';
import { View } from './view';

const kGhosts = 8;
const kGhostSeconds = 0.4; // between two ghosts
const kPerson = 1.75; // metres
const kPath = 0x8a94a0;
const kMarked = 0xb7791f; // moments that are marked, on body and path
const kOther = 0x7a5cc0; // the body of a motion that is compared with
const kBeside = 1.1; // metres to the left

// A motion that is shown with the one that plays.
export interface Compared {
  motion: Motion;
  frameAt: (frame: number) => number; // which frame of it belongs to one of the motion that plays
  beside: boolean; // to the left, not over it
}

// Where a body stands in a frame, and which way its root faces.
function groundOf(motion: Motion, frame: number): { x: number; z: number; heading: number } {
  const f = Math.max(0, Math.min(motion.frames - 1, Math.round(frame))),
    at = 4 * motion.joints * f;
  const [w, x, y, z] = motion.rotations.subarray(at, at + 4);
  const ahead = new THREE.Vector3(0, 0, 1).applyQuaternion(new THREE.Quaternion(x, y, z, w));
  return { x: motion.roots[3 * f], z: motion.roots[3 * f + 2], heading: Math.atan2(ahead.x, ahead.z) };
}

export class Player<Shown extends Motion = Motion> {
  motion: Shown | null = null;
  playing = true;
  loop = true;
  speed = 1;
  frame = 0;
  range: [number, number] | null = null; // frames that are looped, where a stretch is selected
  onframe: ((frame: number) => void) | null = null;
  private marked: (frame: number) => boolean = () => false;

  private character: Character | null = null;
  private other: Character | null = null;
  private compared: Compared | null = null;
  private look: Look = 'body';
  private ghosts: Character[] = [];
  private ghostsShown = false;
  private readonly prints = new Footprints();
  private readonly path = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ vertexColors: true }));
  private followed = true;
  private wanted = 0; // counts what was asked for, so that a slow answer does not replace a later one

  constructor(
    readonly view: View,
    private readonly bodies: BodySource = getBody,
    private readonly plain = false, // whatever character is chosen
  ) {
    this.path.frustumCulled = false;
    view.scene.add(this.prints.object, this.path);
    view.onbeat = seconds => this.beat(seconds);
  }

  // `marked`: frames in which body and path have another colour.
  async show(
    motion: Shown,
    options: { keepCamera?: boolean; keepFrame?: boolean; marked?: (frame: number) => boolean } = {},
  ): Promise<void> {
    const turn = ++this.wanted;
    const [body, ghostly] = await Promise.all([this.bodies(motion.body), this.bodies(motion.body, isCrowd(kGhosts))]);
    if (turn !== this.wanted) return;
    if (this.character?.body !== body) {
      this.clear();
      this.character = new Character(body, { plain: this.plain });
      this.character.show(this.look);
      this.ghosts = Array.from({ length: kGhosts }, (_, i) => new Character(ghostly, { opacity: 0.3 - 0.025 * i, plain: this.plain }));
      this.view.scene.add(this.character.object, ...this.ghosts.map(ghost => ghost.object));
    }
    this.motion = motion;
    this.marked = options.marked ?? (() => false);
    this.range = null;
    if (!options.keepFrame) this.frame = 0;
    this.frame = Math.min(this.frame, motion.frames - 1);
    this.drawPath(motion);
    const { roots } = motion,
      height = motion.floorAt(roots[0], roots[2]);
    this.view.setFloor(height);
    this.character.object.visible = true;
    this.follow(this.followed);
    if (!options.keepCamera) this.view.lookAt(new THREE.Vector3(roots[0], height + 0.9, roots[2]), 4.2);
    this.update();
  }

  // Shows another motion with this one, from now on; null: none. It begins where this one begins, and faces as it does.
  async compare(compared: Compared | null): Promise<void> {
    const body = compared ? await this.bodies(compared.motion.body) : null;
    this.other?.dispose();
    this.other = body ? new Character(body, { tint: kOther, opacity: compared!.beside ? undefined : 0.55 }) : null;
    this.compared = this.other ? compared : null;
    if (this.other) {
      this.other.show(this.look);
      this.view.scene.add(this.other.object);
    }
    this.update();
    this.view.invalidate();
  }

  setLook(look: Look): void {
    this.look = look;
    this.character?.show(look);
    this.other?.show(look);
    this.view.invalidate();
  }

  // Where the hips are now; null without a motion.
  hips(): THREE.Vector3 | null {
    return this.character?.bones[0].getWorldPosition(new THREE.Vector3()) ?? null;
  }

  // Puts the other motion where it is compared: its first moment at this one's, facing the same way.
  private placeOther(): void {
    const { compared, other, motion } = this;
    if (!compared || !other || !motion) return;
    const begins = compared.frameAt(0);
    const mine = groundOf(motion, 0),
      its = groundOf(compared.motion, begins);
    const turn = mine.heading - its.heading;
    const side = compared.beside ? kBeside : 0;
    other.object.rotation.y = turn;
    const c = Math.cos(turn),
      s = Math.sin(turn);
    other.object.position.set(
      mine.x + side * Math.cos(mine.heading) - (c * its.x + s * its.z),
      motion.floorAt(mine.x, mine.z) - compared.motion.floorAt(its.x, its.z),
      mine.z - side * Math.sin(mine.heading) - (c * its.z - s * its.x),
    );
    other.poseAt(compared.motion, compared.frameAt(this.frame));
  }

  // Takes everything off the stage.
  clear(): void {
    this.character?.dispose();
    this.ghosts.forEach(ghost => ghost.dispose());
    this.character = null;
    this.ghosts = [];
    this.motion = null;
    this.prints.hide();
    this.path.geometry.dispose();
    this.path.geometry = new THREE.BufferGeometry();
    this.view.invalidate();
  }

  seek(frame: number): void {
    if (!this.motion) return;
    this.frame = Math.max(0, Math.min(this.motion.frames - 1, frame));
    this.update();
  }

  // How large the body is, metres along its longest side at rest; or who is shown in its place.
  get size(): number {
    if (!this.character) return kPerson;
    if (this.character.costume) {
      const box = new THREE.Box3().setFromObject(this.character.costume.object).getSize(new THREE.Vector3());
      return Math.max(box.x, box.y, box.z, 0.05);
    }
    const { positions } = this.character.body,
      low = [Infinity, Infinity, Infinity],
      high = low.map(value => -value);
    positions.forEach((value, i) => {
      low[i % 3] = Math.min(low[i % 3], value);
      high[i % 3] = Math.max(high[i % 3], value);
    });
    return Math.max(...high.map((value, i) => value - low[i]), 0.05);
  }

  // Whether the camera goes along with the body.
  follow(followed: boolean): void {
    this.followed = followed;
    this.view.follow = followed && this.character ? this.character.bones[0] : null;
    this.view.invalidate();
  }

  setGhosts(shown: boolean): void {
    this.ghostsShown = shown;
    this.update();
  }

  setPath(shown: boolean): void {
    this.path.visible = shown;
    this.view.invalidate();
  }

  // How fast the planted foot that slides most goes over the floor now, metres a second; null when none is planted.
  slide(): number | null {
    const { motion, character } = this;
    if (!motion || !character || motion.frames < 3) return null;
    const now = Math.round(this.frame),
      before = Math.max(0, now - 1),
      after = Math.min(motion.frames - 1, now + 1);
    let most: number | null = null;
    const a = new THREE.Vector3(),
      b = new THREE.Vector3();
    for (const foot of [
      [0, 1],
      [2, 3],
    ]) {
      let slowest: number | null = null;
      for (const part of foot) {
        const held = (frame: number) => (motion.planted[frame] >> part) & 1;
        if (motion.footPoints[part] < 0 || !held(now) || !held(before) || !held(after)) continue;
        this.placeOf(part, before, a);
        this.placeOf(part, after, b);
        const speed = (Math.hypot(b.x - a.x, b.z - a.z) * motion.rate) / (after - before);
        slowest = slowest === null ? speed : Math.min(slowest, speed);
      }
      if (slowest !== null) most = most === null ? slowest : Math.max(most, slowest);
    }
    character.poseAt(motion, this.frame);
    return most;
  }

  private placeOf(part: number, frame: number, out: THREE.Vector3): void {
    this.character!.poseAt(this.motion!, frame);
    this.character!.object.updateMatrixWorld(true);
    this.character!.point(this.motion!.footPoints[part], out);
  }

  private drawPath(motion: Motion): void {
    const points = new Float32Array(3 * motion.frames),
      colors = new Float32Array(3 * motion.frames);
    const plain = new THREE.Color(kPath),
      other = new THREE.Color(kMarked);
    for (let f = 0; f < motion.frames; ++f) {
      const x = motion.roots[3 * f],
        z = motion.roots[3 * f + 2];
      points.set([x, motion.floorAt(x, z) + 0.006, z], 3 * f);
      (this.marked(f) ? other : plain).toArray(colors, 3 * f);
    }
    this.path.geometry.dispose();
    this.path.geometry = new THREE.BufferGeometry()
      .setAttribute('position', new THREE.BufferAttribute(points, 3))
      .setAttribute('color', new THREE.BufferAttribute(colors, 3));
  }

  private beat(seconds: number): boolean {
    const { motion } = this;
    if (!motion || !this.playing || motion.frames < 2) return false;
    const [first, last] = this.range ?? [0, motion.frames - 1];
    this.frame += seconds * motion.rate * this.speed;
    if (this.frame > last) {
      if (!this.loop && !this.range) {
        this.frame = last;
        this.playing = false;
      } else {
        this.frame = first + (last > first ? (this.frame - last) % (last - first) : 0);
      }
    }
    if (this.frame < first) this.frame = first;
    this.update();
    return true;
  }

  private update(): void {
    const { motion, character } = this;
    if (!motion || !character) return;
    const hue = (frame: number) => (this.marked(Math.round(frame)) ? kMarked : null);
    character.poseAt(motion, this.frame);
    character.mark(hue(this.frame));
    this.placeOther();
    this.prints.show(character, motion.footPoints, motion.planted[Math.round(this.frame)], (x, z) => motion.floorAt(x, z));
    this.ghosts.forEach((ghost, i) => {
      const side = i % 2 === 0 ? -1 : 1,
        away = Math.floor(i / 2) + 1;
      const frame = this.frame + side * away * kGhostSeconds * motion.rate;
      ghost.object.visible = this.ghostsShown && frame >= 0 && frame <= motion.frames - 1;
      if (!ghost.object.visible) return;
      ghost.poseAt(motion, frame);
      ghost.mark(hue(frame));
    });
    this.view.invalidate();
    this.onframe?.(this.frame);
  }
}
