// SPDX-License-Identifier: MIT
// The families there are, and the form that builds another.
import { call } from '../api';
import { commandBar } from '../command_bar';
import { option } from '../command_words';
import { el, fill, workButton } from '../dom';
import { jobEnd } from '../jobs';
import { attempt, confirmed, nameToBuild, notify } from '../notices';
import { project } from '../project';

export class FamilyPanel {
  readonly element: HTMLElement;
  onchoose: ((family: string) => void) | null = null;
  onnone: (() => void) | null = null; // there is no family
  private chosen: string | null = null;
  private readonly families = el('ul', { class: 'graph-list', 'aria-label': 'Families' });
  private readonly label = el('select', { 'aria-label': 'Label', id: 'family-label' });
  private readonly name = el('input', { type: 'text', value: 'reach', 'aria-label': 'Name of the family' });
  private readonly building = workButton('Build', () => this.build(), { class: 'primary' });
  private known: string[] = []; // names of families
  private readonly mirror = el('input', { type: 'checkbox' });

  constructor() {
    this.label.addEventListener('change', () => {
      this.name.value = this.label.value;
    });
    this.element = el(
      'nav',
      { class: 'panel build-panel' },
      el('h3', {}, 'Families'),
      this.families,
      el('h3', {}, 'Build a family'),
      el(
        'div',
        { class: 'form' },
        el('p', { class: 'faint' }, 'Clips that do the same thing in different ways: reaches to many places, walks of many speeds.'),
        el('label', {}, 'Of the motion labelled', this.label),
        el('label', {}, 'Name', this.name),
        el('label', { class: 'check' }, this.mirror, 'Mirrored copies too'),
        this.building,
      ),
    );
  }

  async refresh(): Promise<void> {
    const kept = this.label.value,
      labels = project.state!.labels.filter(label => label.clips > 1).map(label => label.name);
    fill(
      this.label,
      labels.map(label => el('option', { value: label }, label)),
    );
    this.label.value = labels.includes(kept) ? kept : labels.includes('reach') ? 'reach' : (labels[0] ?? '');
    if (!kept && this.label.value) this.name.value = this.label.value;
    this.building.disabled = !labels.length;
    this.building.title = labels.length ? '' : 'Label the same thing in two clips first, on the Library page';
    const got = await attempt(() => call('GET /api/families'));
    if (!got) return;
    this.known = got.families.map(family => family.name);
    if (!got.families.some(family => family.name === this.chosen)) this.chosen = null;
    fill(
      this.families,
      got.families.length
        ? got.families.map(family =>
            el(
              'li',
              { 'aria-current': String(family.name === this.chosen) },
              el(
                'button',
                { type: 'button', class: 'quiet', 'data-family': family.name, onclick: () => this.choose(family.name) },
                el('strong', {}, family.name),
                ' ',
                el('span', { class: 'faint' }, family.created.slice(0, 10)),
              ),
              el(
                'button',
                {
                  type: 'button',
                  class: 'quiet',
                  'aria-label': `Remove ${family.name}`,
                  title: 'Remove',
                  onclick: () => void this.remove(family.name),
                },
                '×',
              ),
            ),
          )
        : el('li', { class: 'faint' }, 'None yet: build one.'),
    );
    if (!got.families.length) this.onnone?.();
    else if (!this.chosen) this.choose(got.families.find(family => family.name === 'reach')?.name ?? got.families[0].name);
  }

  private async remove(name: string): Promise<void> {
    if (!(await confirmed(`Remove the family ${name}? The clips stay.`, 'Remove'))) return;
    if (!(await attempt(() => call('DELETE /api/families/*', { names: [name] })))) return;
    if (this.chosen === name) this.chosen = null;
    await this.refresh();
    commandBar.show('blend', 'remove', 'LIBRARY', ...option('--family', name));
  }

  private choose(name: string): void {
    this.chosen = name;
    this.families
      .querySelectorAll('li')
      .forEach(row => row.setAttribute('aria-current', String(row.querySelector('[data-family]')?.getAttribute('data-family') === name)));
    this.onchoose?.(name);
  }

  private async build(): Promise<void> {
    const label = this.label.value;
    if (!label)
      return notify('A family is made of motion with a label that two clips or more have; label some first, on the Library page.', 'error');
    const name = await nameToBuild(this.name, 'family', this.known);
    if (!name) return;
    const started = await attempt(() => call('POST /api/families', { body: { name, label, mirror: this.mirror.checked } }));
    if (!started) return;
    commandBar.show(
      'blend',
      'blend',
      'family',
      'LIBRARY',
      ...option('--name', name),
      ...option('--label', label),
      '--leave-out',
      ...(this.mirror.checked ? ['--mirror'] : []),
    );
    const job = await jobEnd(started.job);
    if (job.state !== 'done') return;
    if (job.kind === 'family' && job.result?.notes.length) notify(job.result.notes.slice(0, 3).join(' '));
    await this.refresh();
    this.choose(name);
  }
}
