// SPDX-License-Identifier: MIT
// The takes of a session: each is kept, put in the place of the one kept before, or thrown away; what was kept can be
// undone like any clip that was added.
import { addressOf, call } from '../api';
import { option } from '../command_words';
import { button, counted, el, fill } from '../dom';
import { attempt } from '../notices';
import { project } from '../project';

export class Take {
  clip: string | null = null; // once it is kept
  strokes = 0;
  constructor(
    readonly made: number,
    readonly seconds: number,
  ) {}
}

export class TakeList {
  readonly element: HTMLElement;
  oncommand: ((words: (string | number)[]) => void) | null = null;
  source = 'vmc:39539'; // that takes come from
  private readonly name = el('input', { type: 'text', value: 'take', 'aria-label': 'Name of takes', id: 'take-name' });
  private readonly label = el('input', {
    type: 'text',
    value: '',
    placeholder: 'reach',
    'aria-label': 'Label of strokes',
    id: 'take-label',
  });
  private readonly family = el('input', { type: 'text', value: '', placeholder: 'reaching', 'aria-label': 'Family', id: 'take-family' });
  private readonly list = el('div', { class: 'take-list', id: 'take-list' });
  private readonly told = el('p', { class: 'faint', id: 'take-told' });
  private takes: Take[] = [];

  constructor() {
    this.element = el(
      'section',
      {},
      el('h2', {}, 'Takes'),
      el('label', { class: 'wide' }, 'called', this.name),
      el(
        'label',
        { class: 'wide', title: 'Takes are cut where the hand comes to rest; each stroke gets this label' },
        'strokes are labelled',
        this.label,
      ),
      el('label', { class: 'wide', title: 'Built anew of all strokes with each take that is kept' }, 'into the family', this.family),
      this.told,
      this.list,
    );
    project.watch(() => this.draw()); // kept takes get their pictures
  }

  add(take: Take): void {
    this.takes.unshift(take);
    this.draw();
  }

  async keepLast(): Promise<void> {
    const take = this.takes.find(({ clip }) => clip === null);
    if (take) await this.keep(take);
  }

  // The newest in the place of the one kept last: a demonstration that went better.
  async replaceLast(): Promise<void> {
    const take = this.takes.find(({ clip }) => clip === null),
      old = this.takes.find(({ clip }) => clip !== null);
    if (!take) return;
    if (old) await this.remove(old);
    await this.keep(take);
  }

  async throwLast(): Promise<void> {
    const [take] = this.takes;
    if (take) await this.remove(take);
  }

  private async keep(take: Take): Promise<void> {
    const body = { name: this.name.value || 'take', label: this.label.value, family: this.family.value };
    const kept = await attempt(() => call('POST /api/takes/*/keep', { names: [take.made], body }));
    if (!kept) return;
    take.clip = kept.clip;
    take.strokes = kept.pieces.length;
    this.told.textContent = [kept.examples ? `${body.family}: ${counted(kept.examples, 'example')}.` : '', ...kept.notes].join(' ').trim();
    this.oncommand?.([
      'live',
      'record',
      'LIBRARY',
      ...option('--source', this.source),
      ...option('--name', body.name),
      ...(body.label ? option('--label', body.label) : []),
      ...(body.family ? option('--family', body.family) : []),
      '--seconds',
      Math.ceil(take.seconds),
    ]);
    this.draw();
  }

  private async remove(take: Take): Promise<void> {
    const { clip } = take;
    if (clip !== null && !(await attempt(() => call('DELETE /api/clips/*', { names: [clip] })))) return;
    this.takes = this.takes.filter(other => other !== take);
    this.draw();
  }

  private draw(): void {
    fill(
      this.list,
      this.takes.map(take =>
        el(
          'section',
          { class: take.clip === null ? 'take' : 'take kept' },
          take.clip !== null && this.picture(take.clip),
          el(
            'span',
            {},
            take.clip ?? 'not kept yet',
            ` ${take.seconds.toFixed(1)} s`,
            take.strokes > 0 && `, ${counted(take.strokes, 'stroke')}`,
          ),
          take.clip === null && button('Keep', () => void this.keep(take), { class: 'primary', key: 'K' }),
          button('Throw away', () => void this.remove(take), { class: 'quiet', key: 'X' }),
        ),
      ),
    );
  }

  private picture(clip: string): HTMLElement | null {
    const info = project.state?.clips.find(({ name }) => name === clip);
    if (!info) return null;
    return el('img', { src: addressOf('GET /api/clips/*/thumbnail', { names: [clip], query: { hash: info.hash } }), alt: '' });
  }
}
