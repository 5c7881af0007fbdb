// SPDX-License-Identifier: MIT
// Where the states of a machine stand, how its transitions bend round the states between, and where their numbers stand.
// Lengths are pixels. The same machine in the same room is always laid out the same.

export interface Point {
  x: number;
  y: number;
}
// A transition between two states, by their numbers; the heavier, the nearer its states should be.
export interface LaidEdge {
  from: number;
  to: number;
  weight: number;
}
// A quadratic curve from rim to rim.
export interface Curve {
  begin: Point;
  middle: Point;
  end: Point;
}
export interface Layout {
  radius: number; // of a state
  places: Point[];
  curves: Curve[]; // one an edge
  numbers: (Point | null)[]; // one an edge; null where there is no room that is not taken
}

export const kNumber = { width: 30, height: 15 }; // room that a number takes
const kSmallest = 15; // radius of a state
const kMargin = 8; // around the drawing
const kClear = 5; // between a curve and a state that it passes
const kTip = 9; // of an arrow
const kSamples = 24; // of a curve
const kMoves = 120; // a state, tried to make a drawing better
const kMany = 25; // states: with more of them one begins from one drawing alone
const kBends = [0.1, 0.2, 0.32, -0.1, -0.2, 0.46, -0.32, 0.62, -0.46, -0.62, 0.85, -0.85, 1.1, -1.1]; // shares of the length

// Math.hypot takes many times as long.
const length = (x: number, y: number) => Math.sqrt(x * x + y * y);
const hypot = (a: Point, b: Point) => length(a.x - b.x, a.y - b.y);
const between = (value: number, least: number, most: number) => Math.max(least, Math.min(Math.max(least, most), value));

// Numbers in [0, 1) that are the same every time.
function dice(): () => number {
  let state = 12345;
  return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}

export function pointOn({ begin, middle, end }: Curve, t: number): Point {
  const u = 1 - t;
  return {
    x: u * u * begin.x + 2 * u * t * middle.x + t * t * end.x,
    y: u * u * begin.y + 2 * u * t * middle.y + t * t * end.y,
  };
}
export const pointsOf = (curve: Curve): Point[] => Array.from({ length: kSamples + 1 }, (_, i) => pointOn(curve, i / kSamples));

// Steps between all pairs of states, whichever way they are gone; those without a way are as far as the farthest and one more.
function stepsBetween(count: number, edges: LaidEdge[]): number[][] {
  const beside = Array.from({ length: count }, () => new Set<number>());
  for (const { from, to } of edges) {
    beside[from].add(to);
    beside[to].add(from);
  }
  const steps = beside.map((_, start) => {
    const row = Array<number>(count).fill(Infinity);
    row[start] = 0;
    for (const queue = [start]; queue.length;) {
      const at = queue.shift()!;
      for (const next of beside[at]) {
        if (row[next] < Infinity) continue;
        row[next] = row[at] + 1;
        queue.push(next);
      }
    }
    return row;
  });
  const farthest = Math.max(1, ...steps.flat().filter(Number.isFinite));
  return steps.map(row => row.map(step => (Number.isFinite(step) ? step : farthest + 1)));
}

// The states in an order in which each stands beside the one it is most bound to.
function order(count: number, edges: LaidEdge[]): number[] {
  const bond = Array.from({ length: count }, () => Array<number>(count).fill(0));
  for (const { from, to, weight } of edges) {
    bond[from][to] += weight;
    bond[to][from] += weight;
  }
  const placed = [0],
    left = new Set(Array.from({ length: count - 1 }, (_, i) => i + 1));
  while (left.size) {
    const last = placed[placed.length - 1];
    const best = [...left].reduce((a, b) => (bond[last][b] > bond[last][a] ? b : a));
    placed.push(best);
    left.delete(best);
  }
  return placed;
}

function onEllipse(count: number, edges: LaidEdge[], room: Room): Point[] {
  const places = Array<Point>(count);
  order(count, edges).forEach((state, i) => {
    const angle = (2 * Math.PI * i) / count - Math.PI / 2;
    places[state] = {
      x: room.width / 2 + (room.width / 2 - room.edge) * Math.cos(angle),
      y: room.height / 2 + (room.height / 2 - room.edge) * Math.sin(angle),
    };
  });
  return places;
}

// Moves states until their distances are as their steps are (stress majorization), beginning from `start`.
function byStress(steps: number[][], start: Point[]): Point[] {
  const places = start.map(({ x, y }) => ({ x: x / 100, y: y / 100 }));
  for (let round = 0; round < 120; ++round) {
    for (let i = 0; i < places.length; ++i) {
      let x = 0,
        y = 0,
        sum = 0;
      for (let j = 0; j < places.length; ++j) {
        if (i === j) continue;
        const far = Math.max(1e-6, hypot(places[i], places[j])),
          pull = 1 / steps[i][j] ** 2;
        x += pull * (places[j].x + (steps[i][j] * (places[i].x - places[j].x)) / far);
        y += pull * (places[j].y + (steps[i][j] * (places[i].y - places[j].y)) / far);
        sum += pull;
      }
      if (sum > 0) places[i] = { x: x / sum, y: y / sum };
    }
  }
  return places;
}

interface Room {
  width: number;
  height: number;
  edge: number; // a state's middle keeps this far from the rim of the drawing
  apart: number; // the middles of two states are at least so far apart
  ideal: number; // and should be so far apart, so that there is room for a transition and its number
  radius: number;
}

// Stretches a drawing so that it fills the room.
function fitted(places: Point[], room: Room): Point[] {
  const xs = places.map(place => place.x),
    ys = places.map(place => place.y);
  const stretch = (value: number, list: number[], size: number) => {
    const least = Math.min(...list),
      most = Math.max(...list);
    return most - least < 1e-9 ? size / 2 : room.edge + ((value - least) / (most - least)) * (size - 2 * room.edge);
  };
  return places.map(({ x, y }) => ({ x: stretch(x, xs, room.width), y: stretch(y, ys, room.height) }));
}

// Pushes states apart that stand too near to each other.
function apart(places: Point[], room: Room): void {
  for (let round = 0; round < 60; ++round) {
    for (let i = 0; i < places.length; ++i) {
      for (let j = i + 1; j < places.length; ++j) {
        const far = hypot(places[i], places[j]);
        if (far >= room.apart) continue;
        const angle = far < 1e-6 ? i + 2.4 * j : Math.atan2(places[j].y - places[i].y, places[j].x - places[i].x),
          push = (room.apart - far) / 2;
        places[i] = inside({ x: places[i].x - push * Math.cos(angle), y: places[i].y - push * Math.sin(angle) }, room);
        places[j] = inside({ x: places[j].x + push * Math.cos(angle), y: places[j].y + push * Math.sin(angle) }, room);
      }
    }
  }
}

function inside({ x, y }: Point, room: Room): Point {
  return { x: between(x, room.edge, room.width - room.edge), y: between(y, room.edge, room.height - room.edge) };
}

// How far a point is from the straight line between two others.
function distanceTo(point: Point, a: Point, b: Point): number {
  const dx = b.x - a.x,
    dy = b.y - a.y,
    square = dx * dx + dy * dy;
  const along = square ? between(((point.x - a.x) * dx + (point.y - a.y) * dy) / square, 0, 1) : 0;
  return length(point.x - a.x - along * dx, point.y - a.y - along * dy);
}

const isLeft = (p: Point, q: Point, r: Point) => (q.x - p.x) * (r.y - p.y) > (q.y - p.y) * (r.x - p.x);
const cross = (a: Point, b: Point, c: Point, d: Point) => isLeft(a, b, c) !== isLeft(a, b, d) && isLeft(c, d, a) !== isLeft(c, d, b);

// Pairs of states with a transition between them, either way.
function links(edges: LaidEdge[]): LaidEdge[] {
  const known = new Map<string, LaidEdge>();
  for (const { from, to, weight } of edges) {
    const [a, b] = from < to ? [from, to] : [to, from],
      key = `${a} ${b}`;
    known.set(key, { from: a, to: b, weight: (known.get(key)?.weight ?? 0) + weight });
  }
  return [...known.values()];
}

// What is wrong with where one state stands: lines that cross, that are long, that pass states, states too near.
function faults(state: number, places: Point[], pairs: LaidEdge[], room: Room): number {
  const size = length(room.width, room.height),
    near = room.radius + kClear;
  let sum = 0;
  for (const mine of pairs) {
    const a = places[mine.from],
      b = places[mine.to];
    if (mine.from === state || mine.to === state) {
      sum += (0.8 * (0.3 + mine.weight) * Math.max(0, hypot(a, b) - room.ideal)) / size;
      for (const other of pairs) {
        const touches = mine.from === other.from || mine.from === other.to || mine.to === other.from || mine.to === other.to;
        if (!touches && cross(a, b, places[other.from], places[other.to])) sum += 0.35;
      }
      places.forEach((place, i) => {
        if (i !== mine.from && i !== mine.to) sum += 2 * Math.max(0, 1 - distanceTo(place, a, b) / near);
      });
    } else {
      sum += 2 * Math.max(0, 1 - distanceTo(places[state], a, b) / near);
    }
  }
  places.forEach((place, i) => {
    if (i === state) return;
    const far = hypot(place, places[state]);
    sum += 8 * Math.max(0, 1 - far / room.apart) + Math.max(0, 1 - far / room.ideal);
  });
  return sum;
}

// Tries other places for single states, smaller and smaller steps away, and takes what is better.
function settled(places: Point[], pairs: LaidEdge[], room: Room): Point[] {
  const next = dice(),
    moves = kMoves * places.length;
  for (let move = 0; move < moves; ++move) {
    const state = Math.floor(next() * places.length),
      reach = (1 - move / moves) * 0.5 * Math.min(room.width, room.height) + 4;
    const old = places[state],
      before = faults(state, places, pairs, room);
    places[state] = inside({ x: old.x + (2 * next() - 1) * reach, y: old.y + (2 * next() - 1) * reach }, room);
    if (faults(state, places, pairs, room) >= before) places[state] = old;
  }
  return places;
}

function bent(a: Point, b: Point, bend: number, radius: number): Curve {
  const dx = b.x - a.x,
    dy = b.y - a.y;
  const middle = { x: (a.x + b.x) / 2 - bend * dy, y: (a.y + b.y) / 2 + bend * dx };
  const rim = (state: Point, out: number) => {
    const far = Math.max(1e-6, hypot(middle, state));
    return { x: state.x + ((middle.x - state.x) / far) * out, y: state.y + ((middle.y - state.y) / far) * out };
  };
  return { begin: rim(a, radius + 1), middle, end: rim(b, radius + kTip) };
}

// How far a curve goes into states that it has nothing to do with: 0 where it passes all.
function intrusion(curve: Curve, edge: LaidEdge, places: Point[], radius: number): number {
  const points = pointsOf(curve);
  let most = 0;
  places.forEach((place, i) => {
    if (i === edge.from || i === edge.to) return;
    for (const point of points) most = Math.max(most, radius + kClear - hypot(point, place));
  });
  return most;
}

// The curve of each edge, and how much they intrude in all.
function routed(places: Point[], edges: LaidEdge[], room: Room): { curves: Curve[]; wrong: number } {
  const curves: Curve[] = [];
  let wrong = 0;
  edges.forEach((edge, e) => {
    const back = edges.slice(0, e).findIndex(other => other.from === edge.to && other.to === edge.from),
      far = hypot(places[edge.from], places[edge.to]);
    const chosen = kBends
      .map(bend => {
        const curve = bent(places[edge.from], places[edge.to], bend, room.radius),
          top = pointOn(curve, 0.5);
        const outside = Math.max(0, kMargin - top.x, kMargin - top.y, top.x - room.width + kMargin, top.y - room.height + kMargin);
        const doubled = back >= 0 && hypot(top, pointOn(curves[back], 0.5)) < 14 ? 1500 : 0;
        const into = intrusion(curve, edge, places, room.radius);
        return { curve, into: into + doubled, fault: 60 * into + 30 * outside + doubled + Math.abs(bend) * far * (bend < 0 ? 1.3 : 1) };
      })
      .reduce((a, b) => (b.fault < a.fault ? b : a));
    curves.push(chosen.curve);
    wrong += chosen.into;
  });
  return { curves, wrong };
}

// Room for the numbers, the heaviest first: beside no state, over no other number, over few lines.
function numbered(places: Point[], edges: LaidEdge[], curves: Curve[], room: Room): (Point | null)[] {
  const taken: Point[] = [],
    numbers = edges.map((): Point | null => null),
    lines = curves.map(pointsOf);
  const overlaps = (a: Point, b: Point) => Math.abs(a.x - b.x) < kNumber.width && Math.abs(a.y - b.y) < kNumber.height;
  const hits = (at: Point, state: Point) => {
    const x = Math.max(0, Math.abs(at.x - state.x) - kNumber.width / 2),
      y = Math.max(0, Math.abs(at.y - state.y) - kNumber.height / 2);
    return length(x, y) < room.radius + 1;
  };
  const heaviest = edges.map((_, e) => e).sort((a, b) => edges[b].weight - edges[a].weight || a - b);
  for (const e of heaviest) {
    let best: Point | null = null,
      least = Infinity;
    for (const t of [0.4, 0.32, 0.5, 0.25, 0.6, 0.2, 0.7, 0.14, 0.78, 0.86]) {
      const at = pointOn(curves[e], t);
      const out =
        at.x < kNumber.width / 2 ||
        at.y < kNumber.height / 2 ||
        at.x > room.width - kNumber.width / 2 ||
        at.y > room.height - kNumber.height / 2;
      if (out || taken.some(other => overlaps(at, other)) || places.some(place => hits(at, place))) continue;
      const over = lines.filter((line, other) => other !== e && line.some(point => overlaps(at, { x: point.x, y: point.y }))).length;
      if (over < least) {
        best = at;
        least = over;
      }
    }
    numbers[e] = best;
    if (best) taken.push(best);
  }
  return numbers;
}

// Where the states may stand, in several ways.
function drawings(count: number, edges: LaidEdge[], room: Room): Point[][] {
  const pairs = links(edges),
    steps = stepsBetween(count, edges),
    round = onEllipse(count, edges, room),
    next = dice();
  const starts = count > kMany ? [round] : [round, round.map(({ x, y }) => ({ x: x + 200 * next(), y: y + 200 * next() }))];
  const settledOnes = starts.map(start => {
    const places = fitted(byStress(steps, start), room);
    apart(places, room);
    return fitted(settled(places, pairs, room), room);
  });
  const faultsOf = (places: Point[]) => places.reduce((sum, _, state) => sum + faults(state, places, pairs, room), 0);
  return [...settledOnes, round].sort((a, b) => faultsOf(a) - faultsOf(b));
}

// How much states lie over each other in all.
function overlap(places: Point[], radius: number): number {
  let sum = 0;
  places.forEach((place, i) => {
    for (const other of places.slice(0, i)) sum += 5 * Math.max(0, 2.15 * radius - hypot(place, other));
  });
  return sum;
}

// Lays out a machine of `count` states in a room of so many pixels. The state that one comes back to should be the first.
// Where lines would run through states, the states are made smaller.
export function layout(count: number, edges: LaidEdge[], width: number, height: number): Layout {
  if (!count) return { radius: 0, places: [], curves: [], numbers: [] };
  const side = Math.sqrt((width * height) / count);
  const roomFor = (radius: number): Room => ({
    width,
    height,
    radius,
    edge: radius + kMargin,
    apart: 2.5 * radius,
    ideal: Math.min(150, 0.75 * side),
  });
  const largest = between(0.2 * side, 19, 36),
    ways = drawings(count, edges, roomFor(largest));
  let best: (Layout & { wrong: number }) | null = null;
  for (let radius = largest; radius >= kSmallest && !(best && best.wrong < kClear / 2); radius *= 0.87) {
    for (const places of ways) {
      const room = roomFor(radius),
        { curves, wrong: through } = routed(places, edges, room),
        wrong = through + overlap(places, radius);
      if (!best || wrong < best.wrong) best = { radius, places, curves, wrong, numbers: numbered(places, edges, curves, room) };
      if (best.wrong < kClear / 2) break;
    }
  }
  const { wrong: _, ...done } = best!;
  return done;
}
