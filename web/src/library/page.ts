// SPDX-License-Identifier: MIT
// The library: its clips, and the one that is looked at.
import { callPacked } from '../api';
import { commandBar } from '../command_bar';
import { given, option } from '../command_words';
import { button, counted, el, fill, isTyping, pressed, wantsStill } from '../dom';
import { importButton } from '../importer';
import { labelChips } from '../label_chips';
import { KnownMotion, getBody } from '../motion';
import { askText, attempt, notify } from '../notices';
import { Page } from '../page';
import { project } from '../project';
import { Roving } from '../roving';
import { ClipInfo, FoundStretch, Label } from '../routes';
import { Player } from '../stage/player';
import { View } from '../stage/view';
import { keep, kept } from '../storage';
import { Timeline } from '../timeline';
import { Transport } from '../transport';
import { CameraBar } from './camera_bar';
import { ClipList } from './clip_list';
import { CompareBar } from './compare_bar';
import { Inspector } from './inspector';
import { JointCurves } from './joint_curves';
import { Sorting } from './sorting';

// Labels by which a user says which feet stand, where what was found is wrong.
const kFeet = ['feet-left', 'feet-right', 'feet-both', 'feet-none'];
const toldFeet = (labels: Label[]) => JSON.stringify(labels.filter(label => kFeet.includes(label.name)));

export class LibraryPage implements Page {
  readonly name = 'library';
  readonly title = 'Library';
  readonly element: HTMLElement;
  private readonly list = new ClipList();
  private readonly inspector = new Inspector();
  private readonly view = new View();
  private readonly player = new Player<KnownMotion>(this.view);
  private readonly transport = new Transport(this.player);
  private readonly camera = new CameraBar(this.view, this.player);
  private readonly comparison = new CompareBar(this.player);
  private readonly curves = new JointCurves();
  private readonly sorting = new Sorting();
  private source: KnownMotion | null = null; // the clip of which a mended copy is looked at
  private readonly timeline = new Timeline({
    seek: frame => {
      this.player.playing = false;
      this.player.seek(frame);
    },
    select: range => {
      this.player.range = range;
      this.inspector.setRange(range);
    },
    change: (from, to) => void this.inspector.changeLabels(from, to),
    choose: label => {
      this.chosenLabel = label;
    },
    name: range => void this.labelRange(range),
  });
  private readonly search = el('input', {
    type: 'search',
    placeholder: 'Search clips (/)',
    'aria-label': 'Search clips',
    oninput: () => this.filter(),
  });
  private readonly chips = el('div', { class: 'chips' });
  private readonly chipStop = new Roving(this.chips, 'button'); // sixty labels are one stop of the Tab key
  private readonly count = el('span', { class: 'faint', id: 'count' });
  private readonly wanted = new Set<string>(); // labels
  private chosenLabel: Label | null = null;
  private clipShown: string | null = null;
  private seenBefore = false; // a clip was shown: the next is seen as it was
  private next: string | null = null; // to be shown when the one that is shown is gone

  constructor() {
    this.element = el(
      'div',
      { class: 'page library-page' },
      el(
        'nav',
        { class: 'browser panel' },
        el('div', { class: 'row' }, this.search, importButton()),
        this.chips,
        el('div', { class: 'row list-head' }, this.count, el('span', { class: 'grow' }), this.sorting.element),
        this.list.element,
      ),
      el(
        'main',
        { class: 'theatre' },
        this.view.element,
        this.transport.element,
        el('div', { class: 'stage-tools' }, this.camera.element, this.comparison.element, this.curves.element, this.timeTools()),
        this.timeline.element,
      ),
      this.inspector.element,
    );
    this.list.onchoose = clip => void this.open(clip.name);
    this.list.onpick = names => this.inspector.pick(names);
    this.list.about = clip => this.sorting.told(clip);
    this.sorting.onchange = () => this.filter();
    this.curves.onchange = curves => this.timeline.setCurves(curves);
    this.inspector.repair.onmended = motion => void this.showMended(motion);
    this.inspector.repair.ondropped = () => void this.showSource();
    this.inspector.repair.onopen = name => void this.open(name);
    this.inspector.look.onstretch = found => void this.openStretch(found);
    this.inspector.onopen = name => void this.open(name);
    this.inspector.onremoved = () => {
      this.next = this.list.neighbour(this.clipShown);
      this.clipShown = null;
    };
    this.inspector.onlabel = range => void this.labelRange(range);
    this.player.onframe = frame => {
      this.timeline.setFrame(frame);
      this.curves.setFrame(frame);
      this.transport.update();
    };
    this.inspector.show(null);
  }

  enter(): void {
    project.watch(() => this.refresh());
  }

  // A clip that a link leads to; one that is not there yet is opened when it is.
  goTo(clip: string | undefined): void {
    if (!clip || clip === this.clipShown) return;
    if (project.clip(clip)) void this.open(clip);
    else this.next = clip;
  }

  key(event: KeyboardEvent): boolean {
    if (event.key === '/' && !isTyping(event)) {
      event.preventDefault();
      this.search.focus();
      this.search.select();
      return true;
    }
    if (isTyping(event)) return false;
    const range = this.timeline.selected,
      key = pressed(event);
    if (key === 'Delete' && this.chosenLabel) void this.inspector.changeLabels(this.chosenLabel, null);
    else if (key === 'l' && range) void this.labelRange(range);
    else if (key === 'c' && range) void this.inspector.derive('cut', false);
    else if (key === 'm') void this.inspector.derive('mirrored', true);
    else if (key === '[' || key === ']') this.selectFrom(key);
    else if (key === 'i') this.selectFrom('[');
    else if (key === 'o') this.selectFrom(']');
    else if (key === 'f') this.camera.frame();
    else if (key === '+' || key === '=') this.timeline.zoom(0.5);
    else if (key === '-') this.timeline.zoom(2);
    else if (key === '0') this.timeline.showAll();
    else if (key === 'Escape') this.timeline.select(null);
    else return this.transport.key(event);
    return true;
  }

  // The selected stretch begins, or ends, at the frame that is shown.
  private selectFrom(key: string): void {
    const { motion } = this.player,
      frame = Math.round(this.player.frame);
    if (!motion) return;
    const [begin, end] = this.timeline.selected ?? [0, motion.frames - 1];
    const range: [number, number] = key === '[' ? [frame, end > frame ? end : motion.frames - 1] : [begin < frame ? begin : 0, frame];
    if (range[0] < range[1]) this.timeline.select(range);
  }

  // In, out and zoom as buttons, for who has no keys, and whether drags go to what is near.
  private timeTools(): HTMLElement {
    const tool = (text: string, title: string, key: string, act: () => void) => button(text, act, { class: 'quiet', title, key });
    const snap = el('input', {
      type: 'checkbox',
      checked: true,
      'data-check': 'Snap',
      onchange: () => {
        this.timeline.snapping = snap.checked;
      },
    });
    return el(
      'span',
      { class: 'time-tools' },
      tool('In', 'The selected stretch begins here', 'I', () => this.selectFrom('[')),
      tool('Out', 'The selected stretch ends here', 'O', () => this.selectFrom(']')),
      tool('−', 'See more of the clip', '-', () => this.timeline.zoom(2)),
      tool('+', 'See less of the clip, larger', '+', () => this.timeline.zoom(0.5)),
      tool('All', 'See the whole clip', '0', () => this.timeline.showAll()),
      el('label', { class: 'check', title: 'Drags go to labels, steps and the frame that is shown; Alt drags freely' }, snap, 'Snap'),
    );
  }

  // A mended copy in place of the clip, which is seen through it.
  private async showMended(motion: KnownMotion): Promise<void> {
    this.source ??= this.player.motion;
    const { source } = this;
    await this.player.show(motion, { keepCamera: true, keepFrame: true });
    this.timeline.show(motion, motion.labels);
    if (source) await this.comparison.with(source);
  }

  // The clip itself again, with what was selected of it.
  private async showSource(): Promise<void> {
    const { source } = this,
      range = this.inspector.repair.trimmed;
    if (!source) return;
    this.source = null;
    await this.player.show(source, { keepCamera: true, keepFrame: true });
    await this.comparison.change();
    this.timeline.show(source, project.clip(source.name)?.labels ?? source.labels);
    if (range) this.timeline.select(range);
  }

  // A stretch that was found, selected and played.
  private async openStretch(found: FoundStretch): Promise<void> {
    if (this.clipShown !== found.clip) await this.open(found.clip);
    if (this.clipShown !== found.clip || !this.player.motion) return;
    const last = this.player.motion.frames - 1;
    this.timeline.select([Math.min(found.begin, last), Math.min(found.end, last)]);
    this.player.seek(found.begin);
    this.player.playing = true;
  }

  async open(name: string, telling = true): Promise<void> {
    this.clipShown = name;
    this.source = null;
    keep(`clip of ${project.state!.path}`, name);
    this.list.choose(name);
    this.inspector.wait();
    const motion = await attempt(async () => {
      const got = new KnownMotion(await callPacked('GET /api/clips/*/motion', { names: [name] }));
      if (this.clipShown !== name) return undefined;
      this.player.playing = !wantsStill();
      await this.player.show(got, { keepCamera: this.seenBefore });
      this.seenBefore = true;
      this.camera.shown(got);
      return got;
    });
    if (this.clipShown !== name) return;
    if (!motion) return this.stayAt(this.player.motion);
    this.timeline.show(motion, motion.labels);
    this.curves.show(motion, await getBody(motion.body));
    void this.comparison.change();
    this.inspector.show(motion);
    if (telling) commandBar.show('library', 'measure', 'LIBRARY', given(name));
  }

  // Other feet are told to stand, so other contacts are shown.
  private async readAgain(name: string): Promise<void> {
    const motion = await attempt(async () => new KnownMotion(await callPacked('GET /api/clips/*/motion', { names: [name] })));
    if (!motion || this.clipShown !== name) return;
    await this.player.show(motion, { keepCamera: true, keepFrame: true });
    this.timeline.show(motion, motion.labels);
    this.inspector.show(motion);
  }

  // What was chosen could not be had: what was looked at before still is.
  private stayAt(motion: KnownMotion | null): void {
    this.clipShown = motion?.name ?? null;
    this.list.choose(this.clipShown);
    this.inspector.show(motion, this.timeline.selected);
  }

  private clear(): void {
    this.clipShown = null;
    this.player.clear();
    this.timeline.clear();
    this.inspector.show(null);
  }

  private refresh(): void {
    const { clips, labels } = project.state!;
    for (const label of this.wanted) if (!labels.some(l => l.name === label)) this.wanted.delete(label);
    fill(
      this.chips,
      labelChips(labels, this.wanted, () => this.filter()),
    );
    this.chipStop.settle();
    this.filter();
    this.comparison.refresh();
    const info = this.clipShown ? project.clip(this.clipShown) : undefined,
      shown = this.player.motion;
    if (info) {
      if (!this.source) this.timeline.setLabels(info.labels);
      if (shown?.name === info.name && toldFeet(info.labels) !== toldFeet(shown.labels)) void this.readAgain(info.name);
      if (shown?.name === info.name) this.inspector.show(shown, this.timeline.selected);
    } else if (!this.clipShown || shown?.name === this.clipShown) {
      // what is not in the list may be on its way into it
      if (this.clipShown) notify(`${this.clipShown} is no longer in the library`);
      this.clear();
      const last = kept(`clip of ${project.state!.path}`); // what was looked at before the page was loaded anew
      const wanted = [this.next, last].find(name => name && project.clip(name));
      // In place of one that went, what took it away stays the command that is shown.
      if (clips.length) void this.open(wanted ?? this.sorting.sort(clips)[0].name, !this.seenBefore);
    }
  }

  // Clips whose name or labels have every word that is searched for, and one of the labels that are pressed.
  private filter(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (clip: ClipInfo) => {
      const text = `${clip.name} ${clip.labels.map(label => label.name).join(' ')}`.toLowerCase();
      return words.every(word => text.includes(word)) && (!this.wanted.size || clip.labels.some(label => this.wanted.has(label.name)));
    };
    const { clips } = project.state!,
      found = clips.filter(fits);
    this.count.textContent = (found.length === clips.length ? '' : `${found.length} of `) + counted(clips.length, 'clip');
    this.list.show(this.sorting.sort(found));
    this.list.choose(this.clipShown);
    if (this.wanted.size) commandBar.show('library', 'list', 'LIBRARY', ...[...this.wanted].flatMap(label => option('--label', label)));
  }

  private async labelRange(range: [number, number]): Promise<void> {
    const name = await askText(`Label frames ${range[0]} to ${range[1]}`, '', [
      ...new Set([...project.state!.labels.map(label => label.name), ...kFeet]),
    ]);
    if (!name) return; // what was selected stays
    await this.inspector.changeLabels(null, { name, begin: range[0], end: range[1] });
    this.timeline.select(null);
  }
}
