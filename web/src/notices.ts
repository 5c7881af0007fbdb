// SPDX-License-Identifier: MIT
// Short messages that come and go, and questions with one line for an answer.
import { Cancelled } from './api';
import { button, el } from './dom';

const kShown = 2;

// Where they stand: in the bar above the pages, where they cover nothing and move nothing.
export const noticeBoard = el('div', { class: 'notices', role: 'status', 'aria-live': 'polite' });

// The newest stands first; of good news only the last is shown.
export function notify(text: string, kind: 'info' | 'error' = 'info'): void {
  const notice = el('div', { class: `notice ${kind}`, title: text, onclick: () => notice.remove() }, text);
  noticeBoard.querySelectorAll('.notice').forEach(old => {
    if (old.matches('.info') || old.textContent === text) old.remove();
  });
  noticeBoard.prepend(notice);
  while (noticeBoard.children.length > kShown) noticeBoard.lastChild!.remove();
  setTimeout(() => notice.remove(), kind === 'error' ? 12000 : 5000);
}

// Runs what a button does; failures become notices, but for what was cancelled.
export async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Cancelled) return undefined;
    notify(error instanceof Error ? error.message : String(error), 'error');
    return undefined;
  }
}

// Asks for a line of text in a dialog; null when the user changes their mind. `check` says what is wrong with an answer,
// or null: the dialog stays, with what was typed, until it is right.
export function askText(
  title: string,
  value: string,
  suggestions: string[] = [],
  check: (text: string) => string | null = () => null,
): Promise<string | null> {
  return new Promise(resolve => {
    const list = el(
      'datalist',
      { id: 'ask-suggestions' },
      suggestions.map(text => el('option', { value: text })),
    );
    const wrong = el('p', { class: 'error', id: 'ask-wrong', role: 'alert', hidden: true });
    const say = (text: string | null) => {
      wrong.textContent = text;
      wrong.hidden = !text;
      input.setAttribute('aria-invalid', String(Boolean(text)));
    };
    const input = el('input', {
      type: 'text',
      value,
      name: 'answer',
      list: 'ask-suggestions',
      autocomplete: 'off',
      'aria-describedby': 'ask-wrong',
      oninput: () => say(null),
    });
    const dialog = el(
      'dialog',
      { class: 'ask', 'aria-label': title },
      el(
        'form',
        {
          method: 'dialog',
          onsubmit: (event: SubmitEvent) => {
            const text = input.value.trim(),
              why = text ? check(text) : 'It needs a name.';
            if (!why) return;
            event.preventDefault();
            say(why);
            input.focus();
          },
        },
        el('label', {}, title, input),
        wrong,
        list,
        el(
          'div',
          { class: 'row end' },
          button('Cancel', () => dialog.close(), { class: 'quiet' }),
          el('button', { type: 'submit', value: 'ok', class: 'primary' }, 'OK'),
        ),
      ),
    );
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'ok' && input.value.trim() ? input.value.trim() : null);
    });
    document.body.append(dialog);
    dialog.showModal();
    input.select();
  });
}

// The name that a form asks for, of something to be built: null where there is none, and it says so, or where one of
// that name is there and is not to be replaced.
export async function nameToBuild(input: HTMLInputElement, what: string, taken: string[]): Promise<string | null> {
  const name = input.value.trim();
  if (!name) {
    input.setCustomValidity(`Say what the ${what} is to be called`);
    input.addEventListener('input', () => input.setCustomValidity(''), { once: true });
    input.reportValidity();
    return null;
  }
  if (!taken.includes(name)) return name;
  return (await confirmed(`There is a ${what} called ${name} already. Put a new one in its place?`, 'Replace it')) ? name : null;
}

export function confirmed(title: string, yes: string): Promise<boolean> {
  return new Promise(resolve => {
    const dialog = el(
      'dialog',
      { class: 'ask', 'aria-label': title },
      el(
        'form',
        { method: 'dialog' },
        el('p', {}, title),
        el(
          'div',
          { class: 'row end' },
          button('Cancel', () => dialog.close(), { class: 'quiet' }),
          el('button', { type: 'submit', value: 'ok', class: 'primary' }, yes),
        ),
      ),
    );
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'ok');
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
