// SPDX-License-Identifier: MIT
// A page that plays a packed character by itself: the library as WebAssembly, a package and the studio's stage in one
// file, without a server. Other packages can be opened or dropped on it.
import { Loom, Package, openLoom } from '../../../bindings/web/src/motionloom';
import { button, counted, el, fill, isTyping } from '../dom';
import { Controls } from '../play/controls';
import { View } from '../stage/view';
import { toggleTheme } from '../theme';
import { Troupe } from './troupe';
import './style.css';

const kCounts = [1, 10, 50];
const kTell = 0.5; // seconds between two readings of the clock
const kLongest = 0.1; // seconds that go by at most between two pictures

function bytesIn(id: string): Uint8Array<ArrayBuffer> | null {
  const text = document.getElementById(id)?.textContent?.trim();
  return text ? Uint8Array.from(atob(text), c => c.charCodeAt(0)) : null;
}

class PackedPage {
  private readonly view = new View();
  private readonly controls = new Controls();
  private readonly facts = el('p', { id: 'facts', class: 'faint' });
  private readonly trouble = el('p', { id: 'trouble', class: 'error', role: 'alert', hidden: true });
  private readonly behaviors = el('div', { id: 'behaviors', class: 'row', role: 'group', 'aria-label': 'Behaviors' });
  private readonly sliders = el('div', { id: 'parameters', class: 'row' });
  private readonly pace = el('p', { id: 'pace', class: 'faint' });
  private readonly file = el('input', { type: 'file', accept: '.loomrt', hidden: true, onchange: () => this.openChosen() });
  private readonly count = el(
    'select',
    { id: 'count', 'aria-label': 'Characters', onchange: () => this.begin() },
    kCounts.map(n => el('option', { value: n }, counted(n, 'character'))),
  );
  private packed: Package | null = null;
  private troupe: Troupe | null = null;
  private behavior: string | null = null;
  private pictures = 0;
  private took = 0; // milliseconds in the library
  private since = 0; // seconds

  constructor(private readonly loom: Loom) {
    document.body.append(
      el(
        'header',
        {},
        el('div', {}, el('h1', {}, document.title), this.facts),
        el(
          'div',
          { class: 'row' },
          this.count,
          button('Open a package…', () => this.file.click(), { title: 'A .loomrt file, made by loom pack-character' }),
          this.file,
          el('button', { type: 'button', id: 'theme', title: 'Light or dark', 'aria-label': 'Light or dark', onclick: toggleTheme }, '◐'),
        ),
      ),
      el('main', { class: 'theatre' }, this.view.element, this.trouble, this.behaviors, this.sliders, this.pace),
    );
    this.view.onbeat = seconds => this.beat(Math.min(seconds, kLongest));
    addEventListener('keydown', event => this.key(event));
    addEventListener('keyup', event => void this.controls.key(event, false));
    addEventListener('blur', () => this.controls.letGo());
    addEventListener('dragover', event => event.preventDefault());
    addEventListener('drop', event => {
      event.preventDefault();
      void this.openFile(event.dataTransfer?.files[0]);
    });
  }

  // Plays another package; where it is none, says why and goes on with the one before.
  open(bytes: Uint8Array): void {
    try {
      const packed = this.loom.load(bytes);
      this.packed?.free();
      this.packed = packed;
      this.trouble.hidden = true;
      this.begin();
    } catch (error) {
      this.trouble.textContent = `The package cannot be played: ${(error as Error).message}`;
      this.trouble.hidden = false;
    }
  }

  private begin(): void {
    const { packed } = this;
    if (!packed) return;
    this.troupe?.free();
    this.troupe = new Troupe(packed, this.view, Number(this.count.value));
    const { hears, behaviors, flags } = packed;
    const heard = [
      hears.velocity && 'W or ↑ goes, Shift runs, Q and E step aside',
      hears.turn && 'A and D turn',
      flags.length > 0 && `Space: ${flags.join(', ')}`,
      behaviors.length > 0 && 'numbers choose a behavior',
    ].filter(Boolean);
    this.facts.textContent =
      `${packed.name} · ${packed.kind} · ${packed.seconds.toFixed(1)} s of motion, ${(packed.size / 1e6).toFixed(2)} MB, ` +
      `${packed.joints.length} joints · ${heard.join('; ') || 'it hears nothing and strolls by itself'}`;
    this.choose(null);
    fill(
      this.behaviors,
      behaviors.map((name, i) => button(name, () => this.choose(name), { key: i < 9 ? String(i + 1) : undefined })),
    );
    this.count.blur();
  }

  private choose(behavior: string | null): void {
    this.behavior = behavior;
    const parameters = behavior ? this.packed!.parameters(behavior) : [];
    fill(
      this.sliders,
      parameters.map(({ name, unit, least, most, usual }, index) =>
        el(
          'label',
          {},
          `${name} (${unit}) `,
          el('input', {
            type: 'range',
            min: String(least),
            max: String(most),
            step: 'any',
            value: String(usual),
            oninput: (event: Event) => {
              const value = Number((event.target as HTMLInputElement).value);
              this.troupe?.played.forEach(one => one.setParameter(behavior!, index, value));
            },
          }),
        ),
      ),
    );
    [...this.behaviors.children].forEach(one => one.setAttribute('aria-pressed', String(one.textContent === behavior)));
  }

  private key(event: KeyboardEvent): void {
    if (this.controls.key(event, true) || isTyping(event)) return;
    const behavior = this.packed?.behaviors[Number(event.key) - 1];
    if (behavior) this.choose(behavior);
  }

  private beat(seconds: number): boolean {
    const { troupe } = this;
    if (!troupe) return false;
    const wish = this.controls.wish();
    this.took += troupe.play(seconds, wish, { behavior: this.behavior, flags: wish.jump ? troupe.packed.flags : [] });
    ++this.pictures;
    this.since += seconds;
    if (this.since >= kTell) this.tell(troupe);
    return true;
  }

  private tell(troupe: Troupe): void {
    const { x, z, heading } = troupe.played[0].place,
      each = this.took / this.pictures;
    this.pace.textContent =
      `${(this.pictures / this.since).toFixed(0)} pictures a second · the library takes ${each.toFixed(2)} ms a picture for ` +
      `${counted(troupe.played.length, 'character')} · at ${x.toFixed(1)}, ${z.toFixed(1)}`;
    Object.assign(this.pace.dataset, { x, z, heading, milliseconds: each, pictures: this.pictures / this.since });
    this.pictures = this.took = this.since = 0;
  }

  private openChosen(): void {
    void this.openFile(this.file.files?.[0]);
    this.file.value = '';
  }

  private async openFile(file: File | undefined): Promise<void> {
    if (file) this.open(new Uint8Array(await file.arrayBuffer()));
  }
}

try {
  const page = new PackedPage(await openLoom(bytesIn('wasm')!));
  const carried = bytesIn('package');
  if (carried) page.open(carried);
} catch (trouble) {
  document.body.append(el('p', { class: 'error' }, `This page cannot play: ${(trouble as Error).message}`));
  throw trouble;
}
