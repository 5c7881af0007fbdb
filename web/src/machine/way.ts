// SPDX-License-Identifier: MIT
// A way of states as it is drawn with the pointer, and two machines beside each other.
import { MachineAbout, MachineEdge } from '../routes';

export const hasEdge = (machine: MachineAbout, from: string, to: string) =>
  machine.edges.some(edge => edge.from === from && edge.to === to);

// What becomes of a way when the pointer comes to a state. Back to the one before takes the last off again; a state that
// no transition leads to, or that is on the way already, is refused with the reason.
export function extended(machine: MachineAbout, way: string[], state: string): { way: string[]; refused?: string } {
  const last = way[way.length - 1];
  if (last === state) return { way };
  if (way.length > 1 && way[way.length - 2] === state) return { way: way.slice(0, -1) };
  if (way.includes(state)) return { way, refused: `${state} is on the way already` };
  if (last !== undefined && !hasEdge(machine, last, state)) return { way, refused: `there is no transition from ${last} to ${state}` };
  return { way: [...way, state] };
}

// A way as it is typed: names with commas, or arrows, between.
export function parsedWay(machine: MachineAbout, text: string): { way: string[]; refused?: string } {
  let way: string[] = [];
  for (const name of text.split(/,|→|->/).map(word => word.trim())) {
    if (!name) continue;
    if (!machine.states.some(state => state.name === name)) return { way, refused: `there is no state ${name}` };
    if (way.includes(name)) return { way, refused: `${name} is on the way already` };
    const next = extended(machine, way, name);
    if (next.refused) return next;
    way = next.way;
  }
  return { way };
}

// What a way is likely to be gone: the product of its probabilities.
export function likelihood(machine: { edges: MachineEdge[] }, way: string[]): number {
  let product = 1;
  for (let i = 1; i < way.length; ++i) {
    product *= machine.edges.find(edge => edge.from === way[i - 1] && edge.to === way[i])?.probability ?? 0;
  }
  return product;
}

export interface Difference {
  common: MachineEdge[]; // of the first, in the second too
  onlyHere: MachineEdge[];
  onlyThere: MachineEdge[];
  statesOnlyHere: string[];
  statesOnlyThere: string[];
}

// States and transitions are the same where their names are.
export function difference(here: MachineAbout, there: MachineAbout): Difference {
  const lacks = (machine: MachineAbout) => (edge: MachineEdge) => !hasEdge(machine, edge.from, edge.to);
  const names = (machine: MachineAbout) => machine.states.map(state => state.name);
  return {
    common: here.edges.filter(edge => hasEdge(there, edge.from, edge.to)),
    onlyHere: here.edges.filter(lacks(there)),
    onlyThere: there.edges.filter(lacks(here)),
    statesOnlyHere: names(here).filter(name => !names(there).includes(name)),
    statesOnlyThere: names(there).filter(name => !names(here).includes(name)),
  };
}
