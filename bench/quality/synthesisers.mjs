// SPDX-License-Identifier: MIT
// What each synthesiser needs of a library, and the command that makes a minute of it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dice, footprints, machineText, wanderingPath } from './sets.mjs';

const kName = 'quality';
const kStay = new Set(['idle', 'walk', 'run', 'sidestep', 'walk-backward', 'turn-in-place', 'wave']); // states; all else are actions

// A step of preparing a library: a command whose failure empties the cells that need it.
const families = set => set.families.map(([label, kind]) =>
  ({ id: `family ${label}`, command: ['blend', 'family', '@', '--label', label, ...(kind ? ['--kind', kind] : []), '--name', label, '--leave-out', '--json'] }));

// The two behaviors a policy learns: of those that the graph has kept.
const steerable = (set, labels) => set.keys.filter(key => (kStay.has(key) || key === 'jump') && labels.result.behaviors.includes(key)).slice(0, 2);

export function preparations(set, folder) {
  const machine = join(folder, `${set.name}.machine`);
  if (Array.isArray(set.machine)) writeFileSync(machine, machineText(set.machine, set.whole));
  return [
    { id: 'graph', command: ['graph', 'build', '@', '--name', kName, '--json'] },
    { id: 'labels', needs: 'graph', command: ['graph', 'measure', '@', kName, '--json'] },
    { id: 'policy', needs: 'labels', command: ({ labels }) => ['graph', 'train', '@', kName, '--behaviors', ...steerable(set, labels), '--headings', '12', '--json'] },
    { id: 'cut', command: ['fragments', 'cut', '@', '--name', kName, '--mirror', '--label', ...set.steer, '--json'] },
    { id: 'fragments', needs: 'cut', command: ['fragments', 'train', '@', kName, '--json'] },
    ...families(set),
    { id: 'families', command: ['blend', 'family', '@', '--list', '--json'] },
    { id: 'states', command: ['states', 'build', '@', '--name', kName, ...(set.machine === 'fighting' ? [] : ['--machine', machine]), ...(set.markers ? ['--threshold-cm', set.markers] : []), '--json'] },
  ];
}

// A family that was built, with the names of its parameters in the order they are given in.
function familyOf(prepared, label) {
  const listed = prepared.families.result.families.find(family => family.name === label);
  return { ...prepared[`family ${label}`].result, order: listed.parameter_names };
}

// Parameters between two examples of a family, taken at random.
function between(random, family) {
  const a = random.among(family.members).parameters, b = random.among(family.members).parameters, share = random.next();
  return family.order.map(name => (a[name] + share * (b[name] - a[name])).toFixed(4)).join(',');
}

const motion = (command, extra = {}) => [{ command: [...command, '-o', '%.glb', '--force'], ...extra }];
const sourced = command => motion([...command, '--sources', '%.csv'], { sources: true });
// Of what a simulated player steers: how soon and how nearly it does what is asked, told by the command.
const steered = command => sourced([...command, '--json']).map(one => ({ ...one, answers: true }));

// Each gives the commands of a cell: '@' stands for the library, '%' for the file to write, without its ending.
export const kSynthesisers = [
  {
    name: 'graph walk', needs: () => ['graph'],
    make: ({ seed, seconds }) => sourced(['graph', 'walk', '@', kName, '--seconds', seconds, '--seed', seed]),
  },
  {
    name: 'graph keys', needs: () => ['graph', 'labels'],
    make: ({ set, seed, seconds, prepared }) => {
      const random = dice(seed), labels = set.keys.filter(label => prepared.labels.result.behaviors.includes(label));
      const keys = [];
      for (let n = 0; n < Math.max(2, seconds / 4); ++n) {
        const label = random.among(labels.filter(other => labels.length < 2 || other !== keys.at(-1)?.split('@')[0]));
        keys.push(kStay.has(label) ? `${label}@${random.between(2, 4).toFixed(1)}` : label);
      }
      return sourced(['graph', 'keys', '@', kName, ...keys]);
    },
  },
  {
    name: 'graph follow', needs: () => ['graph'],
    make: ({ set, seed, seconds }) => sourced(['graph', 'follow', '@', kName, '--time', '3', '--label', set.follow, '--points',
      ...wanderingPath(dice(seed), set.speed * seconds, 1.5).map(p => `${p.x.toFixed(2)},${p.z.toFixed(2)}`)]),
  },
  {
    name: 'graph play', needs: () => ['policy'],
    make: ({ seed, seconds }) => steered(['graph', 'play', '@', kName, '--seconds', seconds, '--seed', seed]),
  },
  {
    name: 'blend make', needs: set => set.families.map(([label]) => `family ${label}`),
    make: ({ set, seed, seconds, prepared }) => {
      const random = dice(seed), made = [];
      for (let n = 0; n < Math.ceil(seconds / 2); ++n) {  // of two seconds each, about
        const family = familyOf(prepared, set.families[n % set.families.length][0]);
        made.push({ command: ['blend', 'make', '@', family.name, `--at=${between(random, family)}`, '-o', `%-${n}.glb`, '--force'] });
      }
      return made;
    },
  },
  {
    name: 'blend lead', needs: set => set.lead.map(label => `family ${label}`),
    make: ({ set, seed, seconds, prepared }) => {
      const random = dice(seed), family = familyOf(prepared, set.lead[seed % set.lead.length]);
      const through = Array.from({ length: Math.max(2, Math.ceil(seconds / 4)) }, () => between(random, family));
      return motion(['blend', 'lead', '@', family.name, '--seconds', seconds, ...through.map(point => `--through=${point}`)]);
    },
  },
  {
    name: 'blend steps', needs: () => [],
    make: ({ set, seed, seconds, file }) => {
      writeFileSync(`${file}-steps.csv`, footprints(dice(seed), Math.ceil(1.8 * seconds), set.step));
      return motion(['blend', 'steps', '@', '%-steps.csv', '--label', set.steps]);
    },
  },
  {
    name: 'fragments play', needs: () => ['fragments'],
    make: ({ seed, seconds }) => steered(['fragments', 'play', '@', kName, '--seconds', seconds, '--seed', seed]),
  },
  {
    name: 'match play', needs: () => [],
    make: ({ set, seed, seconds }) => steered(['match', 'play', '@', '--label', ...set.steer, '--mirror', '--seconds', seconds, '--seed', seed]),
  },
  {
    name: 'states play', needs: () => ['states'],
    make: ({ set, seed, seconds }) => {
      const random = dice(seed), script = [];
      const states = set.machine === 'fighting' ? ['locomotion', 'punch', 'kick', 'evade'] : set.machine;
      for (let n = 0; n < Math.max(2, seconds / 2); ++n) {
        script.push(`${n % 2 === 0 ? states[0] : random.among(states.slice(1))}@2`);
      }
      return sourced(['states', 'play', '@', kName, '--seed', seed, ...script]);
    },
  },
  {
    name: 'fight', needs: () => ['states'], together: true,
    make: ({ seed, seconds }) => motion(['fight', '@', '--states', kName, '--seconds', seconds, '--seed', seed]),
  },
];
