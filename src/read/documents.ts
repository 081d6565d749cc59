import type { Results } from '../report/results.js';
import { resultsOfReport } from '../report/results-of-report.js';
import { type Report, reportSchema } from '../report/schema/report.js';
import { shown } from '../text/escape.js';
import { isGobonniegoDocument, runsOfGobonniego } from './ancestors/gobonniego-json.js';
import { atLine, linesOf, Misreading, refuseMany, refuseSprawl, validated } from './guard.js';

interface Kind {
  readonly claims: (document: object) => boolean;
  readonly read: (document: object) => Results;
}

/** Every JSON document that is read, one row each. */
const kinds: readonly Kind[] = [
  { claims: (document) => 'schema' in document, read: readReport },
  {
    claims: isGobonniegoDocument,
    read: (document) => ({ runs: runsOfGobonniego(document), report: null }),
  },
];

/** One document, a list of them or, as they come about with `>>`, one on each line. */
export function readDocuments(text: string): readonly Results[] {
  refuseSprawl(text);
  const whole = parsed(text);
  if (Array.isArray(whole)) return readList(whole);
  if (whole) return [readResultDocument(whole)];
  const results: Results[] = [];
  for (const [line, number] of linesOf(text)) {
    if (line.trim() === '') continue;
    const document = parsed(line);
    if (!document) throw cut(results.length > 0 ? number : null);
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
    throw new Misreading(
      'it is a list of other things than results',
      'give a file of --out or what --json printed',
    );
  });
}

export function readResultDocument(document: object): Results {
  const kind = kinds.find(({ claims }) => claims(document));
  if (kind) return kind.read(document);
  throw new Misreading(
    "it is neither a report of gobonnie nor gobonniego's document",
    'give a file of --out or what --json printed',
  );
}

function readReport(document: object): Results {
  const { schema } = document as { readonly schema: unknown };
  if (schema !== 'gobonnie/1') {
    throw new Misreading(
      `its schema is ${shown(schema)}, and not gobonnie/1`,
      'show it with the version of gobonnie that wrote it',
    );
  }
  validated(reportSchema, document);
  // As it came: what a later version added stays in it.
  const report = document as Report;
  refuseMany(report.runs.length);
  return resultsOfReport(report);
}

/** Null for what is no JSON object. */
export function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function cut(line: number | null): Misreading {
  return new Misreading('it is no whole JSON document', undefined, line);
}
