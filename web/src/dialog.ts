// SPDX-License-Identifier: MIT
// What dialogs have in common: they close by Escape, by a press beside them, and give the focus back.
import { el } from './dom';

// A dialog with a title, which closes when one is done reading.
export function showDialog(title: string, kind: string, ...content: (Node | string)[]): HTMLDialogElement {
  const heading = el('h2', { id: 'dialog-title' }, title);
  const close = el('button', { type: 'button', class: 'quiet close', 'aria-label': 'Close', onclick: () => dialog.close() }, '×');
  const dialog = el('dialog', { class: `ask ${kind}`, 'aria-labelledby': 'dialog-title' }, close, heading, ...content);
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', event => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
