// SPDX-License-Identifier: MIT
// The motion a page carries (loom/picture/viewer_page.cc), decoded when it is first shown.
import { Packed } from '../api';
import { Body, Motion, bodyOf } from '../motion';
import { BodyHeader, ShownHeader } from '../routes';

export interface CarriedClip {
  name: string;
  group: string;
  frames: number; // of the recording
  rate: number; // of the recording, a second
  joints: number;
  stride: number; // every so manieth frame of the recording is carried
  motion: string; // base64 of what a server would send
}

export interface Carried {
  title: string;
  bodies: string[]; // base64, by the number that is their name
  clips: CarriedClip[];
}

interface CarriedHeader extends ShownHeader {
  headings: number[]; // of every frame, radians around the vertical
}

export class CarriedMotion extends Motion {
  readonly headings: number[];

  constructor(
    readonly clip: CarriedClip,
    packed: Packed<CarriedHeader>,
  ) {
    super(packed);
    this.headings = packed.header.headings;
  }

  // The number in the recording of a frame that is shown.
  frameNumber(frame: number): number {
    return Math.min(this.clip.frames - 1, Math.round(frame) * this.clip.stride);
  }
}

function bytesOf(base64: string): ArrayBuffer {
  const text = atob(base64),
    bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes.buffer;
}

export const motionOf = (clip: CarriedClip) => new CarriedMotion(clip, new Packed<CarriedHeader>(bytesOf(clip.motion)));

// Bodies by their number; ghosts get the same one.
export function bodySource(carried: Carried): (name: string) => Promise<Body> {
  const known = new Map<string, Promise<Body>>();
  return name => {
    let body = known.get(name);
    if (!body) known.set(name, (body = Promise.resolve(bodyOf(new Packed<BodyHeader>(bytesOf(carried.bodies[Number(name)]))))));
    return body;
  };
}
