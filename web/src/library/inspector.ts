// SPDX-License-Identifier: MIT
// What is known of a clip, and what can be done with it.
import { addressOf, call } from '../api';
import { commandBar } from '../command_bar';
import { fileOf, given, option } from '../command_words';
import { button, el, fill } from '../dom';
import { KnownMotion } from '../motion';
import { askText, notify } from '../notices';
import { newClipName, project } from '../project';
import { CloseLook, FileFormat, Label } from '../routes';
import { change } from '../undo';
import { LookPanel } from './look_panel';
import { ManyPanel } from './many_panel';
import { RepairPanel } from './repair_panel';
import { onWorn } from '../worn';

// The figures of a close look that are worth a line: good motion has few.
function closeLookRows(look: CloseLook): [string, string][] {
  const rows: [string, string][] = [];
  const bent = (name: string, degrees: number, frame: number) => {
    if (degrees > 3) rows.push([name, `backward by ${degrees.toFixed(0)}° (frame ${frame})`]);
  };
  bent('knees', look.knee_backward_deg, look.knee_backward_frame);
  bent('elbows', look.elbow_backward_deg, look.elbow_backward_frame);
  if (look.has_feet) {
    if (look.foot_reversed_frames > 0)
      rows.push(['feet', `turned round in ${look.foot_reversed_frames} frames (first ${look.foot_reversed_frame})`]);
    rows.push(
      ['soles', `${(100 * look.sole_height_m).toFixed(1)} cm above the floor`],
      ['gliding', `${(100 * look.glide_share).toFixed(1)} % of the time${look.glide_share > 0 ? ` (frame ${look.glide_frame})` : ''}`],
    );
    if (look.drags_per_minute > 0)
      rows.push([
        'drags',
        `${look.drags_per_minute.toFixed(1)} a minute, ${(100 * look.drag_max_m).toFixed(0)} cm at worst (frame ${look.drag_max_frame})`,
      ]);
  }
  if (look.self_inside_m > 0.03)
    rows.push(['inside itself', `${(100 * look.self_inside_m).toFixed(1)} cm (frame ${look.self_inside_frame})`]);
  rows.push(['head', `${look.head_acceleration_mps2.toFixed(0)} m/s² at worst (frame ${look.head_acceleration_frame})`]);
  return rows;
}

export class Inspector {
  readonly element = el('aside', { class: 'inspector panel' });
  onopen: ((clip: string) => void) | null = null; // another clip should be shown
  onremoved: (() => void) | null = null; // the clip is gone
  onlabel: ((range: [number, number]) => void) | null = null;
  readonly repair = new RepairPanel();
  readonly look = new LookPanel();
  private readonly many = new ManyPanel();
  private picked: string[] = [];
  private motion: KnownMotion | null = null;
  private range: [number, number] | null = null;

  // Several clips are picked, and what is said is about them; one or none: about the clip that is shown.
  pick(names: string[]): void {
    const had = this.picked.length > 1;
    this.picked = names;
    if (names.length > 1 || had) this.draw();
  }

  show(motion: KnownMotion | null, range: [number, number] | null = null): void {
    this.motion = motion;
    this.range = range;
    this.element.inert = false;
    if (motion) {
      this.look.show(motion.name);
      this.repair.show(motion, range);
    }
    this.draw();
  }

  // Until the clip that was chosen is there nothing can be done, least of all to the one before.
  wait(): void {
    this.motion = null;
    this.element.inert = true;
  }

  setRange(range: [number, number] | null): void {
    if (!this.motion) return;
    const had = Boolean(this.range);
    this.range = range;
    this.repair.show(this.motion, range);
    if (had || range) this.draw();
  }

  private draw(): void {
    const { motion } = this;
    if (this.picked.length > 1) {
      this.many.show(this.picked);
      return fill(this.element, this.many.element);
    }
    if (!motion) return fill(this.element, el('p', { class: 'faint' }, 'Choose a clip, or drop motion files anywhere on this page.'));
    const info = project.clip(motion.name),
      told = motion.origin ? [...motion.origin.warnings, ...motion.origin.notes] : [];
    fill(
      this.element,
      el('h2', {}, motion.name),
      this.facts(motion),
      el('h3', {}, 'Labels'),
      this.labelList(info?.labels ?? motion.labels),
      el('h3', {}, this.range ? `Frames ${this.range[0]} to ${this.range[1]}` : 'Whole clip'),
      this.actions(motion),
      this.look.element,
      this.repair.element,
      told.length ? [el('h3', {}, 'Told at import'), ...told.map(text => el('p', { class: 'faint' }, text))] : null,
    );
  }

  private facts(motion: KnownMotion): HTMLElement {
    const m = motion.measures;
    const rows: [string, string][] = [
      ['length', `${motion.seconds.toFixed(2)} s, ${motion.frames} frames at ${+motion.rate.toFixed(2)} Hz`],
      ['body', `${motion.joints} joints`],
      ['path', `${m.path_m.toFixed(2)} m at ${m.mean_speed_mps.toFixed(2)} m/s`],
      ['turning', `${Math.round((m.mean_turn_rate_rps * 180) / Math.PI) || 0} °/s`],
      ...(m.has_feet
        ? ([
            [
              'foot slide',
              `${(100 * m.foot_slide_mean_mps).toFixed(1)} cm/s, worst ${(100 * m.foot_slide_max_mps).toFixed(1)} (frame ${m.foot_slide_max_frame})`,
            ],
            ['in the air', `${m.flight_s.toFixed(2)} s`],
          ] as [string, string][])
        : []),
      ['largest jump', `${(100 * m.largest_jump_m).toFixed(1)} cm (frame ${m.largest_jump_frame})`],
    ];
    if (motion.closeLook) rows.push(...closeLookRows(motion.closeLook));
    if (motion.origin?.source) rows.push(['from', motion.origin.source.split('/').pop()!]);
    return el('dl', { class: 'facts' }, rows.map(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]).flat());
  }

  private labelList(labels: Label[]): HTMLElement {
    if (!labels.length)
      return el('p', { class: 'faint' }, 'None yet. Drag over the lane under the timeline to add one, or have some suggested.');
    return el(
      'ul',
      { class: 'labels' },
      labels.map(label =>
        el(
          'li',
          {},
          el('span', { class: 'tag' }, label.name),
          el('span', { class: 'faint' }, `${label.begin}–${label.end}`),
          el(
            'button',
            {
              type: 'button',
              class: 'quiet',
              'aria-label': `Remove ${label.name}`,
              title: 'Remove',
              onclick: () => this.changeLabels(label, null),
            },
            '×',
          ),
        ),
      ),
    );
  }

  // Takes a label off, puts one on, or both at once.
  async changeLabels(remove: Label | null, add: Label | null): Promise<void> {
    if (!this.motion) return;
    const { name } = this.motion;
    const post = (off: Label | null, on: Label | null) => () =>
      call('POST /api/clips/*/labels', { names: [name], body: { ...(off && { remove: off }), ...(on && { add: on }) } });
    await change(`label ${(add ?? remove)!.name}`, post(remove, add), post(add, remove));
    if (remove)
      commandBar.show(
        'library',
        'label',
        'LIBRARY',
        given(name),
        given(remove.name),
        '--remove',
        '--from',
        remove.begin,
        '--to',
        remove.end,
      );
    if (add) commandBar.show('library', 'label', 'LIBRARY', given(name), given(add.name), '--from', add.begin, '--to', add.end);
  }

  private cutWords(): (string | number)[] {
    return this.range ? ['--from', this.range[0], '--to', this.range[1]] : [];
  }

  private actions(motion: KnownMotion): HTMLElement {
    const download = (format: FileFormat) => () => {
      const query = { ...(this.range ? { from: this.range[0], to: this.range[1] } : {}), ...onWorn(format) };
      el('a', { href: addressOf('GET /api/clips/*/file/*', { names: [motion.name, format], query }), download: '' }).click();
      commandBar.show('library', 'export', 'LIBRARY', given(motion.name), ...this.cutWords(), '-o', fileOf(motion.name, format));
    };
    return el(
      'div',
      { class: 'actions' },
      this.range && button('Label…', () => this.onlabel?.(this.range!), { key: 'L', title: 'Label this stretch' }),
      this.range && button('Cut out', () => void this.derive('cut', false), { key: 'C', title: 'Make a clip of this stretch' }),
      button('Mirror', () => void this.derive('mirrored', true), { key: 'M', title: 'Make a clip with left and right exchanged' }),
      button('Find more like this', () => void this.look.find(this.range), { title: 'Where the library has motion like this' }),
      button('Suggest labels', () => void this.look.suggest(), { title: 'From its motion, to be accepted or not' }),
      button('Save BVH', download('bvh')),
      button('Save glb', download('glb')),
      !this.range &&
        button('Remove', () => void this.remove(), { class: 'quiet', title: 'Take the clip and its labels out of the library' }),
    );
  }

  async derive(what: string, mirror: boolean): Promise<void> {
    const { motion, range } = this;
    if (!motion || (!mirror && !range)) return;
    const as = await askText('Name of the new clip', `${motion.name}-${what}`, [], newClipName);
    if (!as) return;
    const body = { as, mirror, ...(range && { from: range[0], to: range[1] }) };
    const done = await change(
      `new clip ${as}`,
      () => call('POST /api/clips/*/derive', { names: [motion.name], body }),
      () => call('DELETE /api/clips/*', { names: [as] }),
    );
    if (!done) return;
    commandBar.show(
      'library',
      'cut',
      'LIBRARY',
      given(motion.name),
      ...this.cutWords(),
      ...(mirror ? ['--mirror'] : []),
      ...option('--as', as),
    );
    notify(`${as} is in the library`);
    this.onopen?.(as);
  }

  private async remove(): Promise<void> {
    const { motion } = this;
    if (!motion) return;
    const names: [string] = [motion.name];
    this.onremoved?.();
    const gone = await change(
      `${motion.name} removed`,
      () => call('DELETE /api/clips/*', { names }),
      () => call('POST /api/clips/*/restore', { names, body: {} }),
    );
    if (!gone) return this.onopen?.(motion.name);
    commandBar.show('library', 'remove', 'LIBRARY', given(motion.name));
    notify(`${motion.name} is removed; Ctrl+Z brings it back`);
  }
}
