// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Packed } from '../../../web/src/api';
import { readFrame, socket } from '../../../web/src/socket';

// The bytes of a frame, as apps/studio/stage.h lays them out.
function frameBytes(number, answered, characters, values) {
  const words = 4 + characters.reduce((sum, { rotations }) => sum + 7 + rotations.length, 0) + values.length;
  const bytes = new DataView(new ArrayBuffer(4 * words));
  let at = 0;
  const word = value => {
    bytes.setUint32(at, value, true);
    at += 4;
  };
  const float = value => {
    bytes.setFloat32(at, value, true);
    at += 4;
  };
  [number, answered, characters.length, values.length].forEach(word);
  for (const { root, rotations, planted, clip, frame } of characters) {
    word(rotations.length / 4);
    root.forEach(float);
    rotations.forEach(float);
    [planted, clip, frame].forEach(word);
  }
  values.forEach(float);
  return bytes.buffer;
}

test('a frame without anybody', () => {
  const frame = readFrame(frameBytes(3, 2, [], []));
  assert.equal(frame.number, 3);
  assert.equal(frame.answered, 2);
  assert.deepEqual(frame.characters, []);
  assert.equal(frame.values.length, 0);
});

test('characters with different numbers of joints, and values behind them', () => {
  const one = { root: [1, 2, 3], rotations: [1, 0, 0, 0], planted: 5, clip: 2, frame: 70 };
  const other = { root: [-1, 0.5, 0.25], rotations: [1, 0, 0, 0, 0, 1, 0, 0], planted: 15, clip: 0, frame: 4294967295 };
  const frame = readFrame(frameBytes(4294967295, 9, [one, other], [0.5, -2]));
  assert.equal(frame.number, 4294967295);
  const read = frame.characters.map(pose => ({ ...pose, root: [...pose.root], rotations: [...pose.rotations] }));
  assert.deepEqual(read, [one, other]);
  assert.deepEqual([...frame.values], [0.5, -2]);
});

test('a packed answer: a header, and arrays that each begin at a multiple of four', () => {
  const text = '{"count":3}  '; // padded by the server
  const header = new TextEncoder().encode(text.padEnd(16)),
    bytes = new ArrayBuffer(4 + 16 + 4 + 8 + 4);
  const view = new DataView(bytes);
  view.setUint32(0, 16, true);
  new Uint8Array(bytes, 4).set(header);
  [1, 2, 3].forEach((value, i) => view.setUint8(20 + i, value));
  [0.5, -1].forEach((value, i) => view.setFloat32(24 + 4 * i, value, true));
  view.setUint16(32, 40000, true);
  const packed = new Packed(bytes);
  assert.deepEqual(packed.header, { count: 3 });
  assert.deepEqual([...packed.bytesOf(3)], [1, 2, 3]);
  assert.deepEqual([...packed.floats(2)], [0.5, -1]);
  assert.deepEqual([...packed.shorts(1)], [40000]);
});

// A WebSocket that a test speaks for.
class Line {
  static OPEN = 1;
  readyState = 1;
  sent = [];
  constructor(url) {
    Object.assign(this, { url });
    Line.last = this;
  }
  send(text) {
    this.sent.push(JSON.parse(text));
  }
}

test('the socket tells who listens, says with a number, and joins its scene again when the line was broken', () => {
  Object.assign(globalThis, { WebSocket: Line, location: { host: 'here:1' } });
  const heard = [],
    frames = [],
    stop = socket.on('piece', event => heard.push(event.clip));
  socket.connect();
  assert.equal(Line.last.url, 'ws://here:1/ws');
  Line.last.onopen();
  socket.join(12);
  assert.deepEqual(Line.last.sent, [{ do: 'join', scene: 12 }]);
  const before = socket.say({ speed: 2 });
  assert.equal(socket.say({ speed: 1 }), before + 1);
  assert.deepEqual(Line.last.sent.at(-1), { do: 'say', seq: before + 1, speed: 1 });
  Line.last.onmessage({ data: '{"event":"piece","scene":12,"clip":"walk","frame":3}' });
  Line.last.onmessage({ data: '{"event":"unheard of"}' });
  stop();
  Line.last.onmessage({ data: '{"event":"piece","scene":12,"clip":"run","frame":3}' });
  assert.deepEqual(heard, ['walk']);
  socket.onframe = frame => frames.push(frame.number);
  Line.last.onmessage({ data: frameBytes(7, 0, [], []) });
  assert.deepEqual(frames, [7]);
  assert.deepEqual(Line.last.sent.at(-1), { do: 'seen', frame: 7 });
  socket.connect();
  Line.last.onopen();
  assert.deepEqual(Line.last.sent, [{ do: 'join', scene: 12 }]);
  socket.leave();
});
