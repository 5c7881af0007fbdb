// SPDX-License-Identifier: MIT
// The compiled library: its memory, and calls into it. It was linked without a system around it; what little it asks of one
// (the clock, files it does not find, text for a standard error that nobody reads) is answered here.

export type WasmSource = BufferSource | WebAssembly.Module | Response | Promise<Response> | URL | string;

type Export = (...given: (number | bigint)[]) => number;

const kNoSuchCall = 52; // ENOSYS, by WASI's numbers

export class Machine {
  private readonly memory: WebAssembly.Memory;
  private readonly calls: Record<string, Export>;
  private known: ArrayBuffer | null = null; // what the views are of: memory that grows is another buffer
  private bytes_!: Uint8Array;
  private floats_!: Float32Array;
  private view_!: DataView;

  constructor(instance: WebAssembly.Instance) {
    this.memory = instance.exports.memory as WebAssembly.Memory;
    this.calls = instance.exports as Record<string, Export>;
    this.calls._initialize();
  }

  call(name: string, ...given: (number | bigint)[]): number {
    return this.calls[name](...given);
  }

  get bytes(): Uint8Array {
    this.look();
    return this.bytes_;
  }
  get floats(): Float32Array {
    this.look();
    return this.floats_;
  }
  get view(): DataView {
    this.look();
    return this.view_;
  }

  // How much memory it has taken, bytes.
  get size(): number {
    return this.memory.buffer.byteLength;
  }

  allocate(size: number): number {
    const at = this.calls.malloc(size) >>> 0;
    if (!at) throw new RangeError(`there is no memory for ${size} bytes`);
    return at;
  }
  release(at: number): void {
    this.calls.free(at);
  }

  // Calls `work` with a function that gives out memory, which is taken back afterwards.
  scoped<T>(work: (room: (size: number) => number) => T): T {
    const taken: number[] = [];
    try {
      return work(size => {
        const at = this.allocate(size);
        taken.push(at);
        return at;
      });
    } finally {
      taken.forEach(at => this.release(at));
    }
  }

  // The text at `at` that ends with 0.
  text(at: number): string {
    const { bytes } = this;
    return new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at)));
  }

  private look(): void {
    const { buffer } = this.memory;
    if (buffer === this.known) return;
    this.known = buffer;
    this.bytes_ = new Uint8Array(buffer);
    this.floats_ = new Float32Array(buffer);
    this.view_ = new DataView(buffer);
  }
}

export async function openMachine(source: WasmSource): Promise<Machine> {
  const module = await moduleOf(source);
  let memory: WebAssembly.Memory | null = null;
  const known: Record<string, (...given: never[]) => unknown> = {
    clock_time_get: (_clock: number, _precision: bigint, out: number) => {
      new DataView(memory!.buffer).setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    environ_sizes_get: (count: number, size: number) => {
      const view = new DataView(memory!.buffer);
      view.setUint32(count, 0, true);
      view.setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    emscripten_notify_memory_growth: () => undefined,
    proc_exit: (code: number) => {
      throw new Error(`the library ended itself (${code}): this is a fault of Motion Loom`);
    },
  };
  const imports: WebAssembly.Imports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== 'function') throw new Error(`the library asks for ${from}.${name}, which a page does not have`);
    // System calls answer negative numbers of errors, functions of WASI positive ones.
    (imports[from] ??= {})[name] = known[name] ?? (() => (from === 'env' ? -kNoSuchCall : kNoSuchCall));
  }
  const instance = await WebAssembly.instantiate(module, imports);
  memory = instance.exports.memory as WebAssembly.Memory;
  return new Machine(instance);
}

async function moduleOf(source: WasmSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === 'string' || source instanceof URL) return moduleAt(source);
  if (source instanceof Promise || source instanceof Response) {
    const response = await source;
    if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
    return WebAssembly.compile(await response.arrayBuffer());
  }
  return WebAssembly.compile(source);
}

// From an address; in Node, whose fetch reads no files, from disk.
async function moduleAt(address: string | URL): Promise<WebAssembly.Module> {
  const url = address instanceof URL ? address : new URL(address, globalThis.location?.href ?? import.meta.url);
  if (url.protocol === 'file:' && typeof globalThis.location === 'undefined') {
    const files = 'node:fs/promises'; // in a variable, so that bundlers for pages leave it alone
    const { readFile } = (await import(files)) as { readFile(path: URL): Promise<Uint8Array<ArrayBuffer>> };
    return WebAssembly.compile(await readFile(url));
  }
  return moduleOf(fetch(url));
}
