// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kNumber, layout, pointOn } from '../../../web/src/machine/layout';

// Machines of all kinds, the same every time: a ring that holds them together, and more edges as dense as asked.
function machine(count, density, seed) {
  let state = seed;
  const next = () => (state = (state * 48271) % 2147483647) / 2147483647,
    edges = [];
  for (let from = 0; from < count; ++from) {
    for (let to = 0; to < count; ++to) {
      if (from !== to && (to === (from + 1) % count || next() < density)) edges.push({ from, to, weight: 0.05 + 0.9 * next() });
    }
  }
  return edges;
}
const kMachines = [];
for (const [width, height] of [
  [900, 640],
  [520, 460],
  [420, 560],
]) {
  for (const [count, density] of [
    [2, 1],
    [5, 0.4],
    [9, 0.25],
    [14, 0.12],
    [14, 0.22],
  ]) {
    for (const seed of [1, 2, 3]) {
      kMachines.push({
        what: `${count} states, ${density}, seed ${seed}, ${width} x ${height}`,
        count,
        edges: machine(count, density, seed),
        width,
        height,
      });
    }
  }
}
const drawn = kMachines.map(one => ({ ...one, ...layout(one.count, one.edges, one.width, one.height) }));
const far = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
const fine = Array.from({ length: 201 }, (_, i) => i / 200);

test('states stand within the drawing and apart from each other', () => {
  for (const { what, radius, places, width, height } of drawn) {
    places.forEach((place, i) => {
      assert.ok(place.x >= radius && place.x <= width - radius && place.y >= radius && place.y <= height - radius, what);
      places.slice(0, i).forEach(other => assert.ok(far(place, other) > 2.1 * radius, `${what}: ${far(place, other)} of ${radius}`));
    });
  }
});

test('no transition runs through a state it has nothing to do with', () => {
  for (const { what, radius, places, curves, edges } of drawn) {
    curves.forEach((curve, e) => {
      places.forEach((place, i) => {
        if (i === edges[e].from || i === edges[e].to) return;
        const nearest = Math.min(...fine.map(t => far(pointOn(curve, t), place)));
        assert.ok(nearest > radius, `${what}: ${edges[e].from} to ${edges[e].to} by ${i}, ${nearest.toFixed(1)} of ${radius.toFixed(1)}`);
      });
    });
  }
});

test('transitions lead from rim to rim, and there and back are two lines', () => {
  for (const { what, radius, places, curves, edges } of drawn) {
    curves.forEach((curve, e) => {
      assert.ok(far(curve.begin, places[edges[e].from]) < radius + 3, what);
      assert.ok(far(curve.end, places[edges[e].to]) < radius + 14, what);
      const back = edges.findIndex(other => other.from === edges[e].to && other.to === edges[e].from);
      if (back >= 0) assert.ok(far(pointOn(curve, 0.5), pointOn(curves[back], 0.5)) > 6, `${what}: ${edges[e].from} and ${edges[e].to}`);
    });
  }
});

test('numbers lie over no state and over no other number, and most have room', () => {
  let given = 0,
    all = 0;
  for (const { what, radius, places, numbers } of drawn) {
    const there = numbers.filter(Boolean);
    given += there.length;
    all += numbers.length;
    there.forEach((at, i) => {
      there.slice(0, i).forEach(other => {
        assert.ok(Math.abs(at.x - other.x) >= kNumber.width || Math.abs(at.y - other.y) >= kNumber.height, what);
      });
      places.forEach(place => {
        const x = Math.max(0, Math.abs(at.x - place.x) - kNumber.width / 2),
          y = Math.max(0, Math.abs(at.y - place.y) - kNumber.height / 2);
        assert.ok(Math.hypot(x, y) > radius, what);
      });
    });
  }
  assert.ok(given > 0.75 * all, `${given} of ${all}`);
});

test('the same machine is drawn the same, and none is drawn as nothing', () => {
  const { count, edges, width, height } = kMachines[20];
  assert.deepEqual(layout(count, edges, width, height), layout(count, edges, width, height));
  assert.deepEqual(layout(0, [], 300, 300).places, []);
  assert.equal(layout(1, [], 300, 200).places.length, 1);
});

test('a row of states is drawn without crossings', () => {
  const edges = [0, 1, 2, 3].flatMap(i => [
    { from: i, to: i + 1, weight: 0.5 },
    { from: i + 1, to: i, weight: 0.5 },
  ]);
  const { places } = layout(5, edges, 800, 500);
  const side = (p, q, r) => Math.sign((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x));
  const cross = (a, b, c, d) => side(a, b, c) !== side(a, b, d) && side(c, d, a) !== side(c, d, b);
  for (const [i, j] of [
    [0, 2],
    [0, 3],
    [1, 3],
  ]) {
    assert.ok(!cross(places[i], places[i + 1], places[j], places[j + 1]), `${i} and ${j}`);
  }
});
