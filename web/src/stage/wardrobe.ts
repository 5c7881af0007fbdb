// SPDX-License-Identifier: MIT
// Shows every body of the studio as the character that was chosen (worn.ts): what plays a motion by having it carried over
// once, what is live by asking the server to carry every pose.
import { call } from '../api';
import { Motion } from '../motion';
import { notify } from '../notices';
import { worn } from '../worn';
import { Character, Wardrobe } from './character';
import { Carried, Model, ModelCostume, carry, readModel } from './costume';
import { plain } from './drawing';

// As many characters of a live scene are shown with their own mesh; larger crowds stay plain.
const kMostWorn = plain ? 6 : 60;

interface Known {
  character: string;
  carried: Carried | null; // null: on its way, or not to be had
  model: Model | null;
}

class StudioWardrobe implements Wardrobe {
  private readonly bodies = new Map<Character, { motion: Motion; frame: number } | null>(); // what each shows
  private readonly models = new Map<string, Promise<Model>>();
  private readonly stamps = new Map<string, string>();
  private known = new WeakMap<Motion, Known>();

  constructor() {
    let before = worn.name;
    worn.watch(() => {
      if (before === worn.name) return;
      before = worn.name;
      this.dressAll();
    });
  }

  take(character: Character): void {
    this.bodies.set(character, null);
  }

  leave(character: Character): void {
    this.bodies.delete(character);
  }

  poseAt(character: Character, motion: Motion, frame: number): void {
    if (!this.bodies.has(character)) return;
    this.bodies.set(character, { motion, frame });
    if (!worn.name) return;
    const { carried, model } = this.carriedOf(motion, worn.name);
    if (!carried || !model) return character.wear(null);
    let { costume } = character;
    if (!(costume instanceof ModelCostume) || costume.model !== model) {
      costume = new ModelCostume(model, character.options);
      character.wear(costume);
    }
    (costume as ModelCostume).place(carried.size, carried.header.floor);
    (costume as ModelCostume).poseAt(carried, frame);
  }

  // A character's file, read once. `stamp` tells one that was changed from what it was.
  model(name: string): Promise<Model> {
    let model = this.models.get(name);
    if (!model) {
      model = readModel(name, this.stamps.get(name) ?? '');
      model.catch(() => this.models.delete(name));
      this.models.set(name, model);
    }
    return model;
  }

  // What the library has under the name was made at `stamp`: what is known of another is forgotten.
  stamp(name: string, stamp: string): void {
    const before = this.stamps.get(name);
    this.stamps.set(name, stamp);
    if (before === undefined || before === stamp) return;
    this.models.delete(name);
    this.known = new WeakMap();
    if (name === worn.name) this.dressAll();
  }

  // Has a live scene carried over; how its bodies are to be dressed, or null where they stay plain.
  async wearLive(scene: number, bodies: number): Promise<{ model: Model; sizes: number[]; nodes: number[] } | null> {
    const name = worn.name;
    if (name && bodies > kMostWorn) notify(`${bodies} are too many to be shown as ${name}: they stay plain`);
    const character = bodies > kMostWorn ? '' : name;
    const told = await call('POST /api/scenes/*/wear', { names: [scene], body: { character } });
    return character ? { model: await this.model(character), ...told } : null;
  }

  private dressAll(): void {
    for (const [character, shown] of this.bodies) {
      if (!shown) continue; // a live one: its scene is asked anew
      character.wear(null);
      character.poseAt(shown.motion, shown.frame);
    }
    worn.drawAgain();
  }

  private carriedOf(motion: Motion, character: string): Known {
    const before = this.known.get(motion);
    if (before?.character === character) return before;
    const known: Known = { character, carried: null, model: null };
    this.known.set(motion, known);
    Promise.all([carry(motion, character), this.model(character)])
      .then(([carried, model]) => {
        if (this.known.get(motion) !== known) return;
        Object.assign(known, { carried, model });
        for (const [body, shown] of this.bodies) if (shown?.motion === motion) body.poseAt(motion, shown.frame);
        worn.drawAgain();
      })
      .catch((error: unknown) => notify(`Not shown as ${character}: ${error instanceof Error ? error.message : String(error)}`, 'error'));
    return known;
  }
}

export const wardrobe = new StudioWardrobe();
