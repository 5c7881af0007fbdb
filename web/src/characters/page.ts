// SPDX-License-Identifier: MIT
// Characters: drop one, see which joint was taken for which and put it right by clicking, see motion on it beside the body it
// was captured on.
import { addressOf, call, callPacked } from '../api';
import { commandBar } from '../command_bar';
import { fileOf, given, option } from '../command_words';
import { button, el, fill } from '../dom';
import { Dropped, dropTaker } from '../importer';
import { KnownMotion, getBody } from '../motion';
import { attempt, confirmed } from '../notices';
import { Page } from '../page';
import { project } from '../project';
import { CharacterAbout, CharacterInfo } from '../routes';
import { carry } from '../stage/costume';
import { Player } from '../stage/player';
import { View } from '../stage/view';
import { wardrobe } from '../stage/wardrobe';
import { Transport } from '../transport';
import { change } from '../undo';
import { worn } from '../worn';
import { Comparison } from './comparison';
import { Figure } from './figure';
import { characters } from './list';

const wordsOf = (role: string) => role.replaceAll('_', ' ');

export class CharactersPage implements Page {
  readonly name = 'characters';
  readonly title = 'Characters';
  readonly element: HTMLElement;
  private readonly view = new View();
  private readonly figure = new Figure(this.view);
  private readonly comparison = new Comparison(this.view);
  private readonly player = new Player<KnownMotion>(this.view, getBody, true);
  private readonly transport = new Transport(this.player);
  private readonly list = el('div', { class: 'character-list' });
  private readonly roles = el('div', { class: 'character-roles' });
  private readonly told = el('p', { class: 'faint', id: 'character-told' });
  private readonly hint = el('p', { class: 'hint', id: 'character-hint' });
  private readonly clip = el('select', { id: 'character-clip', 'aria-label': 'The clip', onchange: () => void this.compare() });
  private readonly over = el('input', {
    type: 'checkbox',
    id: 'character-over',
    onchange: () => {
      this.comparison.over = this.over.checked;
      this.redraw();
    },
  });
  private readonly joints = button('Joints', () => this.turnTo('joints'));
  private readonly motion = button('Motion', () => this.turnTo('motion'));
  private part: 'joints' | 'motion' = 'joints';
  private about: CharacterAbout | null = null;
  private role: string | null = null; // to be put right by the next click on a joint
  private wanted = 0; // counts what was asked for, so that a slow answer does not replace a later one

  constructor() {
    const files = el('input', {
      type: 'file',
      multiple: true,
      hidden: true,
      id: 'character-files',
      accept: '.glb,.gltf,.vrm,.fbx,.dae,.bin,.png,.jpg,.jpeg,.webp,.tga,.bmp',
      onchange: () => {
        const chosen = [...(files.files ?? [])];
        files.value = '';
        void this.add({ files: chosen.map(file => ({ file, folder: '' })), named: chosen.map(file => file.name) });
      },
    });
    this.element = el(
      'div',
      { class: 'page characters-page' },
      el(
        'nav',
        { class: 'browser panel' },
        el(
          'div',
          { class: 'row' },
          files,
          button('Add a character…', () => files.click(), { title: 'Or drop its file here' }),
        ),
        this.list,
      ),
      el(
        'main',
        { class: 'theatre' },
        el(
          'div',
          { class: 'row character-parts' },
          this.joints,
          this.motion,
          this.clip,
          el('label', { class: 'check', title: 'With legs of the same length' }, this.over, 'Over each other'),
          el('span', { class: 'grow' }),
          this.told,
        ),
        this.view.element,
        this.transport.element,
      ),
      el('aside', { class: 'panel character-panel' }, this.hint, this.roles),
    );
    this.figure.onjoint = joint => this.click(joint);
    this.player.onframe = frame => {
      if (this.player.motion) this.comparison.update(this.player.motion, frame);
      this.transport.update();
    };
    this.view.ondrawn = () => {
      if (this.part === 'joints') this.element.dataset.places = JSON.stringify(this.figure.places().map(at => at.map(Math.round)));
    };
    this.turnTo('joints');
  }

  enter(): void {
    characters.watch(() => this.refresh());
    project.watch(() => {
      const before = this.clip.value;
      fill(this.clip, ...project.state!.clips.map(({ name }) => el('option', { value: name }, name)));
      if (project.clip(before)) this.clip.value = before;
    });
  }

  shown(): void {
    dropTaker.take = dropped => this.add(dropped);
    dropTaker.what = 'Drop a character: .glb, .gltf, .vrm, .fbx or .dae, with its textures';
  }

  hidden(): void {
    dropTaker.take = null;
  }

  key(event: KeyboardEvent): boolean {
    if (event.key === 'Escape' && this.role) {
      this.choose(null);
      return true;
    }
    return this.part === 'motion' && this.transport.key(event);
  }

  private async add(dropped: Dropped): Promise<void> {
    const names = await attempt(() => characters.add(dropped));
    if (names?.length) await this.open(names[0]);
  }

  // Shows one that is in the library.
  private async open(name: string): Promise<void> {
    const turn = ++this.wanted;
    const got = await attempt(() => Promise.all([call('GET /api/characters/*', { names: [name] }), wardrobe.model(name)]));
    if (!got || turn !== this.wanted) return;
    const [about, model] = got,
      same = this.about?.name === name;
    this.about = about;
    this.role = null;
    this.figure.show(model, about, same && this.part === 'joints');
    this.element.dataset.character = name;
    this.drawList();
    this.drawRoles();
    this.say();
    if (this.part === 'motion') await this.compare();
    else commandBar.show('characters', 'character', 'map', 'LIBRARY', given(name));
  }

  private refresh(): void {
    this.drawList();
    const { all } = characters;
    for (const one of [this.joints, this.motion]) one.disabled = !all.length;
    if (this.about && !all.some(({ name }) => name === this.about!.name)) this.close();
    if (!this.about && all.length) void this.open(all[0].name);
  }

  private close(): void {
    ++this.wanted;
    this.about = null;
    delete this.element.dataset.character;
    this.figure.clear();
    this.comparison.clear();
    this.player.clear();
    this.drawRoles();
    this.say();
  }

  private drawList(): void {
    fill(
      this.list,
      characters.all.length
        ? characters.all.map(info => this.card(info))
        : el(
            'p',
            { class: 'faint' },
            'Drop a rigged character here: .glb, .gltf, .vrm, .fbx or .dae. All motion of the library plays on it.',
          ),
    );
  }

  private card(info: CharacterInfo): HTMLElement {
    const chosen = info.name === this.about?.name;
    return el(
      'div',
      { class: `character-card${chosen ? ' chosen' : ''}`, 'data-name': info.name },
      el('button', { type: 'button', class: 'quiet name', onclick: () => void this.open(info.name) }, info.name),
      el('span', { class: 'faint' }, `${info.file} · ${info.joints} joints · ${info.vertices} vertices`),
      chosen &&
        el(
          'div',
          { class: 'row wrap' },
          button(worn.name === info.name ? 'Shown on all pages' : 'Show on all pages', () => {
            worn.choose(worn.name === info.name ? '' : info.name);
            this.drawList();
          }),
          el('a', { class: 'quiet', href: addressOf('GET /api/characters/*/map', { names: [info.name] }), download: '' }, 'Save map'),
          button('Remove', () => void this.remove(info.name), { class: 'quiet' }),
        ),
    );
  }

  private async remove(name: string): Promise<void> {
    if (!(await confirmed(`Take ${name} out of the library? Its file stays where it came from.`, 'Remove'))) return;
    if (!(await attempt(() => call('DELETE /api/characters/*', { names: [name] })))) return;
    commandBar.show('characters', 'character', 'remove', 'LIBRARY', given(name));
    await attempt(() => characters.refresh());
  }

  private turnTo(part: 'joints' | 'motion'): void {
    this.part = part;
    this.element.dataset.part = part;
    this.joints.classList.toggle('primary', part === 'joints');
    this.motion.classList.toggle('primary', part === 'motion');
    this.figure.visible = part === 'joints';
    this.transport.element.hidden = this.clip.hidden = this.over.parentElement!.hidden = part === 'joints';
    if (part === 'motion') {
      delete this.element.dataset.places;
      if (this.about) void this.compare();
    } else {
      ++this.wanted;
      this.comparison.clear();
      this.player.clear();
      this.view.follow = null;
      if (this.about) void this.open(this.about.name);
    }
    this.say();
  }

  // The chosen clip on both bodies.
  private async compare(): Promise<void> {
    const { about } = this,
      clip = this.clip.value,
      turn = ++this.wanted;
    if (!about || !clip) return;
    const got = await attempt(async () => {
      const motion = new KnownMotion(await callPacked('GET /api/clips/*/motion', { names: [clip] }));
      return { motion, carried: await carry(motion, about.name), model: await wardrobe.model(about.name) };
    });
    if (!got || turn !== this.wanted) return;
    this.comparison.show(got.model, got.carried);
    this.player.playing = true;
    await this.player.show(got.motion);
    this.view.follow = this.comparison.middle;
    this.redraw();
    this.say();
    commandBar.show(
      'characters',
      'export',
      'LIBRARY',
      given(clip),
      ...option('--on', about.name),
      '-o',
      fileOf(`${about.name}-${clip}`, 'glb'),
    );
  }

  private redraw(): void {
    if (this.player.motion) this.comparison.update(this.player.motion, this.player.frame);
  }

  private say(): void {
    const { about } = this,
      { carried } = this.comparison;
    if (!about) this.told.textContent = '';
    else if (this.part === 'motion' && carried) {
      this.told.textContent = `legs ${carried.header.scale.toFixed(2)} × the source's · hands and feet of the last 1.5 s`;
      this.element.dataset.scale = String(carried.header.scale);
    } else
      this.told.textContent = `${about.joints.length} joints, ${about.twists} twist, ${about.fingers} finger · ${about.vertices} vertices`;
    this.hint.textContent = !about
      ? ''
      : this.role
        ? `Click the joint that is the ${wordsOf(this.role)}. Esc: leave it.`
        : 'Green joints are sure, yellow likely, red guessed. Choose a role, then click its joint.';
  }

  private drawRoles(): void {
    const { about } = this;
    if (!about) return fill(this.roles);
    const row = ({ role, joint, confidence }: CharacterAbout['roles'][number]) => {
      const choice = el(
        'select',
        { 'aria-label': `The joint that is the ${wordsOf(role)}`, onchange: () => void this.putRight(role, Number(choice.value)) },
        el('option', { value: -1 }, '–'),
        ...about.joints.map(({ name }, j) => el('option', { value: j }, name || `joint ${j}`)),
      );
      choice.value = String(joint);
      return el(
        'div',
        { class: `role${role === this.role ? ' chosen' : ''}`, 'data-role': role, 'data-joint': joint },
        el('button', { type: 'button', class: 'quiet', onclick: () => this.choose(role === this.role ? null : role) }, wordsOf(role)),
        choice,
        el(
          'span',
          { class: `sure${joint < 0 ? '' : confidence > 0.9 ? ' good' : confidence < 0.7 ? ' bad' : ''}` },
          joint < 0 ? '–' : confidence.toFixed(2),
        ),
      );
    };
    fill(this.roles, ...about.roles.map(row), ...about.warnings.map(text => el('p', { class: 'warning' }, text)));
  }

  private choose(role: string | null): void {
    const { about } = this;
    if (!about) return;
    if (role && this.part !== 'joints') this.turnTo('joints');
    this.role = role;
    const joint = about.roles.find(entry => entry.role === role)?.joint ?? -1;
    this.figure.paint(about, joint < 0 ? null : joint);
    this.drawRoles();
    this.say();
  }

  // A joint was clicked: it is what was asked for, or it tells what it is.
  private click(joint: number): void {
    const { about, role } = this;
    if (!about) return;
    if (role) return void this.putRight(role, joint);
    const is = about.roles.find(entry => entry.joint === joint);
    this.figure.paint(about, joint);
    this.hint.textContent = `${about.joints[joint].name || `joint ${joint}`}: ${is ? `${wordsOf(is.role)}, ${is.confidence.toFixed(2)} sure` : 'no role'}`;
    if (is) this.roles.querySelector(`[data-role=${is.role}]`)?.scrollIntoView({ block: 'nearest' });
  }

  private async putRight(role: string, joint: number): Promise<void> {
    const { about } = this;
    if (!about) return;
    const before = about.roles.filter(entry => entry.role === role || (joint >= 0 && entry.joint === joint));
    const put = async (what: string, to: number) => {
      const told = await call('POST /api/characters/*/map', { names: [about.name], body: { role: what, joint: to < 0 ? null : to } });
      await this.take(told);
    };
    const done = await change(
      `${wordsOf(role)} of ${about.name}`,
      async () => {
        await put(role, joint);
        return true;
      },
      async () => {
        for (const entry of before) await put(entry.role, entry.joint);
      },
    );
    if (!done) return this.drawRoles();
    commandBar.show(
      'characters',
      'character',
      'map',
      'LIBRARY',
      given(about.name),
      ...option('--set', `${role}=${joint < 0 ? '' : this.called(about, joint)}`),
    );
  }

  // A joint as maps name it: by its number where its name tells it from no other.
  private called(about: CharacterAbout, joint: number): string {
    const { name } = about.joints[joint];
    return name && about.joints.filter(other => other.name === name).length === 1 && !name.startsWith('@') ? name : `@${joint}`;
  }

  private async take(about: CharacterAbout): Promise<void> {
    await characters.refresh();
    if (this.about?.name !== about.name) return;
    this.about = about;
    this.choose(null);
    if (this.part === 'motion') await this.compare();
  }
}
