// SPDX-License-Identifier: MIT
// Local coverage (Huang 2012 §5.3.4.2): a small see-through mesh around the target, coloured at its points by how
// precisely each can be reached, and between them by what the points around have.
import * as THREE from 'three';
import { button, el } from '../dom';
import { MeshWish } from '../routes';
import { View } from '../stage/view';
import { reachColour } from './colours';
import { Mesh } from './wanted';

const kTolerance = 0.1; // metres: an error this large is no reach at all, as for cubes

// The triangles between rows of points.
export function triangles(columns: number, rows: number): number[] {
  const corners = [];
  for (let row = 0; row + 1 < rows; ++row) {
    for (let column = 0; column + 1 < columns; ++column) {
      const a = row * columns + column,
        b = a + columns;
      corners.push(a, b, a + 1, a + 1, b, b + 1);
    }
  }
  return corners;
}

export class HandMesh {
  readonly element: HTMLElement;
  onchange: (() => void) | null = null;
  private on = false;
  private readonly toggle = button('Around the hand', () => this.set(!this.on), {
    title: 'How precisely the surroundings of the target can be reached: a mesh that goes with it',
  });
  private readonly shape = el(
    'select',
    { 'aria-label': 'Shape of the mesh', onchange: () => this.onchange?.() },
    ['table', 'wall', 'ball'].map(shape => el('option', { value: shape }, shape)),
  );
  private readonly size = this.number('Metres across', 0.3, 0.02, 2, 0.05);
  private readonly points = this.number('Points along a side', 9, 2, 21, 1);
  private readonly settings = el('span', { class: 'row', hidden: true }, this.shape, this.size, this.points);
  private readonly mesh = new THREE.Mesh(
    new THREE.BufferGeometry(),
    new THREE.MeshBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.55, side: THREE.DoubleSide, depthWrite: false }),
  );
  private laid = '';

  constructor(private readonly view: View) {
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    view.scene.add(this.mesh);
    this.element = el('div', { class: 'row', id: 'hand-mesh' }, this.toggle, this.settings);
  }

  set enabled(can: boolean) {
    this.toggle.disabled = !can;
    if (!can) this.set(false);
  }

  // What the scene is to be asked for.
  get wish(): MeshWish | null {
    if (!this.on) return null;
    return { shape: this.shape.value, size: Number(this.size.value), points: Number(this.points.value) };
  }

  // Shows what came, and says what it comes to: the mean share of the tolerance that is not missed.
  show(mesh: Mesh | null): number | null {
    this.mesh.visible = this.on && !!mesh;
    if (!this.mesh.visible || !mesh) return null;
    const { columns, rows, points } = mesh,
      count = columns * rows,
      places = new Float32Array(3 * count),
      colours = new Float32Array(3 * count),
      tint = new THREE.Color();
    let covered = 0;
    for (let i = 0; i < count; ++i) {
      const share = Math.min(1, points[4 * i + 3] / kTolerance);
      places.set(points.subarray(4 * i, 4 * i + 3), 3 * i);
      tint.set(reachColour(share)).toArray(colours, 3 * i);
      covered += 1 - share;
    }
    const { geometry } = this.mesh;
    geometry.setAttribute('position', new THREE.BufferAttribute(places, 3));
    geometry.setAttribute('color', new THREE.BufferAttribute(colours, 3));
    if (this.laid !== `${columns} ${rows}`) geometry.setIndex(triangles(columns, rows));
    this.laid = `${columns} ${rows}`;
    this.view.invalidate();
    return covered / count;
  }

  private set(on: boolean): void {
    if (on === this.on) return;
    this.on = on;
    this.settings.hidden = !on;
    this.toggle.classList.toggle('primary', on);
    this.show(null);
    this.view.invalidate();
    this.onchange?.();
  }

  private number(label: string, value: number, min: number, max: number, step: number) {
    const input = el('input', {
      type: 'number',
      'aria-label': label,
      title: label,
      value,
      min,
      max,
      step,
      onchange: () => {
        input.value = String(Math.min(max, Math.max(min, Number(input.value) || value)));
        this.onchange?.();
      },
    });
    return input;
  }
}
