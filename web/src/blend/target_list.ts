// SPDX-License-Identifier: MIT
// Constraints in place of parameters: places, lines and turns of joints, several at once, with priorities (Huang 2012
// §3.4). Lines are drawn in the scene.
import * as THREE from 'three';
import { button, el, fill } from '../dom';
import { View } from '../stage/view';
import { Wanted, WantedKind, hasPoint, kAxes, leftText, targetText } from './wanted';

const kLineHalf = 1.5; // metres of a line that are drawn either way

export class TargetList {
  readonly element: HTMLElement;
  onchange: (() => void) | null = null;
  private list: Wanted[] = [];
  private joints: string[] = [];
  private strokes = 0;
  private first: { joint: string; point: number[] } = { joint: '', point: [0, 1, 0.5] }; // what an added target starts as
  private readonly rows = el('div', { class: 'targets' });
  private readonly objective = el(
    'select',
    {
      id: 'objective',
      'aria-label': 'What is made least',
      title: 'Where targets contradict each other: all give way a little, or the strongest is met',
      onchange: () => this.onchange?.(),
    },
    el('option', { value: 'squares' }, 'least squares'),
    el('option', { value: 'sum' }, 'least sum'),
  );
  private readonly add = button('Add a target', () => this.push(), { title: 'A place, a line or a turn of any joint at the stroke' });
  private readonly lines = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0xd6336c }));

  constructor(private readonly view: View) {
    this.lines.frustumCulled = false;
    view.scene.add(this.lines);
    this.element = el('div', { class: 'column', id: 'targets' }, this.rows, el('div', { class: 'row' }, this.add, this.objective));
    this.draw();
  }

  // For another family: no targets, and what one starts as.
  reset(joints: string[], strokes: number, first: { joint: string; point: number[] }): void {
    this.joints = joints;
    this.strokes = strokes;
    this.first = first;
    this.list = [];
    this.draw();
  }

  // Where the next target is first of all.
  startAt(point: number[]): void {
    this.first.point = point;
  }

  get texts(): string[] {
    return this.list.map(targetText);
  }
  get least(): string {
    return this.objective.value;
  }

  // Where the ball is: the first target that has a place.
  get point(): number[] | null {
    return this.list.find(hasPoint)?.point ?? null;
  }
  set point(at: number[]) {
    const index = this.list.findIndex(hasPoint);
    if (index < 0) return;
    this.list[index].point = at;
    this.rows.querySelectorAll<HTMLInputElement>(`[data-target="${index}"] [data-field=point] input`).forEach((input, k) => {
      input.value = String(Number(at[k].toFixed(3)));
    });
    this.drawLines();
  }

  // What is left of each, beside it.
  show(left: number[]): void {
    this.rows.querySelectorAll('output').forEach((output, i) => {
      output.textContent = left.length === this.list.length ? leftText(this.list[i], left[i]) : 'not met: is it one?';
    });
  }

  private push(): void {
    this.list.push({
      joint: this.first.joint,
      kind: 'place',
      point: [...(this.point ?? this.first.point)],
      direction: [0, 1, 0],
      turn: [0, 0, 0],
      axes: 'xyz',
      stroke: 1,
      priority: 1,
      norm: 0,
    });
    this.changed();
  }

  private changed(): void {
    this.draw();
    this.onchange?.();
  }

  private draw(): void {
    this.add.disabled = !this.strokes;
    this.objective.hidden = this.list.length < 2;
    fill(
      this.rows,
      this.list.map((wanted, i) => this.row(wanted, i)),
    );
    this.drawLines();
  }

  private drawLines(): void {
    const ends = this.list.flatMap(({ kind, point, direction }) => {
      const way = new THREE.Vector3().fromArray(direction).setLength(kLineHalf),
        at = new THREE.Vector3().fromArray(point);
      return kind === 'line' ? [at.clone().sub(way), at.add(way)] : [];
    });
    this.lines.geometry.dispose();
    this.lines.geometry = new THREE.BufferGeometry().setFromPoints(ends);
    this.lines.visible = ends.length > 0;
    this.view.invalidate();
  }

  private row(wanted: Wanted, index: number): HTMLElement {
    const select = (label: string, options: string[], value: string, set: (value: string) => void) => {
      const choice = el(
        'select',
        {
          'aria-label': label,
          title: label,
          onchange: () => {
            set(choice.value);
            this.changed();
          },
        },
        options.map(option => el('option', { value: option, selected: option === value }, option)),
      );
      return choice;
    };
    const number = (label: string, value: number, step: number, set: (value: number) => void) => {
      const input = el('input', {
        type: 'number',
        step,
        value: Number(value.toFixed(3)),
        'aria-label': label,
        title: label,
        onchange: () => {
          set(Number(input.value) || 0);
          this.drawLines();
          this.onchange?.();
        },
      });
      return input;
    };
    const vector = (field: 'point' | 'direction' | 'turn', label: string, step: number) =>
      el(
        'span',
        { 'data-field': field },
        ['x', 'y', 'z'].map((axis, k) =>
          number(`${label} ${axis}`, wanted[field][k], step, value => {
            wanted[field][k] = value;
          }),
        ),
      );
    return el(
      'div',
      { class: 'row', 'data-target': index },
      select('Joint', this.joints, wanted.joint, joint => (wanted.joint = joint)),
      select('Kind', ['place', 'line', 'turn'], wanted.kind, kind => (wanted.kind = kind as WantedKind)),
      hasPoint(wanted) && vector('point', 'Place, metres,', 0.05),
      wanted.kind === 'line' && vector('direction', 'Direction', 0.1),
      wanted.kind === 'turn' && vector('turn', 'Degrees about', 5),
      wanted.kind === 'turn' && select('Axes that count', kAxes, wanted.axes, axes => (wanted.axes = axes)),
      this.strokes > 1 &&
        select(
          'Stroke',
          Array.from({ length: this.strokes }, (_, k) => String(k + 1)),
          String(wanted.stroke),
          stroke => (wanted.stroke = Number(stroke)),
        ),
      el(
        'label',
        { title: 'Priority, 0 to 1' },
        'c',
        number('Priority', wanted.priority, 0.1, value => (wanted.priority = Math.min(1, Math.max(0, value)))),
      ),
      el(
        'label',
        { title: 'What a metre or a radian counts; 0: the usual' },
        'n',
        number('Norm', wanted.norm, 0.1, value => (wanted.norm = Math.max(0, value))),
      ),
      el('output', {}),
      button(
        '×',
        () => {
          this.list.splice(index, 1);
          this.changed();
        },
        { class: 'quiet', title: 'Remove this target' },
      ),
    );
  }
}
