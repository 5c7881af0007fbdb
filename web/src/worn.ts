// SPDX-License-Identifier: MIT
// Which character of the library is shown in place of the plain body, on every page; remembered by the browser.
import { keep, kept } from './storage';

const listeners = new Set<() => void>();
let name = kept('worn') ?? '';

export const worn = {
  // Empty: the plain body.
  get name(): string {
    return name;
  },
  choose(character: string): void {
    name = character;
    keep('worn', name);
    this.drawAgain();
  },
  // What is shown looks different now.
  drawAgain(): void {
    listeners.forEach(listener => listener());
  },
  // Called whenever another is chosen, or looks different; returns how to stop listening.
  watch(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

// For what is saved: a glb of the character that is shown, with its own mesh.
export const onWorn = (format: string): { on?: string } => (format === 'glb' && name ? { on: name } : {});
