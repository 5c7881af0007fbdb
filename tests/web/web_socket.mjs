// SPDX-License-Identifier: MIT
// As much of a WebSocket client as a test needs (RFC 6455), since not every Node.js that is supported has one.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';

// Opens a socket; onmessage gets texts as strings and binary frames as buffers.
export async function openSocket(url, onmessage) {
  const asked = request(url, {
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
      Origin: new URL(url).origin,
    },
  });
  asked.end();
  const [, line, first] = await once(asked, 'upgrade');
  let waiting = first,
    parts = null; // of the message that is coming
  const write = (kind, content) => {
    const mask = randomBytes(4),
      { length } = content;
    const head = length < 126 ? Buffer.from([0x80 | kind, 0x80 | length]) : Buffer.from([0x80 | kind, 0xfe, length >> 8, length & 255]);
    line.write(Buffer.concat([head, mask, content.map((byte, i) => byte ^ mask[i % 4])]));
  };
  const take = () => {
    while (waiting.length >= 2) {
      const short = waiting[1] & 127,
        start = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (waiting.length < start) return;
      const length = short < 126 ? short : short === 126 ? waiting.readUInt16BE(2) : Number(waiting.readBigUInt64BE(2));
      if (waiting.length < start + length) return;
      const kind = waiting[0] & 15,
        last = (waiting[0] & 0x80) !== 0,
        content = waiting.subarray(start, start + length);
      waiting = waiting.subarray(start + length);
      if (kind === 9) write(10, content); // a ping: who does not answer is taken to be gone
      if (kind > 2) continue;
      if (kind) parts = { kind, contents: [] }; // else more of the message before: long ones come in parts
      parts.contents.push(content);
      if (!last) continue;
      const whole = Buffer.concat(parts.contents);
      onmessage(parts.kind === 1 ? whole.toString('utf8') : whole);
    }
  };
  line.on('data', part => {
    waiting = Buffer.concat([waiting, part]);
    take();
  });
  take();
  return {
    say(message) {
      write(1, Buffer.from(JSON.stringify(message)));
    },
    close() {
      line.destroy();
    },
  };
}
