// SPDX-License-Identifier: MIT
// Asks what a policy is to be called and which of the recorded traces it is to learn from.
import { call } from '../api';
import { button, el } from '../dom';
import { attempt } from '../notices';
import { PlayedTrace } from '../routes';

const kEnough = 60; // seconds of play from which on a player's habits show

export const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

// `named`: what is proposed as a name.
export function askTraining(traces: PlayedTrace[], named: string): Promise<{ name: string; traces: string[] } | null> {
  return new Promise(resolve => {
    const name = el('input', { type: 'text', name: 'policy', value: named, required: true, pattern: '.*\\S.*', title: 'It needs a name.' });
    const total = el('p', { class: 'faint', id: 'training-total' });
    const boxes = new Map<PlayedTrace, HTMLInputElement>(
      traces.map(trace => [trace, el('input', { type: 'checkbox', checked: true, onchange: () => tell() })]),
    );
    const chosen = () => traces.filter(trace => boxes.get(trace)?.checked);
    const tell = () => {
      const seconds = chosen().reduce((sum, trace) => sum + trace.seconds, 0);
      total.textContent = !chosen().length
        ? 'Nothing chosen: a simulated player is learnt from.'
        : seconds < kEnough
          ? `${clock(seconds)} of play; a minute or more shows your habits better.`
          : `${clock(seconds)} of play.`;
    };
    const row = (trace: PlayedTrace) => {
      const line = el(
        'li',
        {},
        el('label', { class: 'check' }, boxes.get(trace)!, trace.name),
        el('span', { class: 'faint' }, clock(trace.seconds)),
        el(
          'button',
          {
            type: 'button',
            class: 'quiet',
            title: 'Delete this trace',
            'aria-label': `Delete ${trace.name}`,
            onclick: () =>
              void attempt(async () => {
                await call('DELETE /api/traces/*', { names: [trace.name] });
                traces = traces.filter(other => other !== trace);
                line.remove();
                tell();
              }),
          },
          '×',
        ),
      );
      return line;
    };
    const dialog = el(
      'dialog',
      { class: 'ask training', 'aria-label': 'Train a policy' },
      el(
        'form',
        { method: 'dialog' },
        el('label', {}, 'Name of the policy', name),
        traces.length ? el('p', {}, 'Learn from what was played:') : null,
        el('ul', {}, traces.map(row)),
        total,
        el(
          'div',
          { class: 'row end' },
          button('Cancel', () => dialog.close(), { class: 'quiet' }),
          el('button', { type: 'submit', value: 'ok', class: 'primary' }, 'Train'),
        ),
      ),
    );
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(
        dialog.returnValue === 'ok' && name.value.trim() ? { name: name.value.trim(), traces: chosen().map(trace => trace.name) } : null,
      );
    });
    document.body.append(dialog);
    tell();
    dialog.showModal();
    name.select();
  });
}
