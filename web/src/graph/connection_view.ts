// SPDX-License-Identifier: MIT
// How well a graph is connected: closure, times between frames and behaviors, what was lost, and why.
import { addressOf, call } from '../api';
import { commandBar } from '../command_bar';
import { given } from '../command_words';
import { button, el, fill, leading } from '../dom';
import { attempt } from '../notices';
import { Roving } from '../roving';
import { GraphAbout, NearPair, Way } from '../routes';
import { color, onTheme } from '../theme';
import { scaleColor } from './matrix';

const kBest = 6; // transitions listed for each way
const seconds = (s: number | null) => (s === null ? '–' : `${s.toFixed(2)} s`); // null: no frames give it

// What a histogram needs of both axes: the seconds below which nearly all pairs are, and the largest share of a bar.
function extent({ histogram: counts, histogram_bin_s: bin }: GraphAbout): { seconds: number; share: number } {
  const total = counts.reduce((sum, n) => sum + n, 0) || 1;
  let last = counts.length;
  for (let kept = 0, i = 0; i < counts.length; ++i) {
    kept += counts[i];
    if (kept > 0.998 * total) {
      last = i + 1;
      break;
    }
  }
  return { seconds: last * bin, share: Math.max(...counts.slice(0, last), 1) / total };
}

export class ConnectionView {
  readonly element = el('div', { class: 'connection panel' });
  onshow: ((a: string, b: string, i: number, j: number) => void) | null = null; // a transition to be looked at
  private about: GraphAbout | null = null;
  private beside: GraphAbout | null = null; // shown next to it, with the same axes
  private canvas: HTMLCanvasElement | null = null;
  private readonly answer = el('div', { class: 'answer', 'aria-live': 'polite' });

  constructor() {
    onTheme(() => this.drawHistogram());
  }

  // A graph of which nothing is measured yet.
  wait(name: string): void {
    this.about = null;
    this.canvas = null;
    fill(this.element, el('p', { class: 'faint', role: 'status' }, `Measuring how ${name} is connected…`));
  }

  // Shows what is known of a graph; null: there is none. `beside` is another that is shown next to it.
  show(about: GraphAbout | null, beside: GraphAbout | null = null): void {
    this.about = about;
    this.beside = beside;
    if (!about) {
      this.canvas = null;
      return fill(
        this.element,
        el(
          'p',
          { class: 'faint' },
          'There is no graph yet. Build one on the left, and this tells how well it is connected: what reaches what, how quickly, and why not.',
        ),
      );
    }
    this.canvas = el('canvas', {
      width: 680,
      height: 440,
      class: 'histogram',
      role: 'img',
      'aria-label': 'Histogram of the times between frames',
    });
    fill(this.answer);
    fill(
      this.element,
      beside ? el('h2', {}, about.name) : null,
      el('div', { class: 'numbers' }, this.numbers(about)),
      el(
        'div',
        { class: 'figures' },
        el(
          'figure',
          { class: 'narrow' },
          el(
            'div',
            { class: 'closure-axes' },
            el('span', { class: 'y' }, 'from a frame →'),
            el('span', { class: 'x' }, 'to a frame →'),
            el('img', {
              class: 'closure',
              src: addressOf('GET /api/graphs/*/closure', { names: [about.name], query: { t: about.threshold } }),
              alt: 'Transitive closure',
              width: 220,
              height: 220,
            }),
          ),
          el('figcaption', {}, 'What reaches what, before pruning: blue where there is a way'),
        ),
        el('figure', {}, this.canvas, el('figcaption', {}, 'The quickest way from one frame to another, over all pairs of frames')),
        about.behaviors.length
          ? el(
              'section',
              { class: 'why' },
              el('h3', {}, 'Why (not)?'),
              this.question(about.behaviors),
              el(
                'p',
                { class: 'faint' },
                'How one behavior leads to another, by which transitions, and what it would take where there is no way.',
              ),
            )
          : null,
      ),
      this.answer,
      about.behaviors.length
        ? [el('h3', {}, 'Seconds from the behavior on the left to the one above, on average; press one to ask why'), this.table(about)]
        : el(
            'p',
            { id: 'no-behaviors' },
            leading(
              'No motion of this graph has a label, so nothing is told of behaviors: on the page ',
              'library',
              'Library',
              ' labels are given, or suggested from the motion. Then build again.',
            ),
          ),
      el('h3', {}, about.lost.length ? `Lost to pruning: ${about.lost.length} clips, in whole or in part` : 'Nothing was lost to pruning'),
      about.lost.length ? this.losses(about) : null,
    );
    this.drawHistogram();
  }

  tell(): void {
    if (this.about && this.beside)
      commandBar.show('graph', 'graph', 'compare-graphs', 'LIBRARY', given(this.about.name), given(this.beside.name), '-o', 'graphs.html');
    else if (this.about) commandBar.show('graph', 'graph', 'report', 'LIBRARY', given(this.about.name), '-o', 'report.html');
  }

  private numbers(a: GraphAbout): HTMLElement[] {
    const entry = (name: string, value: string) => el('div', {}, el('strong', {}, value), el('span', { class: 'faint' }, name));
    return [
      entry('of the motion', `${(100 * a.component_share).toFixed(1)} %`),
      entry('moments', a.nodes.toLocaleString('en')),
      ...(a.recorded_nodes < a.nodes ? [entry('of them between recordings', (a.nodes - a.recorded_nodes).toLocaleString('en'))] : []),
      entry('transitions', a.transitions.toLocaleString('en')),
      entry('how unlike at most', a.threshold.toPrecision(3)),
      entry('from any moment to any other', seconds(a.mean_transition_s)),
      entry('until something else can be done', seconds(a.local_maneuverability_s)),
    ];
  }

  private drawHistogram(): void {
    if (!this.canvas || !this.about) return;
    const { histogram: counts, histogram_bin_s: bin } = this.about,
      total = counts.reduce((sum, n) => sum + n, 0) || 1;
    const shown = [this.about, ...(this.beside ? [this.beside] : [])].map(extent);
    const end = Math.max(...shown.map(one => one.seconds)),
      most = Math.max(...shown.map(one => one.share)),
      last = end / bin, // bars, not all of which there need be
      paint = this.canvas.getContext('2d')!;
    const left = 42,
      low = 182,
      high = 14,
      width = 340 - left - 8,
      y = (share: number) => low - ((low - high) * share) / most;
    paint.setTransform(2, 0, 0, 2, 0, 0);
    paint.clearRect(0, 0, 340, 220);
    paint.font = '11px system-ui, sans-serif';
    const grain = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5].find(s => most / s <= 5) ?? 1;
    for (let share = grain; share <= most; share += grain) {
      paint.fillStyle = color('line');
      paint.fillRect(left, y(share), width, 1);
      paint.fillStyle = color('faint');
      paint.textAlign = 'right';
      paint.fillText(`${+(100 * share).toFixed(1)} %`, left - 5, y(share) + 4);
    }
    paint.fillStyle = color('accent');
    for (let i = 0; i < Math.min(last, counts.length); ++i)
      paint.fillRect(left + (i * width) / last, y(counts[i] / total), Math.max(1, width / last - 0.6), low - y(counts[i] / total));
    paint.fillStyle = color('faint');
    paint.textAlign = 'center';
    const step = end > 24 ? 5 : end > 10 ? 2 : end > 4 ? 1 : 0.5;
    for (let t = 0; t <= end; t += step) paint.fillText(String(t), left + (t * width) / end, low + 14);
    paint.fillText('seconds', left + width / 2, low + 30);
    paint.textAlign = 'left';
    paint.fillText('of all pairs', 2, high - 3);
  }

  private question(names: string[]): HTMLElement {
    const list = (value: string) =>
      el(
        'select',
        {},
        names.map(name => el('option', { value: name, selected: name === value }, name)),
      );
    const from = list(names.includes('walk') ? 'walk' : names[0]),
      to = list(names.includes('run') ? 'run' : (names[1] ?? names[0]));
    from.id = 'explain-from';
    to.id = 'explain-to';
    return el(
      'div',
      { class: 'question' },
      el('label', {}, 'from', from),
      el('label', {}, 'to', to),
      button('Explain', () => void this.explain(from.value, to.value)),
    );
  }

  async explain(from: string, to: string): Promise<void> {
    if (!this.about) return;
    const { name } = this.about;
    const said = await attempt(() => call('GET /api/graphs/*/explain', { names: [name], query: { from, to } }));
    if (!said) return;
    commandBar.show('graph', 'graph', 'explain', 'LIBRARY', given(name), given(from), given(to), '--best', kBest);
    fill(
      this.answer,
      [said.there, said.back].map(way => this.way(way, said.threshold)),
    );
    this.answer.scrollIntoView({ block: 'nearest' });
  }

  private way(way: Way, threshold: number): HTMLElement {
    const verdict = way.connected
      ? `${seconds(way.quickest_s)} at the quickest, ${seconds(this.about?.between_s[way.from]?.[way.to] ?? way.mean_s)} on average`
      : way.connects_at !== null
        ? `no way; there is one from a threshold of ${way.connects_at.toPrecision(3)} on (the graph has ${threshold.toPrecision(3)})`
        : 'no way among all similar frames that were found';
    const cells = (t: NearPair) => [
      t.from_title,
      t.from_frame,
      t.to_title,
      t.to_frame,
      t.distance.toPrecision(3),
      t.in_graph ? 'yes' : 'no',
    ];
    return el(
      'div',
      {},
      el('p', {}, el('strong', {}, `${way.from} to ${way.to}: `), verdict),
      this.route(way),
      way.best.length
        ? el(
            'table',
            {},
            el('caption', {}, 'The smallest distances between frames of the two'),
            el(
              'thead',
              {},
              el(
                'tr',
                {},
                ['from', 'frame', 'to', 'frame', 'distance', 'in the graph', ''].map(title => el('th', {}, title)),
              ),
            ),
            el(
              'tbody',
              {},
              way.best.map(t =>
                el(
                  'tr',
                  {},
                  cells(t).map((text, k) => el('td', { class: k % 2 || k === 4 ? 'number' : '' }, String(text))),
                  el(
                    'td',
                    {},
                    button('Look', () => this.onshow?.(t.from_clip, t.to_clip, t.from_frame, t.to_frame), {
                      class: 'quiet look',
                      title: 'See this transition',
                    }),
                  ),
                ),
              ),
            ),
          )
        : null,
    );
  }

  // The quickest way there is, clip by clip; where none is needed, why.
  private route(way: Way): HTMLElement | null {
    if (!way.connected) return null;
    if (way.quickest_s === 0) return el('p', { class: 'faint' }, 'Some moments are both at once: there no transition is needed.');
    const steps = way.route.map(({ title, from, to }) => `${title} ${from === to ? from : `${from}–${to}`}`);
    return steps.length ? el('p', { class: 'faint route' }, `The quickest way: ${steps.join(', then ')}`) : null;
  }

  private table({ behaviors, between_s: between }: GraphAbout): HTMLElement {
    // One behavior alone has no time to another.
    const most = Math.max(...Object.values(between).flatMap(row => Object.values(row).map(Number))) || 1;
    const table = el(
      'div',
      { class: 'behaviors' },
      el(
        'table',
        {},
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            el('th', { class: 'corner' }, 'from ↓ to →'),
            behaviors.map(name => el('th', { class: 'slanted' }, el('span', {}, name))),
          ),
        ),
        el(
          'tbody',
          {},
          behaviors.map(from =>
            el(
              'tr',
              {},
              el('th', {}, from),
              behaviors.map(to => {
                const s = between[from][to];
                const [red, green, blue] = scaleColor(1 - (s ?? most) / most);
                return el(
                  'td',
                  {
                    title: `${from} to ${to}: ${seconds(s)}`,
                    style: `background: rgb(${red} ${green} ${blue} / .75)`,
                    onclick: () => void this.explain(from, to),
                  },
                  s?.toFixed(1) ?? '-',
                );
              }),
            ),
          ),
        ),
      ),
    );
    new Roving(table, 'td'); // thousands of fields are one stop of the Tab key
    return table;
  }

  private losses({ lost }: GraphAbout): HTMLElement {
    return el(
      'table',
      { class: 'losses' },
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          ['clip', 'frames lost', 'why', 'joins at'].map(title => el('th', {}, title)),
        ),
      ),
      el(
        'tbody',
        {},
        lost
          .slice(0, 60)
          .map(entry =>
            el(
              'tr',
              {},
              el('td', {}, entry.clip),
              el('td', {}, `${entry.frames_lost} of ${entry.frames}`),
              el('td', {}, entry.reason),
              el('td', { class: 'faint' }, entry.joins_at !== null ? entry.joins_at.toPrecision(3) : ''),
            ),
          ),
      ),
    );
  }
}
