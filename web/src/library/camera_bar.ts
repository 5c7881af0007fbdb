// SPDX-License-Identifier: MIT
// From where one looks, and what one sees of the body. Both are kept from clip to clip and from visit to visit.
import * as THREE from 'three';
import { button, el } from '../dom';
import { Motion } from '../motion';
import { Look } from '../stage/character';
import { Player } from '../stage/player';
import { View, ViewDirection } from '../stage/view';
import { keep, kept } from '../storage';
import { worn } from '../worn';

export type Camera = 'follow' | 'free' | 'side' | 'top';
const kCameras: [Camera, string, string][] = [
  ['follow', 'Follows', 'The camera goes along; drag to turn, drag with the right button or two fingers to move it aside'],
  ['free', 'Free', 'The camera stays where it is put'],
  ['side', 'Side', 'From the side of the way it goes, going along'],
  ['top', 'Top', 'From above, going along'],
];
const kLooks: [Look, string][] = [
  ['body', 'Body'],
  ['skeleton', 'Skeleton'],
  ['both', 'Both'],
];

interface Kept {
  camera: Camera;
  look: Look;
  from?: ViewDirection;
}

function remembered(): Kept {
  const plain: Kept = { camera: 'follow', look: 'body' };
  try {
    const read = { ...plain, ...(JSON.parse(kept('library-view') ?? '{}') as Partial<Kept>) };
    const known = kCameras.some(([name]) => name === read.camera) && kLooks.some(([name]) => name === read.look);
    const finite = !read.from || Object.values(read.from).every(Number.isFinite);
    return known && finite ? read : plain;
  } catch {
    return plain;
  }
}

const kGrown = 0.15; // share by which another size is seen from another distance

export class CameraBar {
  readonly element: HTMLElement;
  private state = remembered();
  private readonly cameras: HTMLSelectElement;
  private looked = false;
  private size = 0; // of what was looked at last, metres

  constructor(
    private readonly view: View,
    private readonly player: Player,
  ) {
    this.cameras = el(
      'select',
      { class: 'camera', title: 'Camera', 'aria-label': 'Camera', onchange: () => this.turnTo(this.cameras.value as Camera) },
      kCameras.map(([value, text, title]) => el('option', { value, title, selected: value === this.state.camera }, text)),
    );
    const looks = el(
      'select',
      {
        class: 'look',
        title: 'Body, skeleton or both',
        'aria-label': 'What is seen',
        onchange: () => {
          this.state.look = looks.value as Look;
          player.setLook(this.state.look);
          this.keep();
        },
      },
      kLooks.map(([value, text]) => el('option', { value, selected: value === this.state.look }, text)),
    );
    player.setLook(this.state.look);
    view.controls.addEventListener('end', () => this.keep());
    worn.watch(() => this.fit());
    this.element = el(
      'span',
      { class: 'camera-bar' },
      this.cameras,
      looks,
      button('Frame', () => this.frame(), { class: 'quiet frame', key: 'F', title: 'Put the body in the middle' }),
    );
  }

  // A clip is shown: the first is looked at as it was last, the others as the one before.
  shown(motion: Motion): void {
    this.fit();
    if (this.looked) {
      if (this.state.camera === 'side') this.turn(motion);
      return;
    }
    this.looked = true;
    this.player.follow(this.state.camera !== 'free');
    const middle = this.middle();
    if (middle && this.state.from) this.view.lookFrom(middle, this.state.from);
    if (this.state.camera === 'side') this.turn(motion);
  }

  // What is looked at is as large in the picture as before, when somebody larger or smaller is shown in its place.
  private fit(): void {
    const { size } = this.player,
      before = this.size || size,
      middle = this.middle();
    if (!middle) return;
    this.size = size;
    if (Math.abs(size / before - 1) < kGrown) return;
    this.view.lookFrom(middle, { distance: (this.view.direction.distance * size) / before });
    if (this.state.from) this.keep();
  }

  // The body in the middle, as large as fits, from where one looks.
  frame(): void {
    const middle = this.middle();
    if (!middle) return;
    this.view.lookFrom(middle, { distance: this.view.distanceFor(this.player.size) });
    this.keep();
  }

  turnTo(camera: Camera): void {
    this.state.camera = camera;
    this.cameras.value = camera;
    this.player.follow(camera !== 'free');
    const { motion } = this.player,
      middle = this.middle();
    if (motion && middle) {
      if (camera === 'side') this.turn(motion);
      if (camera === 'top') this.view.lookFrom(middle, { polar: 0.01 });
      if (camera === 'follow' && this.view.direction.polar < 0.2) this.view.lookFrom(middle, { polar: 1.3 });
    }
    this.keep();
  }

  // To the side of the way from the first moment to the last, or of where it faces first.
  private turn(motion: Motion): void {
    const middle = this.middle();
    if (!middle) return;
    const last = 3 * (motion.frames - 1),
      { roots, rotations } = motion;
    let x = roots[last] - roots[0],
      z = roots[last + 2] - roots[2];
    if (Math.hypot(x, z) < 0.5) {
      const ahead = new THREE.Vector3(0, 0, 1).applyQuaternion(
        new THREE.Quaternion(rotations[1], rotations[2], rotations[3], rotations[0]),
      );
      ({ x, z } = ahead);
    }
    this.view.lookFrom(middle, { azimuth: Math.atan2(x, z) - Math.PI / 2, polar: 1.5 });
  }

  private middle(): THREE.Vector3 | null {
    const hips = this.player.hips(),
      { motion } = this.player;
    if (!hips || !motion) return null;
    return hips.setY(motion.floorAt(hips.x, hips.z) + this.player.size / 2);
  }

  private keep(): void {
    this.state.from = this.view.direction;
    keep('library-view', JSON.stringify(this.state));
  }
}
