// SPDX-License-Identifier: MIT
// The sets of motion that quality is measured on, and what each synthesiser is asked for there.

// `speed` metres a second along a path; `step` metres from a footprint to the next; `steer` the labels a steered character
// is made of; `follow` how to go along a path; `families` what is blended, `lead` those of them that are led along a way;
// `machine` the states one can ask for, by label: "fighting" is the built-in one; `whole` those of them that are actions,
// `markers` how far apart frames may be to go over from one to another, in centimetres, where the usual 8 are too many
// pairs. What is left out leaves its cells empty, and `why` says why.
const kNoFight = 'no punches, kicks or guard';

export const kSets = [
  {
    name: 'samples', speed: 1.2, step: 0.62, steer: ['walk', 'run', 'idle'], follow: 'walk', steps: 'walk',
    keys: ['idle', 'walk', 'jump', 'run', 'kick', 'punch', 'reach', 'turn-left', 'pick-up', 'wave'],
    families: [['reach'], ['punch'], ['kick'], ['jump'], ['walk', 'locomotion']], lead: ['reach', 'walk'],
    machine: 'fighting', fight: true,
  },
  {
    name: '16', speed: 1.2, step: 0.65, steer: ['walk', 'run', 'stop', 'turn-left', 'turn-right'], follow: 'walk', steps: 'walk',
    keys: ['walk', 'run', 'jump', 'turn-left', 'turn-right', 'stop'],
    families: [['walk', 'locomotion'], ['jump']], lead: ['walk'], machine: ['walk', 'run'], why: { fight: kNoFight },
  },
  {
    name: '35', speed: 1.3, step: 0.7, steer: ['walk', 'run'], follow: 'walk', steps: 'walk', keys: ['walk', 'run'],
    families: [['walk', 'locomotion'], ['run', 'locomotion']], lead: ['walk', 'run'], machine: ['walk', 'run'], why: { fight: kNoFight },
  },
  {
    name: '69', speed: 1.0, step: 0.6, steer: ['walk'], follow: 'walk', steps: 'walk',
    keys: ['walk', 'sidestep', 'turn-in-place', 'walk-backward', 'pick', 'turn-left', 'turn-right'],
    families: [['walk', 'locomotion']], lead: ['walk'], machine: ['walk', 'pick'], whole: ['pick'], markers: 4, why: { fight: kNoFight },
  },
  {
    name: '91', speed: 0.6, step: 0.5, steer: ['walk', 'jump'], follow: 'walk', steps: 'walk', keys: ['walk', 'jump'],
    families: [['jump'], ['walk', 'locomotion']], lead: ['walk'], machine: ['walk', 'jump'], why: { fight: kNoFight },
  },
  {
    name: '127', speed: 2.5, steer: ['run', 'walk', 'stop', 'turn-left', 'turn-right'], follow: 'run',
    keys: ['run', 'stop', 'jump', 'duck', 'turn-left', 'turn-right'],
    families: [['run', 'locomotion'], ['jump']], lead: ['run'], machine: ['run', 'stop'], why: { fight: kNoFight, 'blend steps': 'all runs: no step begins or ends standing' },
  },
  {
    name: '144', speed: 0.8, step: 0.5, steer: ['walk'], follow: 'walk', steps: 'walk',
    keys: ['walk', 'kick', 'punch', 'block', 'lunge', 'reach'],
    families: [['reach'], ['punch'], ['kick'], ['walk', 'locomotion']], lead: ['reach', 'walk'], machine: 'fighting', fight: true,
  },
];

// A machine with one state a label, from each of which one gets into each. The first is the default, and gets the motion
// that no other claims: clips may carry several labels. States that are `whole` are left as they end.
export function machineText(labels, whole = []) {
  const lines = ['machine moving'];
  for (const label of [...labels].reverse()) lines.push(`state ${label}${whole.includes(label) ? ' whole' : ''}: ${label}`);
  lines.push(`default ${labels[0]}`);
  for (const from of labels) {
    for (const to of labels) {
      if (from === to && whole.includes(from)) continue;
      lines.push(`transition ${from} -> ${to}${from === to ? ' self' : whole.includes(from) ? '' : ' full'}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

// Small, seeded and the same everywhere: what is asked for must not change from run to run (splitmix32).
export function dice(seed) {
  let state = (seed * 0x9e3779b9) >>> 0;
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  };
  return { next, among: list => list[Math.floor(next() * list.length)], between: (low, high) => low + (high - low) * next() };
}

// A way over the floor that bends to and fro, `length` metres long, a point every `stride`: x, z and the heading in radians.
export function wanderingPath(random, length, stride) {
  const points = [];
  let x = 0, z = 0, heading = 0, bend = 0;
  for (let way = 0; way <= length; way += stride) {
    points.push({ x, z, heading });
    bend = 0.85 * bend + random.between(-0.12, 0.12) * Math.sqrt(stride);
    heading += bend * stride;
    x += stride * Math.sin(heading);
    z += stride * Math.cos(heading);
  }
  return points;
}

// Footprints along such a way: both feet side by side, then left and right in turn.
export function footprints(random, count, step) {
  const path = wanderingPath(random, count * step, step);
  const rows = ['x,z,heading,foot'];
  const print = ({ x, z, heading }, left) => {
    const side = left ? 0.09 : -0.09;
    rows.push([x + side * Math.cos(heading), z - side * Math.sin(heading), heading * 180 / Math.PI, left ? 'left' : 'right']
      .map(value => typeof value === 'number' ? value.toFixed(4) : value).join(','));
  };
  print(path[0], true), print(path[0], false);
  for (let n = 1; n < path.length; ++n) print(path[n], n % 2 === 1);
  return `${rows.join('\n')}\n`;
}
