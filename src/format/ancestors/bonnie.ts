import { IO_TESTS } from '../../report/family.js';
import { primaryRateOf } from '../../report/rate.js';
import type { RunResult } from '../../report/results.js';
import { sanitize } from '../../text/escape.js';
import { KIB, MIB } from '../../text/units.js';
import { fitted } from '../writing/width.js';

const RATE_WIDTH = 5;
const CPU_WIDTH = 4;
const OUTPUT_WIDTH = 32;
/** The header lines leave the columns of machine and size empty. */
const INDENT = ' '.repeat(14);
/** The header counts the seeks in thousands, rounded down. */
const SEEKS_UNIT = 1000;

/** How the tables of the two authors differ. */
interface Form {
  /** The first two lines. */
  readonly above: (run: RunResult) => readonly string[];
  /** The machine and its megabytes. */
  readonly subject: (run: RunResult) => string;
  readonly seeksWidth: number;
}

const garloff: Form = {
  above: (run) => {
    const { output, bytewise, seeks } = titlesOf(run);
    return [
      `${`---${output}`.padEnd(OUTPUT_WIDTH, '-')} ---Sequential Input-- --Rnd Seek-`,
      `-${bytewise}- --Block--- -Rewrite-- -${bytewise}- --Block--- ${`--${seeks}`.padEnd(10, '-')}-`,
    ];
  },
  subject: (run) => {
    const megabytes = megabytesOf(run);
    const dataFiles = megabytes === '' ? '' : `${run.dataFiles}*`;
    return `${fitted(sanitize(run.label), 6)} ${dataFiles.padEnd(2)}${megabytes.padStart(4)}`;
  },
  seeksWidth: 6,
};

const bray: Form = {
  above: () => [
    '-------Sequential Output-------- ---Sequential Input-- --Random--',
    '-Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --Seeks---',
  ],
  // His Bonnie has one file only.
  subject: (run) => `${fitted(sanitize(run.label), 8)} ${megabytesOf({ ...run, dataFiles: 1 }).padStart(4)}`,
  seeksWidth: 5,
};

/** Garloff's table, whose headers say how it was measured. */
export function bonnieTable(runs: readonly RunResult[]): string {
  return tableIn(garloff, runs);
}

/** Bray's older table. */
export function bonnieBrayTable(runs: readonly RunResult[]): string {
  return tableIn(bray, runs);
}

function tableIn({ above, subject, seeksWidth }: Form, runs: readonly RunResult[]): string {
  const rateWidth = (test: string) => (test === 'seeks' ? seeksWidth : RATE_WIDTH);
  const units = IO_TESTS.map(
    (test) => `${(test === 'seeks' ? '/sec' : 'K/sec').padStart(rateWidth(test))} %CPU`,
  );
  const bottom = `${['Machine    MB', ...units].join(' ')}\n`;
  return underHeaders(
    runs,
    (run) => [...above(run).map((line) => `${INDENT}${line}\n`), bottom].join(''),
    (run) => {
      const columns = cellsOf(run).map(
        ({ test, rate, cpu }) => `${rate.padStart(rateWidth(test))} ${cpu.padStart(CPU_WIDTH)}`,
      );
      return `${[subject(run), ...columns].join(' ')}\n`;
    },
  );
}

/** The rows, with a new header whenever it changes. */
export function underHeaders(
  runs: readonly RunResult[],
  headerOf: (run: RunResult) => string,
  rowOf: (run: RunResult) => string,
): string {
  return runs
    .map((run, at) => {
      const header = headerOf(run);
      const before = runs[at - 1];
      return before && headerOf(before) === header ? rowOf(run) : header + rowOf(run);
    })
    .join('');
}

export function titlesOf({ synced, unlocked, seeks, seekThreads }: RunResult) {
  return {
    output: `Sequential Output (${synced ? 'sync' : 'nosync'})`,
    bytewise: unlocked ? 'CharUnlk' : 'Per Char',
    seeks:
      seeks === null || seekThreads === null
        ? 'Seeks'
        : `${twoDigits(Math.floor(seeks / SEEKS_UNIT))}k (${twoDigits(seekThreads)})`,
  };
}

/** Empty if the test did not run, plus signs if its time was too short to trust. */
export function cellsOf({ phases }: RunResult) {
  return IO_TESTS.map((test) => {
    const result = phases.find(({ phase }) => phase === test);
    if (!result) return { test, rate: '', cpu: '' };
    const rate = primaryRateOf(result);
    if (rate === null) return { test, rate: '+++++', cpu: '++++' };
    const { primaryRate, cpuPercent } = result;
    return {
      test,
      rate: primaryRate === 'bytes' ? String(Math.floor(rate / KIB)) : rate.toFixed(1),
      cpu: cpuPercent === null ? '' : cpuPercent.toFixed(1),
    };
  });
}

/** The size of one volume. Empty if the block tests did not run. */
export function megabytesOf({ sizeBytes, dataFiles }: RunResult): string {
  return sizeBytes === null ? '' : String(Math.floor(sizeBytes / dataFiles / MIB));
}

function twoDigits(count: number): string {
  return String(count).padStart(2, '0');
}
