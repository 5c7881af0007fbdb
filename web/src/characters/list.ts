// SPDX-License-Identifier: MIT
// The characters of the library as the page knows them, kept up to date; and how more come into it.
import { call, upload } from '../api';
import { commandBar } from '../command_bar';
import { path } from '../command_words';
import { Dropped } from '../importer';
import { jobEnd } from '../jobs';
import { attempt, notify } from '../notices';
import { project } from '../project';
import { CharacterInfo } from '../routes';
import { wardrobe } from '../stage/wardrobe';

const kModels = /\.(glb|gltf|vrm|fbx|dae)$/i;
const kBeside = /\.(bin|png|jpe?g|webp|tga|bmp)$/i; // buffers and textures
const kLarge = 5e6; // bytes: how much of it has gone is told

class CharacterList {
  all: CharacterInfo[] = [];
  private readonly listeners = new Set<() => void>();

  constructor() {
    project.watch(() => void attempt(() => this.refresh()));
  }

  watch(listener: () => void): void {
    this.listeners.add(listener);
    listener();
  }

  async refresh(): Promise<void> {
    this.all = (await call('GET /api/characters')).characters;
    for (const { name, created } of this.all) wardrobe.stamp(name, created);
    this.listeners.forEach(listener => listener());
  }

  // Sends models, with what lies beside them, and has them kept; the names they got.
  async add({ files }: Dropped): Promise<string[]> {
    const models = files.filter(({ file }) => kModels.test(file.name)),
      sent = files.filter(({ file }) => kModels.test(file.name) || kBeside.test(file.name));
    if (!models.length) {
      notify('No character was dropped: a .glb, .gltf, .vrm, .fbx or .dae', 'error');
      return [];
    }
    const batch = `character-${Date.now()}-${Math.random().toString(36).slice(2, 8)}`;
    for (const { file } of sent)
      await upload(batch, file.name, file, share => {
        if (file.size > kLarge) notify(`Sending ${file.name} ${Math.round(100 * share)} %`);
      });
    commandBar.show('characters', 'character', 'add', 'LIBRARY', path(models[0].file.name));
    const job = await jobEnd((await call('POST /api/characters', { body: { batch } })).job);
    if (job.kind !== 'character' || !job.result) throw new Error(job.error ?? 'It was not added');
    await this.refresh();
    return job.result.characters.map(({ name }) => name);
  }
}

export const characters = new CharacterList();
