// SPDX-License-Identifier: MIT
// Another clip beside the one that is looked at, or over it: moment by moment, or aligned by what they do.
import { call, callPacked } from '../api';
import { commandBar } from '../command_bar';
import { given } from '../command_words';
import { el, fill } from '../dom';
import { Motion } from '../motion';
import { attempt, notify } from '../notices';
import { project } from '../project';
import { Player } from '../stage/player';
import { along } from './warped';

export class CompareBar {
  readonly element: HTMLElement;
  private readonly name = el('input', {
    type: 'text',
    list: 'compare-clips',
    class: 'compare-with',
    placeholder: 'Compare with…',
    title: 'Another clip, to be seen with this one',
    'aria-label': 'Compare with',
    autocomplete: 'off',
    onchange: () => void this.change(),
  });
  private readonly names = el('datalist', { id: 'compare-clips' });
  private readonly place = el(
    'select',
    { title: 'Over this one, or beside it', 'aria-label': 'Over or beside', hidden: true, onchange: () => void this.change() },
    el('option', { value: 'over' }, 'Overlaid'),
    el('option', { value: 'beside' }, 'Side by side'),
  );
  private readonly time = el(
    'select',
    { title: 'Second by second, or aligned by what they do', 'aria-label': 'In time', hidden: true, onchange: () => void this.change() },
    el('option', { value: 'same' }, 'Same time'),
    el('option', { value: 'aligned' }, 'Aligned'),
  );
  private readonly off = el(
    'button',
    {
      type: 'button',
      class: 'quiet',
      hidden: true,
      title: 'Stop comparing',
      'aria-label': 'Stop comparing',
      onclick: () => {
        this.name.value = '';
        void this.change();
      },
    },
    '×',
  );
  private turn = 0;

  constructor(private readonly player: Player) {
    this.element = el('span', { class: 'compare-bar' }, this.name, this.names, this.place, this.time, this.off);
  }

  refresh(): void {
    fill(
      this.names,
      project.state!.clips.map(clip => el('option', { value: clip.name })),
    );
  }

  // Compares with a motion that is not in the library, such as this clip before it was mended.
  async with(motion: Motion): Promise<void> {
    ++this.turn;
    await this.player.compare({
      motion,
      frameAt: frame => (frame * motion.rate) / (this.player.motion?.rate ?? motion.rate),
      beside: false,
    });
  }

  // The clip that is looked at is another: it is compared with the same.
  async change(): Promise<void> {
    const turn = ++this.turn,
      wanted = this.name.value.trim(),
      mine = this.player.motion;
    const known = Boolean(project.clip(wanted));
    this.place.hidden = this.time.hidden = this.off.hidden = !known;
    if (!known || !mine) {
      if (wanted && !known) notify(`There is no clip '${wanted}'`, 'error');
      return this.player.compare(null);
    }
    await attempt(async () => {
      const motion = new Motion(await callPacked('GET /api/clips/*/motion', { names: [wanted] }));
      let frameAt = (frame: number) => (frame / mine.rate) * motion.rate;
      if (this.time.value === 'aligned') {
        const warp = await call('GET /api/warp', { query: { a: mine.name, b: wanted } });
        if ('refused' in warp) notify(warp.refused, 'error');
        else frameAt = frame => (along(warp.cells, (frame / mine.rate) * warp.rate) / warp.rate) * motion.rate;
        commandBar.show('library', 'blend', 'align', 'LIBRARY', given(mine.name), given(wanted));
      }
      if (turn !== this.turn) return;
      await this.player.compare({ motion, frameAt, beside: this.place.value === 'beside' });
    });
  }
}
