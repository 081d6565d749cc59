import { expect } from 'vitest';
import { pipeThrough } from '../../support/programs/pipe-through.js';

const READ = `
import csv, io, json, sys
text = io.TextIOWrapper(sys.stdin.buffer, 'utf-8', newline='')
json.dump(list(csv.reader(text, strict=True)), sys.stdout)`;

/** Returns the cells of CSV as Python reads them. */
export function readCsvCells(text: string): readonly (readonly string[])[] {
  return JSON.parse(pipeThrough('python3', ['-c', READ], text));
}

/** Returns the rows below the header, by the names of the columns. */
export function readCsvRows(text: string): readonly Readonly<Record<string, string>>[] {
  const [names = [], ...rows] = readCsvCells(text);
  expect(rows.filter((row) => row.length !== names.length)).toEqual([]);
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])));
}
