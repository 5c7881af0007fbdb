// SPDX-License-Identifier: MIT
// The moments of a motion that was made beforehand, piece by piece, as its player goes along.
import { Piece } from '../routes';
import { Player } from '../stage/player';
import { MomentPanel } from './moment_panel';
import { pieceAt } from './pieces';

export class MadeMoments {
  readonly panel = new MomentPanel();
  private pieces: Piece[] = [];

  constructor(private readonly player: Player) {
    this.panel.element.hidden = true;
    this.panel.onopen = () => this.setFrame(this.player.frame);
    this.panel.onseam = by => this.go(by);
  }

  get element(): HTMLElement {
    return this.panel.element;
  }

  show(pieces: Piece[]): void {
    this.pieces = pieces;
    this.panel.element.hidden = !pieces.length;
    this.setFrame(this.player.frame);
  }

  hide(): void {
    this.show([]);
  }

  setFrame(frame: number): void {
    if (!this.panel.isOpen || !this.pieces.length) return;
    const now = Math.round(frame),
      at = pieceAt(this.pieces, now),
      piece = this.pieces[at];
    const alone = { clip: piece.clip, frame: piece.frame + (now - piece.begin), share: 1 };
    this.panel.tell({
      when: `Frame ${now}`,
      parts: piece.parts.length ? piece.parts : [alone],
      piece,
      more: `${piece.between ? 'between recordings, ' : ''}piece ${at + 1} of ${this.pieces.length}`,
    });
  }

  private go(by: number): void {
    if (!this.pieces.length) return;
    const now = Math.round(this.player.frame),
      at = pieceAt(this.pieces, now),
      before = this.pieces[at].begin < now ? at : at - 1;
    const wanted = this.pieces[Math.max(0, Math.min(this.pieces.length - 1, by > 0 ? at + 1 : before))];
    this.player.playing = false;
    this.player.seek(wanted.begin);
  }
}
