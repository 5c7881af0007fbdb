// SPDX-License-Identifier: MIT
// Groups that are one stop of the Tab key, and in which arrows go on: strips of tabs, chips, tables. Sixty labels before
// a list would else be sixty presses of Tab.

// The element that arrows lead to from `from` among `all`, which lie in rows and columns on the screen.
function beside(all: HTMLElement[], from: HTMLElement, key: string): HTMLElement | undefined {
  const at = all.indexOf(from);
  if (key === 'Home') return all[0];
  if (key === 'End') return all[all.length - 1];
  if (key === 'ArrowLeft') return all[at - 1];
  if (key === 'ArrowRight') return all[at + 1];
  const here = from.getBoundingClientRect(),
    middle = here.left + here.width / 2,
    down = key === 'ArrowDown';
  const places = all.map(one => ({ one, box: one.getBoundingClientRect() }));
  const beyond = places.filter(({ box }) => (down ? box.top >= here.bottom - 1 : box.bottom <= here.top + 1));
  if (!beyond.length) return all[at + (down ? 1 : -1)];
  const row = down ? Math.min(...beyond.map(({ box }) => box.top)) : Math.max(...beyond.map(({ box }) => box.top));
  const off = ({ box }: { box: DOMRect }) => Math.abs(box.left + box.width / 2 - middle);
  return beyond.filter(({ box }) => Math.abs(box.top - row) < 2).sort((a, b) => off(a) - off(b))[0]?.one;
}

// Makes one stop of `group`: `chosen` says which of its members it is, at first; then it is the one that was last there.
// Members may come and go; call `settle` then.
export class Roving {
  constructor(
    private readonly group: HTMLElement,
    private readonly members: string,
    private readonly options: { chosen?: string; press?: boolean } = {},
  ) {
    group.addEventListener('keydown', event => this.key(event));
    group.addEventListener('focusin', event => {
      const member = (event.target as HTMLElement).closest<HTMLElement>(members);
      if (member) this.stopAt(member);
    });
    this.settle();
  }

  settle(): void {
    const all = this.all;
    const now =
      all.find(one => one === document.activeElement) ??
      (this.options.chosen ? all.find(one => one.matches(this.options.chosen!)) : undefined) ??
      all.find(one => one.tabIndex === 0 && one.hasAttribute('tabindex')) ??
      all[0];
    if (now) this.stopAt(now);
  }

  private get all(): HTMLElement[] {
    return [...this.group.querySelectorAll<HTMLElement>(this.members)];
  }

  private stopAt(member: HTMLElement): void {
    this.all.forEach(one => {
      one.tabIndex = one === member ? 0 : -1;
    });
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const from = (event.target as HTMLElement).closest<HTMLElement>(this.members);
    if (!from || !/^(Arrow(Left|Right|Up|Down)|Home|End)$/.test(event.key)) {
      // What is no button itself is pressed as one.
      if (from && from.tagName !== 'BUTTON' && (event.key === 'Enter' || event.key === ' ')) {
        event.preventDefault();
        event.stopPropagation();
        from.click();
      }
      return;
    }
    event.preventDefault();
    event.stopPropagation(); // arrows are frames elsewhere
    const next = beside(this.all, from, event.key);
    if (!next) return;
    next.focus();
    if (this.options.press) next.click();
  }
}
