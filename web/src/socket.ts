// SPDX-License-Identifier: MIT
// The page's one WebSocket: events as text, poses of the scene it has joined as binary frames.
import { Events, Said } from './routes';

export interface ScenePose {
  root: Float32Array;
  rotations: Float32Array;
  planted: number;
  clip: number; // it was taken from, as SceneInfo.clips counts them
  frame: number; // of that
}

export interface SceneFrame {
  number: number;
  answered: number; // number of the last message whose effect it shows
  characters: ScenePose[];
  values: Float32Array;
  worn: Float32Array; // what the nodes of the character do that is shown instead, seven a node; empty without one
}

// What is told on this page: events of the server, and of the line to it.
interface Told extends Events {
  connected: object;
  disconnected: object;
}
type Listener<K extends keyof Told> = (event: Told[K]) => void;

// The layout is that of apps/studio/stage.h.
export function readFrame(bytes: ArrayBuffer): SceneFrame {
  const words = new Uint32Array(bytes),
    floats = new Float32Array(bytes);
  const characters: ScenePose[] = [];
  let at = 4;
  for (let c = 0; c < words[2]; ++c) {
    const joints = words[at];
    characters.push({
      root: floats.subarray(at + 1, at + 4),
      rotations: floats.subarray(at + 4, at + 4 + 4 * joints),
      planted: words[at + 4 + 4 * joints],
      clip: words[at + 5 + 4 * joints],
      frame: words[at + 6 + 4 * joints],
    });
    at += 7 + 4 * joints;
  }
  return {
    number: words[0],
    answered: words[1],
    characters,
    values: floats.subarray(at, at + words[3]),
    worn: floats.subarray(at + words[3]),
  };
}

class Socket {
  onframe: ((frame: SceneFrame) => void) | null = null;
  private socket: WebSocket | null = null;
  private readonly listeners: { [K in keyof Told]?: Set<Listener<K>> } = {};
  private seq = 0;
  private scene = 0;

  connect(): void {
    this.socket = new WebSocket(`ws://${location.host}/ws`);
    this.socket.binaryType = 'arraybuffer';
    this.socket.onopen = () => {
      this.tell('connected', {});
      if (this.scene) this.join(this.scene);
    };
    this.socket.onclose = () => {
      this.tell('disconnected', {});
      setTimeout(() => this.connect(), 1000);
    };
    this.socket.onmessage = message => {
      if (message.data instanceof ArrayBuffer) {
        const frame = readFrame(message.data);
        this.write({ do: 'seen', frame: frame.number }); // so that never many are on the way
        this.onframe?.(frame);
      } else {
        const event = JSON.parse(message.data);
        this.tell(event.event, event);
      }
    };
  }

  // Listens to events of a kind; returns how to stop listening.
  on<K extends keyof Told>(event: K, listener: Listener<K>): () => void {
    const known: Set<Listener<K>> = this.listeners[event] ?? new Set();
    Object.assign(this.listeners, { [event]: known.add(listener) });
    return () => known.delete(listener);
  }

  join(scene: number): void {
    this.scene = scene;
    this.write({ do: 'join', scene });
  }

  leave(): void {
    this.scene = 0;
    this.onframe = null;
    this.write({ do: 'leave' });
  }

  // Says something to the scene; returns the number by which its frames tell that they have heard it.
  say(message: Said): number {
    this.write({ ...message, do: 'say', seq: ++this.seq });
    return this.seq;
  }

  private write(message: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private tell<K extends keyof Told>(name: K, event: Told[K]): void {
    const listeners: Set<Listener<K>> | undefined = this.listeners[name];
    listeners?.forEach(listener => listener(event));
  }
}

export const socket = new Socket();
