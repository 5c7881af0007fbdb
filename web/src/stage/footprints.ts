// SPDX-License-Identifier: MIT
// Shows which parts of the feet are planted: a mark on the floor under each.
import * as THREE from 'three';
import { Character } from './character';

const kColors = [0xe8743b, 0xe8743b, 0x3f7fc4, 0x3f7fc4]; // left heel and toe, right heel and toe

export class Footprints {
  readonly object = new THREE.Group();
  private readonly marks: THREE.Mesh[];

  constructor() {
    const disc = new THREE.CircleGeometry(0.075, 28).rotateX(-Math.PI / 2);
    this.marks = kColors.map(color => {
      const mark = new THREE.Mesh(disc, new THREE.MeshBasicMaterial({ color, transparent: true, opacity: 0.55, depthWrite: false }));
      this.object.add(mark);
      return mark;
    });
    this.hide();
  }

  hide(): void {
    this.marks.forEach(mark => {
      mark.visible = false;
    });
  }

  show(character: Character, points: number[], planted: number, floorAt: (x: number, z: number) => number): void {
    const at = new THREE.Vector3();
    character.object.updateMatrixWorld(true);
    this.marks.forEach((mark, part) => {
      mark.visible = points[part] >= 0 && ((planted >> part) & 1) === 1;
      if (!mark.visible) return;
      character.point(points[part], at);
      mark.position.set(at.x, floorAt(at.x, at.z) + 0.004, at.z);
    });
  }
}
