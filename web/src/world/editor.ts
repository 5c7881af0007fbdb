// SPDX-License-Identifier: MIT
// Draws a world with the mouse or a finger: obstacles by drags and corners, everything moved by its handle.
import { Ask, DrawnObstacle, Place, WorldDrawing } from '../routes';
import { View } from '../stage/view';
import { Chosen, added, chosenAt, crossesItself, dragged, moved, outlined } from './drawing';
import { WorldModel } from './model';

export type Tool = 'move' | 'box' | 'cylinder' | 'polygon';

const kGrid = 0.1; // metres to which what is drawn keeps
const kNear = 0.3; // metres from the first corner that close an outline
const kFarthest = 500; // metres from the origin

export interface EditorListener {
  // Another world: `what` was done to it. While a drag goes on `passing` is true, and only the last one counts.
  edit: (what: string, world: WorldDrawing, passing: boolean) => void;
  choose: (chosen: Chosen | null) => void;
  refuse: (why: string) => void;
}

const onGrid = (metres: number) => Math.round(metres / kGrid) * kGrid;

export class Editor {
  ask: Ask = 'nothing'; // of what is drawn next
  world: WorldDrawing;
  private tool_: Tool = 'move';
  private corners: Place[] = []; // of the outline that is being drawn

  constructor(
    private readonly view: View,
    private readonly model: WorldModel,
    private readonly listener: EditorListener,
    world: WorldDrawing,
  ) {
    this.world = world;
    // Before the camera hears of it.
    view.element.addEventListener('pointerdown', event => this.press(event), { capture: true });
    view.element.addEventListener('pointermove', event => this.hover(event));
    view.element.addEventListener('dblclick', () => this.close());
  }

  get tool(): Tool {
    return this.tool_;
  }
  set tool(tool: Tool) {
    this.tool_ = tool;
    this.drop();
    this.view.element.style.cursor = tool === 'move' ? '' : 'crosshair';
  }

  // Forgets the outline that is being drawn; says whether there was one.
  drop(): boolean {
    const any = this.corners.length > 0;
    this.corners = [];
    this.preview(null);
    return any;
  }

  // Makes an obstacle of the corners that are drawn.
  close(): void {
    const corners = this.corners;
    if (!corners.length) return;
    if (corners.length < 3) return this.listener.refuse('An outline has three corners or more.');
    if (crossesItself(corners)) return this.listener.refuse('An outline does not cross itself: press Escape and draw it anew.');
    this.drop();
    this.listener.edit('outline', added(this.world, outlined(this.world, this.ask, corners)), false);
  }

  private place(event: PointerEvent): Place | null {
    const point = this.view.floorPoint(event);
    return point && point.length() < kFarthest ? [point.x, point.z] : null;
  }
  private gridPlace(event: PointerEvent): Place | null {
    const place = this.place(event);
    return place && [onGrid(place[0]), onGrid(place[1])];
  }

  // What the pointer is on: a start or a goal on the floor, or else the obstacle that is seen there.
  private under(event: PointerEvent): Chosen | null {
    const at = this.place(event),
      lies = at && chosenAt(this.world, at);
    if (lies && lies.kind !== 'obstacles') return lies;
    const index = this.model.hit(this.view.ray(event));
    return index >= 0 ? { kind: 'obstacles', index } : lies;
  }

  private hover(event: PointerEvent): void {
    if (this.tool_ === 'polygon' && this.corners.length) {
      const at = this.gridPlace(event);
      if (at) this.preview(null, [...this.corners, at]);
    } else if (this.tool_ === 'move' && !event.buttons) {
      this.view.element.style.cursor = this.under(event) ? 'grab' : '';
    }
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0 || event.target !== this.view.canvas) return;
    const at = this.place(event);
    if (!at) return;
    if (this.tool_ === 'move') {
      const chosen = this.under(event);
      this.listener.choose(chosen);
      if (chosen) this.carry(event, chosen, at);
    } else if (this.tool_ === 'polygon') {
      event.stopPropagation();
      this.corner(this.gridPlace(event)!);
    } else {
      this.drag(event, this.tool_, this.gridPlace(event)!);
    }
  }

  private corner(at: Place): void {
    const [first] = this.corners;
    if (first && this.corners.length > 2 && Math.hypot(first[0] - at[0], first[1] - at[1]) < kNear) return this.close();
    const last = this.corners[this.corners.length - 1];
    if (last && last[0] === at[0] && last[1] === at[1]) return; // the second press of a double one
    this.corners = [...this.corners, at];
    this.preview(null, this.corners);
  }

  // Follows the pointer until it is let go; the camera hears nothing of it.
  private follow(event: PointerEvent, move: (at: Place) => void, end: (at: Place | null) => void): void {
    event.stopPropagation();
    const { canvas, element } = this.view;
    canvas.setPointerCapture(event.pointerId);
    let last: Place | null = null;
    const moved = (next: PointerEvent) => {
      const at = this.place(next);
      if (at) move((last = at));
    };
    const done = () => {
      element.removeEventListener('pointermove', moved);
      canvas.removeEventListener('pointerup', done);
      canvas.removeEventListener('pointercancel', done);
      end(last);
    };
    element.addEventListener('pointermove', moved);
    canvas.addEventListener('pointerup', done);
    canvas.addEventListener('pointercancel', done);
  }

  private carry(event: PointerEvent, chosen: Chosen, from: Place): void {
    const before = this.world;
    const what = chosen.kind === 'obstacles' ? `move ${before.obstacles[chosen.index].name}` : `move the ${chosen.kind.slice(0, -1)}`;
    const shift = ([x, z]: Place) => moved(before, chosen, onGrid(x - from[0]), onGrid(z - from[1]));
    this.follow(
      event,
      at => this.listener.edit(what, shift(at), true),
      at => at && this.listener.edit(what, shift(at), false),
    );
  }

  private drag(event: PointerEvent, shape: 'box' | 'cylinder', from: Place): void {
    const drawn = ([x, z]: Place) => dragged(this.world, shape, this.ask, from, [onGrid(x), onGrid(z)]);
    this.follow(
      event,
      at => this.preview(drawn(at)),
      at => {
        this.preview(null);
        const made = at && drawn(at);
        if (made) this.listener.edit(shape, added(this.world, made), false);
      },
    );
  }

  private preview(o: DrawnObstacle | null, corners: Place[] = []): void {
    this.model.draw(o, corners);
    this.view.invalidate();
  }
}
