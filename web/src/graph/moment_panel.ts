// SPDX-License-Identifier: MIT
// Why a made motion looks as it does, moment by moment: which clip and frame it comes from, what the seam before it costs
// and is made of, and where else one could have gone.
import { button, el, fill } from '../dom';
import { Motion } from '../motion';
import { Piece, SeamCandidate } from '../routes';
import { pieceAt } from './pieces';

const told = (one: SeamCandidate) => `${one.clip} ${one.frame}: ${one.cost.toFixed(2)}`;

export class MomentPanel {
  readonly element = el('details', { class: 'moment', hidden: true, ontoggle: () => this.draw(true) });
  onseek: ((frame: number) => void) | null = null;
  private pieces: Piece[] = [];
  private motion: Motion | null = null;
  private frame = 0;
  private drawn = -1; // the piece that is told of
  private readonly here = el('p', { id: 'moment-source' });
  private readonly seam = el('div', { class: 'seam' });

  constructor() {
    this.element.append(
      el('summary', {}, 'What it is made of'),
      el(
        'div',
        { class: 'row' },
        button('Seam before', () => this.go(-1), { class: 'quiet' }),
        button('Next seam', () => this.go(1), { class: 'quiet' }),
      ),
      this.here,
      this.seam,
    );
  }

  show(motion: Motion, pieces: Piece[]): void {
    this.motion = motion;
    this.pieces = pieces;
    this.element.hidden = !pieces.length;
    this.draw(true);
  }

  hide(): void {
    this.motion = null;
    this.element.hidden = true;
  }

  setFrame(frame: number): void {
    this.frame = frame;
    if (this.motion && this.element.open) this.draw(false);
  }

  private go(by: number): void {
    const at = pieceAt(this.pieces, Math.round(this.frame)),
      before = this.pieces[at].begin < Math.round(this.frame) ? at : at - 1;
    const wanted = this.pieces[Math.max(0, Math.min(this.pieces.length - 1, by > 0 ? at + 1 : before))];
    this.onseek?.(wanted.begin);
  }

  private draw(anew: boolean): void {
    const { pieces, motion } = this;
    if (!motion || !pieces.length || !this.element.open) return;
    const now = Math.round(this.frame),
      at = pieceAt(pieces, now),
      piece = pieces[at];
    const frame = piece.frame + (now - piece.begin);
    this.here.textContent = `Frame ${now}: ${piece.between ? 'between recordings, ' : ''}${piece.clip}, frame ${frame} · piece ${at + 1} of ${pieces.length}`;
    if (!anew && at === this.drawn) return;
    this.drawn = at;
    const { seam } = piece;
    if (!seam) return fill(this.seam, el('p', { class: 'faint' }, 'It begins here.'));
    const rows: [string, string][] = [
      ['from', `${pieces[at - 1].clip}, frame ${seam.left_frame}`],
      ['joints apart', `${(100 * seam.places_m).toFixed(1)} cm`],
      ['velocities apart', `${(100 * seam.speeds_mps).toFixed(0)} cm/s`],
      ['turning apart', `${((seam.turning_rps * 180) / Math.PI).toFixed(0)} °/s`],
      ['cost in the graph', seam.taken ? `${seam.taken.cost.toFixed(2)} of 1` : 'no transition: it goes on by itself'],
      ['other ways', seam.others.length ? seam.others.map(told).join('; ') : 'none from there'],
    ];
    fill(
      this.seam,
      el('h3', {}, `Seam at frame ${piece.begin}`),
      el('dl', { class: 'facts' }, rows.map(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]).flat()),
    );
  }
}
