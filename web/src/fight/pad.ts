// SPDX-License-Identifier: MIT
// What the player wants of a fighter: from keys, a gamepad, or buttons on the page for those who have neither.
import { el, isTyping } from '../dom';

export type Move = 'stay' | 'forward' | 'back' | 'left' | 'right';
export type Act = 'nothing' | 'punch' | 'kick' | 'evade';
type Direction = 'west' | 'east' | 'north' | 'south'; // as seen on the screen

const kDead = 0.5; // of a stick: nearer to its middle counts as let go
const kDirections: Record<string, Direction> = {
  KeyA: 'west',
  ArrowLeft: 'west',
  KeyD: 'east',
  ArrowRight: 'east',
  KeyW: 'north',
  ArrowUp: 'north',
  KeyS: 'south',
  ArrowDown: 'south',
};
const kActs: Record<string, Act> = { KeyJ: 'punch', KeyK: 'kick', KeyL: 'evade' };
const kPadActs: [number, Act][] = [
  [0, 'punch'],
  [2, 'punch'],
  [1, 'kick'],
  [3, 'kick'],
  [4, 'evade'],
  [5, 'evade'],
];
const kPadDirections: [number, Direction][] = [
  [14, 'west'],
  [15, 'east'],
  [12, 'north'],
  [13, 'south'],
];

const isRange = (event: Event) => (event.target as HTMLInputElement).type === 'range';

export class Pad {
  readonly element: HTMLElement;
  onwish: ((act: Act, time?: number) => void) | null = null; // an act was asked for, or ('nothing') the move has changed; when
  facesEast = true; // whether the player's opponent is to the right on the screen
  private held: Direction[] = []; // the last one counts
  private stick: Direction | null = null;
  private readonly pressed = new Set<number>();
  private readonly buttons = new Map<string, HTMLElement>();

  constructor() {
    const direction = (what: Direction, sign: string, key: string) =>
      this.button(what, [sign, el('kbd', {}, key)], `Move: ${key} or an arrow key`, (down, time) => this.hold(what, down, time));
    const act = (what: Act, name: string, key: string) =>
      this.button(what, [name, el('kbd', {}, key)], `${name}: ${key}`, (down, time) => {
        if (down) this.onwish?.(what, time);
      });
    this.element = el(
      'div',
      { class: 'fight-pad', hidden: true },
      el(
        'div',
        { class: 'cluster' },
        direction('west', '◀', 'A'),
        direction('east', '▶', 'D'),
        direction('north', '▲', 'W'),
        direction('south', '▼', 'S'),
      ),
      el('div', { class: 'cluster' }, act('punch', 'Punch', 'J'), act('kick', 'Kick', 'K'), act('evade', 'Evade', 'L')),
    );
  }

  // The move asked for, as the fighter sees it that faces its opponent.
  get move(): Move {
    const towards = this.facesEast ? 'east' : 'west',
      away = this.facesEast ? 'west' : 'east';
    const now = this.stick ?? this.held[this.held.length - 1];
    if (!now) return 'stay';
    if (now === towards) return 'forward';
    if (now === away) return 'back';
    return (now === 'north') === this.facesEast ? 'left' : 'right';
  }

  // A key went down or up; says whether it is one of ours.
  key(event: KeyboardEvent, down: boolean): boolean {
    const direction = kDirections[event.code],
      act = kActs[event.code];
    if ((!direction && !act) || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (isRange(event) && event.code.startsWith('Arrow')) return false;
    event.preventDefault();
    if (event.repeat) return true;
    this.light(direction ?? act, down);
    if (direction) this.hold(direction, down, event.timeStamp);
    else if (down) this.onwish?.(act, event.timeStamp);
    return true;
  }

  letGo(): void {
    this.held = [];
    this.stick = null;
    this.buttons.forEach(button => button.classList.remove('down'));
  }

  // Looks at the gamepad, which does not tell by itself.
  poll(): void {
    const pad = navigator.getGamepads?.().find(Boolean);
    if (!pad) return;
    const [x, y] = [pad.axes[0] ?? 0, pad.axes[1] ?? 0],
      before = this.stick;
    this.stick =
      kPadDirections.find(([index]) => pad.buttons[index]?.pressed)?.[1] ??
      (Math.hypot(x, y) < kDead ? null : Math.abs(x) > Math.abs(y) ? (x < 0 ? 'west' : 'east') : y < 0 ? 'north' : 'south');
    if (this.stick !== before) this.onwish?.('nothing');
    for (const [index, act] of kPadActs) {
      const down = Boolean(pad.buttons[index]?.pressed);
      if (down && !this.pressed.has(index)) this.onwish?.(act);
      if (down) this.pressed.add(index);
      else this.pressed.delete(index);
    }
  }

  private hold(direction: Direction, down: boolean, time: number): void {
    this.held = this.held.filter(other => other !== direction);
    if (down) this.held.push(direction);
    this.onwish?.('nothing', time);
  }

  private light(name: string, down: boolean): void {
    this.buttons.get(name)?.classList.toggle('down', down);
  }

  // A button that is held as long as a finger or the mouse is on it.
  private button(
    name: string,
    content: (string | HTMLElement)[],
    title: string,
    press: (down: boolean, time: number) => void,
  ): HTMLElement {
    const button = el('button', { type: 'button', title, 'aria-label': title, 'data-pad': name, tabindex: -1 }, ...content);
    const set = (down: boolean, time: number) => {
      if (button.classList.contains('down') === down) return;
      this.light(name, down);
      press(down, time);
    };
    this.buttons.set(name, button);
    button.addEventListener('pointerdown', event => {
      event.preventDefault();
      button.setPointerCapture(event.pointerId);
      set(true, event.timeStamp);
    });
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'])
      button.addEventListener(end, event => set(false, event.timeStamp));
    button.addEventListener('contextmenu', event => event.preventDefault());
    return button;
  }
}
