// SPDX-License-Identifier: MIT
// Motion Loom in a web page: characters packed by `loom pack-character`, played by the run-time library as WebAssembly.
//
//     const loom = await openLoom();
//     const hero = loom.load(new Uint8Array(await (await fetch('hero.loomrt')).arrayBuffer()));
//     const somebody = hero.character();
//     each frame:
//       somebody.control({ velocity: [0, 1.2] });
//       somebody.advance(seconds);
//       const bones = somebody.local(); // x, y, z and a quaternion x, y, z, w a bone
//
// This is bindings/c/motionloom.h with classes around its handles. Metres, Y up, right-handed; who faces ahead faces +Z, as
// in three.js. What fails throws a LoomError that says why; nothing of a package is believed.
import { Machine, openMachine, type WasmSource } from './machine.js';

export type { WasmSource } from './machine.js';

export type ErrorKind = 'other' | 'bad input' | 'not found' | 'damaged' | 'newer' | 'out of memory' | 'bad handle' | 'busy' | 'too small';

const kErrorKinds: ErrorKind[] = [
  'other',
  'bad input',
  'not found',
  'damaged',
  'newer',
  'out of memory',
  'bad handle',
  'busy',
  'too small',
];

export class LoomError extends Error {
  constructor(
    readonly kind: ErrorKind,
    message: string,
  ) {
    super(message);
    this.name = 'LoomError';
  }
}

// What decides what a character does next.
export type PackageKind = 'graph' | 'steered graph' | 'policy' | 'machine' | 'matching';
const kPackageKinds: PackageKind[] = ['graph', 'steered graph', 'policy', 'machine', 'matching'];

export interface Joint {
  name: string;
  parent: number; // an earlier joint; -1 for a root
  position: [number, number, number]; // at rest, seen from the parent
  rotation: [number, number, number, number]; // x, y, z, w
}

// A parameter of a behavior of a machine.
export interface Parameter {
  name: string;
  unit: string;
  least: number;
  most: number;
  usual: number;
}

// What is wanted of a character; what its package does not hear is ignored.
export interface Control {
  velocity?: [x: number, z: number]; // over the floor, metres a second, in the world
  turn?: number; // radians a second, positive to the left
  behavior?: string | null;
  flags?: string[];
}

export interface CharacterOptions {
  rate?: number; // poses a second of what plays within, where it can choose
  seed?: number; // of strolls through a graph
  looseFeet?: boolean; // feet are not held where they are planted
  skeleton?: Skeleton; // shown on this one; else on the body that was packed
}

// Where a character stands: on the floor, and how far to the left of +Z it faces, in radians.
export interface Place {
  x: number;
  z: number;
  heading: number;
}

export type EventKind = 'foot down' | 'foot up' | 'behavior' | 'source' | 'label begin' | 'label end';
const kEventKinds: EventKind[] = ['foot down', 'foot up', 'behavior', 'source', 'label begin', 'label end'];

export interface LoomEvent {
  kind: EventKind;
  what: string; // the part of the foot, the behavior, clip or label
  seconds: number; // of the character's own time
}

export const kFeet = { leftHeel: 1, leftToe: 2, rightHeel: 4, rightToe: 8 } as const;
const kFootNames: Record<number, string> = { 1: 'left heel', 2: 'left toe', 4: 'right heel', 8: 'right toe' };

// Where things are in the structs of the header, on a machine of 32 bits; layout.cc holds the compiler to it.
const kErrorText = 4,
  kErrorSize = 256,
  kInfoSize = 56,
  kParameterSize = 104,
  kBoneSize = 36,
  kTransformSize = 28,
  kOptionsSize = 24,
  kControlSize = 24,
  kPlaceSize = 16,
  kEventSize = 16,
  kMostEvents = 64;
const kName = { package: 0, behavior: 1, flag: 2, label: 3, source: 4, joint: 5 } as const;

// Opens the library: `source` is its motionloom.wasm as bytes, an address or a module; none: the file beside this one.
export async function openLoom(source?: WasmSource): Promise<Loom> {
  return new Loom(await openMachine(source ?? new URL('./motionloom.wasm', import.meta.url)));
}

// A context of the library. Closing it frees all that was made of it.
export class Loom {
  private context: number;
  readonly apiVersion: number;

  constructor(readonly machine: Machine) {
    this.apiVersion = machine.call('loom_api_version');
    this.context = machine.scoped(room => {
      const out = room(4),
        error = room(kErrorSize);
      this.check(machine.call('loom_open', 0, out, error), error);
      return machine.view.getUint32(out, true);
    });
  }

  // A packed character from the bytes of a .loomrt file, which are not needed afterwards.
  load(bytes: Uint8Array | ArrayBuffer): Package {
    const { machine } = this;
    const from = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
    const number = machine.scoped(room => {
      const out = room(8),
        error = room(kErrorSize),
        copy = room(from.length || 1);
      machine.bytes.set(from, copy);
      this.check(machine.call('loom_package_load', this.handle, copy, from.length, out, error), error);
      return machine.view.getBigUint64(out, true);
    });
    return new Package(this, number);
  }

  // A skeleton of your own that characters are to be shown on: which bone is which is found by names and shape.
  skeleton(bones: Joint[]): Skeleton {
    const { machine } = this;
    const number = machine.scoped(room => {
      const out = room(8),
        error = room(kErrorSize),
        table = room(kBoneSize * bones.length || 1);
      bones.forEach((bone, b) => {
        const name = new TextEncoder().encode(bone.name + '\0'),
          text = room(name.length);
        machine.bytes.set(name, text);
        const at = table + b * kBoneSize;
        machine.view.setUint32(at, text, true);
        machine.view.setInt32(at + 4, bone.parent, true);
        [...bone.position, ...bone.rotation].forEach((value, i) => machine.view.setFloat32(at + 8 + 4 * i, value, true));
      });
      this.check(machine.call('loom_skeleton_make', this.handle, table, bones.length, out, error), error);
      return machine.view.getBigUint64(out, true);
    });
    return new Skeleton(this, number, bones.length);
  }

  // Time goes by for many characters in one call.
  advance(characters: readonly Character[], seconds: number): void {
    this.machine.scoped(room => {
      const handles = room(8 * characters.length || 1);
      characters.forEach((character, i) => this.machine.view.setBigUint64(handles + 8 * i, character.number, true));
      this.check(this.machine.call('loom_characters_advance', this.handle, handles, characters.length, seconds, 0));
    });
  }

  close(): void {
    if (this.context) this.machine.call('loom_close', this.context);
    this.context = 0;
  }

  // What calls begin with.
  get handle(): number {
    if (!this.context) throw new LoomError('bad handle', 'this was closed');
    return this.context;
  }

  // Throws what a call that failed says.
  check(status: number, error = 0): void {
    if (status === 0) return;
    const kind = kErrorKinds[status - 1] ?? 'other';
    throw new LoomError(kind, (error && this.machine.text(error + kErrorText)) || kind);
  }
}

// An artefact with the motion it needs.
export class Package {
  readonly name: string;
  readonly kind: PackageKind;
  readonly joints: Joint[]; // of the body it was packed with
  readonly behaviors: string[];
  readonly flags: string[];
  readonly labels: string[]; // that events tell of
  readonly sources: string[]; // clips that motion is taken from
  readonly hears: { velocity: boolean; turn: boolean };
  readonly rate: number; // poses a second of what plays within
  readonly seconds: number; // of motion in it
  readonly size: number; // bytes

  constructor(
    readonly loom: Loom,
    readonly number: bigint,
  ) {
    const { machine } = loom;
    const told = machine.scoped(room => {
      const info = room(kInfoSize);
      loom.check(machine.call('loom_package_describe', loom.handle, number, info));
      const count = (at: number) => machine.view.getUint32(info + at, true);
      return {
        kind: kPackageKinds[count(0)],
        joints: count(4),
        behaviors: count(8),
        flags: count(12),
        labels: count(16),
        sources: count(20),
        hears: { velocity: count(24) !== 0, turn: count(28) !== 0 },
        rate: machine.view.getFloat64(info + 32, true),
        seconds: machine.view.getFloat64(info + 40, true),
        size: Number(machine.view.getBigUint64(info + 48, true)),
      };
    });
    this.kind = told.kind;
    this.hears = told.hears;
    this.rate = told.rate;
    this.seconds = told.seconds;
    this.size = told.size;
    this.name = this.nameOf(kName.package, 0);
    this.behaviors = this.namesOf(kName.behavior, told.behaviors);
    this.flags = this.namesOf(kName.flag, told.flags);
    this.labels = this.namesOf(kName.label, told.labels);
    this.sources = this.namesOf(kName.source, told.sources);
    this.joints = this.readJoints(this.namesOf(kName.joint, told.joints));
  }

  // The parameters of a behavior; none but of machines.
  parameters(behavior: string): Parameter[] {
    const { loom } = this,
      { machine } = loom,
      which = found(this.behaviors, behavior, 'behavior');
    return machine.scoped(room => {
      const out = room(4),
        one = room(kParameterSize);
      loom.check(machine.call('loom_package_parameters', loom.handle, this.number, which, out));
      return Array.from({ length: machine.view.getUint32(out, true) }, (_, i) => {
        loom.check(machine.call('loom_package_parameter', loom.handle, this.number, which, i, one));
        const number = (at: number) => machine.view.getFloat64(one + at, true);
        return { name: machine.text(one), unit: machine.text(one + 64), least: number(80), most: number(88), usual: number(96) };
      });
    });
  }

  character(options: CharacterOptions = {}): Character {
    const { loom } = this,
      { machine } = loom;
    const number = machine.scoped(room => {
      const out = room(8),
        error = room(kErrorSize),
        given = room(kOptionsSize);
      machine.bytes.fill(0, given, given + kOptionsSize);
      machine.view.setFloat64(given, options.rate ?? 0, true);
      machine.view.setBigUint64(given + 8, BigInt.asUintN(64, BigInt(Math.trunc(options.seed ?? 1) || 0)), true);
      machine.view.setInt32(given + 16, options.looseFeet ? 1 : 0, true);
      const skeleton = options.skeleton?.number ?? 0n;
      loom.check(machine.call('loom_character_make', loom.handle, this.number, skeleton, given, out, error), error);
      return machine.view.getBigUint64(out, true);
    });
    return new Character(this, number);
  }

  free(): void {
    this.loom.check(this.loom.machine.call('loom_package_free', this.loom.handle, this.number));
  }

  private namesOf(which: number, count: number): string[] {
    return Array.from({ length: count }, (_, i) => this.nameOf(which, i));
  }

  private nameOf(which: number, index: number): string {
    const { loom } = this,
      { machine } = loom;
    const read = (size: number): string | number =>
      machine.scoped(room => {
        const text = room(size),
          length = room(4);
        const status = machine.call('loom_package_name', loom.handle, this.number, which, index, text, size, length);
        const needed = machine.view.getUint32(length, true) + 1;
        if (status !== 0 && needed > size) return needed;
        loom.check(status);
        return machine.text(text);
      });
    const first = read(64);
    return typeof first === 'string' ? first : (read(first) as string);
  }

  private readJoints(names: string[]): Joint[] {
    const { loom } = this,
      { machine } = loom,
      count = names.length;
    return machine.scoped(room => {
      const parents = room(4 * count || 1),
        rest = room(kTransformSize * count || 1);
      loom.check(machine.call('loom_package_bones', loom.handle, this.number, parents, rest, count));
      const { view } = machine;
      return names.map((name, j) => {
        const value = (i: number) => view.getFloat32(rest + j * kTransformSize + 4 * i, true);
        return {
          name,
          parent: view.getInt32(parents + 4 * j, true),
          position: [value(0), value(1), value(2)],
          rotation: [value(3), value(4), value(5), value(6)],
        };
      });
    });
  }
}

// A skeleton of the page's own.
export class Skeleton {
  constructor(
    readonly loom: Loom,
    readonly number: bigint,
    readonly bones: number,
  ) {}

  // The bone that is a part of the body ("hips", "left_shin"); -1 where none is.
  find(part: string): number {
    const { machine } = this.loom;
    return machine.scoped(room => {
      const name = new TextEncoder().encode(part + '\0'),
        text = room(name.length),
        out = room(4);
      machine.bytes.set(name, text);
      this.loom.check(machine.call('loom_skeleton_find', this.loom.handle, this.number, text, out));
      return machine.view.getInt32(out, true);
    });
  }

  free(): void {
    this.loom.check(this.loom.machine.call('loom_skeleton_free', this.loom.handle, this.number));
  }
}

// Somebody who plays a package. What frames need lies in memory that is asked for once.
export class Character {
  readonly bones: number;
  private package_: Package;
  private room: number; // a control or place, then the pose, then events

  constructor(
    packed: Package,
    readonly number: bigint,
  ) {
    this.package_ = packed;
    const { loom } = packed,
      { machine } = loom;
    this.bones = machine.scoped(room => {
      const out = room(4);
      loom.check(machine.call('loom_character_bones', loom.handle, number, out));
      return machine.view.getUint32(out, true);
    });
    this.room = machine.allocate(this.eventsAt + kMostEvents * kEventSize + 4);
  }

  get package(): Package {
    return this.package_;
  }

  // What is wanted from now on; what is not given is not wanted.
  control(wanted: Control): void {
    const { behaviors, flags } = this.package_,
      { view } = this.machine,
      at = this.own;
    const behavior = wanted.behavior == null ? -1 : found(behaviors, wanted.behavior, 'behavior');
    let bits = 0;
    for (const flag of wanted.flags ?? []) bits |= 1 << found(flags, flag, 'flag');
    view.setFloat32(at, wanted.velocity?.[0] ?? 0, true);
    view.setFloat32(at + 4, 0, true);
    view.setFloat32(at + 8, wanted.velocity?.[1] ?? 0, true);
    view.setFloat32(at + 12, wanted.turn ?? 0, true);
    view.setInt32(at + 16, behavior, true);
    view.setUint32(at + 20, bits >>> 0, true);
    this.call('loom_character_control', at);
  }

  // A parameter of a behavior of a machine from now on.
  setParameter(behavior: string, index: number, value: number): void {
    this.call('loom_character_parameter', found(this.package_.behaviors, behavior, 'behavior'), index, value);
  }

  put(place: Place): void {
    const { view } = this.machine,
      at = this.own;
    view.setFloat32(at, place.x, true);
    view.setFloat32(at + 4, 0, true);
    view.setFloat32(at + 8, place.z, true);
    view.setFloat32(at + 12, place.heading, true);
    this.call('loom_character_put', at);
  }

  // Time goes by: 0 to 10 seconds.
  advance(seconds: number): void {
    this.call('loom_character_advance', seconds);
  }

  get place(): Place {
    const at = this.own;
    this.call('loom_character_where', at);
    const { view } = this.machine;
    return { x: view.getFloat32(at, true), z: view.getFloat32(at + 8, true), heading: view.getFloat32(at + 12, true) };
  }

  // The pose: seven numbers a bone, x, y, z and a quaternion x, y, z, w, seen from its parent; roots are seen from where the
  // character stands. The array is the library's own memory: read it before the next call.
  local(): Float32Array {
    return this.pose('loom_character_local');
  }

  // The same with each bone seen from where the character stands.
  model(): Float32Array {
    return this.pose('loom_character_model');
  }

  // Which parts of the feet are planted: bits of kFeet.
  get contacts(): number {
    const at = this.own;
    this.call('loom_character_contacts', at);
    return this.machine.view.getUint32(at, true);
  }

  // What happened since this was asked last, the oldest first; 64 are remembered.
  events(): LoomEvent[] {
    const first = this.own + this.eventsAt,
      out = first + kMostEvents * kEventSize;
    this.call('loom_character_events', first, kMostEvents, out);
    const { view } = this.machine,
      { behaviors, sources, labels } = this.package_;
    return Array.from({ length: view.getUint32(out, true) }, (_, e) => {
      const at = first + e * kEventSize,
        kind = kEventKinds[view.getInt32(at, true)],
        what = view.getUint32(at + 4, true);
      const names = kind === 'behavior' ? behaviors : kind === 'source' ? sources : labels;
      const name = kind.startsWith('foot') ? kFootNames[what] : names[what];
      return { kind, what: name ?? String(what), seconds: view.getFloat64(at + 8, true) };
    });
  }

  // Goes over to another package from where it stands.
  reload(packed: Package): void {
    const { loom } = this.package_,
      { machine } = loom;
    machine.scoped(room => {
      const error = room(kErrorSize);
      loom.check(machine.call('loom_character_reload', loom.handle, this.number, packed.number, error), error);
    });
    this.package_ = packed;
  }

  free(): void {
    this.call('loom_character_free');
    this.machine.release(this.room);
    this.room = 0;
  }

  private get machine(): Machine {
    return this.package_.loom.machine;
  }

  // Memory of this character's own.
  private get own(): number {
    if (!this.room) throw new LoomError('bad handle', 'this character was freed');
    return this.room;
  }

  private get eventsAt(): number {
    return (kPlaceSize + kControlSize + this.bones * kTransformSize + 7) & ~7;
  }

  private call(name: string, ...rest: number[]): void {
    const { loom } = this.package_;
    loom.check(loom.machine.call(name, loom.handle, this.number, ...rest));
  }

  private pose(name: string): Float32Array {
    const at = this.own + kPlaceSize + kControlSize;
    this.call(name, at, this.bones);
    return this.machine.floats.subarray(at / 4, at / 4 + 7 * this.bones);
  }
}

function found(names: readonly string[], name: string, what: string): number {
  const at = names.indexOf(name);
  if (at < 0) throw new LoomError('not found', `there is no ${what} '${name}'`);
  return at;
}
