// SPDX-License-Identifier: MIT
// What stands in the place of a page that needs motion while the library has none: the two ways to get some.
import { call } from './api';
import { commandBar } from './command_bar';
import { button, el } from './dom';
import { importButton } from './importer';
import { jobEnd } from './jobs';
import { attempt } from './notices';
import { project } from './project';

export class EmptyLibrary {
  readonly element: HTMLElement;
  private readonly add = button('Add sample motions', () => void this.addSamples(), {
    class: 'primary',
    title: 'Walking, running, jumping, reaching and fighting, made by a procedural performer',
  });

  constructor() {
    this.element = el(
      'main',
      { class: 'page empty-library', hidden: true },
      el(
        'section',
        {},
        el('h1', {}, 'There is no motion here yet'),
        el('p', {}, 'Motion Loom makes new motion of recorded motion. Begin with one of these:'),
        el('div', { class: 'ways' }, this.add, importButton('Choose files…')),
        el('p', { class: 'drop-here' }, 'Drop your files or folders anywhere on this page'),
        el(
          'p',
          { class: 'faint' },
          '.bvh, .fbx, .glb, .gltf with its .bin, .dae, .amc with its .asf, .skm with its .sk; labels as .csv. Nothing leaves this machine.',
        ),
      ),
    );
  }

  // Shown in the place of pages that need clips, while there are none.
  static isNeeded(page: string): boolean {
    const { state } = project;
    return Boolean(state) && !state!.clips.length && !state!.damaged.length && !['world', 'capture', 'characters'].includes(page);
  }

  private async addSamples(): Promise<void> {
    this.add.disabled = true;
    const started = await attempt(() => call('POST /api/samples', { body: {} }));
    if (started) {
      commandBar.showHere('sample', 'LIBRARY');
      await jobEnd(started.job);
    }
    this.add.disabled = false;
  }
}
