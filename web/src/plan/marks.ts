// SPDX-License-Identifier: MIT
// What a plan looks like in the room: where one could stand and why not, the target, the footprints, and the tree in
// weights and time, drawn where each of its nodes has the hand.
import * as THREE from 'three';
import { Place, ShowCandidate, ShowPrint } from '../routes';

const kSeen = new THREE.Color(0x2f9e44), // the whole observer is in sight
  kHardlySeen = new THREE.Color(0xf2c037);
// Why nobody stands there, as the server says it.
export const kReasons: Record<string, { colour: number; text: string }> = {
  '': { colour: 0x2f9e44, text: 'one can stand there' },
  touches: { colour: 0xc92a2a, text: 'the body touches something' },
  'out of reach': { colour: 0x868e96, text: 'the target is out of reach' },
  unseen: { colour: 0x7048e8, text: 'the observer or the target is hidden' },
  'no floor': { colour: 0x343a40, text: 'there is no floor' },
  'other side': { colour: 0x495057, text: 'the target has its front on the other side' },
  'no way': { colour: 0xe8590c, text: 'no way leads there' },
  'no action': { colour: 0x1971c2, text: 'tried: no action was found' },
};
const kTarget = 0xd6336c,
  kTree = 0x7048e8,
  kNear = 0.09; // metres from the pointer that count as on a candidate

export class PlanMarks {
  readonly object = new THREE.Group();
  private readonly places = new THREE.Group();
  private readonly prints = new THREE.Group();
  private readonly target = new THREE.Mesh(new THREE.SphereGeometry(0.035), new THREE.MeshBasicMaterial({ color: kTarget }));
  private readonly plumb = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: kTarget }));
  private readonly tree = new THREE.LineSegments(
    new THREE.BufferGeometry(),
    new THREE.LineBasicMaterial({ color: kTree, transparent: true, opacity: 0.7 }),
  );
  private candidates: ShowCandidate[] = [];

  constructor() {
    this.tree.frustumCulled = this.plumb.frustumCulled = false;
    this.object.add(this.places, this.prints, this.target, this.plumb, this.tree);
  }

  showTarget(x: number, y: number, z: number): void {
    this.target.position.set(x, y, z);
    this.plumb.geometry.setFromPoints([new THREE.Vector3(x, 0, z), new THREE.Vector3(x, y, z)]);
  }

  showCandidates(candidates: ShowCandidate[], chosen: number): void {
    this.candidates = candidates;
    this.empty(this.places);
    candidates.forEach((one, i) => {
      const colour =
        one.rejected === '' ? kHardlySeen.clone().lerp(kSeen, one.clearance) : new THREE.Color(kReasons[one.rejected]?.colour ?? 0);
      // An arrow head that points where one would face.
      const size = i === chosen ? 0.16 : 0.07;
      const shape = new THREE.Shape([
        new THREE.Vector2(-0.7 * size, -0.6 * size),
        new THREE.Vector2(0.7 * size, -0.6 * size),
        new THREE.Vector2(0, size),
      ]);
      const mark = new THREE.Mesh(
        new THREE.ShapeGeometry(shape).rotateX(Math.PI / 2),
        new THREE.MeshBasicMaterial({ color: colour, side: THREE.DoubleSide, transparent: true, opacity: i === chosen ? 1 : 0.8 }),
      );
      mark.position.set(one.x, i === chosen ? 0.012 : 0.008, one.z);
      mark.rotation.y = (one.turn * Math.PI) / 180;
      this.places.add(mark);
    });
  }

  // The candidate that a place on the floor is on.
  candidateAt([x, z]: Place): ShowCandidate | null {
    let best: ShowCandidate | null = null,
      least = kNear;
    for (const one of this.candidates) {
      const away = Math.hypot(one.x - x, one.z - z);
      if (away < least) [best, least] = [one, away];
    }
    return best;
  }

  showPrints(prints: ShowPrint[]): void {
    this.empty(this.prints);
    for (const { x, z, turn, left } of prints) {
      const sole = new THREE.Mesh(
        new THREE.CircleGeometry(0.05, 20).scale(1, 2.3, 1).rotateX(-Math.PI / 2),
        new THREE.MeshBasicMaterial({ color: left ? 0xe8743b : 0x2b6cb0, transparent: true, opacity: 0.35 }),
      );
      sole.position.set(x, 0.005, z);
      sole.rotation.y = (turn * Math.PI) / 180;
      this.prints.add(sole);
    }
  }

  // Lines from a node's hand to that of the one it grew from: six numbers each.
  showTree(lines: number[][]): void {
    this.tree.geometry.dispose();
    this.tree.geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute(lines.flat(), 3));
  }

  private empty(group: THREE.Group): void {
    group.children.slice().forEach(child => {
      const { geometry, material } = child as THREE.Mesh;
      geometry.dispose();
      (material as THREE.Material).dispose();
      group.remove(child);
    });
  }
}
