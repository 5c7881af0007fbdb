// SPDX-License-Identifier: MIT
import type { Piece } from '../routes';

// The piece that a frame belongs to.
export function pieceAt(pieces: Piece[], frame: number): number {
  let at = 0;
  while (at + 1 < pieces.length && pieces[at + 1].begin <= frame) ++at;
  return at;
}
