// SPDX-License-Identifier: MIT
// The tree of a search on the floor: a line from each state to the one it came from, older ones cool, newer ones warm.
import * as THREE from 'three';

const kMost = 40000; // lines; what comes after is not drawn
const kHeight = 0.012;
const kOld = new THREE.Color(0x4a90c4),
  kNew = new THREE.Color(0xd6336c);

export class SearchTree {
  readonly object: THREE.LineSegments;
  private readonly places = new THREE.BufferAttribute(new Float32Array(6 * kMost), 3);
  private readonly colours = new THREE.BufferAttribute(new Float32Array(6 * kMost), 3);
  private lines = 0;

  constructor() {
    const geometry = new THREE.BufferGeometry().setAttribute('position', this.places).setAttribute('color', this.colours);
    this.object = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.55 }));
    this.object.frustumCulled = false;
    this.clear();
  }

  get count(): number {
    return this.lines;
  }

  clear(): void {
    this.lines = 0;
    this.object.geometry.setDrawRange(0, 0);
  }

  // Lines in centimetres, `share` of the search's time after its beginning.
  grow(tree: number[], share: number): void {
    const colour = kOld.clone().lerp(kNew, Math.min(1, share));
    for (let i = 0; i + 3 < tree.length && this.lines < kMost; i += 4, ++this.lines) {
      for (const end of [0, 1]) {
        const at = 2 * this.lines + end;
        this.places.setXYZ(at, tree[i + 2 * end] / 100, kHeight, tree[i + 2 * end + 1] / 100);
        this.colours.setXYZ(at, colour.r, colour.g, colour.b);
      }
    }
    this.places.needsUpdate = this.colours.needsUpdate = true;
    this.object.geometry.setDrawRange(0, 2 * this.lines);
  }
}
