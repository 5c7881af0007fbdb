// SPDX-License-Identifier: MIT
// Mends a copy of a clip: what is to be done, what it comes to in figures, and the copy kept under a name. The clip itself
// is never changed.
import { addressOf, call, callPacked } from '../api';
import { commandBar } from '../command_bar';
import { Word, given, option } from '../command_words';
import { button, el, fill } from '../dom';
import { KnownMotion } from '../motion';
import { askText, attempt, notify } from '../notices';
import { RepairBody, RepairMeasures, RepairedHeader } from '../routes';
import { change } from '../undo';
import { onWorn } from '../worn';

const kFlags: ['floor' | 'loop' | 'plant_feet' | 'in_place', string, string][] = [
  ['plant_feet', 'Plant the feet', 'Feet that stand stay where they stand'],
  ['floor', 'Put it on the floor', 'The floor its feet know becomes 0, level'],
  ['loop', 'Make it a loop', 'The longest stretch that goes round well, closed'],
  ['in_place', 'On the spot', 'Takes the way along the floor off'],
];

const centimetres = (metres: number | null) => (metres === null ? '–' : (100 * metres).toFixed(1));
const kRows: [string, (m: RepairMeasures) => string][] = [
  ['frames', m => `${m.frames} at ${+m.rate.toFixed(2)} Hz`],
  ['foot slide, mean (cm/s)', m => centimetres(m.foot_slide_mean_mps)],
  ['foot slide, worst (cm/s)', m => centimetres(m.foot_slide_max_mps)],
  ['below the floor (cm)', m => centimetres(m.penetration_max_m)],
  ['height of the floor (cm)', m => centimetres(m.floor_m)],
  ['largest jump (cm)', m => centimetres(m.largest_jump_m)],
  ['jerk (m/s³)', m => m.jerk_rms.toFixed(0)],
  ['path (m)', m => m.path_m.toFixed(2)],
  ['first and last pose apart (cm)', m => centimetres(m.loop_gap_m)],
];

export class RepairPanel {
  readonly element = el('details', { class: 'repair', ontoggle: () => this.draw() });
  onmended: ((motion: KnownMotion) => void) | null = null; // it should be seen, over the clip it was made of
  ondropped: (() => void) | null = null; // the clip itself should be seen again
  onopen: ((clip: string) => void) | null = null;
  private motion: KnownMotion | null = null;
  private range: [number, number] | null = null;
  private wanted: RepairBody = {};
  private made: RepairedHeader | null = null;
  private readonly result = el('div', { class: 'repaired' });
  private turn = 0;

  show(motion: KnownMotion, range: [number, number] | null): void {
    if (this.motion?.name !== motion.name) {
      this.made = null;
      ++this.turn;
    }
    this.motion = motion;
    if (!this.made) this.range = range; // what is selected of the copy is no part of the clip
    this.draw();
  }

  // The stretch of the clip that a copy is trimmed to.
  get trimmed(): [number, number] | null {
    return this.range;
  }

  // What is asked for, as the route and the command take it.
  private get body(): RepairBody {
    const trim = this.range ? { from: this.range[0], to: this.range[1] } : {};
    return { ...this.wanted, ...trim };
  }
  private words(as: string | null): Word[] {
    const { body } = this,
      words: Word[] = ['repair', 'LIBRARY', given(this.motion!.name)];
    if (body.from !== undefined) words.push('--from', body.from);
    if (body.to !== undefined) words.push('--to', body.to);
    if (body.rate !== undefined) words.push('--rate', body.rate);
    if (body.smooth_hz !== undefined) words.push('--smooth', body.smooth_hz);
    for (const [flag] of kFlags) if (body[flag]) words.push(`--${flag.replace('_', '-')}`);
    if (as) words.push(...option('--as', as));
    return words;
  }

  private draw(): void {
    const number = (key: 'smooth_hz' | 'rate', text: string, title: string, usual: number, least: number, most: number) => {
      const field = el('input', {
        type: 'number',
        min: least,
        max: most,
        step: 'any',
        value: this.wanted[key] ?? usual,
        'aria-label': text,
      });
      const box = el('input', { type: 'checkbox', checked: this.wanted[key] !== undefined, 'data-repair': key });
      const take = () => {
        const value = Number(field.value);
        if (box.checked && value >= least && value <= most) this.wanted[key] = value;
        else delete this.wanted[key];
        void this.mend();
      };
      box.addEventListener('change', take);
      field.addEventListener('change', take);
      return el('label', { class: 'check', title }, box, text, field, ' Hz');
    };
    const rate = this.motion ? Math.round(this.motion.rate) : 30;
    fill(
      this.element,
      el('summary', {}, 'Repair a copy'),
      this.element.open
        ? el(
            'div',
            { class: 'repair-body' },
            kFlags.map(([flag, text, title]) => {
              const box = el('input', {
                type: 'checkbox',
                checked: Boolean(this.wanted[flag]),
                'data-repair': flag,
                onchange: () => {
                  if (box.checked) this.wanted[flag] = true;
                  else delete this.wanted[flag];
                  void this.mend();
                },
              });
              return el('label', { class: 'check', title }, box, text);
            }),
            number('smooth_hz', 'Smooth above', 'What shakes faster goes; 6 Hz for noisy capture', 6, 0.1, 500),
            number('rate', 'Rate', 'Frames a second', rate, 1, 1000),
            el(
              'p',
              { class: 'faint' },
              this.range ? `Trimmed to frames ${this.range[0]} to ${this.range[1]}.` : 'Select a stretch to trim it.',
            ),
            this.result,
          )
        : null,
    );
    this.drawResult();
  }

  private drawResult(): void {
    const { made } = this;
    if (!made) return fill(this.result);
    fill(
      this.result,
      el(
        'table',
        { class: 'before-after' },
        el('tr', {}, el('th', {}), el('th', {}, 'before'), el('th', {}, 'after')),
        kRows.map(([name, told]) => el('tr', {}, el('td', {}, name), el('td', {}, told(made.before)), el('td', {}, told(made.after)))),
      ),
      made.done.map(text => el('p', { class: 'faint' }, text)),
      el(
        'div',
        { class: 'actions' },
        button('Keep as…', () => void this.keep(), { class: 'primary', title: 'Keep the copy in the library' }),
        button('Save BVH', () => this.download('bvh')),
        button('Save glb', () => this.download('glb')),
        button('Drop it', () => this.drop(), { class: 'quiet' }),
      ),
    );
  }

  private drop(): void {
    this.made = null;
    this.wanted = {};
    ++this.turn;
    this.draw();
    this.ondropped?.();
  }

  private async mend(): Promise<void> {
    const { motion, body } = this,
      turn = ++this.turn;
    if (!motion) return;
    if (!Object.keys(this.wanted).length) {
      this.made = null;
      this.drawResult();
      return this.ondropped?.();
    }
    commandBar.show('library', ...this.words(null));
    const packed = await attempt(() => callPacked('POST /api/clips/*/repair', { names: [motion.name], body }));
    if (turn !== this.turn || !packed) return;
    this.made = packed.header;
    this.drawResult();
    this.onmended?.(new KnownMotion(packed));
  }

  private download(format: 'bvh' | 'glb'): void {
    if (!this.made) return;
    el('a', {
      href: addressOf('GET /api/made/*/file/*', { names: [this.made.made, format], query: onWorn(format) }),
      download: '',
    }).click();
  }

  private async keep(): Promise<void> {
    const { made, motion } = this;
    if (!made || !motion) return;
    const as = await askText('Name of the mended clip', `${motion.name}-mended`);
    if (!as) return;
    const words = this.words(as);
    const kept = await change(
      `new clip ${as}`,
      () => call('POST /api/made/*/keep', { names: [made.made], body: { as } }),
      () => call('DELETE /api/clips/*', { names: [as] }),
    );
    if (!kept) return;
    commandBar.show('library', ...words);
    notify(`${as} is in the library; ${motion.name} is as it was`);
    this.made = null;
    this.wanted = {};
    this.onopen?.(as);
  }
}
