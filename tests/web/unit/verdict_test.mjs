// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usualSequence } from '../../../web/src/graph/sequence';
import { asked, verdictOf } from '../../../web/src/graph/verdict';

const outline = { name: 'main', frames: 1000, nodes: 800, transitions: 40, threshold: 0.01, behaviors: [] };
const loss = (clip, frames_lost, joins_at) => ({ clip, frames_lost, frames: 100, joins_at, reason: 'nothing is like it' });
const about = lost => ({
  component_share: 0.8,
  lost,
  shares: [
    [0.005, 0.6],
    [0.01, 0.8],
    [0.02, 0.93],
  ],
});

test('how much is connected is told at once, the rest when it is measured', () => {
  const now = verdictOf(outline, null);
  assert.match(now.share, /^80 % of the motion is connected/);
  assert.equal(now.lost, '');
  assert.match(verdictOf({ ...outline, nodes: 1000 }, null).share, /^All of the motion/);
});

test('what is asked for is never less than what it needs, and nearly all is not all', () => {
  const verdict = verdictOf(outline, { ...about([loss('run-fast', 100, 0.018)]), shares: [[0.02, 0.801]] });
  assert.match(verdict.advice, /comes in when 81 % are asked for/);
  assert.equal(asked(verdict.ask), 81);
  assert.match(verdictOf({ ...outline, nodes: 789 }, null).share, /^79 % of/);
  assert.match(verdictOf({ ...outline, nodes: 999 }, null).share, /^99 % of/);
});

test('what was left out is named, with why and what would bring it in', () => {
  const verdict = verdictOf(outline, about([loss('run-fast', 100, 0.018), loss('walk', 20, 0.1), loss('kick', 100, null)]));
  assert.match(verdict.lost, /Left out: run-fast, kick, and the beginning or the end of 1 more: nothing is like it\./);
  assert.match(verdict.advice, /run-fast comes in when 93 % are asked for/);
  assert.equal(verdict.ask, 0.93);
});

test('where nothing is like it, more motion is asked for', () => {
  const verdict = verdictOf(outline, about([loss('swim', 100, null)]));
  assert.match(verdict.advice, /capture motion/);
  assert.equal(verdict.ask, null);
});

test('trimmed ends are no loss to speak of', () => {
  const verdict = verdictOf(outline, about([loss('walk', 5, 0.1)]));
  assert.match(verdict.lost, /only the beginning or the end of 1 clip/);
  assert.equal(verdict.advice, '');
});

test('the field says only what the graph has', () => {
  assert.equal(usualSequence(['idle', 'jump', 'run', 'walk']), 'idle walk@3 jump idle');
  assert.equal(usualSequence(['idle', 'walk']), 'idle walk@3 idle');
  assert.equal(usualSequence(['punch', 'kick', 'evade', 'hit']), 'punch kick evade');
  assert.equal(usualSequence([]), '');
});
