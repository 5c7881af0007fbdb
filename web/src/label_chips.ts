// SPDX-License-Identifier: MIT
// The labels of the library as buttons, each pressed while it is wanted.
import { counted, el } from './dom';
import { LabelTotal } from './routes';

export function labelChips(labels: LabelTotal[], wanted: Set<string>, changed: () => void): HTMLElement[] {
  return labels.map(({ name, clips, seconds }) => {
    const chip = el(
      'button',
      {
        type: 'button',
        class: 'chip',
        'aria-pressed': String(wanted.has(name)),
        title: `${counted(clips, 'clip')}, ${seconds.toFixed(0)} s`,
        onclick: () => {
          if (!wanted.delete(name)) wanted.add(name);
          chip.setAttribute('aria-pressed', String(wanted.has(name)));
          changed();
        },
      },
      name,
    );
    return chip;
  });
}
