// SPDX-License-Identifier: MIT
// What is chosen in a world, in numbers: where it is, how large, and what it asks for.
import { button, el, fill } from '../dom';
import { Ask, DrawnObstacle, DrawnSpot, WorldDrawing } from '../routes';
import { Chosen, kHeights } from './drawing';

export const kAsks: { value: Ask; text: string; title: string }[] = [
  { value: 'nothing', text: 'wall', title: 'It is gone round' },
  { value: 'duck', text: 'duck under', title: 'A bar: motion labelled duck goes under it' },
  { value: 'step', text: 'step over', title: 'Something low: motion labelled step goes over it' },
  { value: 'jump', text: 'jump across', title: 'A gap: motion labelled jump goes across' },
];

type Change = (by: Partial<DrawnObstacle> | Partial<DrawnSpot>) => void;

export class WorldInspector {
  readonly element = el('div', { class: 'world-chosen', id: 'world-chosen' });

  constructor(
    private readonly change: Change,
    private readonly remove: () => void,
  ) {}

  show(world: WorldDrawing, chosen: Chosen | null): void {
    const one = chosen && world[chosen.kind][chosen.index];
    if (!one) return fill(this.element, el('p', { class: 'faint' }, 'Press something to choose it; drag it to move it.'));
    fill(
      this.element,
      'shape' in one ? this.obstacle(one, world) : this.spot(one, chosen.kind === 'starts' ? 'Start' : 'Goal'),
      button('Remove', this.remove, { key: 'Delete', title: 'Take it away' }),
    );
  }

  private number(text: string, value: number, least: number, set: (value: number) => void, step = 0.1): HTMLElement {
    const input = el('input', {
      type: 'number',
      step,
      value: String(Math.round(value * 1000) / 1000),
      'aria-label': text,
      onchange: () => {
        const given = Number(input.value);
        if (input.value !== '' && Number.isFinite(given) && given >= least) set(given);
        else input.value = String(value);
      },
    });
    return el('label', {}, text, input);
  }

  private obstacle(o: DrawnObstacle, world: WorldDrawing): HTMLElement[] {
    const { change } = this;
    const name = el('input', {
      type: 'text',
      value: o.name,
      maxlength: 60,
      'aria-label': 'Name',
      onchange: () => {
        const given = name.value.trim();
        if (given && !world.obstacles.some(other => other !== o && other.name === given)) change({ name: given });
        else name.value = o.name;
      },
    });
    const ask = el(
      'select',
      {
        'aria-label': 'Asks for',
        onchange: () => {
          const to = ask.value as Ask,
            [bottom, top] = kHeights[to];
          change({ ask: to, bottom, top });
        },
      },
      kAsks.map(({ value, text, title }) => el('option', { value, title, selected: value === o.ask }, text)),
    );
    const any = -Infinity;
    const sizes =
      o.shape === 'box'
        ? [
            this.number('width', o.width, 0.01, width => change({ width })),
            this.number('depth', o.depth, 0.01, depth => change({ depth })),
            this.number('turn °', o.turn, any, turn => change({ turn }), 5),
          ]
        : o.shape === 'cylinder'
          ? [this.number('radius', o.radius, 0.01, radius => change({ radius }))]
          : [];
    const place =
      o.shape === 'polygon' ? [] : [this.number('x', o.x, any, x => change({ x })), this.number('z', o.z, any, z => change({ z }))];
    return [
      el('label', { class: 'wide' }, 'Name', name),
      el('label', { class: 'wide' }, 'Asks for', ask),
      el(
        'div',
        { class: 'numbers' },
        place,
        sizes,
        this.number('from', o.bottom, 0, bottom => bottom < o.top && change({ bottom })),
        this.number('to', o.top, 0.01, top => top > o.bottom && change({ top })),
      ),
    ];
  }

  private spot(spot: DrawnSpot, title: string): HTMLElement[] {
    const { change } = this;
    const turn = el('input', {
      type: 'number',
      step: 15,
      value: spot.turn === null ? '' : String(spot.turn),
      placeholder: 'any',
      'aria-label': 'Facing, degrees',
      onchange: () => change({ turn: turn.value === '' ? null : Number(turn.value) }),
    });
    return [
      el('h3', {}, title),
      el(
        'div',
        { class: 'numbers' },
        this.number('x', spot.x, -Infinity, x => change({ x })),
        this.number('z', spot.z, -Infinity, z => change({ z })),
        el('label', {}, 'faces °', turn),
      ),
    ];
  }
}
