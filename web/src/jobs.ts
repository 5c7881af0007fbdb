// SPDX-License-Identifier: MIT
// Long work as the server reports it: how far it is, what came of it, and a way to stop it.
import { call } from './api';
import { button, counted, el, fill } from './dom';
import { percent } from './graph/verdict';
import { importReport, labelReport } from './importer';
import { attempt } from './notices';
import { project } from './project';
import { Job, LeftOut } from './routes';
import { socket } from './socket';
import { keep, kept } from './storage';

const jobs = new Map<number, Job>();
const dismissed = new Set<number>();
let studio = ''; // the server whose jobs these are
const tray = el('div', { class: 'jobs', 'aria-live': 'polite' });
const kShown = 4; // of those that are over
const stopping = new Set<number>(); // was asked to
const waiting = new Map<number, (job: Job) => void>();

export const isOver = (job: Job) => job.state !== 'waiting' && job.state !== 'running';

// Resolves when the job is over.
export function jobEnd(id: number): Promise<Job> {
  const known = jobs.get(id);
  if (known && isOver(known)) return Promise.resolve(known);
  return new Promise(resolve => waiting.set(id, resolve));
}

// What was not used since it is faulty: how much, and each stretch with its reason.
function leftOutReport(stretches: LeftOut[]): HTMLElement[] {
  if (stretches.length === 0) return [];
  const seconds = stretches.reduce((sum, stretch) => sum + stretch.seconds, 0);
  const count = stretches.length === 1 ? '1 faulty stretch' : `${stretches.length} faulty stretches`;
  const lines = stretches.map(({ clip, from, to, why }) => el('li', {}, `${clip} [${from}-${to}): ${why}`));
  return [el('details', {}, el('summary', {}, `${count} left out, ${seconds.toFixed(1)} s`), el('ul', {}, ...lines))];
}

// What to do with new clips, where nothing was made of any yet.
function next(clips: number): HTMLElement[] {
  if (!clips || project.state?.graphs.length) return [];
  return [el('p', {}, 'Next: ', el('a', { href: '#graph' }, 'build a graph of them'), ', and a character walks.')];
}

function outcome(job: Job): (HTMLElement | string)[] {
  if (job.state === 'failed') return [el('p', { class: 'error' }, job.error ?? 'failed')];
  if (job.state === 'cancelled') return [el('p', { class: 'faint' }, 'stopped; nothing was changed')];
  if (job.state !== 'done' || !job.result) return [];
  if (job.kind === 'import') return [...importReport(job.result), ...next(job.result.clips.length)];
  if (job.kind === 'labels') return labelReport(job.result);
  if (job.kind === 'graph') {
    const r = job.result;
    return [
      el(
        'p',
        {},
        `${percent(r.share)} of the motion is connected, by ${r.transitions.toLocaleString('en')} transitions; built in ${r.seconds.toFixed(1)} s`,
      ),
      ...leftOutReport(r.left_out),
    ];
  }
  if (job.kind === 'selection') {
    const r = job.result;
    return [
      el('p', {}, `${r.nodes} of ${r.whole_nodes} nodes, ${Math.floor(100 * r.satisfied_share)} % of the ways as asked for`),
      ...(r.left_out_nodes ? [el('p', {}, `${r.left_out_nodes} that were picked are left out: they do not lead on and back`)] : []),
    ];
  }
  if (job.kind === 'machine') {
    const { states, edges, chi, rho } = job.result;
    const alike = chi === null || rho === null ? '' : `; χ ${chi.toFixed(2)}, ρ ${rho.toFixed(2)}`;
    return [el('p', {}, `${states} states, ${edges} transitions${alike}`)];
  }
  if (job.kind === 'built') {
    const { states, transitions, seconds } = job.result;
    return [el('p', {}, `${states} states filled, ${transitions} transitions found in ${seconds.toFixed(1)} s`)];
  }
  if (job.kind === 'samples')
    return [el('p', {}, `${counted(job.result.clips, 'clip')}, ${job.result.seconds.toFixed(0)} s of motion`), ...next(job.result.clips)];
  if (job.kind === 'character') {
    const { characters, failed } = job.result;
    return [
      ...characters.map(kept => el('p', {}, `${kept.name}: ${kept.joints} joints, ${kept.vertices} vertices`)),
      ...characters.flatMap(kept => kept.warnings.map(text => el('p', { class: 'warning' }, `${kept.name}: ${text}`))),
      ...failed.map(note => el('p', { class: 'error' }, `${note.file}: ${note.text}`)),
    ];
  }
  if (job.kind === 'motion') return [el('p', {}, `${counted(job.result.clips, 'clip')} to play with`)];
  const faulty = leftOutReport(job.result.left_out);
  if (job.kind === 'family') return [el('p', {}, `${job.result.examples} examples`), ...faulty];
  if (job.kind === 'policy') return [el('p', {}, `trained on ${job.result.fragments} fragments`), ...faulty];
  return [el('p', {}, 'ready'), ...faulty];
}

const titles: Record<Job['kind'], string> = {
  import: 'Import',
  labels: 'Labels',
  samples: 'Added',
  graph: 'Graph',
  selection: 'Selection',
  family: 'Family',
  policy: 'Policy',
  states: 'Prepared',
  machine: 'Machine',
  built: 'Machine built',
  character: 'Character',
  motion: 'Motion',
};

// A job's line. Its parts are kept while it runs, so that its button can be pressed however often it is told of.
interface Card {
  element: HTMLElement;
  bar: HTMLProgressElement;
  what: HTMLElement;
  cancel: HTMLButtonElement;
  state: string;
}
const cards = new Map<number, Card>();

function makeCard(job: Job): Card {
  const bar = el('progress', { max: 1, value: 0 }),
    what = el('p', { class: 'faint' });
  const cancel = button(
    'Cancel',
    () => {
      stopping.add(job.id);
      cancel.disabled = true;
      what.textContent = 'stopping…';
      void attempt(() => call('DELETE /api/jobs/*', { names: [job.id] }));
    },
    { class: 'quiet' },
  );
  return { element: el('section', { 'data-job': job.id }), bar, what, cancel, state: '' };
}

function card(job: Job): HTMLElement {
  let known = cards.get(job.id);
  if (!known) cards.set(job.id, (known = makeCard(job)));
  const { element, bar, what, cancel } = known,
    over = isOver(job);
  bar.value = job.share;
  what.textContent = job.state === 'waiting' ? 'waiting' : stopping.has(job.id) ? 'stopping…' : job.what;
  if (known.state === job.state) return element;
  known.state = job.state;
  element.className = `job ${job.state}`;
  fill(
    element,
    el('strong', {}, `${titles[job.kind]}: ${job.title}`),
    over ? el('div', { class: 'outcome' }, outcome(job)) : el('div', { class: 'going' }, bar, what),
    over ? el('button', { type: 'button', class: 'quiet', 'aria-label': 'Dismiss', onclick: () => dismiss(job) }, '×') : cancel,
  );
  return element;
}

function dismiss(job: Job): void {
  dismissed.add(job.id);
  keep('dismissed', JSON.stringify({ studio, jobs: [...dismissed] })); // one that ended while no page was open is still told of
  draw();
}

// Those that are shown; nothing is taken out and put back that stays, for a button that is being pressed would not be.
function draw(): void {
  const open = [...jobs.values()].filter(job => !dismissed.has(job.id)),
    old = open.filter(isOver).slice(0, -kShown);
  const shown = open.filter(job => !old.includes(job)).map(card);
  [...tray.children].forEach(child => {
    if (!shown.includes(child as HTMLElement)) child.remove();
  });
  shown.forEach(element => {
    if (!element.isConnected) tray.append(element);
  });
}

function take(job: Job): void {
  const before = jobs.get(job.id);
  jobs.set(job.id, job);
  if (!isOver(job)) return;
  waiting.get(job.id)?.(job);
  waiting.delete(job.id);
  const troubled = job.state === 'failed' || job.kind === 'import' || job.kind === 'labels'; // these reports are read, and then closed
  if (!(before && isOver(before)) && !troubled) setTimeout(() => dismiss(job), 12000);
}

export function showJobs(): HTMLElement {
  socket.on('job', event => {
    take(event.job);
    draw();
  });
  socket.on('hello', event => {
    studio = event.studio;
    const before = JSON.parse(kept('dismissed') ?? '{}') as { studio?: string; jobs?: number[] };
    if (before.studio === studio) for (const id of before.jobs ?? []) dismissed.add(id);
    for (const job of event.jobs) take(job);
    draw();
  });
  return tray;
}
