import { BESIDE_NAME } from '../../../options/option-catalogue.js';
import { CAUSES, findCauseCodes } from '../../../rating/rating.js';
import { findListedSteps, type ListedStep } from '../../../report/listed-steps.js';
import { metricOfRuns } from '../../../report/metrics.js';
import type { StepValues } from '../../../report/results.js';
import type { Report } from '../../../report/schema/report.js';
import { sanitize } from '../../../text/escape.js';
import { formatNs, NS_PER_MS } from '../../../text/units.js';
import type { Screen } from '../screen.js';
import { latencyCell, rateTexts, stepTableLines } from '../step-table.js';
import { type Column, INDENT, textTable } from '../table.js';

/** etcd.io/docs/v3.6/op-guide/hardware: 99 % of the syncs of its log should take less. */
export const MAX_ETCD_SYNC_NS = 10 * NS_PER_MS;
/** When each background runs, and its like in everyday use. */
const BACKGROUNDS: Readonly<Record<string, { readonly meanwhile: string; readonly like: string }>> = {
  writer: { meanwhile: 'while a file is written', like: 'backups' },
  reader: { meanwhile: 'while a file is read', like: 'large reads' },
  syncs: { meanwhile: 'while others sync', like: 'other databases' },
};

/** A step alone, or beside another. */
export type LoadRow = ReturnType<typeof listLoadRows>[number];

const LOAD_COLUMNS: readonly Column<LoadRow>[] = [
  { title: '', value: ({ name, background }) => (background ? `${INDENT}beside ${background}` : name) },
  { title: 'p50', minWidth: 8, value: ({ rows }) => latencyCell(rows, 'p50') },
  { title: 'p99', minWidth: 8, value: ({ rows }) => latencyCell(rows, 'p99') },
  { title: 'p99 alone', minWidth: 9, value: (row) => factorCell(row) },
  { title: 'rate', minWidth: 9, value: ({ rows }) => rateCell(rows) },
  { title: 'meanwhile', minWidth: 10, value: ({ backgroundRows }) => rateCell(backgroundRows) },
];

/** Returns the table of a list of steps. For `load`, it compares their latency alone and beside others. */
export function listTable(report: Report, screen: Screen): readonly string[] {
  const load = listLoadRows(report);
  return load.length > 0 ? textTable(LOAD_COLUMNS, load, screen) : stepTableLines(report, screen);
}

/** Returns each step of `load` alone, followed by the same step beside others. Empty for another report. */
export function listLoadRows(report: Report) {
  if (report.command?.name !== 'load') return [];
  const listed = findListedSteps(report);
  const find = (fits: (one: ListedStep) => boolean) => listed.find(fits)?.rows ?? [];
  return listed
    .filter(({ step }) => step.beside === undefined)
    .map(({ step, rows }) => {
      const [name = '', background = null] = step.name.split(BESIDE_NAME);
      return {
        name: sanitize(name),
        /** What ran beside it. Null for a step alone. */
        background: background && sanitize(background),
        rows,
        /** The results of the same step alone. */
        alone: background === null ? [] : find((one) => one.step.name === name),
        backgroundRows: find((one) => one.step.beside === step.name),
      };
    });
}

/** `× 11`. */
function factorCell(row: LoadRow): string {
  const factor = loadFactor(row);
  return factor === null ? '' : `× ${factor < 10 ? factor.toFixed(1) : factor.toFixed(0)}`;
}

/** Returns how many times as long p99 is as alone. Null if unknown. */
export function loadFactor({ rows, alone }: LoadRow): number | null {
  const before = metricOfRuns(alone, 'p99');
  const after = metricOfRuns(rows, 'p99');
  return before && after ? after / before : null;
}

function rateCell(rows: readonly StepValues[]): string {
  return rows.length === 0 ? '' : rateTexts(rows).mean;
}

/** Returns a sentence with the latency of a commit alone and beside the worst background. Null without these results. */
export function loadAnswer(report: Report): string | null {
  const isCommit = ({ rows }: LoadRow) =>
    rows.some(({ measurement }) => measurement?.phase === 'commit-etcd');
  const commits = listLoadRows(report).filter(isCommit);
  const alone = commits.find(({ background }) => background === null);
  const p99Of = ({ rows }: LoadRow) => metricOfRuns(rows, 'p99') ?? 0;
  const [worst] = commits
    .filter(({ background, rows }) => background !== null && rows.length > 0)
    .toSorted((one, other) => p99Of(other) - p99Of(one));
  const { meanwhile, like } = BACKGROUNDS[worst?.background ?? ''] ?? {};
  if (!alone || !worst || !meanwhile || !like || p99Of(alone) === 0) return null;
  const times = `99 % of the commits take at most ${formatNs(p99Of(alone))}, and ${formatNs(p99Of(worst))} ${meanwhile}`;
  if (report.target.isMemory) return `${times}: in memory, not on a disk.`;
  const isTooSlow = ({ rows }: LoadRow) => (metricOfRuns(rows, 'sync.p99') ?? 0) >= MAX_ETCD_SYNC_NS;
  if (isTooSlow(alone)) {
    const causes = findCauseCodes(report, alone.name).map((code) => CAUSES[code]);
    // A commit makes several writes, so its rate is far below the limit.
    if (report.target.ioLimits?.some(({ direction }) => direction === 'write'))
      causes.unshift(CAUSES['cgroup-limit']);
    if (causes.length === 0) return `${times}: too slow for etcd, even alone.`;
    const limit = formatNs(MAX_ETCD_SYNC_NS);
    return `${times}: above etcd's limit of ${limit} even alone, perhaps because of ${causes.join(' and ')}.`;
  }
  return isTooSlow(worst)
    ? `${times}: not for etcd beside ${like}.`
    : `${times}: fast enough for etcd, even beside ${like}.`;
}
