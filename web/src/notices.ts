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

// Asks for a line of text in a dialog; null when the user changes their mind.
export function askText(title: string, value: string, suggestions: string[] = []): Promise<string | null> {
  return new Promise(resolve => {
    const list = el(
      'datalist',
      { id: 'ask-suggestions' },
      suggestions.map(text => el('option', { value: text })),
    );
    const input = el('input', { type: 'text', value, name: 'answer', list: 'ask-suggestions', autocomplete: 'off' });
    const dialog = el(
      'dialog',
      { class: 'ask' },
      el(
        'form',
        { method: 'dialog' },
        el('label', {}, title, input),
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

export function confirmed(title: string, yes: string): Promise<boolean> {
  return new Promise(resolve => {
    const dialog = el(
      'dialog',
      { class: 'ask' },
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
