// SPDX-License-Identifier: MIT
// What can be done with several clips at once.
import { Cancelled, addressOf, call } from '../api';
import { commandBar } from '../command_bar';
import { fileOf, given, option } from '../command_words';
import { button, counted, el, fill } from '../dom';
import { askText, attempt, confirmed, notify } from '../notices';
import { project } from '../project';
import { FileFormat, Label, Renaming } from '../routes';
import { change } from '../undo';
import { suggestionList } from './look_panel';

const kNamed = 8; // clips whose names are listed
const kSaved = 200; // files that are saved one after the other at most
const kAtOnce = 40; // clips that are looked at in one go

export class ManyPanel {
  readonly element = el('div', { class: 'many' });
  private names: string[] = [];
  private readonly below = el('div');

  show(names: string[]): void {
    this.names = names;
    const clips = names.map(name => project.clip(name)).filter(clip => clip !== undefined),
      seconds = clips.reduce((sum, clip) => sum + clip.seconds, 0);
    fill(this.below);
    fill(
      this.element,
      el('h2', {}, counted(names.length, 'clip')),
      el('p', { class: 'faint' }, `${seconds.toFixed(1)} s, ${clips.reduce((sum, clip) => sum + clip.frames, 0)} frames`),
      el(
        'p',
        { class: 'faint names' },
        names.slice(0, kNamed).join(', ') + (names.length > kNamed ? ` and ${names.length - kNamed} more` : ''),
      ),
      el(
        'div',
        { class: 'actions' },
        button('Label…', () => void this.label(), { title: 'Label all of them, each as a whole' }),
        button('Take a label off…', () => void this.unlabel()),
        button('Suggest labels', () => void this.suggest(), { title: 'From their motion, to be accepted or not' }),
        button('Rename…', () => void this.rename()),
        button('Save BVH', () => void this.save('bvh')),
        button('Save glb', () => void this.save('glb')),
        button('Remove', () => void this.remove(), { class: 'quiet' }),
      ),
      this.below,
    );
  }

  private async change(what: string, changes: { clip: string; label: Label }[], adds: boolean): Promise<boolean> {
    const post = (add: boolean) => () =>
      call('POST /api/many/labels', {
        body: { changes: changes.map(({ clip, label }) => ({ clip, [add ? 'add' : 'remove']: label })) },
      });
    return Boolean(await change(what, post(adds), post(!adds)));
  }

  private async label(): Promise<void> {
    const { names } = this;
    const name = await askText(
      `Label ${counted(names.length, 'clip')}, each as a whole`,
      '',
      project.state!.labels.map(one => one.name),
    );
    if (!name) return;
    const changes = names.flatMap(clip => {
      const info = project.clip(clip);
      const has = !info || info.labels.some(one => one.name === name && one.begin === 0 && one.end === info.frames);
      return has ? [] : [{ clip, label: { name, begin: 0, end: info.frames } }];
    });
    if (!(await this.change(`label ${name}`, changes, true))) return;
    commandBar.show('library', 'label', 'LIBRARY', '--clips', ...names, ...option('--as', name));
    notify(`${counted(changes.length, 'clip')} labelled ${name}; Ctrl+Z takes it back`);
  }

  private async unlabel(): Promise<void> {
    const { names } = this;
    const carried = names.flatMap(clip => (project.clip(clip)?.labels ?? []).map(label => ({ clip, label })));
    const name = await askText('Which label is to be taken off?', '', [...new Set(carried.map(({ label }) => label.name))]);
    const changes = carried.filter(({ label }) => label.name === name);
    if (!name) return;
    if (!changes.length) return notify(`None of them carries ${name}`, 'error');
    if (!(await this.change(`label ${name} taken off`, changes, false))) return;
    commandBar.show('library', 'label', 'LIBRARY', '--clips', ...names, ...option('--as', name), '--remove');
  }

  private async suggest(): Promise<void> {
    const { names } = this;
    commandBar.show('library', 'label', 'LIBRARY', '--suggest', '--all');
    const suggested = [];
    for (let i = 0; i < names.length; i += kAtOnce) {
      fill(this.below, el('p', { class: 'faint' }, `Looked at ${i} of ${names.length}…`));
      const told = await attempt(() => call('POST /api/many/suggest', { body: { clips: names.slice(i, i + kAtOnce) } }));
      if (!told || names !== this.names) return;
      suggested.push(...told.suggested);
    }
    fill(this.below, el('h3', {}, 'Suggested labels'), suggestionList(suggested, { clip: null, done: () => fill(this.below) }));
  }

  private async rename(): Promise<void> {
    const { names } = this;
    const title = names.length > 1 ? "New names: '*' is the old one, '#' a number" : 'New name';
    const as = await askText(title, names.length > 1 ? '*' : names[0]);
    if (!as) return;
    let renamed: Renaming[] | null = null,
      anyway = false;
    const post = (body: { clips?: string[]; as?: string; renamings?: Renaming[] }) =>
      call('POST /api/many/rename', { body: { ...body, anyway } });
    const again = async () => {
      if (renamed) return post({ renamings: renamed });
      let told = await post({ clips: names, as });
      if (!told.renamed.length) {
        const question = `Built of these clips by their names: ${told.dependents.join(', ')}. They will have to be built anew.`;
        if (!(await confirmed(question, 'Rename anyway'))) throw new Cancelled();
        anyway = true;
        told = await post({ clips: names, as });
      }
      renamed = told.renamed;
      return told;
    };
    const back = () => post({ renamings: renamed!.map(({ from, to }) => ({ from: to, to: from })) });
    if (!(await change(`${counted(names.length, 'clip')} renamed`, again, back))) return;
    commandBar.show('library', 'rename', 'LIBRARY', ...names.map(given), ...option('--as', as), ...(anyway ? ['--anyway'] : []));
  }

  // A file each for BVH; one glb that holds all, where they move one body.
  private async save(format: FileFormat): Promise<void> {
    const { names } = this;
    if (names.length > kSaved) return notify(`${kSaved} files are saved at once at most; the command below writes all`, 'error');
    for (const name of names) {
      el('a', { href: addressOf('GET /api/clips/*/file/*', { names: [name, format], query: {} }), download: '' }).click();
      await new Promise(done => setTimeout(done, 120)); // browsers drop what is asked for at once
    }
    commandBar.show(
      'library',
      'export',
      'LIBRARY',
      ...names.map(given),
      '--format',
      format,
      '-o',
      fileOf('motions', '').replace(/\.$/, ''),
    );
  }

  private async remove(): Promise<void> {
    const clips = this.names;
    const gone = await change(
      `${counted(clips.length, 'clip')} removed`,
      () => call('POST /api/many/remove', { body: { clips } }),
      () => call('POST /api/many/restore', { body: { clips } }),
    );
    if (!gone) return;
    commandBar.show('library', 'remove', 'LIBRARY', ...clips.map(given));
    notify(`${counted(clips.length, 'clip')} removed; Ctrl+Z brings them back`);
  }
}
