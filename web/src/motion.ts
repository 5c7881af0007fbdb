// SPDX-License-Identifier: MIT
// A clip and a body as the server packs them.
import { Label, Packed, getPacked } from './api';

export interface Measures {
  has_feet: boolean; foot_slide_mean_mps: number; foot_slide_max_mps: number; foot_slide_max_frame: number;
  largest_jump_m: number; largest_jump_frame: number; jerk_rms: number; flight_s: number; path_m: number;
  mean_speed_mps: number; mean_turn_rate_rps: number;
}

// What a close look at the body shows (`loom measure`).
export interface CloseLook {
  has_feet: boolean; knee_backward_deg: number; knee_backward_frame: number; elbow_backward_deg: number; elbow_backward_frame: number;
  foot_reversed_frames: number; foot_reversed_frame: number; sole_height_m: number; glide_share: number; glide_frame: number;
  drags_per_minute: number; drag_max_m: number; drag_max_frame: number; self_inside_m: number; self_inside_frame: number;
  head_acceleration_mps2: number; head_acceleration_frame: number;
}

export interface Floor { height: number; centre_x: number; centre_z: number; slope_x: number; slope_z: number }

// Metres, Y up. Rotations are w, x, y, z.
export class Motion {
  readonly name: string;
  readonly frames: number;
  readonly rate: number;
  readonly joints: number;
  readonly body: string;
  readonly labels: Label[];
  readonly measures: Measures;
  readonly closeLook: CloseLook | null;  // none of long motions
  readonly footPoints: number[];
  readonly floor: Floor;
  readonly roots: Float32Array;
  readonly rotations: Float32Array;
  readonly planted: Uint8Array;
  readonly facts: any;

  constructor(packed: Packed) {
    const h = this.facts = packed.header;
    this.name = h.name;
    this.frames = h.frames;
    this.rate = h.rate;
    this.joints = h.joints;
    this.body = h.body;
    this.labels = h.labels;
    this.measures = h.measures;
    this.closeLook = h.close_look ?? null;
    this.footPoints = h.foot_points ?? [-1, -1, -1, -1];
    this.floor = h.floor ?? { height: 0, centre_x: 0, centre_z: 0, slope_x: 0, slope_z: 0 };
    this.roots = packed.floats(3 * this.frames);
    this.rotations = packed.floats(4 * this.joints * this.frames);
    this.planted = packed.bytesOf(this.frames);
  }

  get seconds(): number { return Math.max(0, this.frames - 1) / this.rate; }

  floorAt(x: number, z: number): number {
    const f = this.floor;
    return f.height + f.slope_x * (x - f.centre_x) + f.slope_z * (z - f.centre_z);
  }
}

export interface Joint { name: string; parent: number; offset: [number, number, number] }

export interface Body {
  joints: Joint[];
  endSites: { joint: number; offset: [number, number, number] }[];
  sides: number[];  // 0 middle, 1 left, 2 right; one a joint
  positions: Float32Array;
  normals: Float32Array;
  carriers: Uint16Array;
  weights: Float32Array;
  triangles: Uint32Array;
}

const bodies = new Map<string, Promise<Body>>();

// A body, asked for once; the coarse one has a quarter of the vertices.
export function getBody(name: string, coarse = false): Promise<Body> {
  const address = `/api/bodies/${name}${coarse ? '/coarse' : ''}`;
  let body = bodies.get(address);
  if (!body) {
    body = getPacked(address).then(packed => {
      const h = packed.header;
      return {
        joints: h.joints, endSites: h.end_sites, sides: h.sides,
        positions: packed.floats(3 * h.vertices), normals: packed.floats(3 * h.vertices),
        carriers: packed.shorts(4 * h.vertices), weights: packed.floats(4 * h.vertices),
        triangles: packed.words(3 * h.triangles),
      };
    });
    body.catch(() => bodies.delete(address));
    bodies.set(address, body);
  }
  return body;
}
