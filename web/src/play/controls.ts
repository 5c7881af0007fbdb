// SPDX-License-Identifier: MIT
// What the player wants, from keys or a gamepad: velocity and turn as the character sees them (McCann & Pollard §4.1).
import { isTyping } from '../dom';
import { PlayWish } from '../routes';

const kWalk = 1.4,
  kRun = 3.0,
  kAside = 0.9; // metres a second
const kTurn = 1.4; // radians a second
const kTap = 200; // milliseconds that a jump is wished for at least: a key may be up again at once
const kDead = 0.14; // of a stick: nearer to its middle counts as let go

const keysOf: Record<string, string> = {
  KeyW: 'ahead',
  ArrowUp: 'ahead',
  KeyS: 'back',
  ArrowDown: 'back',
  KeyA: 'turnLeft',
  ArrowLeft: 'turnLeft',
  KeyD: 'turnRight',
  ArrowRight: 'turnRight',
  KeyQ: 'left',
  KeyE: 'right',
  Space: 'jump',
  ShiftLeft: 'run',
  ShiftRight: 'run',
};

export class Controls {
  // What sticks on the screen want; null while they are let go.
  sticks: (() => PlayWish | null) | null = null;
  private readonly held = new Set<string>();
  private jumpedAt = -Infinity; // when the key of the jump last went down, milliseconds

  // `jumps`: whether the space bar, and the gamepad's first button, are the jump's.
  constructor(private readonly jumps = true) {}

  // A key went down or up; says whether it is one of ours.
  key(event: KeyboardEvent, down: boolean): boolean {
    const what = keysOf[event.code];
    if (!what || (what === 'jump' && !this.jumps) || isTyping(event) || event.ctrlKey || event.metaKey) return false;
    event.preventDefault();
    if (down && what === 'jump' && !event.repeat) this.jumpedAt = performance.now();
    if (down) this.held.add(what);
    else this.held.delete(what);
    return true;
  }

  letGo(): void {
    this.held.clear();
  }

  wish(): PlayWish {
    return this.gamepad() ?? this.sticks?.() ?? this.keys();
  }

  private keys(): PlayWish {
    const on = (what: string) => Number(this.held.has(what));
    const speed = on('run') ? kRun : kWalk;
    return {
      left: kAside * (on('left') - on('right')),
      forward: speed * on('ahead') - kAside * on('back'),
      turn: kTurn * (on('turnLeft') - on('turnRight')),
      jump: this.held.has('jump') || performance.now() - this.jumpedAt < kTap,
    };
  }

  private gamepad(): PlayWish | null {
    const pad = navigator.getGamepads?.().find(Boolean);
    if (!pad) return null;
    const axis = (i: number) => (Math.abs(pad.axes[i] ?? 0) < kDead ? 0 : pad.axes[i]);
    const wish = {
      left: -kRun * axis(0),
      forward: -kRun * axis(1),
      turn: -2 * axis(2),
      jump: this.jumps && Boolean(pad.buttons[0]?.pressed),
    };
    return wish.left || wish.forward || wish.turn || wish.jump ? wish : null;
  }
}
