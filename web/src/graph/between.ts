// SPDX-License-Identifier: MIT
// Which frames of a motion lie between recordings, for its timeline.
import { Label, Piece } from '../routes';

export const kBetween = 'between recordings'; // what such a stretch is called

// Stretches that were mixed of two clips, those that touch joined. `pieces` in order, of a motion of so many frames.
export function betweenRecordings(pieces: Piece[], frames: number): Label[] {
  const stretches: Label[] = [];
  pieces.forEach((piece, i) => {
    if (!piece.between) return;
    const end = i + 1 < pieces.length ? pieces[i + 1].begin : frames,
      last = stretches[stretches.length - 1];
    if (last && last.end === piece.begin) last.end = end;
    else stretches.push({ name: kBetween, begin: piece.begin, end });
  });
  return stretches;
}
