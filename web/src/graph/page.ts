// SPDX-License-Identifier: MIT
// Motion graphs: build them, see why they are connected as they are, and make motion with them.
import { call } from '../api';
import { commandBar } from '../command_bar';
import { given } from '../command_words';
import { el, fill } from '../dom';
import { attempt } from '../notices';
import { Page } from '../page';
import { project } from '../project';
import { Roving } from '../roving';
import { GraphAbout, GraphOutline } from '../routes';
import { BuildPanel } from './build_panel';
import { CompareView } from './compare_view';
import { ConnectionView } from './connection_view';
import { PlayView } from './play_view';
import { verdictOf } from './verdict';

export class GraphPage implements Page {
  readonly name = 'graph';
  readonly title = 'Graph';
  readonly element: HTMLElement;
  private readonly build = new BuildPanel();
  private readonly play = new PlayView();
  private readonly compare = new CompareView();
  private readonly connection = new ConnectionView();
  private readonly besideView = new ConnectionView();
  private readonly besideName = el('select', { id: 'beside', onchange: () => void this.putBeside() });
  private about: GraphAbout | null = null; // of the graph that is open
  private walks: string | null = null; // a graph that was just built, to be walked on as soon as it can be
  private readonly parts = [
    { title: 'Walk and draw', element: this.play.element },
    { title: 'Compare clips', element: this.compare.element },
    {
      title: 'How it is connected',
      element: el(
        'div',
        { class: 'connections' },
        el('label', { class: 'beside' }, 'Beside it', this.besideName),
        el('div', { class: 'side-by-side' }, this.connection.element, this.besideView.element),
      ),
    },
  ];
  private readonly tabs = el(
    'div',
    { class: 'part-tabs', role: 'tablist', 'aria-label': 'What to do with the graph' },
    this.parts.map((part, i) => el('button', { type: 'button', role: 'tab', onclick: () => this.showPart(i) }, part.title)),
  );
  private readonly strip = new Roving(this.tabs, 'button', { chosen: '[aria-selected=true]', press: true });
  private part = 0;

  constructor() {
    this.element = el(
      'div',
      { class: 'page graph-page' },
      this.build.element,
      el(
        'main',
        { class: 'parts' },
        this.tabs,
        this.parts.map(part => part.element),
      ),
    );
    this.build.onchoose = name => void this.open(name);
    this.build.onbuilt = name => {
      this.walks = name;
      this.showPart(0);
    };
    this.build.onnone = () => {
      this.play.setGraph(null, []);
      this.about = null;
      this.connection.show(null);
      this.offerBeside();
    };
    for (const view of [this.connection, this.besideView]) {
      view.onshow = (a, b, i, j) => {
        this.showPart(1);
        void this.compare.open(a, b, i, j);
      };
    }
    this.showPart(0);
  }

  enter(): void {
    project.watch(() => {
      this.build.refresh();
      this.offerBeside();
      this.openNamed();
      if (this.part === 1) this.compare.refresh();
    });
  }

  shown(): void {
    if (project.state) this.openNamed();
  }

  // Opens the graph that the address names (#graph/game), once.
  private openNamed(): void {
    const [page, name] = location.hash.slice(1).split('/').map(decodeURIComponent);
    if (page !== this.name || !name || !project.state!.graphs.some(graph => graph.name === name)) return;
    history.replaceState(null, '', `#${this.name}`);
    this.showPart(0);
    this.build.choose(name);
  }

  hidden(): void {
    this.play.leave();
  }

  key(event: KeyboardEvent): boolean {
    if (this.element.contains(document.activeElement) && document.activeElement?.tagName === 'INPUT') return false;
    return this.part === 0 ? this.play.key(event) : this.part === 1 ? this.compare.transport.key(event) : false;
  }

  // One can walk at once; how well it is connected is told when that is measured.
  private async open(name: string): Promise<void> {
    const outline = await attempt(() => call('GET /api/graphs/*/outline', { names: [name] }));
    if (!outline || this.build.chosen !== name) return;
    if (this.part !== 1) commandBar.show('graph', 'graph', 'measure', 'LIBRARY', given(name));
    this.play.setGraph(name, outline.behaviors);
    this.tell(outline, null);
    if (this.about?.name !== name) {
      this.about = null;
      this.connection.wait(name);
    }
    if (this.walks === name) {
      this.walks = null;
      if (this.part === 0 && !this.element.hidden) void this.play.walk();
    }
    const about = await attempt(() => call('GET /api/graphs/*', { names: [name] }));
    if (!about || this.build.chosen !== name) return;
    this.build.setShares(about.shares, about.threshold);
    this.about = about;
    this.tell(outline, about);
    this.connection.show(about);
    this.offerBeside();
  }

  private tell(outline: GraphOutline, about: GraphAbout | null): void {
    this.play.tell(verdictOf(outline, about), share => this.build.suggest(share));
  }

  // The other graphs of the library, to be shown beside the one that is open: a plain and a well-connected one, say.
  private offerBeside(): void {
    const others = (this.about && project.state?.graphs.filter(graph => graph.name !== this.about!.name)) || [];
    const chosen = others.some(graph => graph.name === this.besideName.value) ? this.besideName.value : '';
    fill(
      this.besideName,
      el('option', { value: '' }, 'nothing'),
      others.map(({ name }) => el('option', { value: name, selected: name === chosen }, name)),
    );
    this.besideName.parentElement!.hidden = !others.length;
    void this.putBeside();
  }

  private async putBeside(): Promise<void> {
    const { about } = this,
      name = this.besideName.value;
    const other = (name && (await attempt(() => call('GET /api/graphs/*', { names: [name] })))) || null;
    if (!about || this.about !== about || this.besideName.value !== name) return;
    this.besideView.element.hidden = !other;
    this.connection.show(about, other);
    if (other) this.besideView.show(other, about);
    if (this.part === 2) this.connection.tell();
  }

  private showPart(index: number): void {
    this.part = index;
    this.parts.forEach((part, i) => {
      part.element.hidden = i !== index;
    });
    this.tabs.querySelectorAll('button').forEach((tab, i) => tab.setAttribute('aria-selected', String(i === index)));
    this.strip.settle();
    if (index !== 0) this.play.leave();
    if (index === 1 && project.state) {
      this.compare.refresh();
      this.compare.tell();
    }
    if (index === 2) this.connection.tell();
  }
}
