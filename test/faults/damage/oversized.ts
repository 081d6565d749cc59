import type { CorruptFile } from './corrupt-file.js';

/** Just below the maximum file size. */
const LENGTH = 60 * 1024 ** 2;
const RESULT = '{"write_megabytes_per_second":1,"read_megabytes_per_second":1,"iops":1}';
const RUN = '{"startedAt":"2018-04-12T13:46:01Z","state":"completed","measurements":[]},';
/** JSON.parse needs no stack for this, but JSON.stringify does. */
const NESTED = `"more":${'['.repeat(1e6)}${']'.repeat(1e6)}`;
const ROW = `a,1M${',1'.repeat(25)}\n`;

interface OversizedFile extends Omit<CorruptFile, 'content'> {
  /** Creates the content when needed, because all files together are a gigabyte. `report` is an intact report. */
  readonly make: (report: string) => string;
  /** Reason that the message must give, because the file may have other problems. */
  readonly reason: string;
}

const DEEP = 'it is nested more than ';
const MANY_VALUES = 'it holds more than 8000000 values';
const MANY_RESULTS = 'it holds more than 50000 results';
const WRONG = ' is invalid: ';
const NOTHING = 'it holds no results that gobonnie recognizes';

/** Files of almost the maximum size, which would be far larger in RAM. */
export const OVERSIZED_FILES: readonly OversizedFile[] = [
  rejectedFile('open brackets', DEEP, () => `{"results":${fill('[')}`),
  rejectedFile('closed brackets', DEEP, () => `{"results":${fill('[', LENGTH / 2)}${fill(']', LENGTH / 2)}}`),
  rejectedFile('brackets beyond the stack', DEEP, (report) => withValue(report, 'label', `"",${NESTED}`)),
  rejectedFile('empty objects', MANY_VALUES, () => `{"results":[${fill('{},')}{}]}`),
  rejectedFile('numbers without end', MANY_VALUES, () => `{"results":[${fill('1,')}1]}`),
  rejectedFile('documents without end', MANY_VALUES, () => fill('{"results":[]}\n')),
  rejectedFile('results without end', MANY_RESULTS, () => fill(`{"results":[${RESULT}]}\n`)),
  rejectedFile('runs without end', MANY_RESULTS, (report) => withRuns(report, fill(RUN, 20e6))),
  rejectedFile('rows without end', MANY_RESULTS, () => fill(ROW)),
  rejectedFile('one number of many digits', WRONG, () => `{"results":[${fill('9')}]}`),
  rejectedFile('texts for a number', WRONG, (report) =>
    withValue(report, 'seconds', `[${fill('"",', 20e6)}""]`),
  ),
  rejectedFile('negative numbers', WRONG, (report) =>
    withValue(report, 'seconds', `[${fill('-1,', 21e6)}-1]`),
  ),
  rejectedFile('a name without end', 'its schema is ', () => `{"schema":"${fill('\\u001b')}"}`),
  rejectedFile('quote marks', NOTHING, () => fill('>')),
  rejectedFile('one long line', NOTHING, () => fill('1.5 ')),
  shownFile('a long series', (report) => withValue(report, 'operations', `[${fill('1073479,')}1]`)),
  shownFile('a long name', (report) => withValue(report, 'label', `"${fill('ü€', (2 / 5) * LENGTH)}"`)),
];

function rejectedFile(name: string, reason: string, make: OversizedFile['make']): OversizedFile {
  return { name, reason, make, outcome: 'rejected' };
}

function shownFile(name: string, make: OversizedFile['make']): OversizedFile {
  return { name, reason: '', make, outcome: 'shown' };
}

/** Replaces the first value of the key that is a string or a list of numbers. */
function withValue(report: string, key: string, value: string): string {
  return report.replace(new RegExp(`"${key}":(?:"[^"]*"|\\[[^\\]]*\\])`), () => `"${key}":${value}`);
}

function withRuns(report: string, runs: string): string {
  return JSON.stringify({ ...JSON.parse(report), runs: [] }).replace(
    '"runs":[]',
    () => `"runs":[${runs.slice(0, -1)}]`,
  );
}

function fill(unit: string, length = LENGTH): string {
  return unit.repeat(Math.floor(length / unit.length));
}
