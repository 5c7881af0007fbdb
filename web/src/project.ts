// SPDX-License-Identifier: MIT
// The open library as the page knows it, kept up to date.
import { callText } from './api';
import { attempt, notify } from './notices';
import { ClipInfo, DamagedClip, LibraryState } from './routes';
import { socket } from './socket';

// One damaged clip is told with what is wrong with it, several by their names.
function toldDamage(damaged: DamagedClip[]): string {
  if (damaged.length === 1) return `The clip '${damaged[0].name}' is damaged and not shown: ${damaged[0].error}`;
  return `${damaged.length} clips are damaged and not shown: ${damaged.map(clip => clip.name).join(', ')}`;
}

class Project {
  state: LibraryState | null = null;
  private readonly listeners = new Set<() => void>();
  private loading: Promise<void> | null = null;
  private stale = false;
  private text = ''; // the state as it came, to see whether it is another
  private damage = ''; // what was last told of damaged clips: once is enough

  // Called at once where there is a state, and whenever it changes; returns how to stop listening.
  watch(listener: () => void): () => void {
    this.listeners.add(listener);
    if (this.state) listener();
    return () => this.listeners.delete(listener);
  }

  clip(name: string): ClipInfo | undefined {
    return this.state?.clips.find(clip => clip.name === name);
  }

  // Asks the server again; many calls at once become one.
  refresh(): Promise<void> {
    if (this.loading) {
      this.stale = true;
      return this.loading;
    }
    this.loading = (async () => {
      do {
        this.stale = false;
        this.text = await callText('GET /api/library');
        this.state = JSON.parse(this.text);
        this.tellDamage(this.state!.damaged);
        this.listeners.forEach(listener => listener());
      } while (this.stale);
    })().finally(() => {
      this.loading = null;
    });
    return this.loading;
  }

  private tellDamage(damaged: DamagedClip[]): void {
    const text = damaged.length ? toldDamage(damaged) : '';
    if (text && text !== this.damage) notify(text, 'error');
    this.damage = text;
  }

  // Sees whether somebody else, such as a command, changed the library.
  async look(): Promise<void> {
    if (!this.loading && (await callText('GET /api/library')) !== this.text) await this.refresh();
  }
}

export const project = new Project();
socket.on('library', event => {
  if (event.gone) return;
  if (event.look) return void attempt(() => project.look());
  if (event.replaced) notify('Another file was put in the place of the library. This is what it holds.', 'error');
  void attempt(() => project.refresh());
});

// What is wrong with a name for a new clip; null: nothing.
export const newClipName = (name: string): string | null =>
  project.clip(name) ? `There is a clip called ${name} already: choose another name.` : null;
