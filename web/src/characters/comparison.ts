// SPDX-License-Identifier: MIT
// A clip on the library's body and on a character, side by side or one over the other, with the ways of hands and feet.
import * as THREE from 'three';
import { Motion } from '../motion';
import { Carried, Model, ModelCostume } from '../stage/costume';
import { View } from '../stage/view';

const kBeside = 1.1; // metres between the two
const kTraced = 1.5; // seconds of their ways
const kHues = [0xf6ad55, 0x63b3ed, 0xc05621, 0x2b6cb0]; // left and right hand, left and right foot

// The ways of hands and feet on one body.
class Traces {
  readonly object = new THREE.Group();
  private readonly lines: THREE.Line[];

  constructor(ends: Float32Array, frames: number) {
    this.lines = kHues.map((color, end) => {
      const points = new Float32Array(3 * frames);
      for (let f = 0; f < frames; ++f) points.set(ends.subarray(12 * f + 3 * end, 12 * f + 3 * end + 3), 3 * f);
      const line = new THREE.Line(
        new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(points, 3)),
        new THREE.LineBasicMaterial({ color, depthTest: false, transparent: true }),
      );
      line.frustumCulled = false;
      line.renderOrder = 3;
      return line;
    });
    this.object.add(...this.lines);
  }

  show(frame: number, rate: number): void {
    const begin = Math.max(0, Math.floor(frame - kTraced * rate));
    this.lines.forEach(line => line.geometry.setDrawRange(begin, Math.floor(frame) - begin + 1));
  }

  dispose(): void {
    this.object.removeFromParent();
    this.lines.forEach(line => {
      line.geometry.dispose();
      (line.material as THREE.Material).dispose();
    });
  }
}

export class Comparison {
  over = false; // one over the other, with legs of the same length
  carried: Carried | null = null;
  readonly middle = new THREE.Object3D(); // between the two: for the camera
  private costume: ModelCostume | null = null;
  private traces: [Traces, Traces] | null = null;
  private readonly object = new THREE.Group();

  constructor(private readonly view: View) {
    view.scene.add(this.object, this.middle);
  }

  show(model: Model, carried: Carried): void {
    this.clear();
    this.carried = carried;
    this.costume = new ModelCostume(model);
    const { frames } = carried.header;
    this.traces = [new Traces(carried.sourceEnds, frames), new Traces(carried.ends, frames)];
    this.object.add(this.costume.object, this.traces[1].object);
    this.view.scene.add(this.traces[0].object);
  }

  // To be called with every frame of the source.
  update(motion: Motion, frame: number): void {
    const { carried, costume, traces } = this;
    if (!carried || !costume || !traces) return;
    const { scale, metres_per_unit: metres, floor } = carried.header,
      size = this.over ? 1 / scale : 1;
    costume.place(metres * size, 0);
    costume.poseAt(carried, frame);
    traces[1].object.scale.setScalar(size);
    // Beside it the character goes along with the source: its way is as much longer as its legs are.
    const at = 3 * Math.round(Math.max(0, Math.min(motion.frames - 1, frame))),
      [x, z] = [motion.roots[at], motion.roots[at + 2]];
    this.object.position.set(this.over ? 0 : x * (1 - scale) + kBeside, floor, this.over ? 0 : z * (1 - scale));
    this.middle.position.set(this.over ? x : x + kBeside / 2, 0, z);
    traces.forEach(trace => trace.show(frame, carried.header.rate));
    this.view.invalidate();
  }

  clear(): void {
    this.costume?.object.removeFromParent();
    this.costume?.dispose();
    this.traces?.forEach(trace => trace.dispose());
    this.costume = this.carried = this.traces = null;
    this.view.invalidate();
  }
}
