// SPDX-License-Identifier: MIT
// Why motion looks as it does at one moment, whatever made it: which clips and frames it comes from, what the seam before
// it was weighed by, and where else one could have gone.
import { button, el, fill } from '../dom';
import { Part, Piece, Seam, SeamChoice } from '../routes';

// A moment as the panel tells it.
export interface ToldMoment {
  when: string; // "Frame 31", "2.1 s ago"
  parts: Part[]; // what it is mixed of, the heaviest first
  piece: Pick<Piece, 'what' | 'seam'> | null; // that is played
  more: string; // what else there is to tell
}

const kShown = 4; // others beside the one that was taken

export class MomentPanel {
  readonly element = el('details', { class: 'moment', ontoggle: () => this.onopen?.() });
  onseam: ((by: number) => void) | null = null; // the seam before is wanted, or the next
  onopen: (() => void) | null = null;
  private told: Seam | null | undefined; // that is shown
  private readonly here = el('p', { class: 'moment-source' });
  private readonly mix = el('ul', { class: 'moment-mix', 'aria-label': 'What it is mixed of' });
  private readonly seam = el('div', { class: 'seam' });

  constructor() {
    this.element.append(
      el('summary', {}, 'What it is made of'),
      el(
        'div',
        { class: 'row' },
        button('Seam before', () => this.onseam?.(-1), { class: 'quiet', title: 'Where it went over to what plays now' }),
        button('Next seam', () => this.onseam?.(1), { class: 'quiet' }),
      ),
      this.here,
      this.mix,
      this.seam,
    );
  }

  get isOpen(): boolean {
    return this.element.open && !this.element.hidden;
  }

  tell({ when, parts, piece, more }: ToldMoment): void {
    const [first] = parts;
    this.here.textContent = [
      first ? `${when}: ${first.clip}${first.frame === null ? '' : `, frame ${first.frame}`}` : when,
      piece?.what,
      more,
    ]
      .filter(Boolean)
      .join(' · ');
    this.mix.hidden = parts.length < 2;
    if (parts.length > 1) fill(this.mix, parts.map(bar));
    if (this.told === (piece ? piece.seam : undefined) && piece) return;
    this.told = piece ? piece.seam : undefined;
    if (!piece) fill(this.seam);
    else if (!piece.seam) fill(this.seam, el('p', { class: 'faint' }, 'It begins here.'));
    else fill(this.seam, this.table(piece.seam));
  }

  // What was weighed, a row a term, beside what the others would have cost.
  private table({ left, terms, taken, others }: Seam): HTMLElement {
    const listed = others.slice(0, kShown),
      isLeft = (one: SeamChoice) => left && one.clip === left.clip && one.frame === left.frame;
    const columns: [string, SeamChoice][] = [
      ['taken', taken],
      ...listed.map(one => [isLeft(one) ? 'going on' : 'or', one] as [string, SeamChoice]),
    ];
    const hasCost = columns.some(([, one]) => one.cost !== null);
    return el(
      'div',
      { class: 'scrolls', tabIndex: 0, role: 'region', 'aria-label': 'What the last seam was weighed by' },
      el(
        'table',
        { class: 'terms' },
        el('caption', {}, left ? `Left ${left.clip}, frame ${left.frame}` : 'What this piece was made for'),
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            el('th', { scope: 'col' }, ''),
            columns.map(([title, { clip, frame }]) =>
              el('th', { scope: 'col' }, title, el('br', {}), `${clip}${frame ? ` ${frame}` : ''}`),
            ),
          ),
        ),
        el(
          'tbody',
          {},
          terms.map(({ name, unit }, i) =>
            el(
              'tr',
              {},
              el('th', { scope: 'row' }, name),
              columns.map(([, one]) => el('td', {}, figure(one.values[i], unit))),
            ),
          ),
          hasCost
            ? el(
                'tr',
                { class: 'sum' },
                el('th', { scope: 'row' }, 'cost'),
                columns.map(([, { cost }]) => el('td', {}, cost === null ? 'goes on by itself' : cost.toFixed(3))),
              )
            : null,
        ),
      ),
    );
  }
}

function figure(value: number | undefined, unit: string): string {
  if (value === undefined) return '';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits)}${unit ? ` ${unit}` : ''}`;
}

function bar({ clip, frame, share }: Part): HTMLElement {
  const percent = Math.round(100 * share);
  return el(
    'li',
    {},
    el('span', { class: 'share-bar', style: `width: ${Math.max(1, Math.min(100, Math.abs(percent)))}px` }),
    `${percent} % ${clip}${frame === null ? '' : `, frame ${frame}`}`,
  );
}
