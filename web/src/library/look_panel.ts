// SPDX-License-Identifier: MIT
// What the motion of a clip tells: labels it could carry, to be accepted or not, and where in the library is more like it.
import { call } from '../api';
import { commandBar } from '../command_bar';
import { given } from '../command_words';
import { button, counted, el, fill } from '../dom';
import { attempt, notify } from '../notices';
import { FoundStretch, SuggestedLabel } from '../routes';
import { change } from '../undo';

const plainLabel = ({ name, begin, end }: SuggestedLabel) => ({ name, begin, end });

// Adds labels to clips as one change, which can be taken back.
export async function addLabels(labels: SuggestedLabel[]): Promise<boolean> {
  const post = (what: 'add' | 'remove') => () =>
    call('POST /api/many/labels', { body: { changes: labels.map(one => ({ clip: one.clip, [what]: plainLabel(one) })) } });
  return Boolean(await change(counted(labels.length, 'label'), post('add'), post('remove')));
}

// Suggested labels with a box each. `clips`: the command is for all clips without labels where there are several.
export function suggestionList(
  suggested: SuggestedLabel[],
  options: { clip: string | null; done: () => void; open?: (clip: string) => void },
): HTMLElement {
  if (!suggested.length) return el('p', { class: 'faint' }, 'Nothing that could be told from the motion.');
  const boxes = suggested.map(one => el('input', { type: 'checkbox', checked: true, 'aria-label': `${one.name} on ${one.clip}` }));
  const accept = async () => {
    const taken = suggested.filter((_, i) => boxes[i].checked);
    if (!taken.length || !(await addLabels(taken))) return;
    const only = [...new Set(taken.map(one => one.name))];
    commandBar.show(
      'library',
      'label',
      'LIBRARY',
      ...(options.clip ? [given(options.clip)] : []),
      '--suggest',
      '--only',
      ...only,
      '--accept',
    );
    notify(`${counted(taken.length, 'label')} added; Ctrl+Z takes them back`);
    options.done();
  };
  return el(
    'div',
    { class: 'suggested' },
    el(
      'ul',
      {},
      suggested.map((one, i) =>
        el(
          'li',
          {},
          el(
            'label',
            { class: 'check', title: one.why },
            boxes[i],
            el('span', { class: 'tag' }, one.name),
            options.clip ? null : el('span', {}, one.clip),
            el('span', { class: 'faint' }, `${one.begin}–${one.end}, ${one.why}`),
          ),
        ),
      ),
    ),
    el(
      'div',
      { class: 'actions' },
      button('Add these labels', () => void accept(), { class: 'primary' }),
      button('Drop them', options.done, { class: 'quiet' }),
    ),
  );
}

export class LookPanel {
  readonly element = el('div', { class: 'look-panel' });
  onstretch: ((found: FoundStretch) => void) | null = null; // it should be looked at
  private clip = '';

  // Of another clip nothing is known yet.
  show(clip: string): void {
    if (clip === this.clip) return;
    this.clip = clip;
    fill(this.element);
  }

  async suggest(): Promise<void> {
    const { clip } = this;
    commandBar.show('library', 'label', 'LIBRARY', given(clip), '--suggest');
    const told = await attempt(() => call('POST /api/many/suggest', { body: { clips: [clip] } }));
    if (!told || clip !== this.clip) return;
    fill(this.element, el('h3', {}, 'Suggested labels'), suggestionList(told.suggested, { clip, done: () => fill(this.element) }));
  }

  async find(range: [number, number] | null): Promise<void> {
    const { clip } = this;
    fill(this.element, el('p', { class: 'faint' }, 'Looking through the library…'));
    const body = { clip, mirror: false, most: 30, ...(range && { from: range[0], to: range[1] }) };
    const told = await attempt(() => call('POST /api/find', { body }));
    if (clip !== this.clip) return;
    if (!told) return fill(this.element);
    commandBar.show('library', 'find', 'LIBRARY', given(told.example), '--most', 30);
    const others = told.found.filter(one => one.clip !== clip || !range || one.begin >= range[1] || one.end <= range[0]);
    fill(
      this.element,
      el('h3', {}, `Like ${range ? `frames ${range[0]} to ${range[1]}` : 'this clip'}`),
      others.length
        ? el(
            'ul',
            { class: 'found' },
            others.map(one =>
              el(
                'li',
                {},
                el(
                  'button',
                  { type: 'button', class: 'quiet', title: 'Look at it', onclick: () => this.onstretch?.(one) },
                  `${one.clip} `,
                  el('span', { class: 'faint' }, `${one.begin}–${one.end}, ${one.rank_cm.toFixed(1)} cm off`),
                ),
              ),
            ),
          )
        : el('p', { class: 'faint' }, `Nothing within ${told.within_cm.toFixed(1)} cm.`),
    );
  }
}
