// SPDX-License-Identifier: MIT
// In the bar above all pages: which character they show in place of the plain body.
import { el, fill } from '../dom';
import { worn } from '../worn';
import { characters } from './list';

export function chooser(): HTMLElement {
  const choice = el('select', {
    id: 'worn',
    title: 'Whom all pages show',
    'aria-label': 'Whom all pages show',
    hidden: true,
    onchange: () => worn.choose(choice.value),
  });
  let known = false; // what the library has
  const show = () => {
    const names = characters.all.map(({ name }) => name);
    known ||= names.length > 0;
    if (known && worn.name && !names.includes(worn.name)) return worn.choose('');
    fill(choice, el('option', { value: '' }, 'Plain body'), ...names.map(name => el('option', { value: name }, name)));
    choice.value = worn.name;
    choice.hidden = names.length === 0;
  };
  characters.watch(show);
  worn.watch(show);
  return choice;
}
