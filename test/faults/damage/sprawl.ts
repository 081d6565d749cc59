import type { Damaged } from './damage.js';

/** Just below the limit of a file's size. */
const LENGTH = 60 * 1024 ** 2;
const RESULT = '{"write_megabytes_per_second":1,"read_megabytes_per_second":1,"iops":1}';
const RUN = '{"startedAt":"2018-04-12T13:46:01Z","state":"completed","measurements":[]},';
/** JSON.parse needs no stack for this, but JSON.stringify does. */
const NESTED = `"more":${'['.repeat(1e6)}${']'.repeat(1e6)}`;
const ROW = `a,1M${',1'.repeat(25)}\n`;

interface Sprawling extends Omit<Damaged, 'content'> {
  /** Made when needed: together they would be a gigabyte. `report` is an intact one. */
  readonly make: (report: string) => string;
  /** The reason that the refusal must name, as other things may be wrong, too. */
  readonly reason: string;
}

const DEEP = 'it is nested more than ';
const MANY_VALUES = 'it holds more than 8000000 values';
const MANY_RESULTS = 'it holds more than 50000 results';
const WRONG = ' is invalid: ';
const NOTHING = 'it holds no results that gobonnie recognizes';

/** Files of almost the largest size, which would be far larger in memory. */
export const SPRAWLING: readonly Sprawling[] = [
  refused('open brackets', DEEP, () => `{"results":${filled('[')}`),
  refused('closed brackets', DEEP, () => `{"results":${filled('[', LENGTH / 2)}${filled(']', LENGTH / 2)}}`),
  refused('brackets beyond the stack', DEEP, (report) => withValue(report, 'label', `"",${NESTED}`)),
  refused('empty objects', MANY_VALUES, () => `{"results":[${filled('{},')}{}]}`),
  refused('figures without end', MANY_VALUES, () => `{"results":[${filled('1,')}1]}`),
  refused('documents without end', MANY_VALUES, () => filled('{"results":[]}\n')),
  refused('results without end', MANY_RESULTS, () => filled(`{"results":[${RESULT}]}\n`)),
  refused('runs without end', MANY_RESULTS, (report) => withRuns(report, filled(RUN, 20e6))),
  refused('rows without end', MANY_RESULTS, () => filled(ROW)),
  refused('one figure of digits', WRONG, () => `{"results":[${filled('9')}]}`),
  refused('texts for a number', WRONG, (report) =>
    withValue(report, 'seconds', `[${filled('"",', 20e6)}""]`),
  ),
  refused('negative figures', WRONG, (report) => withValue(report, 'seconds', `[${filled('-1,', 21e6)}-1]`)),
  refused('a name without end', 'its schema is ', () => `{"schema":"${filled('\\u001b')}"}`),
  refused('quote marks', NOTHING, () => filled('>')),
  refused('one long line', NOTHING, () => filled('1.5 ')),
  shown('a long series', (report) => withValue(report, 'operations', `[${filled('1073479,')}1]`)),
  shown('a long name', (report) => withValue(report, 'label', `"${filled('ü€', (2 / 5) * LENGTH)}"`)),
];

function refused(name: string, reason: string, make: Sprawling['make']): Sprawling {
  return { name, reason, make, verdict: 'refused' };
}

function shown(name: string, make: Sprawling['make']): Sprawling {
  return { name, reason: '', make, verdict: 'shown' };
}

/** In the first place where the key has a text or a list of figures. */
function withValue(report: string, key: string, value: string): string {
  return report.replace(new RegExp(`"${key}":(?:"[^"]*"|\\[[^\\]]*\\])`), () => `"${key}":${value}`);
}

function withRuns(report: string, runs: string): string {
  return JSON.stringify({ ...JSON.parse(report), runs: [] }).replace(
    '"runs":[]',
    () => `"runs":[${runs.slice(0, -1)}]`,
  );
}

function filled(unit: string, length = LENGTH): string {
  return unit.repeat(Math.floor(length / unit.length));
}
