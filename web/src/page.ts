// SPDX-License-Identifier: MIT
import { UndoStack } from './undo_stack';

// One of the studio's pages. A page is made when it is first visited, and kept.
export interface Page {
  readonly name: string; // in the address: #library
  readonly title: string;
  readonly element: HTMLElement;
  enter(): void; // called once, when it is in the document
  shown?(): void; // called whenever it comes into view, after `enter` too
  hidden?(): void; // and when it goes
  goTo?(thing: string | undefined): void; // what the address names after the page: #library/walk-slow
  key?(event: KeyboardEvent): boolean;
  readonly changes?: UndoStack; // of a page whose changes are its own, not the library's
}
