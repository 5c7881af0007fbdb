// SPDX-License-Identifier: MIT
// A clip and a body as they are packed (loom/picture/pack.h): by the server, or in a page that stands alone.
import { Packed, callPacked } from './api';
import { BodyHeader, ClipHeader, CloseLook, EndSite, Floor, Joint, Label, Measures, MotionHeader, ShownHeader } from './routes';

// What is drawn. Metres, Y up; rotations are w, x, y, z.
export class Motion {
  readonly name: string;
  readonly frames: number;
  readonly rate: number;
  readonly joints: number;
  readonly body: string;
  readonly labels: Label[];
  readonly footPoints: number[];
  readonly floor: Floor;
  readonly roots: Float32Array;
  readonly rotations: Float32Array;
  readonly planted: Uint8Array;
  readonly made: number | null; // under which the server keeps it; null: a clip of the library

  constructor(packed: Packed<ShownHeader & { made?: number }>) {
    const h = packed.header;
    this.name = h.name;
    this.made = h.made ?? null;
    this.frames = h.frames;
    this.rate = h.rate;
    this.joints = h.joints;
    this.body = h.body;
    this.labels = h.labels;
    this.footPoints = h.foot_points ?? [-1, -1, -1, -1];
    this.floor = h.floor ?? { height: 0, centre_x: 0, centre_z: 0, slope_x: 0, slope_z: 0 };
    this.roots = packed.floats(3 * this.frames);
    this.rotations = packed.floats(4 * this.joints * this.frames);
    this.planted = packed.bytesOf(this.frames);
  }

  get seconds(): number {
    return Math.max(0, this.frames - 1) / this.rate;
  }

  floorAt(x: number, z: number): number {
    const f = this.floor;
    return f.height + f.slope_x * (x - f.centre_x) + f.slope_z * (z - f.centre_z);
  }
}

// A clip of the library, with what is known of it.
export class KnownMotion extends Motion {
  readonly measures: Measures;
  readonly closeLook: CloseLook | null; // none of long motions
  readonly origin: ClipHeader | null;

  constructor(packed: Packed<MotionHeader | ClipHeader>) {
    super(packed);
    const h = packed.header;
    this.measures = h.measures;
    this.closeLook = h.close_look;
    this.origin = 'source' in h ? h : null;
  }
}

export interface Body {
  joints: Joint[];
  endSites: EndSite[];
  sides: number[]; // 0 middle, 1 left, 2 right; one a joint
  positions: Float32Array;
  normals: Float32Array;
  carriers: Uint16Array;
  weights: Float32Array;
  triangles: Uint32Array;
}

export function bodyOf(packed: Packed<BodyHeader>): Body {
  const h = packed.header;
  return {
    joints: h.joints,
    endSites: h.end_sites,
    sides: h.sides,
    positions: packed.floats(3 * h.vertices),
    normals: packed.floats(3 * h.vertices),
    carriers: packed.shorts(4 * h.vertices),
    weights: packed.floats(4 * h.vertices),
    triangles: packed.words(3 * h.triangles),
  };
}

// Where bodies come from, by name; the coarse one has a quarter of the vertices.
export type BodySource = (name: string, coarse?: boolean) => Promise<Body>;

const bodies = new Map<string, Promise<Body>>();

// A body from the server, asked for once.
export const getBody: BodySource = (name, coarse = false) => {
  const route = coarse ? 'GET /api/bodies/*/coarse' : 'GET /api/bodies/*',
    key = `${route} ${name}`;
  let body = bodies.get(key);
  if (!body) {
    body = callPacked(route, { names: [name] }).then(bodyOf);
    body.catch(() => bodies.delete(key));
    bodies.set(key, body);
  }
  return body;
};
