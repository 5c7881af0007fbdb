// SPDX-License-Identifier: MIT
// The machines there are, and the ways to get another: mined from a graph, or read from a file.
import { call } from '../api';
import { commandBar } from '../command_bar';
import { Word, given, option, path } from '../command_words';
import { button, el, fill, leading } from '../dom';
import { jobEnd } from '../jobs';
import { attempt, confirmed, nameToBuild, notify } from '../notices';
import { project } from '../project';
import { MachineInfo } from '../routes';

const kLongestFile = 900_000; // bytes: more is no machine

// What a machine came from, for people.
export function origin({ parameters }: { parameters: Record<string, unknown> }): string {
  if (typeof parameters.graph === 'string') return `mined from ${parameters.graph}`;
  return typeof parameters.file === 'string' ? `read from ${parameters.file}` : '';
}

export class ListPanel {
  readonly element: HTMLElement;
  onchoose: ((machine: string) => void) | null = null;
  onnone: (() => void) | null = null; // there is no machine
  machines: MachineInfo[] = [];
  chosen: string | null = null;
  private readonly list = el('ul', { class: 'graph-list', 'aria-label': 'Machines', id: 'machines' });
  private readonly graph = el('select', { 'aria-label': 'Graph', id: 'mine-graph', onchange: () => this.tell() });
  private readonly against = el('select', { 'aria-label': 'States of', id: 'mine-against', onchange: () => this.tell() });
  private readonly name = el('input', {
    type: 'text',
    value: 'mined',
    maxlength: 100,
    'aria-label': 'Name',
    id: 'mine-name',
    oninput: () => this.tell(),
  });
  private readonly mining = button('Mine', () => void this.mine(), { class: 'primary' });
  private readonly file = el('input', {
    type: 'file',
    accept: '.machine,.txt,text/plain',
    hidden: true,
    id: 'machine-file',
    onchange: () => void this.read(),
  });
  private readonly noGraph = el(
    'p',
    { class: 'faint' },
    leading('A machine is mined from a graph: build one on the page ', 'graph', 'Graph', ' first.'),
  );
  private readonly noLabels = el(
    'p',
    { class: 'faint', id: 'no-labels' },
    leading(
      'Its states are what motion is labelled: on the page ',
      'library',
      'Library',
      ' labels are given, or suggested from the motion. Then build the graph again.',
    ),
  );

  constructor() {
    this.element = el(
      'nav',
      { class: 'panel build-panel' },
      el('h3', {}, 'Machines'),
      this.list,
      el('h3', {}, 'Mine a machine'),
      el(
        'div',
        { class: 'form' },
        el('p', { class: 'faint' }, 'What the character can do, and how likely it goes from one to the other, as the motions have it.'),
        this.noGraph,
        this.noLabels,
        el('label', {}, 'Of the graph', this.graph),
        el('label', {}, 'States', this.against),
        el('label', {}, 'Name', this.name),
        this.mining,
      ),
      el('h3', {}, 'Or draw one by hand'),
      el(
        'div',
        { class: 'form' },
        el('p', { class: 'faint' }, 'A text file that names states and transitions.'),
        button('Read a file…', () => this.file.click()),
        this.file,
      ),
    );
  }

  async refresh(): Promise<void> {
    const got = await attempt(() => call('GET /api/machines'));
    if (!got) return;
    this.machines = got.machines;
    const { graphs, labels } = project.state!,
      keptGraph = this.graph.value,
      keptOther = this.against.value;
    fill(
      this.graph,
      graphs.map(({ name }) => el('option', { value: name }, name)),
    );
    if (graphs.some(({ name }) => name === keptGraph)) this.graph.value = keptGraph;
    fill(
      this.against,
      el('option', { value: '' }, 'one for each label'),
      this.machines.map(({ name }) => el('option', { value: name }, `those of ${name}`)),
    );
    if (this.machines.some(({ name }) => name === keptOther)) this.against.value = keptOther;
    this.noGraph.hidden = graphs.length > 0;
    this.noLabels.hidden = !graphs.length || labels.length > 1;
    this.mining.disabled = !graphs.length || (labels.length < 2 && !this.machines.length);
    if (!this.machines.some(({ name }) => name === this.chosen)) this.chosen = null;
    fill(this.list, this.machines.length ? this.machines.map(machine => this.row(machine)) : el('li', { class: 'faint' }, 'None yet.'));
    if (!this.machines.length) this.onnone?.();
    else this.choose(this.chosen ?? this.machines[0].name);
  }

  choose(name: string): void {
    this.chosen = name;
    this.list.querySelectorAll('li').forEach(row => row.setAttribute('aria-current', String(row.dataset.machine === name)));
    this.onchoose?.(name);
  }

  private row(machine: MachineInfo): HTMLElement {
    return el(
      'li',
      { 'data-machine': machine.name, 'aria-current': String(machine.name === this.chosen) },
      el(
        'button',
        { type: 'button', class: 'quiet', title: machine.created, onclick: () => this.choose(machine.name) },
        el('strong', {}, machine.name),
        ' ',
        el('span', { class: 'faint' }, origin(machine)),
      ),
      el(
        'a',
        {
          class: 'save',
          href: `/api/machines/${encodeURIComponent(machine.name)}/file`,
          download: `${machine.name}.machine`,
          title: 'Save as a file',
          'aria-label': `Save ${machine.name} as a file`,
          onclick: () => commandBar.show('machine', 'machine', 'write', 'LIBRARY', given(machine.name), path(`${machine.name}.machine`)),
        },
        '⤓',
      ),
      el(
        'button',
        {
          type: 'button',
          class: 'quiet',
          'aria-label': `Remove ${machine.name}`,
          title: 'Remove',
          onclick: () => void this.remove(machine.name),
        },
        '×',
      ),
    );
  }

  private words(name: string): Word[] {
    return [
      'machine',
      'mine',
      'LIBRARY',
      given(this.graph.value),
      ...option('--name', name),
      ...(this.against.value ? option('--against', this.against.value) : []),
    ];
  }

  private tell(): void {
    const name = this.name.value.trim();
    if (name && this.graph.value) commandBar.show('machine', ...this.words(name));
  }

  private async mine(): Promise<void> {
    const { value: graph } = this.graph,
      { value: against } = this.against;
    const taken = this.machines.map(machine => machine.name).filter(other => other !== against);
    const name = await nameToBuild(this.name, 'machine', taken);
    if (!name) return;
    if (name === against) return notify('Give it another name than that of the machine whose states it takes.');
    commandBar.show('machine', ...this.words(name));
    this.mining.disabled = true;
    try {
      const started = await attempt(() => call('POST /api/machines', { body: { name, graph, against } }));
      if (!started) return;
      const job = await jobEnd(started.job);
      if (job.state !== 'done') return;
    } finally {
      this.mining.disabled = false;
    }
    this.chosen = name;
    await attempt(() => project.refresh());
  }

  private async read(): Promise<void> {
    const file = this.file.files?.[0];
    this.file.value = '';
    if (!file) return;
    if (file.size > kLongestFile) return notify(`${file.name} is too large for a machine.`, 'error');
    const text = await file.text(),
      name = file.name.replace(/\.[^.]*$/, '') || 'drawn';
    const known = this.machines.some(machine => machine.name === name);
    if (known && !(await confirmed(`Read ${file.name} in place of the machine ${name}?`, 'Read'))) return;
    const about = await attempt(() => call('POST /api/machines/*/read', { names: [name], body: { file: file.name, text } }));
    if (!about) return;
    commandBar.show('machine', 'machine', 'read', 'LIBRARY', path(file.name), ...option('--name', name));
    this.chosen = name;
    await attempt(() => project.refresh());
  }

  private async remove(name: string): Promise<void> {
    if (!(await confirmed(`Remove the machine ${name}? The clips stay.`, 'Remove'))) return;
    if (!(await attempt(() => call('DELETE /api/machines/*', { names: [name] })))) return;
    commandBar.show('machine', 'remove', 'LIBRARY', ...option('--machine', name));
    await attempt(() => project.refresh());
  }
}
