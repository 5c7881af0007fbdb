// SPDX-License-Identifier: MIT
// Files dropped anywhere on the page are sent and imported, in the background.
import { call, upload } from './api';
import { commandBar } from './command_bar';
import { path } from './command_words';
import { button, counted, el } from './dom';
import { attempt, notify } from './notices';
import { project } from './project';
import { ImportResult, LabelsResult, NoteGroup } from './routes';

const kUsable = /\.(bvh|amc|asf|skm|sk|glb|gltf|fbx|dae|csv)$/i;
const kAtOnce = 4; // files on the way
const kBuffers = /\.bin$/i; // go with a .gltf

// What was dropped or chosen: files, and the names by which the command line would take them all.
export interface Dropped {
  files: { file: File; folder: string }[];
  named: string[];
}

// Who takes what is dropped in place of the import, on a page of its own; `what` is said while it is dragged.
export const dropTaker: { take: ((dropped: Dropped) => Promise<void>) | null; what: string } = { take: null, what: '' };

async function filesOf(entry: FileSystemEntry, folder = ''): Promise<Dropped['files']> {
  if (entry.isFile)
    return [{ file: await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)), folder }];
  const reader = (entry as FileSystemDirectoryEntry).createReader(),
    files: Dropped['files'] = [];
  for (;;) {
    // a folder is read a hundred entries at a time
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (!entries.length) return files;
    for (const inner of entries) files.push(...(await filesOf(inner, entry.name)));
  }
}

// A name for each file under which it is sent: its own, or where that is taken with its folder's before it.
function namesFor(files: Dropped['files']): string[] {
  const taken = new Set<string>();
  return files.map(({ file, folder }) => {
    const base = folder && taken.has(file.name) ? `${folder}-${file.name}` : file.name;
    let name = base;
    for (let n = 2; taken.has(name); ++n) name = base.replace(/(\.[^.]*)$/, `-${n}$1`);
    taken.add(name);
    return name;
  });
}

// The command that imports the same, where the files lie.
function showCommand(named: string[]): void {
  const tables = named.filter(name => /\.csv$/i.test(name)),
    motions = named.filter(name => !tables.includes(name));
  if (motions.length)
    commandBar.showHere('import', 'LIBRARY', ...motions.map(path), ...tables.slice(0, 1).flatMap(name => ['--labels', path(name)]));
  else commandBar.showHere('label', 'LIBRARY', '--import', path(tables[0]));
}

export async function importFiles({ files, named }: Dropped): Promise<void> {
  const gltf = files.some(({ file }) => /\.gltf$/i.test(file.name));
  const usable = files.filter(({ file }) => kUsable.test(file.name) || (gltf && kBuffers.test(file.name)));
  const others = files.length - usable.length;
  if (others) notify(`${others} of ${files.length} ${files.length > 1 ? 'files are' : 'file is'} no motion and left out`, 'error');
  if (!usable.length) return;
  const batch = `drop-${Date.now()}-${Math.random().toString(36).slice(2, 8)}`,
    names = namesFor(usable);
  const notice = el('div', { class: 'sending', role: 'status' });
  document.querySelector('.jobs')!.before(notice);
  let sent = 0,
    next = 0;
  const sendOn = async () => {
    while (next < usable.length) {
      const i = next++;
      await attempt(async () => {
        await upload(batch, names[i], usable[i].file, share => {
          notice.textContent = `Sending ${names[i]} (${i + 1} of ${usable.length}) ${Math.round(100 * share)} %`;
        });
        ++sent;
      });
    }
  };
  await Promise.all(Array.from({ length: kAtOnce }, sendOn));
  notice.remove();
  if (!sent || !(await attempt(() => call('POST /api/imports', { body: { batch } })))) return;
  showCommand(named.filter(name => kUsable.test(name) || !files.some(({ file }) => file.name === name)));
}

const kNamed = 3; // files that are named where many are meant
const kListed = 200;

// The clip that a file became, as a link to it; its name alone where there is none.
function fileLink(file: string): HTMLElement {
  const stem = file
    .split('/')
    .pop()!
    .replace(/\.[^.]*$/, '');
  const clip = project.clip(stem);
  return clip ? el('a', { href: `#library/${encodeURIComponent(clip.name)}` }, file) : el('span', {}, file);
}

const withCommas = (parts: (HTMLElement | string)[]) => parts.flatMap((part, i) => (i ? [', ', part] : [part]));

// One line for all files of which the same is said, as the command has it; all of them on asking.
function groupLine({ text, files, notes, alike }: NoteGroup, kind: string): HTMLElement {
  const about =
    notes > files.length ? ` (${notes} times${alike ? '' : ', this is the first'})` : alike || files.length < 2 ? '' : ' (for example)';
  if (files.length <= kNamed) return el('p', { class: kind }, ...withCommas(files.map(fileLink)), `: ${text}${about}`);
  const all = el('ul', {}),
    more = el('details', { class: kind }, el('summary', {}, `${counted(files.length, 'file')}: ${text}${about}`), all);
  more.addEventListener('toggle', () => {
    if (!all.children.length) {
      all.append(...files.slice(0, kListed).map(file => el('li', {}, fileLink(file))));
      if (files.length > kListed) all.append(el('li', {}, `and ${files.length - kListed} more`));
    }
  });
  return more;
}

// Faults of capture that say the same but for numbers, gathered as notes are.
function faultGroups(faults: ImportResult['faults']): NoteGroup[] {
  const groups = new Map<string, NoteGroup>();
  for (const { file, text, mended } of faults) {
    const said = text + (mended ? ' (mended)' : ''),
      kind = said.replace(/'[^']*'|-?[\d.]+/g, '#'),
      group = groups.get(kind) ?? { text: said, files: [], notes: 0, alike: true };
    if (!group.files.includes(file)) group.files.push(file);
    ++group.notes;
    group.alike &&= group.text === said;
    groups.set(kind, group);
  }
  return [...groups.values()].sort((a, b) => b.files.length - a.files.length);
}

// What an import came to, in words: for the list of jobs. By cause, for of hundreds of files most say the same.
export function importReport(r: ImportResult): HTMLElement[] {
  const lines = (groups: NoteGroup[], kind: string) => groups.map(group => groupLine(group, kind));
  return [
    el(
      'p',
      {},
      `${counted(r.clips.length, 'clip')}, ${counted(r.frames, 'frame')} in ${r.seconds.toFixed(1)} s${r.fitted ? `; ${r.fitted} fitted to the library's body` : ''}`,
    ),
    ...lines(r.failed, 'error'),
    ...lines(r.warnings, 'warning'),
    ...lines(faultGroups(r.faults.filter(fault => !fault.mended)), 'warning'),
    ...lines(faultGroups(r.faults.filter(fault => fault.mended)), 'faint'),
    ...lines(r.skipped, 'faint'),
  ];
}

export function labelReport(result: LabelsResult): HTMLElement[] {
  return [
    el('p', {}, `${counted(result.added, 'label')} added to ${counted(result.labelled, 'clip')}`),
    ...result.warnings.map(group => groupLine(group, 'warning')),
  ];
}

export function importButton(text = 'Import…'): HTMLElement {
  const input = el('input', {
    type: 'file',
    multiple: true,
    hidden: true,
    class: 'import-files',
    'aria-label': 'Motion files',
    onchange: () => {
      const files = [...(input.files ?? [])];
      void importFiles({ files: files.map(file => ({ file, folder: '' })), named: files.map(file => file.name) });
      input.value = '';
    },
  });
  return el(
    'span',
    {},
    input,
    button(text, () => input.click(), { title: 'Or drop files and folders anywhere' }),
  );
}

export function acceptDrops(): void {
  const told = el('p');
  const veil = el('div', { class: 'veil', hidden: true }, told);
  document.body.append(veil);
  const isFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  addEventListener('dragover', event => {
    if (!isFiles(event)) return;
    event.preventDefault();
    told.textContent = dropTaker.take ? dropTaker.what : 'Drop motion files or folders to import them';
    veil.hidden = false;
  });
  addEventListener('dragleave', event => {
    if (!event.relatedTarget) veil.hidden = true;
  });
  addEventListener('drop', event => {
    veil.hidden = true;
    if (!isFiles(event)) return;
    event.preventDefault();
    const entries = [...event.dataTransfer!.items].map(item => item.webkitGetAsEntry?.()).filter(Boolean) as FileSystemEntry[];
    const plain = [...event.dataTransfer!.files];
    const take = dropTaker.take ?? importFiles;
    void attempt(async () =>
      take(
        entries.length
          ? { files: (await Promise.all(entries.map(entry => filesOf(entry)))).flat(), named: entries.map(entry => entry.name) }
          : { files: plain.map(file => ({ file, folder: '' })), named: plain.map(file => file.name) },
      ),
    );
  });
}
