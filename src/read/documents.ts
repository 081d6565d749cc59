import type { Results } from '../report/results.js';
import { resultsOfReport } from '../report/results-of-report.js';
import { type Report, reportSchema } from '../report/schema/report.js';
import { display } from '../text/escape.js';
import { isGobonniegoDocument, runsOfGobonniego } from './ancestors/gobonniego-json.js';
import { atLine, linesOf, Misreading, refuseMany, refuseSprawl, validated } from './guard.js';

const GIVE_DOCUMENT = 'give a file written by --out or the output of --json';

/** One document, an array of them or, as `>>` collects them, one on each line. */
export function readDocuments(text: string): readonly Results[] {
  refuseSprawl(text);
  const whole = parsed(text);
  if (Array.isArray(whole)) return readList(whole);
  if (whole) return [readResultDocument(whole)];
  const results: Results[] = [];
  for (const [line, number] of linesOf(text)) {
    if (line.trim() === '') continue;
    const document = parsed(line);
    if (!document) throw incompleteJson(results.length > 0 ? number : null);
    results.push(atLine(number, () => readResultDocument(document)));
    refuseMany(results.length);
  }
  return results;
}

function readList(list: readonly unknown[]): readonly Results[] {
  refuseMany(list.length);
  return list.map((document) => {
    if (typeof document === 'object' && document !== null && !Array.isArray(document))
      return readResultDocument(document);
    throw new Misreading('its array holds something other than results', GIVE_DOCUMENT);
  });
}

export function readResultDocument(document: object): Results {
  if ('schema' in document) return readReport(document);
  if (isGobonniegoDocument(document)) return { runs: runsOfGobonniego(document), report: null };
  throw new Misreading('it is neither a gobonnie report nor a gobonniego document', GIVE_DOCUMENT);
}

function readReport(document: object): Results {
  const { schema } = document as { readonly schema: unknown };
  if (schema !== 'gobonnie/1') throw wrongSchema(schema, 'gobonnie/1');
  validated(reportSchema, document);
  // Not zod's copy, which would drop fields that a later version added.
  const report = document as Report;
  refuseMany(report.runs.length);
  return resultsOfReport(report);
}

export function wrongSchema(schema: unknown, expected: string): Misreading {
  return new Misreading(
    `its schema is ${display(schema)}, not ${expected}`,
    'read it with the version of gobonnie that wrote it',
  );
}

/** Null if the text is not a JSON object or array. */
export function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

export function incompleteJson(line: number | null): Misreading {
  return new Misreading('it is not a complete JSON document', undefined, line);
}
