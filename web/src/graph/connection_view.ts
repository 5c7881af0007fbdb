// SPDX-License-Identifier: MIT
// How well a graph is connected: closure, times between frames and behaviors, what was lost, and why.
import { encode, getJson } from '../api';
import { commandBar } from '../command_bar';
import { button, el, fill } from '../dom';
import { attempt } from '../notices';
import { color } from '../theme';
import { scaleColor } from './matrix';

export class ConnectionView {
  readonly element = el('div', { class: 'connection panel' });
  onshow: ((a: string, b: string, i: number, j: number) => void) | null = null;  // a transition to be looked at
  private about: any = null;
  private readonly answer = el('div', { class: 'answer', 'aria-live': 'polite' });

  show(about: any): void {
    this.about = about;
    fill(this.answer);
    fill(this.element,
      el('div', { class: 'numbers' }, this.numbers()),
      el('div', { class: 'figures' },
        el('figure', {}, el('img', { class: 'closure', src: `/api/graphs/${encode(about.name)}/closure?t=${about.threshold}`, alt: 'Transitive closure', width: 240, height: 240 }),
          el('figcaption', {}, 'What reaches what: rows are frames to start from, columns frames to come to, before pruning')),
        el('figure', {}, this.histogram(), el('figcaption', {}, 'Shortest time from one frame to another'))),
      el('section', {}, el('h3', {}, 'Why (not)?'), this.question(), this.answer),
      about.behaviors.length ? [el('h3', {}, 'Seconds from the row to the column, on average; press one to ask why'), this.table()] : null,
      el('h3', {}, about.lost.length ? `Lost to pruning: ${about.lost.length} clips, in whole or in part` : 'Nothing was lost to pruning'),
      about.lost.length ? this.losses() : null);
  }

  private numbers(): HTMLElement[] {
    const a = this.about;
    const entry = (name: string, value: string) => el('div', {}, el('strong', {}, value), el('span', { class: 'faint' }, name));
    return [entry('of the frames', `${(100 * a.component_share).toFixed(1)} %`), entry('nodes', a.nodes.toLocaleString('en')),
      entry('transitions', a.transitions.toLocaleString('en')), entry('threshold', a.threshold.toPrecision(3)),
      entry('frame to frame', `${a.mean_transition_s.toFixed(2)} s`), entry('local maneuverability', `${a.local_maneuverability_s.toFixed(2)} s`)];
  }

  private histogram(): HTMLCanvasElement {
    const canvas = el('canvas', { width: 720, height: 480, class: 'histogram', role: 'img', 'aria-label': 'Histogram of transition times' });
    const counts: number[] = this.about.histogram, bin: number = this.about.histogram_bin_s;
    let last = counts.length;
    const total = counts.reduce((sum, n) => sum + n, 0);
    for (let kept = 0, i = 0; i < counts.length; ++i) { kept += counts[i]; if (kept > 0.998 * total) { last = i + 1; break; } }
    const most = Math.max(...counts.slice(0, last)), paint = canvas.getContext('2d')!;
    paint.scale(2, 2);
    const width = 360, low = 214;
    paint.fillStyle = color('accent');
    for (let i = 0; i < last; ++i) paint.fillRect(10 + i * (width - 20) / last, low - 196 * counts[i] / most, Math.max(1, (width - 20) / last - 0.6), 196 * counts[i] / most);
    paint.fillStyle = color('faint');
    paint.font = '11px system-ui, sans-serif';
    const step = last * bin > 10 ? 2 : last * bin > 4 ? 1 : 0.5;
    for (let t = 0; t <= last * bin; t += step) paint.fillText(`${t} s`, 10 + t / bin * (width - 20) / last - 6, low + 16);
    return canvas;
  }

  private question(): HTMLElement {
    const names: string[] = this.about.behaviors;
    const list = (value: string) => el('select', {}, names.map(name => el('option', { value: name, selected: name === value }, name)));
    const from = list(names.includes('walk') ? 'walk' : names[0]), to = list(names.includes('run') ? 'run' : names[1]);
    from.id = 'explain-from';
    to.id = 'explain-to';
    return el('div', { class: 'row' }, 'from', from, 'to', to, button('Explain', () => void this.explain(from.value, to.value)));
  }

  async explain(from: string, to: string): Promise<void> {
    const { name } = this.about;
    const said = await attempt(() => getJson<any>(`/api/graphs/${encode(name)}/explain?from=${encode(from)}&to=${encode(to)}`));
    if (!said) return;
    commandBar.show('graph', 'explain', 'LIBRARY', name, from, to);
    fill(this.answer, [said.there, said.back].map((way: any) => el('div', {},
      el('p', {}, el('strong', {}, `${way.from} to ${way.to}: `), way.connected
        ? `${way.quickest_s.toFixed(2)} s at the quickest, ${way.mean_s.toFixed(2)} s on average`
        : way.connects_at !== null ? `no way; there is one from a threshold of ${way.connects_at.toPrecision(3)} on (the graph has ${said.threshold.toPrecision(3)})`
          : 'no way among all similar frames that were found'),
      way.best.length ? el('table', {}, el('tbody', {}, way.best.map((t: any) => el('tr', {},
        el('td', {}, `${t.from_title} ${t.from_frame}`), el('td', {}, `→ ${t.to_title} ${t.to_frame}`),
        el('td', {}, t.distance.toPrecision(3)), el('td', { class: t.in_graph ? '' : 'faint' }, t.in_graph ? 'in the graph' : 'not in it'),
        el('td', {}, button('Look', () => this.onshow?.(t.from_clip, t.to_clip, t.from_frame, t.to_frame), { class: 'quiet' })))))) : null)));
    this.answer.scrollIntoView({ block: 'nearest' });
  }

  private table(): HTMLElement {
    const { behaviors, between_s: between } = this.about;
    const most = Math.max(...Object.values<any>(between).flatMap(row => Object.values<number>(row)));
    return el('div', { class: 'behaviors' }, el('table', {},
      el('thead', {}, el('tr', {}, el('th', {}), behaviors.map((name: string) => el('th', { class: 'slanted' }, el('span', {}, name))))),
      el('tbody', {}, behaviors.map((from: string) => el('tr', {}, el('th', {}, from), behaviors.map((to: string) => {
        const s: number = between[from][to];
        const [red, green, blue] = scaleColor(1 - s / most);
        return el('td', { tabindex: 0, title: `${from} to ${to}: ${s.toFixed(2)} s`, style: `background: rgb(${red} ${green} ${blue} / .75)`,
          onclick: () => void this.explain(from, to) }, s.toFixed(1));
      }))))));
  }

  private losses(): HTMLElement {
    return el('table', { class: 'losses' }, el('tbody', {}, this.about.lost.slice(0, 60).map((entry: any) => el('tr', {},
      el('td', {}, entry.clip), el('td', {}, `${entry.frames_lost} of ${entry.frames} frames`), el('td', {}, entry.reason),
      el('td', { class: 'faint' }, entry.joins_at !== null ? `joins at ${entry.joins_at.toPrecision(3)}` : '')))));
  }
}
