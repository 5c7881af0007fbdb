// SPDX-License-Identifier: MIT
// Takes changes of the library back, and makes them again: Ctrl+Z, Ctrl+Shift+Z.
import { attempt, notify } from './notices';
import { project } from './project';
import { UndoStack } from './undo_stack';

const stack = new UndoStack({ attempt, notify, changed: () => project.refresh() });

export const change = <T>(what: string, again: () => Promise<T>, back: () => Promise<unknown>): Promise<T | undefined> =>
  stack.change(what, again, back);

export const libraryChanges = stack;

// Whether the key was for us; `changes` are those of the page one is on.
export function undoKey(event: KeyboardEvent, changes: UndoStack = stack): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return false;
  event.preventDefault();
  void (event.shiftKey ? changes.redo() : changes.undo());
  return true;
}
