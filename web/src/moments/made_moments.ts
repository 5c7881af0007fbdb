// SPDX-License-Identifier: MIT
// The moments of a motion that was made beforehand, piece by piece, as its player goes along.
import { el } from '../dom';
import { Piece } from '../routes';
import { Player } from '../stage/player';
import { DrawnWays } from './drawn_ways';
import { MomentPanel } from './moment_panel';
import { pieceAt } from './pieces';
import { floorWay, offWay } from './ways';

// A way that a motion was made to go.
export interface WantedWay {
  what: string; // "the way that was drawn"
  points: number[]; // x, y, z each
  went?: { begin: number; points: number[] }; // what was to go there, a point a frame from one on; otherwise the root, on the floor
}

export class MadeMoments {
  readonly element: HTMLElement;
  private readonly panel = new MomentPanel();
  private readonly ways: DrawnWays;
  private pieces: Piece[] = [];
  private wanted: WantedWay[] = [];

  constructor(private readonly player: Player) {
    this.ways = new DrawnWays(player.view);
    this.element = el('div', { class: 'moments', hidden: true }, this.ways.legend, this.panel.element);
    this.panel.onopen = () => this.open();
    this.panel.onseam = by => this.go(by);
  }

  show(pieces: Piece[], wanted: WantedWay[] = []): void {
    this.pieces = pieces;
    this.wanted = wanted;
    this.element.hidden = !pieces.length;
    this.open();
  }

  hide(): void {
    this.show([]);
  }

  setFrame(frame: number): void {
    if (!this.isOpen) return;
    const now = Math.round(frame),
      at = pieceAt(this.pieces, now),
      piece = this.pieces[at];
    const alone = { clip: piece.clip, frame: piece.frame + (now - piece.begin), share: 1 };
    const off = this.wanted.flatMap(one => this.toldOff(one, now));
    this.panel.tell({
      when: `Frame ${now}`,
      parts: piece.parts.length ? piece.parts : [alone],
      piece,
      more: [piece.between ? 'between recordings' : '', `piece ${at + 1} of ${this.pieces.length}`, ...off].filter(Boolean).join(', '),
    });
  }

  private get isOpen(): boolean {
    return this.panel.isOpen && this.pieces.length > 0;
  }

  // Opened or closed, or another motion: the ways are drawn while one looks into it.
  private open(): void {
    const roots = this.player.motion?.roots;
    if (this.isOpen && roots)
      this.ways.show(
        this.wanted.map(({ points }) => points),
        [floorWay(roots), ...this.wanted.map(({ went }) => went?.points ?? [])],
      );
    else this.ways.hide();
    this.setFrame(this.player.frame);
  }

  // How far off what was wanted it is in a frame.
  private toldOff({ what, points, went }: WantedWay, frame: number): string[] {
    const at = 3 * (frame - (went?.begin ?? 0)),
      place = Array.from((went?.points ?? this.player.motion?.roots ?? []).slice(Math.max(0, at), Math.max(0, at + 3)));
    const off = at < 0 || place.length < 3 ? null : offWay(points, place, !!went);
    return off === null ? [] : [`${off < 0.1 ? `${(1000 * off).toFixed(0)} mm` : `${(100 * off).toFixed(0)} cm`} off ${what}`];
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
