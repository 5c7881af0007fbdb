// SPDX-License-Identifier: MIT
// The columns of the table: how figures of `loom measure` are brought together over many files, and which are too large.

// `join`: "worst" of all, "sum" of frames told a minute, "mean" by time. `frame`: where the worst is, a field of each clip.
// `slack`: what nobody sees, allowed on top of 1.5 times the recordings. `limit`: allowed where recordings have no figure.
const kRatio = 1.5;
export const kMeasures = [
  { field: 'knee_backward_deg', title: 'knee °', join: 'worst', frame: 'knee_backward_frame', digits: 1, slack: 1 },
  { field: 'knee_backward_frames', title: 'knee frames/min', join: 'sum', frame: 'knee_backward_frame', digits: 1, slack: 0 },
  { field: 'elbow_backward_deg', title: 'elbow °', join: 'worst', frame: 'elbow_backward_frame', digits: 1, slack: 1 },
  { field: 'elbow_backward_frames', title: 'elbow frames/min', join: 'sum', frame: 'elbow_backward_frame', digits: 1, slack: 0 },
  { field: 'joint_turn_ratio', title: 'turns', join: 'worst', frame: 'joint_turn_frame', digits: 1, slack: 0 },
  { field: 'joint_flip_frames', title: 'flips/min', join: 'sum', frame: 'joint_turn_frame', digits: 2, slack: 0 },
  { field: 'foot_reversed_frames', title: 'reversed/min', join: 'sum', frame: 'foot_reversed_frame', digits: 2, slack: 0 },
  { field: 'sole_height_m', title: 'soles cm', join: 'mean', scale: 100, digits: 1, slack: 0.5, size: Math.abs },
  { field: 'sole_lowest_m', title: 'lowest cm', join: 'least', frame: 'sole_lowest_frame', scale: 100, digits: 1, slack: 0.5, size: value => -value },
  { field: 'straightness_lost_deg', title: 'straight °', join: 'mean', digits: 1, limit: 1 },
  { field: 'self_inside_m', title: 'inside cm', join: 'worst', frame: 'self_inside_frame', scale: 100, digits: 1, slack: 0.5 },
  { field: 'self_inside_share', title: 'inside %', join: 'mean', scale: 100, digits: 1, slack: 0.2 },
  { field: 'bodies_inside_m', title: 'bodies cm', join: 'worst', frame: 'bodies_inside_frame', scale: 100, digits: 1, limit: 3 },
  { field: 'bodies_inside_share', title: 'bodies %', join: 'mean', scale: 100, digits: 1, limit: 1 },
  { field: 'glide_share', title: 'glide %', join: 'mean', frame: 'glide_frame', scale: 100, digits: 1, slack: 0.5 },
  { field: 'stutter_share', title: 'stutter %', join: 'mean', scale: 100, digits: 1, limit: 1 },
  { field: 'drags_per_minute', title: 'drags/min', join: 'mean', frame: 'drag_max_frame', digits: 1, slack: 0.2 },
  { field: 'drag_max_m', title: 'drag m', join: 'worst', frame: 'drag_max_frame', digits: 2, slack: 0.05 },
  { field: 'foot_slide_mean_mps', title: 'slide cm/s', join: 'mean', frame: 'foot_slide_max_frame', scale: 100, digits: 1, slack: 0.1 },
  { field: 'foot_slide_max_mps', title: 'worst slide', join: 'worst', frame: 'foot_slide_max_frame', scale: 100, digits: 0, slack: 5 },
  { field: 'joint_acceleration_mps2', title: 'jump m/s²', join: 'worst', frame: 'joint_acceleration_frame', digits: 0, slack: 0 },
  { field: 'head_acceleration_mps2', title: 'head m/s²', join: 'worst', frame: 'head_acceleration_frame', digits: 0, slack: 0 },
  { field: 'jerk_rms', title: 'jerk m/s³', join: 'square', frame: 'jerk_max_frame', digits: 0, slack: 0 },
];

// Where the frame of a figure of two bodies stands: it is told of both together, not of each.
const frameOf = (measure, clip, whole) => measure.frame === undefined ? undefined : clip[measure.frame] ?? whole[measure.frame];

// The figures of one clip that are kept: a line a measure, with its frame.
export function figuresOf(measured, file) {
  return measured.clips.map(clip => {
    const figures = { name: clip.name, file, seconds: clip.frames / clip.rate };
    for (const measure of kMeasures) {
      const value = clip[measure.field] ?? measured[measure.field] ?? null;
      if (value !== null) figures[measure.field] = { value, frame: frameOf(measure, clip, measured) };
    }
    return figures;
  });
}

// One figure a measure of many clips, each with the clip and frame it is worst in.
export function together(clips) {
  const all = {};
  for (const measure of kMeasures) {
    const with_it = clips.filter(clip => clip[measure.field]);
    if (with_it.length === 0) continue;
    const size = measure.size ?? (value => value);
    const seconds = with_it.reduce((sum, clip) => sum + clip.seconds, 0);
    const sum = by => with_it.reduce((total, clip) => total + by(clip[measure.field].value, clip.seconds), 0);
    const worst = with_it.reduce((a, b) => size(b[measure.field].value) > size(a[measure.field].value) ? b : a);
    const value = {
      worst: () => worst[measure.field].value,
      least: () => worst[measure.field].value,
      sum: () => sum(frames => frames) / seconds * 60,
      mean: () => sum((figure, weight) => figure * weight) / seconds,
      square: () => Math.sqrt(sum((figure, weight) => figure ** 2 * weight) / seconds),
    }[measure.join]();
    all[measure.field] = { value: value * (measure.scale ?? 1), worst: { ...worst[measure.field], file: worst.file, name: worst.name } };
  }
  return all;
}

// How a steered character answers its player, as `--json` of the command tells: seconds, metres a second, radians a second.
export const answerOf = told => ({ delay: told.delay_seconds, velocity: told.velocity_error_mps, turn: told.turn_error_rps });

export function meanAnswer(answers) {
  if (answers.length === 0) return null;
  const mean = field => answers.reduce((sum, answer) => sum + answer[field], 0) / answers.length;
  return { delay: mean('delay'), velocity: mean('velocity'), turn: mean('turn') };
}

// Whether a figure of made motion is more than it may be beside the recordings' own.
export function tooLarge(measure, made, recorded) {
  const size = measure.size ?? (value => value);
  if (recorded === undefined || measure.limit !== undefined) return size(made.value) > (measure.limit ?? Infinity);
  return size(made.value) > kRatio * Math.max(0, size(recorded.value)) + measure.slack;
}
