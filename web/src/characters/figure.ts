// SPDX-License-Identifier: MIT
// A character as its file draws it, with a mark at every joint: green where it is sure which joint that is, red where it
// was guessed.
import * as THREE from 'three';
import { CharacterAbout } from '../routes';
import { Model, ModelCostume } from '../stage/costume';
import { View } from '../stage/view';

const kSure = 0x2f855a,
  kLikely = 0xd69e2e,
  kGuessed = 0xc53030,
  kNoRole = 0x8a94a0,
  kChosen = 0x2b6cb0;
const kReach = 16; // pixels from a joint within which a click is for it

const hueOf = (confidence: number) => (confidence > 0.9 ? kSure : confidence >= 0.7 ? kLikely : kGuessed);

export class Figure {
  onjoint: ((joint: number) => void) | null = null;
  private readonly object = new THREE.Group();
  private costume: ModelCostume | null = null;
  private marks: THREE.Mesh<THREE.SphereGeometry, THREE.MeshBasicMaterial>[] = [];
  private readonly ball = new THREE.SphereGeometry(1, 12, 8);
  private pressed: [number, number] | null = null;

  constructor(private readonly view: View) {
    view.scene.add(this.object);
    view.canvas.addEventListener('pointerdown', event => {
      this.pressed = [event.clientX, event.clientY];
    });
    view.canvas.addEventListener('pointerup', event => {
      const [x, y] = this.pressed ?? [Infinity, Infinity];
      if (!this.object.visible || Math.hypot(event.clientX - x, event.clientY - y) > 4) return; // the camera was turned
      const joint = this.jointAt(event.clientX, event.clientY);
      if (joint !== null) this.onjoint?.(joint);
    });
  }

  set visible(visible: boolean) {
    this.object.visible = visible;
    this.view.invalidate();
  }

  show(model: Model, about: CharacterAbout, keepCamera: boolean): void {
    this.clear();
    const costume = (this.costume = new ModelCostume(model, { opacity: 0.45 }));
    costume.place(about.metres_per_unit, 0);
    this.object.add(costume.object);
    costume.object.updateMatrixWorld(true);
    const places = about.joints.map(joint => costume.node(joint.node)?.getWorldPosition(new THREE.Vector3()) ?? new THREE.Vector3());
    const box = new THREE.Box3().setFromPoints(places),
      tall = Math.max(box.max.y - box.min.y, 0.1);
    this.object.position.set(0, -box.min.y, 0);
    this.object.add(this.bones(about, places));
    this.marks = places.map(place => {
      const mark = new THREE.Mesh(this.ball, new THREE.MeshBasicMaterial({ depthTest: false, transparent: true }));
      mark.position.copy(place);
      mark.renderOrder = 2;
      this.object.add(mark);
      return mark;
    });
    this.paint(about, null, tall);
    if (!keepCamera) {
      this.view.follow = null;
      this.view.setFloor(0);
      this.view.setMiddle((box.min.x + box.max.x) / 2, (box.min.z + box.max.z) / 2);
      this.view.lookAt(new THREE.Vector3((box.min.x + box.max.x) / 2, tall * 0.52, (box.min.z + box.max.z) / 2), tall * 1.75, 0.35, 0.12);
    }
  }

  // Colours marks anew: how sure each is, and which is chosen.
  paint(about: CharacterAbout, chosen: number | null, tall?: number): void {
    if (tall) this.tall = tall;
    this.marks.forEach((mark, j) => {
      const role = about.roles.find(({ joint }) => joint === j);
      mark.material.color.set(j === chosen ? kChosen : role ? hueOf(role.confidence) : kNoRole);
      mark.material.opacity = role || j === chosen ? 1 : 0.55;
      mark.scale.setScalar(this.tall * (j === chosen ? 0.014 : role ? 0.01 : 0.005));
    });
    this.view.invalidate();
  }
  private tall = 1.7; // metres

  // Where joints are on the screen: pixels from the corner of the page.
  places(): [number, number][] {
    const box = this.view.canvas.getBoundingClientRect(),
      place = new THREE.Vector3();
    this.view.camera.updateMatrixWorld();
    return this.marks.map(mark => {
      mark.getWorldPosition(place).project(this.view.camera);
      return [box.left + ((place.x + 1) / 2) * box.width, box.top + ((1 - place.y) / 2) * box.height];
    });
  }

  clear(): void {
    this.costume?.dispose();
    this.marks.forEach(mark => mark.material.dispose());
    this.marks = [];
    this.costume = null;
    this.object.clear();
    this.view.invalidate();
  }

  // The joint nearest to a place of the screen; of several in one place the one with a larger mark.
  private jointAt(x: number, y: number): number | null {
    let best: number | null = null,
      least = kReach;
    this.places().forEach(([px, py], j) => {
      const away = Math.hypot(px - x, py - y) - (this.marks[j].scale.x > this.tall * 0.006 ? 3 : 0);
      if (away < least) [best, least] = [j, away];
    });
    return best;
  }

  private bones(about: CharacterAbout, places: THREE.Vector3[]): THREE.LineSegments {
    const points = about.joints.flatMap((joint, j) => (joint.parent >= 0 ? [places[joint.parent], places[j]] : []));
    const lines = new THREE.LineSegments(
      new THREE.BufferGeometry().setFromPoints(points),
      new THREE.LineBasicMaterial({ color: 0x4a5568, depthTest: false, transparent: true, opacity: 0.7 }),
    );
    lines.renderOrder = 1;
    return lines;
  }
}
