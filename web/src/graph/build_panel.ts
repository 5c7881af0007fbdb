// SPDX-License-Identifier: MIT
// The graphs there are, and the form that builds another.
import { call } from '../api';
import { commandBar } from '../command_bar';
import { Word, option } from '../command_words';
import { el, fill, workButton } from '../dom';
import { jobEnd } from '../jobs';
import { labelChips } from '../label_chips';
import { attempt, confirmed, nameToBuild } from '../notices';
import { project } from '../project';
import { Roving } from '../roving';
import { BuildBody, GraphInfo } from '../routes';
import { asked } from './verdict';

export class BuildPanel {
  readonly element = el('nav', { class: 'panel build-panel' });
  onchoose: ((graph: string) => void) | null = null;
  onnone: (() => void) | null = null; // there is no graph
  onbuilt: ((graph: string) => void) | null = null; // a new one is there, and chosen next
  chosen: string | null = null;
  private readonly graphs = el('ul', { class: 'graph-list', 'aria-label': 'Graphs' });
  private readonly name = el('input', { type: 'text', value: 'main', 'aria-label': 'Name', name: 'graph-name' });
  private readonly share = el('input', { type: 'range', min: 10, max: 100, value: 80, id: 'share', oninput: () => this.tell() });
  private readonly shareText = el('output', {});
  private readonly threshold = el('input', {
    type: 'range',
    min: -5,
    max: -1,
    step: 0.01,
    value: -3.5,
    id: 'threshold',
    oninput: () => this.tell(),
  });
  private readonly thresholdText = el('output', {});
  private readonly byThreshold = el('input', { type: 'checkbox', onchange: () => this.tell() });
  private readonly forecast = el('p', { class: 'faint', id: 'forecast' });
  private readonly mirror = el('input', { type: 'checkbox', onchange: () => this.tell() });
  private readonly metric = el(
    'select',
    { onchange: () => this.tell(), 'aria-label': 'Distance' },
    el('option', { value: 'pointcloud' }, 'point clouds'),
    el('option', { value: 'joints' }, 'joint angles'),
  );
  private readonly between = el('input', { type: 'checkbox', id: 'between', onchange: () => this.tell() });
  private readonly lambda = el('input', { type: 'range', min: 0, max: 2, step: 0.1, value: 0.7, id: 'lambda', oninput: () => this.tell() });
  private readonly lambdaText = el('output', {});
  private readonly labels = el('div', { class: 'chips' });
  private readonly roving = new Roving(this.labels, 'button');
  private readonly wanted = new Set<string>();
  private readonly body = el('select', { id: 'graph-body', 'aria-label': 'Body', onchange: () => this.tell() });
  private readonly bodies = el(
    'label',
    { hidden: true, title: 'A graph is made of clips that move the same body' },
    'Of the body of',
    this.body,
  );
  private shares: [number, number][] = []; // of the chosen graph: threshold, share of the frames

  constructor() {
    const build = workButton('Build', () => this.build(), { class: 'primary' });
    this.element.append(
      el('h3', {}, 'Graphs'),
      this.graphs,
      el('h3', {}, 'Build a graph'),
      el(
        'div',
        { class: 'form' },
        el('label', {}, 'Name', this.name),
        el('label', { class: 'for-share' }, el('span', {}, 'Keep about ', this.shareText, ' of the motion'), this.share),
        el('span', { class: 'faint' }, 'Only motion labelled (none: all)'),
        this.labels,
        this.bodies,
        build,
        el(
          'details',
          { class: 'more' },
          el('summary', {}, 'More choices'),
          el('label', { class: 'check' }, this.byThreshold, 'Say how alike moments must be'),
          el('label', { class: 'for-threshold' }, el('span', {}, 'At most this far apart: ', this.thresholdText), this.threshold),
          this.forecast,
          el('label', { class: 'check' }, this.between, 'Motion between recordings too'),
          el('label', { class: 'for-lambda' }, el('span', {}, 'For a smaller graph ways may be ', this.lambdaText), this.lambda),
          el('label', {}, 'Compare by', this.metric),
          el('label', { class: 'check' }, this.mirror, 'Mirrored copies too'),
        ),
      ),
    );
    this.tell();
  }

  refresh(): void {
    const { graphs, labels } = project.state!;
    this.offerBodies();
    if (!graphs.some(graph => graph.name === this.chosen)) this.chosen = null;
    fill(this.graphs, graphs.length ? graphs.map(graph => this.row(graph)) : el('li', { class: 'faint' }, 'None yet: build one.'));
    fill(
      this.labels,
      labelChips(labels, this.wanted, () => this.tell()),
    );
    this.roving.settle();
    if (!graphs.length) this.onnone?.();
    else if (!this.chosen) this.choose(graphs[0].name);
  }

  // The bodies that clips move, the one with most motion first; nothing to choose where there is one.
  private offerBodies(): void {
    const bodies = new Map<number, { first: string; clips: number; seconds: number }>();
    for (const { name, skeleton, seconds } of project.state!.clips) {
      const known = bodies.get(skeleton) ?? { first: name, clips: 0, seconds: 0 };
      bodies.set(skeleton, { ...known, clips: known.clips + 1, seconds: known.seconds + seconds });
    }
    const before = this.body.value;
    fill(
      this.body,
      [...bodies]
        .sort(([, a], [, b]) => b.seconds - a.seconds)
        .map(([skeleton, { first, clips }]) => el('option', { value: skeleton }, clips > 1 ? `${first} and ${clips - 1} more` : first)),
    );
    if (bodies.has(Number(before)) && before) this.body.value = before;
    this.bodies.hidden = bodies.size < 2;
  }

  // Shares of the frames that other thresholds would give, known once a graph was built.
  setShares(shares: [number, number][], threshold: number): void {
    this.shares = shares;
    if (shares.length > 1) {
      this.threshold.min = String(Math.log10(shares[0][0]));
      this.threshold.max = String(Math.log10(shares[shares.length - 1][0]));
      this.threshold.value = String(Math.log10(Math.max(threshold, 1e-9)));
    }
    this.tell();
  }

  private row(graph: GraphInfo): HTMLElement {
    return el(
      'li',
      { 'aria-current': String(graph.name === this.chosen) },
      el(
        'button',
        { type: 'button', class: 'quiet', 'data-graph': graph.name, onclick: () => this.choose(graph.name) },
        el('strong', {}, graph.name),
        ' ',
        el('span', { class: 'faint' }, graph.created.replace('T', ' ').replace('Z', '')),
      ),
      el(
        'button',
        {
          type: 'button',
          class: 'quiet',
          'aria-label': `Remove ${graph.name}`,
          title: 'Remove',
          onclick: () => void this.remove(graph.name),
        },
        '×',
      ),
    );
  }

  choose(name: string): void {
    this.chosen = name;
    this.name.value = name;
    this.graphs
      .querySelectorAll('li')
      .forEach(row => row.setAttribute('aria-current', String(row.querySelector('[data-graph]')?.getAttribute('data-graph') === name)));
    this.onchoose?.(name);
  }

  private async remove(name: string): Promise<void> {
    if (!(await confirmed(`Remove the graph ${name}? The clips stay.`, 'Remove'))) return;
    if (!(await attempt(() => call('DELETE /api/graphs/*', { names: [name] })))) return;
    await project.refresh();
    commandBar.show('graph', 'remove', 'LIBRARY', ...option('--graph', name));
  }

  // Rounded as the command line shows it, so that both build the same graph.
  private get chosenThreshold(): number {
    return Number((10 ** Number(this.threshold.value)).toPrecision(4));
  }

  private get chosenLambda(): number {
    return Number((10 ** Number(this.lambda.value)).toPrecision(2));
  }

  // What share of the frames a threshold would connect, between the thresholds that were tried.
  private shareAt(threshold: number): number | null {
    const next = this.shares.findIndex(([at]) => at >= threshold);
    if (!this.shares.length || next === 0) return this.shares[0]?.[1] ?? null;
    if (next < 0) return this.shares[this.shares.length - 1][1];
    const [[low, from], [high, to]] = [this.shares[next - 1], this.shares[next]];
    return from + ((to - from) * Math.log(threshold / low)) / Math.log(high / low);
  }

  private get options(): BuildBody {
    const common = {
      name: this.name.value.trim(),
      labels: [...this.wanted],
      mirror: this.mirror.checked,
      metric: this.metric.value,
      ...(this.between.checked ? { lambda: this.chosenLambda } : {}),
      ...(this.bodies.hidden ? {} : { body: this.body.value }),
    };
    return this.byThreshold.checked
      ? { ...common, threshold: this.chosenThreshold }
      : { ...common, connect: Number(this.share.value) / 100 };
  }

  private words(): Word[] {
    const o = this.options;
    return [
      'graph',
      o.lambda === undefined ? 'build' : 'connect',
      'LIBRARY',
      ...option('--name', o.name),
      ...(o.threshold !== undefined ? ['--threshold', o.threshold] : ['--connect', o.connect!]),
      ...o.labels.flatMap(label => option('--label', label)),
      ...(o.body === undefined ? [] : option('--body', o.body)),
      ...(o.mirror ? ['--mirror'] : []),
      ...(o.metric === 'joints' ? ['--metric', 'joints'] : []),
      ...(o.lambda !== undefined ? ['--lambda', o.lambda] : []),
    ];
  }

  private tell(): void {
    this.shareText.textContent = `${this.share.value} %`;
    const threshold = this.chosenThreshold,
      share = this.shareAt(threshold),
      cloud = this.metric.value === 'pointcloud';
    this.thresholdText.textContent = `${threshold.toPrecision(3)} ${cloud ? 'm²' : 'rad'}`;
    this.lambdaText.textContent = this.chosenLambda === 1 ? 'no longer' : `${this.chosenLambda} times as long`;
    this.element.classList.toggle('by-threshold', this.byThreshold.checked);
    this.element.classList.toggle('with-between', this.between.checked);
    this.forecast.hidden = !this.byThreshold.checked;
    this.forecast.textContent =
      (share === null
        ? 'Once there is a graph, this tells beforehand what would be connected'
        : `would connect about ${(100 * share).toFixed(0)} % of the motion of ${this.chosen}`) +
      (cloud ? `; markers up to ${(100 * Math.sqrt(threshold)).toFixed(1)} cm apart on average` : '');
    if (this.element.isConnected && this.element.contains(document.activeElement)) commandBar.show('graph', ...this.words());
  }

  // Asks for more of the motion to be kept, as a verdict suggests.
  suggest(share: number): void {
    this.byThreshold.checked = false;
    this.share.value = String(asked(share));
    this.share.focus();
    this.tell();
  }

  private async build(): Promise<void> {
    const taken = project.state!.graphs.map(graph => graph.name);
    const name = await nameToBuild(this.name, 'graph', taken);
    if (!name) return;
    const started = await attempt(() => call('POST /api/graphs', { body: this.options }));
    if (!started) return;
    commandBar.show('graph', ...this.words());
    const job = await jobEnd(started.job);
    if (job.state !== 'done') return;
    const before = this.chosen;
    this.onbuilt?.(name);
    await project.refresh();
    if (this.chosen !== name || before === name) this.choose(name);
  }
}
