// SPDX-License-Identifier: MIT
// Ways that are to be the cheapest (Srinivasan 2009 ch. 4): what both methods would make of them, and taking one.
import { Cancelled, call } from '../api';
import { commandBar } from '../command_bar';
import { Word, given } from '../command_words';
import { button, el, fill } from '../dom';
import { attempt, notify } from '../notices';
import { MachineAbout, PreferAnswer } from '../routes';
import { change } from '../undo';
import { likelihood, parsedWay } from './way';

const kMethods: Record<PreferAnswer['method'], { name: string; title: string }> = {
  least: { name: 'Least', title: 'Only the transitions of the way itself change, as little as possible' },
  quadratic: { name: 'Quadratic', title: 'All transitions may change, as little as possible in all' },
};
const percent = (share: number) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;

export class WaysPanel {
  readonly element: HTMLElement;
  onways: ((ways: string[][]) => void) | null = null;
  onlook: ((answer: PreferAnswer | null) => void) | null = null; // an answer is looked at, or none any more
  ways: string[][] = [];
  private machine: MachineAbout | null = null;
  private readonly input = el('input', {
    type: 'text',
    id: 'way',
    placeholder: 'stand, start, turn-left',
    'aria-label': 'Way of states',
    onkeydown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') this.typed();
    },
  });
  private readonly asking = button('Ask', () => this.typed());
  private readonly list = el('ul', { class: 'way-list', id: 'ways' });
  private readonly answers = el('div', { class: 'answers', id: 'answers', 'aria-live': 'polite' });
  private readonly edits = el('ol', { class: 'pick-list', id: 'edits' });
  private readonly back = button('Take the last back', () => void this.takeBack(), { class: 'quiet' });
  private looked: PreferAnswer | null = null;
  private asked: AbortController | null = null;

  constructor() {
    this.element = el(
      'section',
      { 'aria-label': 'Ways' },
      el('h2', {}, 'Go this way'),
      el('p', { class: 'faint' }, 'Drag from state to state in the drawing, or type the states. With Shift another way is added.'),
      el('div', { class: 'row' }, this.input, this.asking),
      this.list,
      this.answers,
      el('div', { class: 'row' }, el('h3', { class: 'grow' }, 'Preferred so far'), this.back),
      this.edits,
    );
  }

  show(machine: MachineAbout | null): void {
    const other = machine?.name !== this.machine?.name;
    this.machine = machine;
    this.asking.disabled = this.input.disabled = !machine;
    this.back.hidden = !machine?.edits.length;
    fill(this.edits, machine?.edits.length ? machine.edits.map(edit => el('li', {}, edit)) : el('li', { class: 'faint plain' }, 'nothing'));
    if (other) this.set([]);
    else if (this.ways.length) void this.ask();
  }

  // Asks about a way, in place of those there are or beside them.
  add(way: string[], more: boolean): void {
    const same = (other: string[]) => other[0] === way[0] && other[other.length - 1] === way[way.length - 1];
    this.set(more ? [...this.ways.filter(other => !same(other)), way] : [way]);
  }

  private set(ways: string[][]): void {
    this.ways = ways;
    this.look(null);
    this.onways?.(ways);
    fill(
      this.list,
      ways.map(way =>
        el(
          'li',
          {},
          el('span', {}, way.join(' → ')),
          button('×', () => this.set(this.ways.filter(other => other !== way)), { class: 'quiet', title: 'Leave it out' }),
        ),
      ),
    );
    this.input.value = ways.length ? ways[ways.length - 1].join(', ') : '';
    void this.ask();
  }

  private typed(): void {
    if (!this.machine) return;
    const { way, refused } = parsedWay(this.machine, this.input.value);
    if (refused) return notify(`${refused[0].toUpperCase()}${refused.slice(1)}.`);
    if (way.length < 2) return notify('A way has two states at least.');
    this.add(way, false);
  }

  private words(method?: string): Word[] {
    return [
      'machine',
      'prefer',
      'LIBRARY',
      given(this.machine!.name),
      ...this.ways.map(way => given(way.join(','))),
      ...(method ? ['--method', method] : []),
    ];
  }

  private look(answer: PreferAnswer | null): void {
    this.looked = answer;
    this.answers.querySelectorAll<HTMLElement>('tr').forEach(row => row.classList.toggle('looked', row.dataset.method === answer?.method));
    this.onlook?.(answer);
  }

  private async ask(): Promise<void> {
    this.asked?.abort();
    if (!this.machine || !this.ways.length) return fill(this.answers);
    const { machine, ways } = this,
      current = (this.asked = new AbortController());
    commandBar.show('machine', ...this.words());
    const got = await attempt(async () => {
      try {
        return await call('POST /api/machines/*/ways', { names: [machine.name], body: { ways }, signal: current.signal });
      } catch (error) {
        if (error instanceof Cancelled || current.signal.aborted) return null; // something else is asked
        throw error;
      }
    });
    if (current !== this.asked) return;
    if (!got) return fill(this.answers);
    const now = got.now.map((way, i) => this.toldNow(way, ways[i]));
    const already = got.now.every((way, i) => way.join('\n') === ways[i].join('\n'));
    const refused = got.answers.find(answer => answer.refused)?.refused,
      possible = got.answers.filter(answer => !answer.refused);
    fill(
      this.answers,
      now,
      already && el('p', {}, ways.length > 1 ? 'All of them are the cheapest already.' : 'It is the cheapest already.'),
      refused && el('p', { class: 'error' }, refused),
      !already && possible.length > 0 && this.table(possible),
    );
  }

  private toldNow(now: string[], way: string[]): HTMLElement {
    const machine = this.machine!;
    return el(
      'p',
      { class: 'faint' },
      `Now ${now.join(' → ')} is gone (${percent(likelihood(machine, now))}), `,
      now.join() === way.join() ? 'as asked.' : `not ${way.join(' → ')} (${percent(likelihood(machine, way))}).`,
    );
  }

  private table(answers: PreferAnswer[]): HTMLElement {
    const figures: [string, string, (answer: PreferAnswer) => string][] = [
      ['Transitions changed', '', answer => String(answer.edges_changed)],
      ['Other ways changed', 'Pairs of states between which another way becomes the cheapest', answer => String(answer.ways_changed)],
      ['Relative change', 'Of all costs', answer => answer.relative_change.toFixed(3)],
      ['Time', '', answer => `${(1000 * answer.seconds).toFixed(1)} ms`],
    ];
    return el(
      'table',
      {},
      el(
        'tr',
        {},
        el('td', {}),
        answers.map(({ method }) => el('th', { title: kMethods[method].title }, kMethods[method].name)),
      ),
      figures.map(([name, title, value]) =>
        el(
          'tr',
          {},
          el('th', { title }, name),
          answers.map(answer => el('td', {}, value(answer))),
        ),
      ),
      el(
        'tr',
        {},
        el('td', {}),
        answers.map(answer =>
          el(
            'td',
            {},
            el(
              'button',
              {
                type: 'button',
                class: 'look',
                'data-method': answer.method,
                title: 'Shows in the drawing what would become of the probabilities',
                onclick: () => this.look(this.looked?.method === answer.method ? null : answer),
              },
              'Look',
            ),
            el(
              'button',
              {
                type: 'button',
                class: 'primary',
                'data-take': answer.method,
                title: kMethods[answer.method].title,
                onclick: () => void this.take(answer.method),
              },
              'Take',
            ),
          ),
        ),
      ),
    );
  }

  private async take(method: PreferAnswer['method']): Promise<void> {
    const { machine, ways } = this;
    if (!machine) return;
    const names: [string] = [machine.name];
    let what = '';
    commandBar.show('machine', ...this.words(method));
    this.set([]);
    await change(
      `${ways.map(way => way.join(' → ')).join('; ')} preferred`,
      async () => {
        const about = await call('POST /api/machines/*/prefer', { names, body: { ways, method } });
        what = about.edits[about.edits.length - 1];
        return about;
      },
      () => call('POST /api/machines/*/undo', { names, body: { what } }),
    );
  }

  private async takeBack(): Promise<void> {
    const { machine } = this;
    if (!machine?.edits.length) return;
    const what = machine.edits[machine.edits.length - 1];
    if (await attempt(() => call('POST /api/machines/*/undo', { names: [machine.name], body: { what } }))) {
      commandBar.show('machine', 'machine', 'prefer', 'LIBRARY', given(machine.name), '--undo');
      notify(`Taken back: ${what}`);
    }
  }
}
