// SPDX-License-Identifier: MIT
// Shows a live scene: every frame that comes over the socket is put on the stage as it comes.
import { getBody } from '../motion';
import { SceneInfo } from '../routes';
import { SceneFrame, socket } from '../socket';
import { Character } from './character';
import { isCrowd } from './drawing';
import { View } from './view';

export class LiveView {
  characters: Character[] = [];
  onframe: ((frame: SceneFrame) => void) | null = null;
  onmoment: ((frame: SceneFrame) => boolean) | null = null; // called first; false: it is not to be shown
  running = false;
  frames = 0;
  private turn = 0; // counts starts and stops, so that a slow start does not follow a later one

  constructor(private readonly view: View) {}

  async start(info: SceneInfo, tints: (number | undefined)[] = []): Promise<void> {
    this.stop();
    const coarse = isCrowd(info.bodies.length),
      turn = ++this.turn;
    const bodies = await Promise.all(info.bodies.map(body => getBody(body, coarse)));
    if (turn !== this.turn) return;
    this.characters = bodies.map((body, i) => new Character(body, { tint: tints[i] }));
    this.view.scene.add(...this.characters.map(character => character.object));
    this.view.setFloor(0);
    this.view.follow = this.characters[0].bones[0];
    this.running = true;
    this.frames = 0;
    socket.onframe = frame => this.show(frame);
    socket.join(info.scene);
  }

  // What the camera goes along with from now on; null: nothing.
  follow(character: Character | null): void {
    this.view.follow = character?.bones[0] ?? null;
  }

  stop(): void {
    ++this.turn;
    if (!this.running) return;
    this.running = false;
    socket.leave();
    this.characters.forEach(character => character.dispose());
    this.characters = [];
    this.view.invalidate();
  }

  private show(frame: SceneFrame): void {
    if (!this.running) return;
    ++this.frames;
    if (this.onmoment?.(frame) ?? true) frame.characters.forEach((pose, i) => this.characters[i]?.pose(pose.root, pose.rotations));
    this.onframe?.(frame);
    this.view.invalidate();
  }
}
