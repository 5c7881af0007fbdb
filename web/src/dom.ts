// SPDX-License-Identifier: MIT
// Elements in one line: el('button', { class: 'quiet', onclick: go }, 'Go').

type Attributes = Record<string, string | number | boolean | undefined | ((event: never) => void)>;
export type Child = Node | string | number | null | undefined | false;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') {
      element.addEventListener(name.replace(/^on/, ''), value as EventListener);
    } else if (name in element && name !== 'list' && typeof value !== 'string') {
      (element as unknown as Record<string, unknown>)[name] = value;
    } else {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  element.append(...usable(children));
  return element;
}

export function fill(element: Element, ...children: (Child | Child[])[]): void {
  element.replaceChildren(...usable(children));
}

function usable(children: (Child | Child[])[]): (Node | string)[] {
  return children
    .flat()
    .filter(child => child !== null && child !== undefined && child !== false)
    .map(child => (typeof child === 'number' ? String(child) : (child as Node | string)));
}

// A button with what it does as text, and its key as a hint.
export function button(text: string, onclick: () => void, options: { class?: string; key?: string; title?: string } = {}) {
  const title = options.title ? options.title + (options.key ? ` (${options.key})` : '') : options.key;
  return el('button', { type: 'button', class: options.class, title, onclick }, text);
}

// A button for work that takes a while: it cannot be pressed again before that is over.
export function workButton(text: string, work: () => Promise<unknown>, options: { class?: string; key?: string; title?: string } = {}) {
  const made: HTMLButtonElement = button(
    text,
    () => {
      if (made.disabled) return;
      made.disabled = true;
      void work().finally(() => {
        made.disabled = false;
      });
    },
    options,
  );
  return made;
}

// "1 clip", "2 clips".
export const counted = (count: number, one: string, several = `${one}s`) => `${count} ${count === 1 ? one : several}`;

// Hands a text to the user as a file of that name.
export function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// A sentence that leads to the page where what is missing is made.
export const leading = (before: string, page: string, title: string, after: string): (HTMLElement | string)[] => [
  before,
  el('a', { href: `#${page}` }, title),
  after,
];

// Whether the user wants as little as possible to move by itself.
export const wantsStill = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

// Whether a key press belongs to what is being typed into.
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  return (
    target.isContentEditable ||
    target.tagName === 'TEXTAREA' ||
    target.tagName === 'SELECT' ||
    (target.tagName === 'INPUT' && !['range', 'checkbox', 'button', 'radio'].includes((target as HTMLInputElement).type))
  );
}

// Whether a key press is one of the browser's own commands, such as Ctrl + for larger letters; AltGr only writes.
export const isCommand = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph');

// The key that was pressed; of letters the small one, also where Caps Lock is on.
export const pressed = (event: KeyboardEvent): string => (event.key.length === 1 ? event.key.toLowerCase() : event.key);

// Whether a key press is for the control that has the focus, come to by keys: Space on a button, arrows on a slider.
export function isOperating(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  if (!target.matches(':focus-visible')) return false;
  if (target.matches('input[type=range]')) return /^(Arrow|Page|Home|End)/.test(event.key);
  // Space does nothing to a link: on a tab that was just clicked it is for the page that came.
  return event.key === ' ' ? target.matches('button, input[type=checkbox]') : event.key === 'Enter' && target.matches('button, a');
}

// Follows the pointer from a press on `element` until it is let go: down() says whether to follow.
export function onDrag(
  element: HTMLElement,
  handlers: {
    down: (event: PointerEvent) => boolean;
    move: (event: PointerEvent) => void;
    up?: (event: PointerEvent) => void;
  },
): void {
  element.addEventListener('pointerdown', event => {
    if (event.button !== 0 || !handlers.down(event)) return;
    event.preventDefault();
    element.setPointerCapture(event.pointerId);
    const end = (last: PointerEvent) => {
      element.removeEventListener('pointermove', handlers.move);
      element.removeEventListener('pointerup', end);
      element.removeEventListener('pointercancel', end);
      handlers.up?.(last);
    };
    element.addEventListener('pointermove', handlers.move);
    element.addEventListener('pointerup', end);
    element.addEventListener('pointercancel', end);
  });
}
