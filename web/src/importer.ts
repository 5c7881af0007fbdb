// SPDX-License-Identifier: MIT
// Files dropped anywhere on the page are sent and imported, in the background.
import { Job, send, upload } from './api';
import { commandBar } from './command_bar';
import { button, el } from './dom';
import { attempt, notify } from './notices';

const kUsable = /\.(bvh|amc|asf|glb|gltf|fbx|dae|csv)$/i;

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))];
  const reader = (entry as FileSystemDirectoryEntry).createReader(), files: File[] = [];
  for (;;) {  // a folder is read a hundred entries at a time
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (!entries.length) return files;
    for (const inner of entries) files.push(...await filesOf(inner));
  }
}

export async function importFiles(files: File[]): Promise<void> {
  const usable = files.filter(file => kUsable.test(file.name));
  const others = files.length - usable.length;
  if (others) notify(`${others} of ${files.length} files are no motion and were left out`, 'error');
  if (!usable.length) return;
  const batch = `drop-${Date.now()}-${Math.random().toString(36).slice(2, 8)}`;
  const notice = el('div', { class: 'sending', role: 'status' });
  document.body.append(notice);
  let sent = 0;
  for (const file of usable) {
    await attempt(() => upload(batch, file, share => {
      notice.textContent = `Sending ${file.name} (${sent + 1} of ${usable.length}) ${Math.round(100 * share)} %`;
    }));
    ++sent;
  }
  notice.remove();
  await attempt(() => send<{ job: number }>('POST', '/api/imports', { batch }));
  commandBar.show('import', 'LIBRARY', ...usable.slice(0, 6).map(file => file.name), ...(usable.length > 6 ? ['…'] : []));
}

// What an import came to, in words: for the list of jobs.
export function importReport(job: Job): HTMLElement[] {
  const r = job.result;
  const lines = [el('p', {}, `${r.clips.length} clips, ${r.frames} frames in ${r.seconds.toFixed(1)} s${r.fitted ? `; ${r.fitted} fitted to the library's body` : ''}`)];
  for (const note of r.failed) lines.push(el('p', { class: 'error' }, `${note.file}: ${note.text}`));
  for (const note of r.skipped) lines.push(el('p', { class: 'faint' }, `${note.file}: ${note.text}`));
  for (const note of r.warnings) lines.push(el('p', { class: 'warning' }, `${note.file}: ${note.text}`));
  for (const fault of r.faults) lines.push(el('p', { class: fault.mended ? 'faint' : 'warning' }, `${fault.file}: ${fault.text}${fault.mended ? ' (mended)' : ''}`));
  return lines;
}

export function importButton(): HTMLElement {
  const input = el('input', { type: 'file', multiple: true, hidden: true, id: 'import-files', onchange: () => {
    void importFiles([...input.files ?? []]);
    input.value = '';
  } });
  return el('span', {}, input, button('Import…', () => input.click(), { title: 'Or drop files and folders anywhere' }));
}

export function acceptDrops(): void {
  const veil = el('div', { class: 'veil', hidden: true }, el('p', {}, 'Drop motion files or folders to import them'));
  document.body.append(veil);
  const isFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  addEventListener('dragover', event => {
    if (!isFiles(event)) return;
    event.preventDefault();
    veil.hidden = false;
  });
  addEventListener('dragleave', event => { if (!event.relatedTarget) veil.hidden = true; });
  addEventListener('drop', event => {
    veil.hidden = true;
    if (!isFiles(event)) return;
    event.preventDefault();
    const entries = [...event.dataTransfer!.items].map(item => item.webkitGetAsEntry?.()).filter(Boolean) as FileSystemEntry[];
    const plain = [...event.dataTransfer!.files];
    void (async () => importFiles(entries.length ? (await Promise.all(entries.map(filesOf))).flat() : plain))();
  });
}
