// SPDX-License-Identifier: MIT
// Characters of one package on the stage: each is played by the library and shown on a body.
import * as THREE from 'three';
import { Character as Played, Package } from '../../../bindings/web/src/motionloom';
import { PlayWish, Point } from '../routes';
import { Character } from '../stage/character';
import { isCrowd } from '../stage/drawing';
import { View } from '../stage/view';
import { limbsOf } from './limbs';

const kApart = 1.6; // metres between characters that begin together

// What else is wanted than a way to go.
export interface Wanted {
  behavior: string | null;
  flags: string[];
}

// A velocity as who faces `heading` sees it, in the world: x is to the left of +Z.
export function velocityOf(wish: PlayWish, heading: number): [number, number] {
  const s = Math.sin(heading),
    c = Math.cos(heading);
  return [wish.forward * s + wish.left * c, wish.forward * c - wish.left * s];
}

export class Troupe {
  readonly played: Played[] = [];
  private readonly shown: Character[] = [];

  constructor(
    readonly packed: Package,
    readonly view: View,
    count: number,
  ) {
    const joints = packed.joints.map(({ name, parent, position }) => ({ name, parent, offset: position as Point }));
    const body = limbsOf(joints, isCrowd(count) && count > 1);
    const across = Math.ceil(Math.sqrt(count));
    for (let i = 0; i < count; ++i) {
      const one = packed.character({ seed: i + 1 });
      one.put({ x: ((i % across) - (across - 1) / 2) * kApart, z: -Math.floor(i / across) * kApart, heading: 0 });
      const figure = new Character(body);
      this.played.push(one);
      this.shown.push(figure);
      view.scene.add(figure.object);
    }
    this.play(0, { left: 0, forward: 0, turn: 0, jump: false }, { behavior: null, flags: [] });
    view.follow = this.shown[Math.floor(across / 2)].bones[0];
    view.lookAt(new THREE.Vector3(0, 0.9, 0), 3 + 1.2 * across);
  }

  // Every character hears the same, from where it stands and as it faces. Says how long the library took, milliseconds.
  play(seconds: number, wish: PlayWish, wanted: Wanted): number {
    const began = performance.now();
    for (const one of this.played) {
      one.control({ velocity: velocityOf(wish, one.place.heading), turn: wish.turn, ...wanted });
    }
    this.packed.loom.advance(this.played, seconds);
    this.played.forEach((one, i) => this.show(one, this.shown[i]));
    return performance.now() - began;
  }

  private show(one: Played, figure: Character): void {
    const { x, z, heading } = one.place,
      pose = one.local();
    figure.object.position.set(x, 0, z);
    figure.object.rotation.y = heading;
    figure.bones.forEach((bone, j) => {
      bone.position.fromArray(pose, 7 * j);
      bone.quaternion.fromArray(pose, 7 * j + 3);
    });
  }

  free(): void {
    this.view.follow = null;
    this.played.forEach(one => one.free());
    this.shown.forEach(figure => figure.dispose());
  }
}
