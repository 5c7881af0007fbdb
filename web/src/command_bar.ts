// SPDX-License-Identifier: MIT
// The line at the foot of the page: the command that does what was just done here, to be copied.
import { Word, commandLine, option, path } from './command_words';
import { el, fill } from './dom';
import { project } from './project';
import { worn } from './worn';

const kRemembered = 40;

// What writes a .glb writes it on the character that is shown.
const asShown = (words: Word[]): Word[] =>
  worn.name && !words.includes('--on') && words.some((word, i) => words[i - 1] === '-o' && /\.glb$/.test(String(word)))
    ? [...words, ...option('--on', worn.name)]
    : words;

class CommandBar {
  readonly element: HTMLElement;
  private readonly text = el('code', { id: 'command', tabindex: 0, title: 'The same on the command line' });
  private readonly copy = el('button', { type: 'button', class: 'quiet', id: 'copy', onclick: () => this.copyText() }, 'Copy');
  private readonly past = el('div', { class: 'past', hidden: true });
  private readonly history: string[] = [];
  private readonly lines = new Map<string, string>(); // shown last, by page
  private readonly words = new Map<string, Word[]>(); // that they were made of
  private page = '';

  constructor() {
    const more = el(
      'button',
      {
        type: 'button',
        class: 'quiet',
        title: 'All commands so far',
        'aria-label': 'All commands so far',
        onclick: () => {
          this.past.hidden = !this.past.hidden;
        },
      },
      '▴',
    );
    worn.watch(() => {
      const words = this.words.get(this.page);
      if (words) this.show(this.page, ...words);
    });
    this.element = el('footer', { class: 'command-bar' }, this.past, el('span', { class: 'prompt' }, '$'), this.text, more, this.copy);
  }

  // Shows the command line of what `page` did with the open library, when that page is looked at: work in the background
  // ends when it ends. `words` has a 'LIBRARY' where its path belongs.
  show(page: string, ...words: Word[]): void {
    this.words.set(page, words);
    const line = commandLine(...asShown(words).map(word => (word === 'LIBRARY' ? path(project.state?.path ?? 'library.loom') : word)));
    if (line !== this.lines.get(page)) {
      this.lines.set(page, line);
      this.history.unshift(line);
      this.history.length = Math.min(this.history.length, kRemembered);
    }
    if (page === this.page) this.text.textContent = line;
    fill(
      this.past,
      this.history.map(old =>
        el(
          'button',
          {
            type: 'button',
            class: 'quiet',
            onclick: () => {
              this.text.textContent = old;
              this.past.hidden = true;
            },
          },
          old,
        ),
      ),
    );
  }

  // The same for what can be done on every page.
  showHere(...words: Word[]): void {
    this.show(this.page, ...words);
  }

  // Shows what was done last on another page.
  turnTo(page: string): void {
    this.page = page;
    this.text.textContent = this.lines.get(page) ?? '';
  }

  private async copyText(): Promise<void> {
    const line = this.text.textContent ?? '';
    try {
      await navigator.clipboard.writeText(line);
    } catch {
      getSelection()?.selectAllChildren(this.text);
      document.execCommand('copy');
    }
    this.copy.textContent = 'Copied';
    setTimeout(() => {
      this.copy.textContent = 'Copy';
    }, 1200);
  }
}

export const commandBar = new CommandBar();
