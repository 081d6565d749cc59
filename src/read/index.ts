import type { Results } from '../report/results.js';
import { readBonniePlusPlusRow } from './compat/bonnie-plus-plus-csv.js';
import { BonniePlusPlusTables } from './compat/bonnie-plus-plus-table.js';
import { createBonnieRowReader } from './compat/bonnie-rows.js';
import { readTextLines } from './compat/gobonniego.js';
import {
  DOCUMENT_LINES,
  EVENT_START,
  readDocument,
  readDocumentLines,
  readEvents,
  readResultDocument,
} from './documents.js';
import { ReadError, readLines, withFileName } from './guard.js';

/** The beginnings of files that gobonnie writes and does not read. */
const OWN_FORMATS = {
  'pages and XML': /^\s*<[\s\S]{0,1000}gobonnie/,
  CSV: /^label,directory,(?:program|run),/,
  Markdown: /^### (?:.*: )?gobonnie (?:\d\S*|ab|compare)\n|^\| {2}\|.*\| verdict \|/,
  'Prometheus metrics': /^# HELP gobonnie_/,
};
/** In characters. A longer line is not a row. */
const MAX_ROW_LENGTH = 10_000;

/** Returns the results in a text, whose format it detects from the content. Throws if any part cannot be read. */
export function readResults(text: string, fileName: string): readonly Results[] {
  // Some editors write a byte order mark.
  const content = text.replace(/^\uFEFF/, '');
  return withFileName(fileName, () => parseResults(content));
}

export function readParsedJson(document: object, name: string): Results {
  return withFileName(name, () => readResultDocument(document));
}

function parseResults(text: string): readonly Results[] {
  if (text.trim() === '') throw new ReadError('it is empty');
  if (text.includes('\0')) throw new ReadError('it is a binary file');
  for (const [name, beginning] of Object.entries(OWN_FORMATS))
    if (beginning.test(text))
      throw new ReadError(`gobonnie does not read its own ${name}`, 'use the .json or .ndjson file of --out');
  if (EVENT_START.test(text)) return readEvents(text);
  const documents = readDocument(text);
  if (documents) return documents;
  // Rows keep their line numbers.
  const results = [...readDocumentLines(text), ...readRows(text.replaceAll(DOCUMENT_LINES, ''))];
  if (results.length > 0) return results;
  throw new ReadError(
    'it holds no results that gobonnie recognizes',
    'use a gobonnie report, the JSON or the lines of gobonniego, or the CSV or a table of bonnie++ or Bonnie',
  );
}

/** Returns all rows and tables of bonnie and bonnie++ in a text, and gobonniego's lines. Ignores other lines. */
function readRows(text: string): readonly Results[] {
  const readBonnieRow = createBonnieRowReader();
  const tables = new BonniePlusPlusTables();
  const rows = readLines(text, (line) => {
    if (line.length > MAX_ROW_LENGTH) return null;
    const row = readBonniePlusPlusRow(line);
    if (row) tables.dropLast();
    else tables.readLine(line);
    return row ?? readBonnieRow(line);
  });
  const programs = [[...rows, ...tables.toRuns()], readTextLines(text)];
  return programs.filter((runs) => runs.length > 0).map((runs) => ({ runs, report: null }));
}
