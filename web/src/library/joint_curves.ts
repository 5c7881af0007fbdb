// SPDX-License-Identifier: MIT
// Curves of joints for the timeline: how high one is, how fast, how far it is bent.
import { el, fill } from '../dom';
import { Body, Motion } from '../motion';
import { Curve, kCurveColors } from '../timeline';
import { Quantity, jointCurve, kQuantities } from './joint_curve';

const kMost = kCurveColors.length;

// Which curves are drawn: chosen by joint and kind, told with their values at the frame that is shown.
export class JointCurves {
  readonly element: HTMLElement;
  onchange: ((curves: Curve[]) => void) | null = null;
  private readonly joints = el('select', { title: 'A joint', 'aria-label': 'Joint of a curve' });
  private readonly quantity = el(
    'select',
    { title: 'What of it', 'aria-label': 'What is drawn of the joint' },
    kQuantities.map(([value, text]) => el('option', { value }, text)),
  );
  private readonly chips = el('span', { class: 'curve-chips' });
  private wanted: { joint: string; quantity: Quantity }[] = [];
  private curves: Curve[] = [];
  private frame = 0;
  private motion: Motion | null = null;
  private body: Body | null = null;

  constructor() {
    const add = el(
      'button',
      { type: 'button', class: 'quiet', title: 'Draw this curve on the timeline', onclick: () => this.add() },
      'Add curve',
    );
    this.element = el('span', { class: 'joint-curves' }, this.joints, this.quantity, add, this.chips);
  }

  show(motion: Motion, body: Body): void {
    if (this.body !== body) {
      const chosen = this.joints.value;
      fill(
        this.joints,
        body.joints.map((joint, j) => el('option', { value: j, selected: String(j) === chosen }, joint.name || `joint ${j}`)),
      );
    }
    this.motion = motion;
    this.body = body;
    this.draw();
  }

  // The values at a frame, beside their names.
  setFrame(frame: number): void {
    this.frame = frame;
    this.chips.querySelectorAll('.value').forEach((node, i) => {
      const curve = this.curves[i],
        value = curve?.values[Math.min(curve.values.length - 1, Math.max(0, Math.round(frame)))];
      if (curve) node.textContent = `${value.toFixed(curve.unit === '°' ? 0 : 2)} ${curve.unit}`;
    });
  }

  private add(): void {
    if (!this.body) return;
    const joint = this.body.joints[Number(this.joints.value)].name,
      quantity = this.quantity.value as Quantity;
    if (this.wanted.some(one => one.joint === joint && one.quantity === quantity)) return;
    this.wanted = [...this.wanted, { joint, quantity }].slice(-kMost);
    this.draw();
  }

  private draw(): void {
    const { motion, body } = this;
    if (!motion || !body) return;
    const drawn = this.wanted.flatMap(want => {
      const joint = body.joints.findIndex(one => one.name === want.joint);
      return joint < 0 ? [] : [{ want, curve: jointCurve(motion, body, joint, want.quantity) }];
    });
    this.curves = drawn.map(({ curve }) => curve);
    fill(
      this.chips,
      drawn.map(({ want, curve }, i) =>
        el(
          'button',
          {
            type: 'button',
            class: 'curve-chip',
            style: `--hue: var(--${kCurveColors[i]})`,
            title: 'Take it off',
            onclick: () => {
              this.wanted = this.wanted.filter(one => one !== want);
              this.draw();
            },
          },
          `${curve.name} `,
          el('span', { class: 'value' }),
        ),
      ),
    );
    this.setFrame(this.frame);
    this.onchange?.(this.curves);
  }
}
