// SPDX-License-Identifier: MIT
// The takes of a session, and the commands of the loop (Huang 2012 §5.3): a take begins a new family, refines the one
// there is, replaces the example kept last, is mirrored for the other hand, or is thrown away. Each changes the library at
// once, and each can be taken back and done again.
import { addressOf, call } from '../api';
import { option } from '../command_words';
import { button, counted, el, fill } from '../dom';
import { attempt, notify } from '../notices';
import { project } from '../project';
import { KeptTake, TakeFamily } from '../routes';
import { change, libraryChanges } from '../undo';

export class Take {
  clip: string | null = null; // once it is kept
  strokes = 0;
  label = ''; // of its strokes, and the family they are in
  family = '';
  pending = false; // on its way into the library
  constructor(
    readonly made: number,
    readonly seconds: number,
  ) {}
}

export class TakeList {
  readonly element: HTMLElement;
  oncommand: ((words: (string | number)[]) => void) | null = null;
  onfamily: ((family: string, examples: number) => void) | null = null; // it was built anew
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
  private readonly ofNew = [
    button('Keep', () => void this.refine(), { key: 'K', title: 'The newest take into the family: it is refined' }),
    button('New', () => void this.begin(), { key: 'N', title: 'The newest take into a new family' }),
    button('Replace', () => void this.replace(), { key: 'R', title: 'The newest take in the place of the one kept last' }),
  ];
  private readonly mirroring = button('Mirror', () => void this.mirror(), {
    key: 'M',
    title: 'The take kept last once more, for the other hand',
  });
  private readonly throwing = button('Throw away', () => void this.throwLast(), { key: 'X', title: 'The newest take' });

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
      el('div', { class: 'row wrap' }, this.ofNew, this.mirroring, this.throwing),
      this.told,
      this.list,
    );
    project.watch(() => this.draw()); // kept takes get their pictures
    this.draw();
  }

  add(take: Take): void {
    this.takes.unshift(take);
    this.draw();
  }

  // The newest that is not kept, into the family there is.
  async refine(): Promise<void> {
    await libraryChanges.settled(); // what the newest take is may be changed by a command before
    const take = this.newest();
    if (take) await this.keep(take, null, this.label.value, this.family.value);
  }

  // In the place of the one kept last in that family: a demonstration that went better.
  async replace(): Promise<void> {
    await libraryChanges.settled();
    const take = this.newest(),
      old = this.takes.find(one => one.clip !== null && one.label === this.label.value && one.family === this.family.value);
    if (take) await this.keep(take, old ?? null, this.label.value, this.family.value);
  }

  // Into a family of its own, which is the one to work at from then on. The names in the fields get a number where
  // something carries them already.
  async begin(): Promise<void> {
    await libraryChanges.settled();
    const families = (await attempt(() => call('GET /api/families')))?.families;
    if (!families) return;
    const labels = new Set(project.state?.clips.flatMap(clip => clip.labels.map(({ name }) => name)));
    const taken = new Set(families.map(({ name }) => name));
    const plain = (text: string) => text.replace(/-\d+$/, '');
    const label = plain(this.label.value || 'moves'),
      family = plain(this.family.value || label);
    let number = 1;
    const numbered = (text: string) => (number > 1 ? `${text}-${number}` : text);
    while (labels.has(numbered(label)) || taken.has(numbered(family))) ++number;
    const take = this.newest();
    if (take) await this.keep(take, null, numbered(label), numbered(family));
  }

  async throwLast(): Promise<void> {
    await libraryChanges.settled();
    const [take] = this.takes;
    if (take) await this.remove(take);
  }

  // The mirror image does with one hand what the take does with the other, so it goes into a family of its own.
  async mirror(): Promise<void> {
    await libraryChanges.settled();
    const take = this.takes.find(({ clip }) => clip !== null);
    if (!take) return notify('Nothing is kept yet that could be mirrored');
    const image = new Take(take.made, take.seconds);
    image.strokes = take.strokes;
    await change(
      `mirror ${take.clip}`,
      async () => {
        const body = image.clip
          ? { restore: [image.clip], label: image.label, family: image.family }
          : { mirror: [take.clip!], label: take.label, family: take.family };
        const made = await call('POST /api/takes', { body });
        Object.assign(image, { clip: image.clip ?? made.mirrored[0], label: made.label, family: made.family });
        this.takes.unshift(image);
        this.tell(image.family, made);
      },
      async () => {
        this.tell(
          image.family,
          await call('POST /api/takes', { body: { remove: [image.clip!], label: image.label, family: image.family } }),
        );
        this.leave(image);
      },
    );
  }

  private newest(): Take | undefined {
    const take = this.takes.find(({ clip, pending }) => clip === null && !pending);
    if (!take) notify('There is no take that is not kept: record one first');
    return take;
  }

  private leave(take: Take): void {
    this.takes = this.takes.filter(other => other !== take);
    this.draw();
  }

  private async keep(take: Take, old: Take | null, label: string, family: string): Promise<void> {
    const before = { label: this.label.value, family: this.family.value };
    const name = this.name.value || 'take';
    let kept: KeptTake | null = null;
    let place = 0; // of the one replaced, in the list
    const show = (names: { label: string; family: string }) => {
      this.label.value = names.label;
      this.family.value = names.family;
    };
    take.pending = true;
    await change(
      old ? `replace ${old.clip}` : `keep ${name}`,
      async () => {
        if (!kept) {
          const body = { name, label, family, ...(old ? { replaces: old.clip! } : {}) };
          kept = await call('POST /api/takes/*/keep', { names: [take.made], body });
          this.tell(family, kept);
        } else {
          const body = { remove: old ? [old.clip!] : [], restore: [kept.clip], label, family };
          this.tell(family, await call('POST /api/takes', { body }));
        }
        Object.assign(take, { clip: kept.clip, strokes: kept.pieces.length, label, family });
        place = old ? this.takes.indexOf(old) : 0;
        if (old) this.takes = this.takes.filter(other => other !== old);
        show({ label, family });
        this.command(name, label, family, take.seconds);
        this.draw();
      },
      async () => {
        const body = { remove: [kept!.clip], restore: old ? [old.clip!] : [], label, family };
        this.tell(family, await call('POST /api/takes', { body }));
        take.clip = null;
        if (old) this.takes.splice(place, 0, old);
        show(before);
        this.draw();
      },
    );
    take.pending = false;
  }

  private async remove(take: Take): Promise<void> {
    const { clip, label, family } = take;
    let place = 0;
    await change(
      clip === null ? 'throw a take away' : `throw ${clip} away`,
      async () => {
        if (clip !== null) this.tell(family, await call('POST /api/takes', { body: { remove: [clip], label, family } }));
        place = this.takes.indexOf(take);
        this.leave(take);
      },
      async () => {
        if (clip !== null) this.tell(family, await call('POST /api/takes', { body: { restore: [clip], label, family } }));
        this.takes.splice(Math.max(0, place), 0, take);
        this.draw();
      },
    );
  }

  private tell(family: string, { examples, notes }: TakeFamily): void {
    this.told.textContent = [examples ? `${family}: ${counted(examples, 'example')}.` : '', ...notes].join(' ').trim();
    this.onfamily?.(family, examples);
  }

  private command(name: string, label: string, family: string, seconds: number): void {
    this.oncommand?.([
      'live',
      'record',
      'LIBRARY',
      ...option('--source', this.source),
      ...option('--name', name),
      ...(label ? option('--label', label) : []),
      ...(family ? option('--family', family) : []),
      '--seconds',
      Math.ceil(seconds),
    ]);
  }

  private draw(): void {
    const some = this.takes.some(({ clip }) => clip === null);
    for (const one of this.ofNew) one.disabled = !some;
    this.mirroring.disabled = !this.takes.some(({ clip }) => clip !== null);
    this.throwing.disabled = !this.takes.length;
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
          take.clip === null && button('Keep', () => void this.keep(take, null, this.label.value, this.family.value), { class: 'primary' }),
          button('Throw away', () => void this.remove(take), { class: 'quiet' }),
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
