// SPDX-License-Identifier: MIT
// What a family covers by now, around whoever performs: cubes in reach of the figure's own hand, and how much it has
// become from take to take (Huang 2012 §5.3.4).
import * as THREE from 'three';
import { callPacked } from '../api';
import { coverageCubes } from '../blend/coverage_cubes';
import { counted, el, fill } from '../dom';
import { View } from '../stage/view';

const kRemembered = 40; // takes

export class GrowingCoverage {
  readonly element: HTMLElement;
  private readonly told = el('p', { class: 'faint', id: 'coverage-told', 'aria-live': 'polite' });
  private readonly bars = el('div', { class: 'coverage-bars', id: 'coverage-bars', role: 'img' });
  private readonly shown = el('input', { type: 'checkbox', id: 'coverage-shown', checked: true, onchange: () => this.place() });
  private readonly group = new THREE.Group();
  private cubes: THREE.InstancedMesh | null = null;
  private family = '';
  private history: { litres: number; examples: number }[] = []; // of what is reached
  private turn = 0; // of questions: a late answer to an old one is dropped

  constructor(private readonly view: View) {
    view.scene.add(this.group);
    this.element = el(
      'section',
      { hidden: true },
      el('h2', {}, 'Coverage'),
      this.told,
      this.bars,
      el('label', { class: 'check' }, this.shown, 'cubes around the figure'),
    );
  }

  // Looks what `family` covers now that it has so many examples.
  async look(family: string, examples: number): Promise<void> {
    const turn = ++this.turn;
    if (family !== this.family) this.history = [];
    this.family = family;
    this.element.hidden = !family;
    if (!family) return this.drop();
    const packed = examples > 0 ? await callPacked('GET /api/families/*/coverage', { names: [family] }).catch(() => null) : null;
    if (turn !== this.turn) return;
    this.drop();
    let litres = 0;
    if (packed?.header.dimensions === 3) {
      const { samples, spacing, tolerance } = packed.header;
      const targets = packed.floats(3 * samples),
        errors = packed.floats(samples);
      litres = 1000 * spacing ** 3 * errors.filter(error => error < tolerance).length;
      this.cubes = coverageCubes(packed.header, targets, errors);
      this.group.add(this.cubes);
    }
    const before = this.history.at(-1)?.litres;
    this.history.push({ litres, examples });
    this.history.splice(0, this.history.length - kRemembered);
    const next = packed?.header.suggestion;
    this.told.textContent = !packed
      ? `${family}: ${counted(examples, 'example')}, too few to span a space yet`
      : `${family}: ${counted(examples, 'example')}; ${litres.toFixed(0)} litres are reached` +
        (before === undefined ? '' : `, ${before.toFixed(0)} before`) +
        `, ${(100 * packed.header.covered).toFixed(0)} % of the space around the examples` +
        (next ? `. One more at ${next.at.map(x => x.toFixed(2)).join(', ')} m would help most.` : '.');
    Object.assign(this.element.dataset, { litres: litres.toFixed(1), examples: String(examples), family });
    this.draw();
    this.place();
  }

  // The cubes go with the figure: they are about its own hand.
  follow(x: number, z: number, heading: number): void {
    this.group.position.set(x, 0, z);
    this.group.rotation.y = heading;
  }

  private place(): void {
    this.group.visible = this.shown.checked;
    this.view.invalidate();
  }

  private drop(): void {
    this.cubes?.removeFromParent();
    this.cubes?.dispose();
    this.cubes = null;
    this.view.invalidate();
  }

  private draw(): void {
    const most = Math.max(1, ...this.history.map(({ litres }) => litres));
    fill(
      this.bars,
      this.history.map(({ litres, examples }) =>
        el('i', {
          style: `height: ${(2 + (40 * litres) / most).toFixed(0)}px`,
          title: `${counted(examples, 'example')}: ${litres.toFixed(0)} litres`,
        }),
      ),
    );
    this.bars.setAttribute(
      'aria-label',
      `Litres reached, take after take: ${this.history.map(({ litres }) => litres.toFixed(0)).join(', ')}`,
    );
  }
}
