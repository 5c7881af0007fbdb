// SPDX-License-Identifier: MIT
// Align and blend: the warp between two clips, and families of clips with the space between them.
import { el } from '../dom';
import { Page } from '../page';
import { project } from '../project';
import { Roving } from '../roving';
import { AlignView } from './align_view';
import { BlendView } from './blend_view';
import { FamilyPanel } from './family_panel';

export class BlendPage implements Page {
  readonly name = 'blend';
  readonly title = 'Align and blend';
  readonly element: HTMLElement;
  private readonly families = new FamilyPanel();
  private readonly blend = new BlendView();
  private readonly align = new AlignView();
  private readonly parts = [
    { title: 'Blend', element: this.blend.element },
    { title: 'Align', element: this.align.element },
  ];
  private readonly tabs = el(
    'div',
    { class: 'part-tabs', role: 'tablist', 'aria-label': 'Blend or align' },
    this.parts.map((part, i) =>
      el(
        'button',
        {
          type: 'button',
          role: 'tab',
          onclick: () => {
            this.showPart(i);
            if (i === 0) void this.blend.start();
          },
        },
        part.title,
      ),
    ),
  );
  private readonly strip = new Roving(this.tabs, 'button', { chosen: '[aria-selected=true]', press: true });
  private part = 0;
  private entered = false;

  constructor() {
    this.element = el(
      'div',
      { class: 'page graph-page blend-page' },
      this.families.element,
      el(
        'main',
        { class: 'parts' },
        this.tabs,
        this.parts.map(part => part.element),
      ),
    );
    this.families.onchoose = name => {
      this.showPart(0);
      void this.blend.open(name);
    };
    this.families.onnone = () => this.blend.close();
    this.showPart(0);
  }

  enter(): void {
    project.watch(() => {
      void this.families.refresh();
      if (this.part === 1) this.align.refresh();
    });
  }

  shown(): void {
    if (this.entered && this.part === 0) void this.blend.start();
    this.entered = true;
  }

  hidden(): void {
    this.blend.stop();
  }

  key(event: KeyboardEvent): boolean {
    return this.part === 0 ? this.blend.key(event) : this.align.key(event);
  }

  private showPart(index: number): void {
    this.part = index;
    this.parts.forEach((part, i) => {
      part.element.hidden = i !== index;
    });
    this.tabs.querySelectorAll('button').forEach((tab, i) => tab.setAttribute('aria-selected', String(i === index)));
    this.strip.settle();
    if (index === 1 && project.state) {
      this.blend.stop();
      this.align.refresh();
      this.align.tell();
    }
  }
}
