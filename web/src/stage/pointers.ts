// SPDX-License-Identifier: MIT
// Points at goals that are not in the picture: an arrow at its edge for each, and how far it is.
import * as THREE from 'three';
import { el } from '../dom';
import { View } from './view';

const kMargin = 26; // pixels from the edge
const kMost = 3; // the nearest ones: more would say nothing

export interface Pointed {
  x: number; // pixels in the picture
  y: number;
  angle: number; // clockwise from up, radians
}

// Where on the edge of a picture of that size a place is pointed at: `at` are its normalised coordinates, `behind` says
// whether it lies behind the camera. Null where it is in the picture.
export function pointAt(at: { x: number; y: number }, behind: boolean, width: number, height: number, margin: number): Pointed | null {
  if (!behind && Math.abs(at.x) <= 1 && Math.abs(at.y) <= 1) return null;
  // What lies behind is projected upside down, and is best reached by turning: it is pointed at to the side or down.
  let x = behind ? -at.x : at.x,
    y = behind ? -Math.abs(at.y) : at.y;
  if (!x && !y) y = -1;
  const halfWidth = width / 2 - margin,
    halfHeight = height / 2 - margin,
    share = 1 / Math.max(Math.abs((x * width) / 2) / halfWidth, Math.abs((y * height) / 2) / halfHeight);
  x *= (width / 2) * share;
  y *= (height / 2) * share;
  return { x: width / 2 + x, y: height / 2 - y, angle: Math.atan2(x, y) };
}

export class Pointers {
  readonly element = el('div', { class: 'pointers', 'aria-hidden': 'true' });
  private readonly arrows = Array.from({ length: kMost }, () => {
    const sign = el('span', { class: 'sign' }, '▲'),
      far = el('span', { class: 'far' });
    return { sign, far, box: el('div', { class: 'pointer', hidden: true }, sign, far) };
  });

  constructor(private readonly view: View) {
    this.element.append(...this.arrows.map(arrow => arrow.box));
  }

  // Points from `from` at those of `goals` that cannot be seen; says how many.
  show(goals: THREE.Vector3[], from: THREE.Vector3): number {
    const { clientWidth: width, clientHeight: height } = this.element,
      { camera } = this.view;
    camera.updateMatrixWorld();
    const out = goals
      .map(goal => {
        const seen = goal.clone().applyMatrix4(camera.matrixWorldInverse);
        return { far: goal.distanceTo(from), at: pointAt(goal.clone().project(camera), seen.z > 0, width, height, kMargin) };
      })
      .sort((a, b) => a.far - b.far)
      .filter(goal => goal.at)
      .slice(0, kMost);
    this.arrows.forEach(({ box, sign, far }, i) => {
      const goal = out[i];
      box.hidden = !goal;
      if (!goal) return;
      box.style.translate = `${goal.at!.x}px ${goal.at!.y}px`;
      sign.style.rotate = `${goal.at!.angle}rad`;
      far.textContent = `${goal.far.toFixed(0)} m`;
      far.classList.toggle('above', goal.at!.y > height / 2);
    });
    return out.length;
  }
}
