// SPDX-License-Identifier: MIT
// A camera that goes round with what it looks at, so that ahead stays ahead and left stays left. Whoever has turned it
// keeps that turn.
import { View } from './view';

export class Trailing {
  private facing = 0; // radians: as far as the camera has turned

  // It follows a turn with this time constant, seconds.
  constructor(
    private readonly view: View,
    private readonly seconds: number,
  ) {}

  // The camera is where it belongs for this direction.
  reset(direction = 0): void {
    this.facing = direction;
  }

  // How far it still has to turn for that direction, radians.
  off(direction: number): number {
    const off = direction - this.facing;
    return Math.atan2(Math.sin(off), Math.cos(off));
  }

  // What is looked at has this direction now, so many seconds later.
  go(direction: number, seconds: number): void {
    const { camera, controls } = this.view;
    const turn = this.off(direction) * (1 - Math.exp(-seconds / this.seconds));
    this.facing += turn;
    camera.position.sub(controls.target).applyAxisAngle(camera.up, turn).add(controls.target);
    camera.lookAt(controls.target);
  }
}
