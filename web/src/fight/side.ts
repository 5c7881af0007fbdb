// SPDX-License-Identifier: MIT
// One fighter's panel: whose hand it is in, and how it fights when it is in nobody's.
import { el, fill } from '../dom';
import { KnownStyle } from '../routes';

const kNames: Record<string, string> = { punch: 'punches', kick: 'kicks', evade: 'evades', distance: 'keeps away' };
const kHelp: [string, string][] = [
  ['A D or ← →', 'left, right'],
  ['W S or ↑ ↓', 'to the back, to the front'],
  ['J', 'punch'],
  ['K', 'kick'],
  ['L', 'evade, the way you move'],
  ['gamepad', 'stick; A punches, B kicks, a shoulder button evades'],
];

export class Side {
  readonly element: HTMLElement;
  onplayer: (() => void) | null = null; // the fighter changed hands
  onstyle: (() => void) | null = null; // the style changed
  private readonly who = el(
    'select',
    {
      'aria-label': 'Who',
      onchange: () => {
        this.who.blur();
        this.showWho();
        this.onplayer?.();
      },
    },
    el('option', { value: '' }, 'itself'),
    el('option', { value: 'me' }, 'me'),
  );
  private readonly style = el('select', {
    'aria-label': 'Style',
    onchange: () => {
      this.style.blur();
      this.reset();
      this.onstyle?.();
    },
  });
  private readonly bars = el('div', { class: 'form' });
  private readonly own = el('div', { class: 'form' }, el('label', {}, 'Style', this.style), this.bars);
  private readonly help = el(
    'dl',
    { class: 'facts keys' },
    kHelp.flatMap(([key, what]) => [el('dt', {}, key), el('dd', {}, what)]),
  );
  private readonly sliders = new Map<string, HTMLInputElement>();
  private readonly moved = new Set<string>(); // sliders that differ from the style
  private styles: KnownStyle[] = [];

  constructor(
    readonly title: string,
    index: number,
  ) {
    this.element = el(
      'div',
      { class: 'form', 'data-fighter': index },
      el('h2', { class: `fighter-${index}` }, title),
      el('label', {}, 'decides', this.who),
      this.own,
      this.help,
    );
    this.showWho();
  }

  setStyles(styles: KnownStyle[], chosen: string): void {
    this.styles = styles;
    fill(
      this.style,
      styles.map(({ name }) => el('option', { value: name, selected: name === chosen }, name)),
    );
    fill(
      this.bars,
      Object.keys(kNames)
        .filter(name => name in styles[0].sliders)
        .map(name => {
          const slider = el('input', {
            type: 'range',
            min: 0,
            max: 1,
            step: 0.01,
            'aria-label': kNames[name],
            'data-slider': name,
            oninput: () => {
              this.moved.add(name);
              this.onstyle?.();
            },
            onpointerup: () => slider.blur(),
          });
          this.sliders.set(name, slider);
          return el('label', {}, kNames[name], slider);
        }),
    );
    this.reset();
  }

  get isPlayer(): boolean {
    return this.who.value === 'me';
  }

  giveBack(): void {
    this.who.value = '';
    this.showWho();
  }

  // As `loom fight --style` takes it: a style, and the sliders that were moved.
  get written(): string {
    return [this.style.value, ...[...this.moved].map(name => `${name}=${Number(this.sliders.get(name)!.value)}`)].join('+');
  }

  private reset(): void {
    this.moved.clear();
    const style = this.styles.find(({ name }) => name === this.style.value);
    this.sliders.forEach((slider, name) => {
      slider.value = String(style?.sliders[name] ?? 0.5);
    });
  }

  private showWho(): void {
    this.own.hidden = this.isPlayer;
    this.help.hidden = !this.isPlayer;
  }
}
