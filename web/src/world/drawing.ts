// SPDX-License-Identifier: MIT
// A world as it is drawn: what its obstacles cover, what is under the pointer, and the edits that make another of it.
import { Ask, DrawnObstacle, DrawnSpot, Place, WorldDrawing } from '../routes';

export type SpotKind = 'starts' | 'goals';
export type Chosen = { kind: 'obstacles' | SpotKind; index: number };

const kSpotReach = 0.4; // metres from a start or a goal that count as on it
const kLeast = 0.05; // metres of anything that is drawn

// From where to where what asks for something reaches, metres above the floor.
export const kHeights: Record<Ask, [bottom: number, top: number]> = {
  nothing: [0, 2.5],
  duck: [1.3, 1.6],
  step: [0, 0.25],
  jump: [0, 0.03],
};

export const rounded = (metres: number): number => Math.round(metres * 100) / 100;

export function newWorld(): WorldDrawing {
  const spot = (x: number, z: number): DrawnSpot => ({ name: '', x, z, turn: null });
  return { name: 'drawn', ground: [[-5, -5, 5, 5]], obstacles: [], starts: [spot(-4, -4)], goals: [spot(4, 4)] };
}

const turned = (turn: number, x: number, z: number): Place => {
  const c = Math.cos((turn * Math.PI) / 180),
    s = Math.sin((turn * Math.PI) / 180);
  return [c * x + s * z, c * z - s * x];
};

// What an obstacle covers of the floor, as corners.
export function outlineOf(o: DrawnObstacle): Place[] {
  if (o.shape === 'polygon') return o.outline;
  const corners: Place[] = [];
  if (o.shape === 'box') {
    for (const [i, k] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) corners.push([(i * o.width) / 2, (k * o.depth) / 2]); // prettier-ignore
  } else {
    for (let i = 0; i < 32; ++i) corners.push([o.radius * Math.cos((i * Math.PI) / 16), o.radius * Math.sin((i * Math.PI) / 16)]);
  }
  return corners.map(([x, z]) => {
    const [dx, dz] = turned(o.turn, x, z);
    return [o.x + dx, o.z + dz];
  });
}

export function holds(outline: Place[], [x, z]: Place): boolean {
  let inside = false;
  outline.forEach(([ax, az], i) => {
    const [bx, bz] = outline[(i + 1) % outline.length];
    if (az > z !== bz > z && x < ax + ((z - az) / (bz - az)) * (bx - ax)) inside = !inside;
  });
  return inside;
}

// What lies under a place: a start or a goal, or else the obstacle drawn last; null: the floor.
export function chosenAt(world: WorldDrawing, [x, z]: Place): Chosen | null {
  for (const kind of ['starts', 'goals'] as const) {
    const index = world[kind].findIndex(spot => Math.hypot(spot.x - x, spot.z - z) < kSpotReach);
    if (index >= 0) return { kind, index };
  }
  for (let index = world.obstacles.length - 1; index >= 0; --index) {
    if (holds(outlineOf(world.obstacles[index]), [x, z])) return { kind: 'obstacles', index };
  }
  return null;
}

// A name that no obstacle has yet.
export function freeName(world: WorldDrawing, stem: string): string {
  const names = new Set(world.obstacles.map(({ name }) => name));
  for (let n = 1; ; ++n) if (!names.has(`${stem}-${n}`)) return `${stem}-${n}`;
}

function obstacle(world: WorldDrawing, shape: DrawnObstacle['shape'], ask: Ask): DrawnObstacle {
  const [bottom, top] = kHeights[ask];
  const stem = { nothing: shape, duck: 'bar', step: 'step', jump: 'gap' }[ask];
  const own = { width: 1, depth: 1, radius: 0.5, outline: [], path: [], loops: false };
  return { name: freeName(world, stem), shape, x: 0, z: 0, turn: 0, bottom, top, ask, ...own };
}

// What is drawn by one drag from a place to another; null where it is too small to be meant.
export function dragged(world: WorldDrawing, shape: 'box' | 'cylinder', ask: Ask, [ax, az]: Place, [bx, bz]: Place): DrawnObstacle | null {
  const made = obstacle(world, shape, ask);
  if (shape === 'cylinder') {
    const radius = rounded(Math.hypot(bx - ax, bz - az));
    return radius < kLeast ? null : { ...made, x: rounded(ax), z: rounded(az), radius };
  }
  const width = rounded(Math.abs(bx - ax)),
    depth = rounded(Math.abs(bz - az));
  return width < kLeast || depth < kLeast ? null : { ...made, x: rounded((ax + bx) / 2), z: rounded((az + bz) / 2), width, depth };
}

export function outlined(world: WorldDrawing, ask: Ask, corners: Place[]): DrawnObstacle {
  return { ...obstacle(world, 'polygon', ask), outline: corners.map(([x, z]) => [rounded(x), rounded(z)]) };
}

// Whether two sides of an outline cross: no such polygon is one.
export function crossesItself(corners: Place[]): boolean {
  const side = ([ax, az]: Place, [bx, bz]: Place, [x, z]: Place) => Math.sign((bx - ax) * (z - az) - (bz - az) * (x - ax));
  const cross = (a: Place, b: Place, c: Place, d: Place) => side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
  return corners.some((a, i) => corners.some((c, k) => k > i + 1 && cross(a, corners[i + 1], c, corners[(k + 1) % corners.length])));
}

// Edits: each gives another world.

export const added = (world: WorldDrawing, o: DrawnObstacle): WorldDrawing => ({ ...world, obstacles: [...world.obstacles, o] });

export function removed(world: WorldDrawing, { kind, index }: Chosen): WorldDrawing {
  return { ...world, [kind]: (world[kind] as unknown[]).filter((_, i) => i !== index) };
}

export function changed(world: WorldDrawing, { kind, index }: Chosen, by: Partial<DrawnObstacle> | Partial<DrawnSpot>): WorldDrawing {
  return { ...world, [kind]: (world[kind] as object[]).map((one, i) => (i === index ? { ...one, ...by } : one)) };
}

export function moved(world: WorldDrawing, chosen: Chosen, dx: number, dz: number): WorldDrawing {
  const one = world[chosen.kind][chosen.index];
  const by = (x: number, z: number): Place => [rounded(x + dx), rounded(z + dz)];
  if ('shape' in one && one.shape === 'polygon') {
    return changed(world, chosen, { outline: one.outline.map(([x, z]) => by(x, z)) });
  }
  const [x, z] = by(one.x, one.z);
  const path = 'shape' in one ? { path: one.path.map(([s, px, pz, ...rest]) => [s, ...by(px, pz), ...rest]) } : {};
  return changed(world, chosen, { x, z, ...path });
}

// How far an obstacle is from where it was, as a scene is told it: of an outline the shift, of others the place itself.
export function placeOf(o: DrawnObstacle, before: DrawnObstacle): { x: number; z: number; turn: number } {
  if (o.shape !== 'polygon') return { x: o.x, z: o.z, turn: o.turn };
  return { x: rounded(o.outline[0][0] - before.outline[0][0]), z: rounded(o.outline[0][1] - before.outline[0][1]), turn: 0 };
}
