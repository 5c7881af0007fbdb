// SPDX-License-Identifier: MIT
// How richly pictures are drawn. Where a processor draws in place of a graphics card (a virtual machine, a remote
// desktop), every pixel counts: shadows, smooth edges and a textured floor take more than a tenth of a second there.
// The address can ask for either: ?drawing=full, ?drawing=plain.

function drawnByProcessor(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  const named = gl?.getExtension('WEBGL_debug_renderer_info');
  const renderer = gl && String(gl.getParameter(named ? named.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(renderer ?? '');
}

const asked = new URLSearchParams(location.search).get('drawing');

export const plain = asked ? asked === 'plain' : drawnByProcessor();

// Whether so many characters, all moving live, get the coarse body.
export function isCrowd(characters: number): boolean {
  return plain || characters > 30;
}

const kSlow = 1 / 45,
  kQuick = 1 / 57; // seconds a picture
const kLeast = 0.5; // of the pixels a side
const kTrial = 600; // pictures in a row that were quick before more pixels are tried

// Lowers the number of pixels while pictures come too slowly, and tries more of them after a good while.
export class PixelBudget {
  share = 1;
  private mean = 1 / 60;
  private quick = 0;
  private trial = kTrial;

  // A picture was drawn `seconds` after the last one, both while something moved.
  drew(seconds: number): void {
    this.mean += (seconds - this.mean) * 0.06;
    this.quick = this.mean < kQuick ? this.quick + 1 : 0;
    if (this.mean > kSlow && this.share > kLeast) {
      if (this.share === 1) this.trial *= 2; // full size was tried and was too much
      this.set(Math.max(kLeast, this.share * 0.8));
    } else if (this.quick > this.trial && this.share < 1) {
      this.set(1);
    }
  }

  private set(share: number): void {
    this.share = share;
    this.mean = 1 / 50;
    this.quick = 0;
  }
}
