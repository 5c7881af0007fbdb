// SPDX-License-Identifier: MIT
// Long work as the server reports it: how far it is, what came of it, and a way to stop it.
import { Job, send } from './api';
import { button, el, fill } from './dom';
import { importReport } from './importer';
import { attempt } from './notices';
import { socket } from './socket';

const jobs = new Map<number, Job>();
const dismissed = new Set<number>();
const tray = el('div', { class: 'jobs', 'aria-live': 'polite' });
const waiting = new Map<number, (job: Job) => void>();

export const isOver = (job: Job) => job.state !== 'waiting' && job.state !== 'running';

// Resolves when the job is over.
export function jobEnd(id: number): Promise<Job> {
  const known = jobs.get(id);
  if (known && isOver(known)) return Promise.resolve(known);
  return new Promise(resolve => waiting.set(id, resolve));
}

function outcome(job: Job): (HTMLElement | string)[] {
  if (job.state === 'failed') return [el('p', { class: 'error' }, job.error ?? 'failed')];
  if (job.state === 'cancelled') return [el('p', { class: 'faint' }, 'stopped; nothing was changed')];
  if (job.state !== 'done') return [];
  if (job.kind === 'import') return importReport(job);
  if (job.kind === 'graph') {
    const r = job.result;
    return [el('p', {}, `${r.nodes} nodes (${(100 * r.share).toFixed(1)} % of the frames), ${r.transitions} transitions in ${r.seconds.toFixed(1)} s`)];
  }
  if (job.kind === 'family') return [el('p', {}, `${job.result.examples} examples`)];
  if (job.kind === 'policy') return [el('p', {}, `trained on ${job.result.fragments} fragments`)];
  return [];
}

const titles: Record<string, string> = { import: 'Import', graph: 'Graph', family: 'Family', policy: 'Policy', states: 'State graph' };

function card(job: Job): HTMLElement {
  const over = isOver(job);
  return el('section', { class: `job ${job.state}`, 'data-job': job.id },
    el('header', {}, el('strong', {}, `${titles[job.kind] ?? job.kind}: ${job.title}`),
      over ? el('button', { type: 'button', class: 'quiet', 'aria-label': 'Dismiss', onclick: () => { dismissed.add(job.id); draw(); } }, '×')
        : button('Cancel', () => void attempt(() => send('DELETE', `/api/jobs/${job.id}`)), { class: 'quiet' })),
    over ? null : el('progress', { max: 1, value: job.share }),
    over ? null : el('p', { class: 'faint' }, job.state === 'waiting' ? 'waiting' : job.what),
    ...outcome(job));
}

function draw(): void {
  fill(tray, [...jobs.values()].filter(job => !dismissed.has(job.id)).slice(-4).map(card));
}

function take(job: Job): void {
  const before = jobs.get(job.id);
  jobs.set(job.id, job);
  if (!isOver(job)) return;
  waiting.get(job.id)?.(job);
  waiting.delete(job.id);
  const troubled = job.state === 'failed' || job.result?.failed?.length;
  if (before && !isOver(before) && !troubled) setTimeout(() => { dismissed.add(job.id); draw(); }, 12000);
}

export function showJobs(): HTMLElement {
  socket.on('job', event => { take(event.job); draw(); });
  socket.on('hello', event => {
    for (const job of event.jobs as Job[]) {
      if (isOver(job) && !jobs.has(job.id)) dismissed.add(job.id);
      take(job);
    }
    draw();
  });
  return tray;
}
