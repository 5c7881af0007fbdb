// SPDX-License-Identifier: MIT
// Two sticks and a button on the screen, for a finger or a mouse: what a gamepad has, where there is none.
import { el, onDrag } from '../dom';
import { PlayWish } from '../routes';

const kReach = 46; // pixels from the middle of a stick to its end
const kRun = 3.0,
  kTurn = 2.0;

class Stick {
  readonly element: HTMLElement;
  x = 0;
  y = 0;

  constructor(name: string, moved: (event: PointerEvent) => void) {
    const knob = el('span', { class: 'knob' });
    this.element = el('div', { class: 'stick', role: 'slider', 'aria-label': name, 'aria-valuenow': 0, tabindex: -1 }, knob);
    const go = (event: PointerEvent, x: number, y: number) => {
      const far = Math.max(1, Math.hypot(x, y) / kReach);
      this.x = x / far / kReach;
      this.y = y / far / kReach;
      knob.style.transform = `translate(${this.x * kReach}px, ${this.y * kReach}px)`;
      moved(event);
    };
    const drag = (event: PointerEvent) => {
      const box = this.element.getBoundingClientRect();
      go(event, event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2);
    };
    onDrag(this.element, {
      down: event => {
        drag(event);
        return true;
      },
      move: drag,
      up: event => go(event, 0, 0),
    });
  }
}

export class Sticks {
  readonly element: HTMLElement;
  private readonly go: Stick;
  private readonly turn: Stick;
  private jumping = false;

  // `moved` is told of every change, with the event that made it.
  constructor(moved: (event: Event) => void) {
    this.go = new Stick('Go', moved);
    this.turn = new Stick('Turn', moved);
    const press = (down: boolean) => (event: PointerEvent) => {
      this.jumping = down;
      moved(event);
    };
    const jump = el(
      'button',
      {
        type: 'button',
        class: 'jump',
        onpointerdown: press(true),
        onpointerup: press(false),
        onpointercancel: press(false),
        onpointerleave: press(false),
      },
      'Jump',
    );
    this.element = el('div', { class: 'sticks' }, this.go.element, el('span', { class: 'grow' }), jump, this.turn.element);
  }

  // Null while nothing is touched.
  wish(): PlayWish | null {
    const wish = { left: -kRun * this.go.x, forward: -kRun * this.go.y, turn: -kTurn * this.turn.x, jump: this.jumping };
    return wish.left || wish.forward || wish.turn || wish.jump ? wish : null;
  }
}
