// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { difference, extended, likelihood, parsedWay } from '../../../web/src/machine/way';

const machine = (states, edges) => ({
  name: 'm',
  states: states.map(name => ({ name, cyclic: false, default: false, takes: [], after: null })),
  edges: edges.map(([from, to, probability]) => ({ from, to, probability })),
  edits: [],
  built: false,
  parameters: {},
});
const kWalk = machine(
  ['stand', 'start', 'walk', 'turn'],
  [
    ['stand', 'start', 1],
    ['start', 'walk', 0.8],
    ['start', 'turn', 0.2],
    ['walk', 'turn', 0.5],
    ['walk', 'stand', 0.5],
    ['turn', 'walk', 1],
  ],
);

test('a drawn way goes on along transitions, and back', () => {
  assert.deepEqual(extended(kWalk, [], 'stand'), { way: ['stand'] });
  assert.deepEqual(extended(kWalk, ['stand'], 'start'), { way: ['stand', 'start'] });
  assert.deepEqual(extended(kWalk, ['stand', 'start'], 'start'), { way: ['stand', 'start'] });
  assert.deepEqual(extended(kWalk, ['stand', 'start', 'turn'], 'start'), { way: ['stand', 'start'] });
});

test('it says what cannot be', () => {
  assert.match(extended(kWalk, ['stand'], 'turn').refused, /no transition from stand to turn/);
  assert.deepEqual(extended(kWalk, ['stand'], 'turn').way, ['stand']);
  assert.match(extended(kWalk, ['stand', 'start', 'walk'], 'stand').refused, /already/);
});

test('a typed way is read with commas or arrows', () => {
  assert.deepEqual(parsedWay(kWalk, 'stand, start → turn'), { way: ['stand', 'start', 'turn'] });
  assert.deepEqual(parsedWay(kWalk, 'stand->start,'), { way: ['stand', 'start'] });
  assert.match(parsedWay(kWalk, 'stand, run').refused, /no state run/);
  assert.match(parsedWay(kWalk, 'start, turn, start').refused, /already/);
  assert.match(parsedWay(kWalk, 'stand, turn').refused, /no transition/);
});

test('a way is as likely as all of its steps', () => {
  assert.equal(likelihood(kWalk, ['stand', 'start', 'turn']), 0.2);
  assert.equal(likelihood(kWalk, ['stand', 'walk']), 0);
});

test('two machines differ by the names of their states', () => {
  const other = machine(
    ['walk', 'stand', 'run'],
    [
      ['walk', 'stand', 1],
      ['stand', 'walk', 1],
      ['run', 'walk', 1],
    ],
  );
  const told = difference(kWalk, other),
    names = list => list.map(edge => `${edge.from} ${edge.to}`);
  assert.deepEqual(names(told.common), ['walk stand']);
  assert.deepEqual(names(told.onlyThere), ['stand walk', 'run walk']);
  assert.equal(told.onlyHere.length, kWalk.edges.length - 1);
  assert.deepEqual([told.statesOnlyHere, told.statesOnlyThere], [['start', 'turn'], ['run']]);
});
