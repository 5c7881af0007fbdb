// SPDX-License-Identifier: MIT
// How to ask the server: every question is one of the routes, with what it needs and what comes back (routes.ts).
import { Routes } from './routes';

export class Refused extends Error {}
// Nobody wants the answer any more.
export class Cancelled extends Error {}

export type RouteName = keyof Routes;

// One name for each * of a route.
type NamesOf<Path> = Path extends `${string}*${infer Rest}` ? [name: string | number, ...NamesOf<Rest>] : [];
type OnlyWhereAny<Names> = Names extends [] ? unknown : { names: Names };

// What a route needs to be asked.
export type Question<R extends RouteName> = OnlyWhereAny<NamesOf<R>> &
  Pick<Routes[R], Extract<keyof Routes[R], 'query' | 'body'>> & { signal?: AbortSignal };
type Questions<R extends RouteName> = {} extends Question<R> ? [question?: Question<R>] : [question: Question<R>];

type RoutesWith<Answer extends string> = { [R in RouteName]: Answer extends keyof Routes[R] ? R : never }[RouteName];
export type JsonRoute = RoutesWith<'json'>;
export type PackedRoute = RoutesWith<'packed'>;
export type FileRoute = RoutesWith<'file'>;
type AnswerOf<R extends RouteName, Kind extends string> = Routes[R] extends Record<Kind, infer Answer> ? Answer : never;

interface AnyQuestion {
  names?: (string | number)[];
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  signal?: AbortSignal;
}

// Why something was refused: routes say so in JSON, the server itself in plain words.
function reason(text: string): string {
  try {
    return (JSON.parse(text) as { error: string }).error;
  } catch {
    return text.trim();
  }
}

// The method and the address of a route, its names filled in and its query behind it.
function methodAndPath(route: RouteName, question: AnyQuestion = {}): [method: string, path: string] {
  const [method, pattern] = route.split(' '),
    names = [...(question.names ?? [])];
  const path = pattern.replaceAll('*', () => encodeURIComponent(names.shift() ?? ''));
  const given = Object.entries(question.query ?? {}).filter(([, value]) => value !== undefined);
  const query = given.map(([name, value]) => `${name}=${encodeURIComponent(value!)}`).join('&');
  return [method, query ? `${path}?${query}` : path];
}

async function ask(route: RouteName, question?: AnyQuestion): Promise<Response> {
  const [method, path] = methodAndPath(route, question),
    { body, signal } = question ?? {};
  const options: RequestInit = { method, signal };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers = { 'Content-Type': 'application/json' };
  }
  let response: Response;
  try {
    response = await fetch(path, options);
  } catch {
    if (signal?.aborted) throw new Cancelled();
    throw new Refused('The studio does not answer. Is it still running?');
  }
  if (response.ok) return response;
  throw new Refused(reason(await response.text()) || `${response.status} ${response.statusText}`);
}

// Where a file is to be had: for a link or a picture.
export const addressOf = <R extends FileRoute>(route: R, question: Question<R>): string => methodAndPath(route, question as AnyQuestion)[1];

export async function call<R extends JsonRoute>(route: R, ...[question]: Questions<R>): Promise<AnswerOf<R, 'json'>> {
  return (await ask(route, question as AnyQuestion)).json();
}

// The same as the text that came.
export async function callText(route: JsonRoute): Promise<string> {
  return (await ask(route)).text();
}

// A JSON header and the arrays behind it, read one after the other (loom/picture/pack.h).
export class Packed<Header> {
  readonly header: Header;
  private at: number;

  constructor(private readonly bytes: ArrayBuffer) {
    const length = new DataView(bytes).getUint32(0, true);
    this.header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
    this.at = 4 + length;
  }

  floats(count: number): Float32Array {
    return this.take(new Float32Array(this.bytes, this.at, count));
  }
  shorts(count: number): Uint16Array {
    return this.take(new Uint16Array(this.bytes, this.at, count));
  }
  words(count: number): Uint32Array {
    return this.take(new Uint32Array(this.bytes, this.at, count));
  }
  bytesOf(count: number): Uint8Array {
    return this.take(new Uint8Array(this.bytes, this.at, count));
  }

  private take<T extends ArrayBufferView>(view: T): T {
    this.at += Math.ceil(view.byteLength / 4) * 4;
    return view;
  }
}

// The `signal` of a question ends the work at the server, too.
export async function callPacked<R extends PackedRoute>(route: R, ...[question]: Questions<R>): Promise<Packed<AnswerOf<R, 'packed'>>> {
  return new Packed(await (await ask(route, question as AnyQuestion)).arrayBuffer());
}

// A file as bytes.
export async function callFile<R extends FileRoute>(route: R, ...[question]: Questions<R>): Promise<ArrayBuffer> {
  return (await ask(route, question as AnyQuestion)).arrayBuffer();
}

// Sends what need not be answered while the page closes.
export function callLast<R extends JsonRoute>(route: R, ...[question]: Questions<R>): void {
  const asked = question as AnyQuestion;
  navigator.sendBeacon(methodAndPath(route, asked)[1], JSON.stringify(asked.body));
}

// Sends one file of a drop under a name, telling how much of it has gone.
export function upload(batch: string, name: string, file: File, progress: (share: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(...methodAndPath('PUT /api/uploads/*/*', { names: [batch, name] }));
    request.upload.onprogress = event => progress(event.total ? event.loaded / event.total : 0);
    request.onerror = () => reject(new Refused(`${file.name} could not be sent`));
    request.onload = () => {
      if (request.status === 200) return resolve();
      reject(new Refused(reason(request.responseText) || `${file.name} was refused`));
    };
    request.send(file);
  });
}
