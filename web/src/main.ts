// SPDX-License-Identifier: MIT
// The frame around the pages: the way from one to another, jobs, and the command line of what was done.
import './style.css';
import './guide.css';
import { BlendPage } from './blend/page';
import { CapturePage } from './capture/page';
import { chooser } from './characters/chooser';
import { CharactersPage } from './characters/page';
import { commandBar } from './command_bar';
import { el, isCommand, isOperating, isTyping } from './dom';
import { EmptyLibrary } from './empty_library';
import { FightPage } from './fight/page';
import { GraphPage } from './graph/page';
import { acceptDrops } from './importer';
import { showJobs } from './jobs';
import { showKeys } from './key_sheet';
import { LibraryPage } from './library/page';
import { MachinePage } from './machine/page';
import { attempt, noticeBoard } from './notices';
import { Page } from './page';
import { PickPage } from './pick/page';
import { PlanPage } from './plan/page';
import { PlayPage } from './play/page';
import { project } from './project';
import { Roving } from './roving';
import { socket } from './socket';
import { Character } from './stage/character';
import { wardrobe } from './stage/wardrobe';
import { toggleTheme } from './theme';
import { libraryChanges, undoKey } from './undo';
import { UndoButtons } from './undo_buttons';
import { WorldPage } from './world/page';

const makers: { name: string; title: string; make: () => Page }[] = [
  { name: 'library', title: 'Library', make: () => new LibraryPage() },
  { name: 'graph', title: 'Graph', make: () => new GraphPage() },
  { name: 'blend', title: 'Align and blend', make: () => new BlendPage() },
  { name: 'play', title: 'Play', make: () => new PlayPage() },
  { name: 'fight', title: 'Fight', make: () => new FightPage() },
  { name: 'pick', title: 'Pick', make: () => new PickPage() },
  { name: 'machine', title: 'Machine', make: () => new MachinePage() },
  { name: 'world', title: 'World', make: () => new WorldPage() },
  { name: 'capture', title: 'Capture', make: () => new CapturePage() },
  { name: 'plan', title: 'Plan', make: () => new PlanPage() },
  { name: 'characters', title: 'Characters', make: () => new CharactersPage() },
];

const kNumbered = 9; // pages that have a number key

Character.wardrobe = wardrobe;
const made = new Map<string, Page>();
const place = el('div', { class: 'pages' });
const tabs = el(
  'nav',
  { class: 'tabs', 'aria-label': 'Pages' },
  makers.map((maker, i) => el('a', { href: `#${maker.name}`, title: i < kNumbered ? `Key ${i + 1}` : undefined }, maker.title)),
);
const libraryName = el('span', { class: 'faint library-name', id: 'library-name' });
const offline = el(
  'p',
  { class: 'offline', role: 'alert', hidden: true },
  'The studio does not answer: it has ended, or the line is broken. This page goes on by itself once it is there again.',
);
const missing = el(
  'p',
  { class: 'offline', id: 'missing', role: 'alert', hidden: true },
  'The file of the library is gone: it was moved or removed. Nothing can be opened or changed until it, or another, is put in its place.',
);
let current: Page | null = null;
const empty = new EmptyLibrary();
place.append(empty.element);
const strip = new Roving(tabs, 'a', { chosen: '[aria-current=page]' }); // eleven pages are one stop of the Tab key
const undoButtons = new UndoButtons(libraryChanges);

function visit(): void {
  const [name, thing] = location.hash.slice(1).split('/');
  const maker = makers.find(m => m.name === name) ?? makers[0];
  let page = made.get(maker.name);
  if (page === current && page) return page.goTo?.(thing && decodeURIComponent(thing));
  if (current) {
    current.element.hidden = true;
    current.hidden?.();
  }
  if (!page) {
    page = maker.make();
    made.set(maker.name, page);
    place.append(page.element);
    page.enter();
  }
  current = page;
  undoButtons.show(page.changes ?? libraryChanges);
  showOrLead();
  commandBar.turnTo(maker.name);
  document.title = `${maker.title} · Motion Loom`;
  tabs.querySelectorAll('a').forEach((tab, i) => {
    if (makers[i] === maker) tab.setAttribute('aria-current', 'page');
    else tab.removeAttribute('aria-current');
  });
  strip.settle();
  showTab();
  page.shown?.();
  page.goTo?.(thing && decodeURIComponent(thing));
}

// Where the strip of pages is wider than the window, the page that is open must be seen in it.
function showTab(): void {
  const tab = tabs.querySelector<HTMLElement>('[aria-current=page]');
  if (!tab || tabs.scrollWidth <= tabs.clientWidth) return;
  const strip = tabs.getBoundingClientRect(),
    box = tab.getBoundingClientRect();
  tabs.scrollLeft += box.left + box.width / 2 - strip.left - strip.width / 2;
}

// A page that needs motion, or where there is none the ways to get some.
function showOrLead(): void {
  if (!current) return;
  const lead = EmptyLibrary.isNeeded(current.name);
  current.element.hidden = lead;
  empty.element.hidden = !lead;
}

function onKey(event: KeyboardEvent): void {
  if (document.querySelector('dialog[open]') || isOperating(event)) return;
  if (!isTyping(event) && undoKey(event, current?.changes)) return;
  if (isCommand(event)) return;
  if (event.key === '?' && !isTyping(event) && current) return showKeys(current.name, current.title);
  if (!current?.element.hidden && current?.key?.(event)) return event.preventDefault(); // a letter that opens a dialog is not typed into it
  const index = Number(event.key) - 1;
  if (!isTyping(event) && makers[index]) location.hash = makers[index].name;
}

document.body.append(
  el(
    'header',
    { class: 'top' },
    el('a', { class: 'brand', href: '#library' }, el('img', { src: '/icon.svg', width: 22, height: 22, alt: '' }), 'Motion Loom'),
    tabs,
    noticeBoard,
    undoButtons.element,
    chooser(),
    libraryName,
    el(
      'button',
      {
        type: 'button',
        class: 'quiet',
        id: 'keys-sheet',
        title: 'Keys (?)',
        'aria-label': 'Keys',
        onclick: () => current && showKeys(current.name, current.title),
      },
      '?',
    ),
    el(
      'button',
      { type: 'button', class: 'quiet', id: 'theme', title: 'Light or dark', 'aria-label': 'Light or dark', onclick: toggleTheme },
      '◐',
    ),
  ),
  offline,
  missing,
  place,
  showJobs(),
  commandBar.element,
);
acceptDrops();
socket.on('connected', () => {
  offline.hidden = true;
});
socket.on('disconnected', () => {
  offline.hidden = false;
});
socket.on('library', event => {
  missing.hidden = !event.gone;
});
// What the page holds of jobs, bodies and scenes is of one run of the server; with the next it begins anew.
let studio: string | null = null;
socket.on('hello', event => {
  if (studio && studio !== event.studio) return location.reload();
  missing.hidden = !event.gone;
  if (studio && !event.gone) void attempt(() => project.refresh());
  studio = event.studio;
});
socket.connect();
// A command may have changed it.
for (const seen of ['focus', 'hashchange'])
  addEventListener(seen, () => {
    if (studio && offline.hidden) void attempt(() => project.look());
  });
project.watch(() => {
  libraryName.textContent = project.state!.path.split('/').pop()! + (project.state!.read_only ? ' · read only' : '');
  libraryName.title = project.state!.path;
  showOrLead();
});
addEventListener('hashchange', visit);
addEventListener('resize', showTab);
addEventListener('keydown', onKey);
// What was pressed with a pointer does not keep the keys: Space is for the page again, not for that button once more.
addEventListener('click', event => {
  if (!event.detail || document.querySelector('dialog[open]')) return;
  const pressed = (event.target as HTMLElement).closest<HTMLElement>('button, a, summary, input[type=checkbox], input[type=range]');
  if (pressed && pressed === document.activeElement) pressed.blur();
});
void attempt(() => project.refresh());
visit();
