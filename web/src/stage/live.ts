// SPDX-License-Identifier: MIT
// Shows a live scene: every frame that comes over the socket is put on the stage as it comes.
import { getBody } from '../motion';
import { attempt } from '../notices';
import { SceneInfo } from '../routes';
import { SceneFrame, socket } from '../socket';
import { worn } from '../worn';
import { Character } from './character';
import { ModelCostume } from './costume';
import { isCrowd } from './drawing';
import { View } from './view';
import { wardrobe } from './wardrobe';

export class LiveView {
  characters: Character[] = [];
  onframe: ((frame: SceneFrame) => void) | null = null;
  onmoment: ((frame: SceneFrame) => boolean) | null = null; // called first; false: it is not to be shown
  running = false;
  frames = 0;
  private turn = 0; // counts starts and stops, so that a slow start does not follow a later one
  private scene = 0;
  private shownAs = ''; // the character that its bodies are shown as
  private nodes: number[] = []; // of that

  constructor(private readonly view: View) {
    worn.watch(() => {
      if (this.running && this.shownAs !== worn.name) void attempt(() => this.dress());
    });
  }

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
    this.scene = info.scene;
    this.shownAs = '';
    socket.join(info.scene);
    if (worn.name) void attempt(() => this.dress());
  }

  // Shows its bodies as the character that is chosen.
  private async dress(): Promise<void> {
    const { turn } = this,
      name = (this.shownAs = worn.name);
    this.characters.forEach(character => character.wear(null));
    const dress = await wardrobe.wearLive(this.scene, this.characters.length);
    if (turn !== this.turn || name !== worn.name || !dress) return;
    this.nodes = dress.nodes;
    this.characters.forEach((character, i) => {
      const costume = new ModelCostume(dress.model, character.options);
      costume.place(dress.sizes[i], 0);
      character.wear(costume);
    });
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
    if (this.onmoment?.(frame) ?? true) this.pose(frame);
    this.onframe?.(frame);
    this.view.invalidate();
  }

  // Shows a moment; one that was kept, too.
  pose(frame: Pick<SceneFrame, 'worn'> & { characters: { root: ArrayLike<number>; rotations: ArrayLike<number> }[] }): void {
    const worn = frame.worn.length / frame.characters.length; // numbers a character
    frame.characters.forEach((pose, i) => {
      const character = this.characters[i];
      character?.pose(pose.root, pose.rotations);
      if (character?.costume instanceof ModelCostume && worn === 7 * this.nodes.length)
        character.costume.pose(this.nodes, frame.worn, i * worn);
    });
  }
}
