// SPDX-License-Identifier: MIT
// Play, speed, loop and what is shown with a motion: the buttons under a view, and their keys.
import { button, el, isTyping, pressed } from './dom';
import { Motion } from './motion';
import { Player } from './stage/player';

const kSpeeds = [0.1, 0.25, 0.5, 1, 2, 4];

const timeOf = (motion: Motion, frame: number) => `${(frame / motion.rate).toFixed(2)} s · frame ${Math.round(frame)}`;

export class Transport<Shown extends Motion = Motion> {
  readonly element: HTMLElement;
  private readonly play = button('Pause', () => this.toggle(), { key: 'Space', class: 'play', title: 'Play or pause' });
  private readonly clock = el('span', { class: 'clock', id: 'clock' });
  private readonly entry = el('input', {
    type: 'text',
    class: 'frame-entry',
    inputmode: 'decimal',
    size: 6,
    title: 'Go to a frame: its number, or seconds as 1.5s',
    'aria-label': 'Go to frame',
    placeholder: 'frame',
    onkeydown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') this.goTo();
      if (event.key === 'Escape' || event.key === 'Enter') this.entry.blur();
    },
    onchange: () => this.goTo(),
  });
  private readonly slide = el('span', { class: 'slide', id: 'slide', title: 'How fast the planted foot slides over the floor now' });

  // `where` says of a frame where it is.
  constructor(
    private readonly player: Player<Shown>,
    private readonly where: (motion: Shown, frame: number) => string = timeOf,
  ) {
    const speed = el(
      'select',
      {
        title: 'Speed',
        'aria-label': 'Speed',
        onchange: () => {
          player.speed = Number(speed.value);
        },
      },
      kSpeeds.map(value => el('option', { value, selected: value === 1 }, `${value}×`)),
    );
    this.element = el(
      'div',
      { class: 'transport' },
      this.play,
      this.clock,
      this.entry,
      el('span', { class: 'grow' }),
      this.slide,
      speed,
      this.check('Loop', true, on => {
        player.loop = on;
      }),
      this.check('Ghosts', false, on => player.setGhosts(on), 'G'),
      this.check('Path', true, on => player.setPath(on)),
    );
  }

  // To the frame that was typed, or the moment in seconds.
  private goTo(): void {
    const [, number, unit] = /^\s*(\d+(?:\.\d*)?)\s*(s?)\s*$/.exec(this.entry.value) ?? [];
    this.entry.value = '';
    if (number === undefined || !this.player.motion) return;
    this.player.playing = false;
    this.player.seek(unit ? Math.round(Number(number) * this.player.motion.rate) : Math.round(Number(number)));
    this.update();
  }

  // To be called with every new frame.
  update(): void {
    const { motion, frame } = this.player;
    if (!motion) return;
    this.play.textContent = this.player.playing ? 'Pause' : 'Play';
    this.clock.textContent = this.where(motion, frame);
    const slide = this.player.slide();
    this.slide.textContent = slide === null ? 'no foot planted' : `foot slide ${(100 * slide).toFixed(1)} cm/s`;
    this.slide.classList.toggle('bad', slide !== null && slide > 0.12);
  }

  toggle(): void {
    const { player } = this;
    if (!player.playing && player.motion && player.frame >= player.motion.frames - 1) player.seek(0);
    player.playing = !player.playing;
    this.update();
  }

  // Handles a key press; says whether it was one of ours.
  key(event: KeyboardEvent): boolean {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return false;
    const { player } = this;
    const step = (by: number) => {
      player.playing = false;
      player.seek(Math.round(player.frame) + by);
      this.update();
    };
    switch (pressed(event)) {
      case ' ':
        this.toggle();
        break;
      case 'ArrowLeft':
        step(event.shiftKey ? -10 : -1);
        break;
      case 'ArrowRight':
        step(event.shiftKey ? 10 : 1);
        break;
      case 'Home':
        step(-1e9);
        break;
      case 'End':
        step(1e9);
        break;
      case 'g':
        (this.element.querySelector('[data-check=Ghosts]') as HTMLInputElement).click();
        break;
      default:
        return false;
    }
    event.preventDefault();
    return true;
  }

  private check(text: string, on: boolean, change: (on: boolean) => void, key?: string): HTMLElement {
    const input = el('input', { type: 'checkbox', checked: on, 'data-check': text, onchange: () => change(input.checked) });
    return el('label', { class: 'check', title: key ? `${text} (${key})` : text }, input, text);
  }
}
