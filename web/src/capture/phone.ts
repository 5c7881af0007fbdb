// SPDX-License-Identifier: MIT
// This device as one sensor: its orientation, as far as the browser tells it, sent over the page's own socket. Browsers
// tell it on phones, and only to pages from this machine or over https.
import { button, el } from '../dom';
import { Quaternion } from '../routes';
import { socket } from '../socket';

const kDegree = Math.PI / 180;

// The W3C's angles, Z by alpha, then X by beta, then Y by gamma, in a world with X east, Y north and Z up, as w, x, y, z.
export function fromAngles(alpha: number, beta: number, gamma: number): Quaternion {
  const [a, b, c] = [alpha, beta, gamma].map(angle => (angle * kDegree) / 2);
  const [cz, cx, cy] = [a, b, c].map(Math.cos),
    [sz, sx, sy] = [a, b, c].map(Math.sin);
  return [cx * cy * cz - sx * sy * sz, sx * cy * cz - cx * sy * sz, cx * sy * cz + sx * cy * sz, cx * cy * sz + sx * sy * cz];
}

type Permitted = { requestPermission?: () => Promise<string> };

export class PhoneSensor {
  readonly element: HTMLElement;
  onjoin: (() => void) | null = null;
  private readonly told = el('p', { class: 'faint', id: 'phone-told' });
  private readonly name = el('input', { type: 'text', value: 'phone', 'aria-label': 'Name of this sensor', id: 'phone-name' });
  private sent = 0;
  private listening = false;

  constructor() {
    this.element = el(
      'section',
      { class: 'phone-sensor' },
      el('h2', {}, 'This device as a sensor'),
      el(
        'div',
        { class: 'row' },
        this.name,
        button('Send its orientation', () => void this.start()),
      ),
      this.told,
    );
  }

  private async start(): Promise<void> {
    const asks = (window.DeviceOrientationEvent as Permitted | undefined)?.requestPermission;
    if (!('DeviceOrientationEvent' in window)) {
      this.told.textContent = 'This browser does not tell how the device is turned.';
      return;
    }
    if (asks && (await asks()) !== 'granted') {
      this.told.textContent = 'The browser was not allowed to tell how the device is turned.';
      return;
    }
    this.onjoin?.();
    if (this.listening) return;
    this.listening = true;
    this.told.textContent = 'Waiting for the device to move.';
    const kind = 'ondeviceorientationabsolute' in window ? 'deviceorientationabsolute' : 'deviceorientation';
    addEventListener(kind, event => this.send(event as DeviceOrientationEvent));
  }

  private send({ alpha, beta, gamma, timeStamp }: DeviceOrientationEvent): void {
    if (alpha === null || beta === null || gamma === null) return;
    const parts = { [this.name.value || 'phone']: { q: fromAngles(alpha, beta, gamma) } };
    socket.say({ frame: { loom: 1, t: timeStamp / 1000, n: ++this.sent, up: 'z', parts } });
    if (this.sent % 20 === 1) this.told.textContent = `${this.sent} orientations sent`;
  }
}
