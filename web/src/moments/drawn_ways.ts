// SPDX-License-Identifier: MIT
// The ways that were wanted, and those that were gone, as lines on a stage.
import * as THREE from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { el } from '../dom';
import { View } from '../stage/view';

const kWanted = 0xe8590c;
const kWent = 0x2b7fd4;
const kWide = 3; // pixels

export class DrawnWays {
  // What the colours mean, while there is something to see.
  readonly legend = el('p', { class: 'legend faint', hidden: true }, key(kWanted, 'where it was to go'), key(kWent, 'where it went'));
  private readonly object = new THREE.Group();

  constructor(private readonly view: View) {
    view.scene.add(this.object);
  }

  // Each way is x, y, z a point; one of less than two points is none.
  show(wanted: number[][], went: number[][]): void {
    this.clear();
    const add = (ways: number[][], hue: number) => {
      const drawn = ways.filter(way => way.length >= 6);
      drawn.forEach(way => this.object.add(line(way, hue)));
      return drawn.length > 0;
    };
    const has = [add(wanted, kWanted), add(went, kWent)];
    has.forEach((any, i) => (this.legend.children[i] as HTMLElement).toggleAttribute('hidden', !any));
    this.legend.hidden = !has.includes(true);
    this.legend.dataset.wanted = String(has[0]);
    this.legend.dataset.went = String(has[1]);
    this.view.invalidate();
  }

  hide(): void {
    if (this.object.children.length || !this.legend.hidden) this.show([], []);
  }

  private clear(): void {
    for (const child of [...this.object.children] as Line2[]) {
      child.geometry.dispose();
      child.material.dispose();
      this.object.remove(child);
    }
  }
}

function line(points: number[], hue: number): Line2 {
  const it = new Line2(new LineGeometry().setPositions(points), new LineMaterial({ color: hue, linewidth: kWide }));
  it.frustumCulled = false;
  return it;
}

function key(hue: number, text: string): HTMLElement {
  return el('span', { class: 'key' }, el('i', { class: 'small', style: `background: #${hue.toString(16).padStart(6, '0')}` }), text);
}
