// SPDX-License-Identifier: MIT
// The parts of bench/quality.mjs that need no motion: how figures come together, what is marked, how the page is written.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { figuresOf, kMeasures, together, tooLarge } from '../../bench/quality/measures.mjs';
import { csv, markdown, putBetweenMarks, worstTable } from '../../bench/quality/page.mjs';
import { dice, footprints, kSets, machineText, wanderingPath } from '../../bench/quality/sets.mjs';
import { kSynthesisers, preparations } from '../../bench/quality/synthesisers.mjs';

const tests = {
  'help tells what there is to choose from, and does nothing'() {
    const out = execFileSync(process.execPath, [fileURLToPath(new URL('../../bench/quality.mjs', import.meta.url)), '--help'], { encoding: 'utf8' });
    assert.match(out, /--seeds 10/);
    assert.match(out, /sets: samples, 16/);
    assert.match(out, /synthesisers: graph walk/);
    assert.doesNotMatch(out, /import/);
  },
  'figures are worst, summed a minute, or means by time'() {
    const clip = (seconds, knee, frames, glide) => ({ seconds, file: `f${seconds}`, name: 'c', knee_backward_deg: { value: knee, frame: 7 },
      knee_backward_frames: { value: frames, frame: 7 }, glide_share: { value: glide, frame: 3 }, sole_lowest_m: { value: -knee / 100, frame: 1 } });
    const all = together([clip(30, 2, 1, 0.1), clip(90, 5, 3, 0.3)]);
    assert.equal(all.knee_backward_deg.value, 5);
    assert.equal(all.knee_backward_deg.worst.file, 'f90');
    assert.equal(all.knee_backward_frames.value, 2); // four in two minutes
    assert.ok(Math.abs(all.glide_share.value - 25) < 1e-9); // percent
    assert.equal(all.sole_lowest_m.value, -5);
    assert.equal(all.stutter_share, undefined);
  },
  'what is above one and a half times the recordings is marked'() {
    const measure = field => kMeasures.find(one => one.field === field);
    assert.ok(!tooLarge(measure('jerk_rms'), { value: 149 }, { value: 100 }));
    assert.ok(tooLarge(measure('jerk_rms'), { value: 151 }, { value: 100 }));
    assert.ok(tooLarge(measure('foot_reversed_frames'), { value: 0.1 }, { value: 0 }));
    assert.ok(!tooLarge(measure('foot_reversed_frames'), { value: 0 }, { value: 0 }));
    assert.ok(tooLarge(measure('sole_lowest_m'), { value: -9 }, { value: -5 }));
    assert.ok(!tooLarge(measure('sole_lowest_m'), { value: -6 }, { value: -5 }));
    assert.ok(tooLarge(measure('sole_height_m'), { value: -2 }, { value: 0.5 }));
    assert.ok(tooLarge(measure('straightness_lost_deg'), { value: 1.2 }, undefined)); // recordings lose none
    assert.ok(!tooLarge(measure('straightness_lost_deg'), { value: -3 }, undefined));
  },
  'a jump is the hardest acceleration of a joint, which the measure takes over the same time whatever the rate'() {
    const clip = { name: 'a', frames: 10, rate: 60, largest_jump_m: 0.1, joint_acceleration_mps2: 9, joint_acceleration_frame: 4 };
    const [told] = figuresOf({ clips: [clip] }, 'file');
    assert.equal(told.joint_acceleration_mps2.value, 9);
    assert.equal(told.joint_acceleration_mps2.frame, 4);
    assert.equal(told.knee_backward_deg, undefined);
  },
  'the page keeps what stands around the table'() {
    const folder = mkdtempSync(join(tmpdir(), 'loom-quality-')), page = join(folder, 'page.md');
    try {
      writeFileSync(page, '# Title\n\n<!-- made by bench/quality.mjs: begin -->\nold\n<!-- made by bench/quality.mjs: end -->\n\nprose\n');
      putBetweenMarks(page, 'new');
      putBetweenMarks(page, 'newer');
      const text = readFileSync(page, 'utf8');
      assert.match(text, /^# Title\n/);
      assert.match(text, /\nprose\n$/);
      assert.match(text, /\n\nnewer\n\n/);
      assert.doesNotMatch(text, /old|new\n/);
      writeFileSync(page, 'no marks');
      assert.throws(() => putBetweenMarks(page, 'new'), /lacks/);
    } finally { rmSync(folder, { recursive: true }); }
  },
  'rows say what is bold, what is empty and where the worst is'() {
    const figure = (value, frame, file) => ({ jerk_rms: { value, worst: { value, frame, file } } });
    const rows = [{ set: '16', name: 'recordings', seconds: 60, figures: figure(100) }, { set: '16', name: 'fine', seconds: 60, figures: figure(120, 5, 'a') },
      { set: '16', name: 'rough', seconds: 60, figures: figure(300, 9, 'b') }, { set: '16', name: 'fight', reason: 'none: no punches' }];
    const table = markdown(rows, 'about');
    assert.match(table, /\| 16 \| rough \| 1\.0 \| \*\*300\*\* \|/);
    assert.match(table, /\| 16 \| fine \| 1\.0 \| 120 \|/);
    assert.match(table, /no punches/);
    assert.match(table, /1 of 2 figures/);
    assert.match(worstTable(rows), /300 \| b, frame 9/);
    assert.equal(csv(rows).trim().split('\n').length, 4);
    assert.match(csv(rows), /16,rough,60\.0,jerk_rms,300,100,1,300,b,9/);
  },
  'what is asked for is the same every time, and sensible'() {
    assert.deepEqual(wanderingPath(dice(3), 30, 1.5), wanderingPath(dice(3), 30, 1.5));
    assert.notDeepEqual(wanderingPath(dice(3), 30, 1.5), wanderingPath(dice(4), 30, 1.5));
    const path = wanderingPath(dice(1), 60, 1.5);
    for (let n = 1; n < path.length; ++n) {
      assert.ok(Math.abs(Math.hypot(path[n].x - path[n - 1].x, path[n].z - path[n - 1].z) - 1.5) < 1e-9);
      assert.ok(Math.abs(path[n].heading - path[n - 1].heading) < 1.2);
    }
    const feet = footprints(dice(1), 20, 0.6).trim().split('\n').slice(1).map(line => line.split(',')[3]);
    assert.equal(feet.length, 22);
    for (let n = 1; n < feet.length; ++n) assert.notEqual(feet[n], feet[n - 1]);
    assert.match(machineText(['walk', 'run']), /transition run -> walk full/);
  },
  'every set has what every synthesiser asks of it'() {
    const folder = mkdtempSync(join(tmpdir(), 'loom-quality-'));
    try {
      for (const set of kSets) {
        const steps = preparations(set, folder).map(step => step.id);
        for (const synthesiser of kSynthesisers) {
          for (const need of synthesiser.needs(set)) assert.ok(steps.includes(need), `${set.name}: ${synthesiser.name} needs ${need}`);
        }
      }
    } finally { rmSync(folder, { recursive: true }); }
  },
};

for (const [name, test] of Object.entries(tests)) {
  test();
  console.log(`ok ${name}`);
}
