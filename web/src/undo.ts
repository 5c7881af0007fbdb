// SPDX-License-Identifier: MIT
// Takes changes of the library back, and makes them again: Ctrl+Z, Ctrl+Shift+Z.
import { attempt, notify } from './notices';
import { project } from './project';

interface Change { what: string; back: () => Promise<unknown>; again: () => Promise<unknown> }

const kRemembered = 100;
const done: Change[] = [], undone: Change[] = [];

// One change after the other: what is undone while a change is on its way to the server is that change.
let last: Promise<unknown> = Promise.resolve();
function inTurn<T>(act: () => Promise<T>): Promise<T> {
  const mine = last.then(act);
  last = mine.catch(() => undefined);
  return mine;
}

// Makes a change that can be taken back; what `again` gives, or undefined where it failed and said so.
export const change = <T>(what: string, again: () => Promise<T>, back: () => Promise<unknown>): Promise<T | undefined> => inTurn(async () => {
  let result: T | undefined, failed = false;
  await attempt(async () => {
    failed = true;
    result = await again();
    failed = false;
  });
  if (failed) return undefined;
  done.push({ what, back, again });
  done.splice(0, done.length - kRemembered);
  undone.length = 0;
  await project.refresh();
  return result;
});

async function move(from: Change[], to: Change[], act: 'back' | 'again', word: string): Promise<void> {
  const latest = from.pop();
  if (!latest) return notify(`Nothing to ${act === 'back' ? 'undo' : 'do again'}`);
  const worked = await attempt(async () => { await latest[act](); return true; });
  if (!worked) return;
  to.push(latest);
  notify(`${word}: ${latest.what}`);
  await project.refresh();
}

export const undo = () => inTurn(() => move(done, undone, 'back', 'Undone'));
export const redo = () => inTurn(() => move(undone, done, 'again', 'Done again'));

// Whether the key was for us.
export function undoKey(event: KeyboardEvent): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return false;
  event.preventDefault();
  void (event.shiftKey ? redo() : undo());
  return true;
}
