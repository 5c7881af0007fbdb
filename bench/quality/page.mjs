// SPDX-License-Identifier: MIT
// The table as a page's part and as CSV.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { kMeasures, tooLarge } from './measures.mjs';

const kBegin = '<!-- made by bench/quality.mjs: begin -->', kEnd = '<!-- made by bench/quality.mjs: end -->';

// `rows`: {set, name, seconds, figures, reason}, the recordings of a set before what was made of them.
export function markdown(rows, about) {
  const columns = kMeasures.filter(measure => rows.some(row => row.figures?.[measure.field]));
  const lines = [about, '', `| | | min | ${columns.map(column => column.title).join(' | ')} |`, `|---|---|---|${columns.map(() => '---|').join('')}`];
  let recorded = {}, marked = 0, cells = 0;
  for (const row of rows) {
    if (row.name === 'recordings') recorded = row.figures;
    if (!row.figures) {
      lines.push(`| ${row.set} | ${row.name} | | ${row.reason.replaceAll('|', '/')} |${' |'.repeat(columns.length - 1)}`);
      continue;
    }
    const cell = measure => {
      const figure = row.figures[measure.field];
      if (!figure) return '';
      const text = figure.value.toFixed(measure.digits).replace(/^-(0(\.0*)?)$/, '$1');
      if (row.name === 'recordings') return text;
      ++cells;
      const large = tooLarge(measure, figure, recorded[measure.field]);
      marked += large ? 1 : 0;
      return large ? `**${text}**` : text;
    };
    lines.push(`| ${row.set} | ${row.name} | ${(row.seconds / 60).toFixed(1)} | ${columns.map(cell).join(' | ')} |`);
  }
  lines.push('', `${marked} of ${cells} figures are above 1.5 times those of their recordings (bold).`);
  return lines.join('\n');
}

// What was made to go where: file and frame of the worst of each measure, over everything made.
export function worstTable(rows) {
  const lines = ['| | worst | where |', '|---|---|---|'];
  for (const measure of kMeasures) {
    const size = measure.size ?? (value => value);
    const made = rows.filter(row => row.name !== 'recordings' && row.figures?.[measure.field]?.worst.frame !== undefined);
    if (made.length === 0) continue;
    const row = made.reduce((a, b) => size(b.figures[measure.field].worst.value) > size(a.figures[measure.field].worst.value) ? b : a);
    const { value, frame, file } = row.figures[measure.field].worst;
    lines.push(`| ${measure.title} | ${(value * (measure.scale ?? 1)).toFixed(measure.digits)} | ${file}, frame ${frame} |`);
  }
  return lines.join('\n');
}

// How steered characters answer, a column a set: how long until they do what is asked, and how far off they stay.
export function answerTable(rows) {
  const steered = rows.filter(row => row.answer);
  if (steered.length === 0) return '';
  const sets = [...new Set(steered.map(row => row.set))];
  const lines = [`| | ${sets.join(' | ')} |`, `|---|${sets.map(() => '---|').join('')}`];
  for (const name of new Set(steered.map(row => row.name))) {
    for (const [field, title, digits] of [['delay', 'delay s', 3], ['velocity', 'velocity off m/s', 3], ['turn', 'turn off rad/s', 3]]) {
      const cells = sets.map(set => steered.find(row => row.set === set && row.name === name)?.answer[field].toFixed(digits) ?? '');
      lines.push(`| ${name}, ${title} | ${cells.join(' | ')} |`);
    }
  }
  return lines.join('\n');
}

export function csv(rows) {
  const lines = ['set,synthesiser,seconds,measure,value,recordings,marked,worst,file,frame'];
  let recorded = {};
  for (const row of rows) {
    if (row.name === 'recordings') recorded = row.figures;
    for (const measure of kMeasures) {
      const figure = row.figures?.[measure.field];
      if (!figure) continue;
      const of_recordings = recorded[measure.field], { worst } = figure;
      lines.push([row.set, row.name, row.seconds.toFixed(1), measure.field, figure.value, of_recordings?.value ?? '',
        row.name !== 'recordings' && tooLarge(measure, figure, of_recordings) ? 1 : 0, worst.value, worst.file, worst.frame ?? ''].join(','));
    }
  }
  return `${lines.join('\n')}\n`;
}

// Puts `text` between the marks of the page, which is made where it has none.
export function putBetweenMarks(path, text) {
  const page = existsSync(path) ? readFileSync(path, 'utf8') : `${kBegin}\n${kEnd}\n`;
  const begin = page.indexOf(kBegin), end = page.indexOf(kEnd);
  if (begin < 0 || end < begin) throw new Error(`${path} lacks the lines\n${kBegin}\n${kEnd}`);
  writeFileSync(path, `${page.slice(0, begin + kBegin.length)}\n\n${text}\n\n${page.slice(end)}`);
}
