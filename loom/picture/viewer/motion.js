// SPDX-License-Identifier: MIT
// The motion a page carries: decoding it, and where everything is at a moment.

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// A clip decoded when it is first shown. Times are in shown frames: every `stride`-th of the recording.
class Motion {
  constructor(clip, figure) {
    this.clip = clip;
    this.figure = figure;
    this.roots = new Float32Array(bytesOf(clip.roots).buffer);  // x, y, z, heading of each frame
    this.packed = new Int16Array(bytesOf(clip.points).buffer);
    this.planted = clip.planted === null ? null : bytesOf(clip.planted);
    this.count = this.roots.length / 4;
    this.rate = clip.rate / clip.stride;
    this.points = new Float32Array(figure.points * 3);
    this.root = [0, 0, 0];
    this.heading = 0;
    this.prints = this.planted ? findFootprints(this) : [];
  }

  // The number in the recording of a shown frame.
  frameNumber(at) { return Math.min(this.clip.frames - 1, Math.round(at) * this.clip.stride); }

  // The height of the floor at (x, z): a plane, tilted where the capture was.
  floorAt(x, z) {
    const [height, cx, cz, sx, sz] = this.clip.floor;
    return height + sx * (x - cx) + sz * (z - cz);
  }

  // Brings points, root and heading to a moment between frames.
  pose(at) {
    const clamped = Math.max(0, Math.min(this.count - 1, at));
    const before = Math.floor(clamped), after = Math.min(before + 1, this.count - 1), share = clamped - before;
    for (let i = 0; i < 3; ++i) {
      this.root[i] = this.roots[before * 4 + i] * (1 - share) + this.roots[after * 4 + i] * share;
    }
    const a = this.roots[before * 4 + 3], b = this.roots[after * 4 + 3];
    this.heading = a + Math.atan2(Math.sin(b - a), Math.cos(b - a)) * share;
    const size = this.points.length, unit = this.clip.unit;
    for (let i = 0; i < size; ++i) {
      const value = this.packed[before * size + i] * (1 - share) + this.packed[after * size + i] * share;
      this.points[i] = value * unit + this.root[i % 3];
    }
  }

  // A point of a frame as [x, y, z].
  pointAt(frame, index) {
    const out = [0, 0, 0];
    for (let i = 0; i < 3; ++i) {
      out[i] = this.packed[(frame * this.figure.points + index) * 3 + i] * this.clip.unit + this.roots[frame * 4 + i];
    }
    return out;
  }
}

// Where soles stand: one print for each stand of a foot, another wherever the foot has moved on the floor since.
function findFootprints(motion) {
  const moved = 0.08;  // metres
  const prints = [];
  motion.figure.soles.forEach(([heel, toe], side) => {
    if (heel < 0) return;
    let last = null;
    for (let f = 0; f < motion.count; ++f) {
      const bits = motion.planted[f] >> (2 * side) & 3;
      if (bits === 0) { last = null; continue; }
      const a = motion.pointAt(f, heel), b = motion.pointAt(f, toe);
      a[1] = motion.floorAt(a[0], a[2]);
      b[1] = motion.floorAt(b[0], b[2]);
      if (last && Math.hypot(b[0] - last.toe[0], b[2] - last.toe[2]) < moved) {
        last.end = f + 1;
      } else if (bits === 3 || last) {
        last = { heel: a, toe: b, side, begin: f, end: f + 1 };
        prints.push(last);
      }
    }
  });
  return prints;
}

