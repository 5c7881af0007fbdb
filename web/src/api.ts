// SPDX-License-Identifier: MIT
// What the server says, in types, and how to ask it.

export interface Label { name: string; begin: number; end: number }

export interface ClipInfo {
  name: string; frames: number; rate: number; seconds: number; joints: number; skeleton: number; hash: string;
  labels: Label[];
}

export interface LabelTotal { name: string; clips: number; seconds: number }

export interface GraphInfo { name: string; bytes: number; created: string; parameters: Record<string, unknown> }

// A clip that cannot be told of, and why.
export interface DamagedClip { name: string; error: string }

export interface LibraryState {
  path: string; read_only: boolean; clips: ClipInfo[]; damaged: DamagedClip[]; labels: LabelTotal[];
  graphs: GraphInfo[];
}

export interface Job {
  id: number; kind: string; title: string; state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  what: string; share: number; error?: string; result?: any;
}

export class Refused extends Error {}
// Nobody wants the answer any more.
export class Cancelled extends Error {}

// Why something was refused: routes say so in JSON, the server itself in plain words.
function reason(text: string): string {
  try {
    return JSON.parse(text).error;
  } catch {
    return text.trim();
  }
}

async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  throw new Refused(reason(await response.text()) || `${response.status} ${response.statusText}`);
}

async function ask(path: string, options?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, options);
  } catch {
    if (options?.signal?.aborted) throw new Cancelled();
    throw new Refused('The studio does not answer. Is it still running?');
  }
  return checked(response);
}

export const encode = encodeURIComponent;

export async function getJson<T>(path: string): Promise<T> {
  return (await ask(path)).json();
}

export async function getText(path: string): Promise<string> {
  return (await ask(path)).text();
}

export async function send<T>(method: 'POST' | 'DELETE', path: string, body?: unknown): Promise<T> {
  const options: RequestInit = { method };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers = { 'Content-Type': 'application/json' };
  }
  return (await ask(path, options)).json();
}

// A JSON header and the arrays behind it, read one after the other (apps/studio/pack.h).
export class Packed {
  readonly header: any;
  private at: number;

  constructor(private readonly bytes: ArrayBuffer) {
    const length = new DataView(bytes).getUint32(0, true);
    this.header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
    this.at = 4 + length;
  }

  floats(count: number): Float32Array { return this.take(new Float32Array(this.bytes, this.at, count)); }
  shorts(count: number): Uint16Array { return this.take(new Uint16Array(this.bytes, this.at, count)); }
  words(count: number): Uint32Array { return this.take(new Uint32Array(this.bytes, this.at, count)); }
  bytesOf(count: number): Uint8Array { return this.take(new Uint8Array(this.bytes, this.at, count)); }

  private take<T extends ArrayBufferView>(view: T): T {
    this.at += Math.ceil(view.byteLength / 4) * 4;
    return view;
  }
}

export async function getPacked(path: string): Promise<Packed> {
  return new Packed(await (await ask(path)).arrayBuffer());
}

// `signal` ends the work at the server, too.
export async function postPacked(path: string, body: unknown, signal?: AbortSignal): Promise<Packed> {
  const response = await ask(path, { method: 'POST', body: JSON.stringify(body), signal });
  return new Packed(await response.arrayBuffer());
}

// Sends one file of a drop under a name, telling how much of it has gone.
export function upload(batch: string, name: string, file: File, progress: (share: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', `/api/uploads/${encode(batch)}/${encode(name)}`);
    request.upload.onprogress = event => progress(event.total ? event.loaded / event.total : 0);
    request.onerror = () => reject(new Refused(`${file.name} could not be sent`));
    request.onload = () => {
      if (request.status === 200) return resolve();
      reject(new Refused(reason(request.responseText) || `${file.name} was refused`));
    };
    request.send(file);
  });
}
