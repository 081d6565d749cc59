import type { Sheet } from '../../report/sheet.js';
import { harmless } from '../../text/escape.js';
import { KIB, MIB } from '../../text/units.js';

/** The columns in their order, by the names of the phases. */
export const BONNIE_PHASES = ['putc', 'write', 'rewrite', 'getc', 'read', 'seeks'] as const;
const RATE_WIDTH = 5;
const CPU_WIDTH = 4;
const OUTPUT_WIDTH = 32;
/** Above the machine and its megabytes there is nothing. */
const INDENT = ' '.repeat(14);
/** Seeks are told in thousands, and what is less than one is cut off. */
const SEEKS_UNIT = 1000;

/** What is written over the columns. */
export interface Titles {
  readonly output: string;
  readonly bytewise: string;
  readonly seeks: string;
}

/** What stands in the columns of one phase. */
export interface Cell {
  readonly rate: string;
  readonly cpu: string;
}

/** In what the tables of the two authors differ. */
interface Form {
  /** The first two lines. */
  readonly above: (sheet: Sheet) => readonly string[];
  /** The machine and its megabytes. */
  readonly subject: (sheet: Sheet) => string;
  readonly seeksWidth: number;
}

const garloff: Form = {
  above: (sheet) => {
    const { output, bytewise, seeks } = titlesOf(sheet);
    return [
      `${`---${output}`.padEnd(OUTPUT_WIDTH, '-')} ---Sequential Input-- --Rnd Seek-`,
      `-${bytewise}- --Block--- -Rewrite-- -${bytewise}- --Block--- ${`--${seeks}`.padEnd(10, '-')}-`,
    ];
  },
  subject: (sheet) => {
    const megabytes = megabytesOf(sheet);
    const volumes = megabytes === '' ? '' : `${sheet.volumes}*`;
    return `${cut(harmless(sheet.label), 6)} ${volumes.padEnd(2)}${megabytes.padStart(4)}`;
  },
  seeksWidth: 6,
};

const bray: Form = {
  above: () => [
    '-------Sequential Output-------- ---Sequential Input-- --Random--',
    '-Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --Seeks---',
  ],
  // He knows of one file only.
  subject: (sheet) => `${cut(harmless(sheet.label), 8)} ${megabytesOf({ ...sheet, volumes: 1 }).padStart(4)}`,
  seeksWidth: 5,
};

/** Garloff's table, whose headers say how it was measured. */
export function bonnieTable(sheets: readonly Sheet[]): string {
  return tableIn(garloff, sheets);
}

/** Bray's table, the older one. */
export function bonnieBrayTable(sheets: readonly Sheet[]): string {
  return tableIn(bray, sheets);
}

function tableIn({ above, subject, seeksWidth }: Form, sheets: readonly Sheet[]): string {
  const rateWidth = (at: number) => (at === BONNIE_PHASES.length - 1 ? seeksWidth : RATE_WIDTH);
  const units = BONNIE_PHASES.map(
    (name, at) => `${(name === 'seeks' ? '/sec' : 'K/sec').padStart(rateWidth(at))} %CPU`,
  );
  const bottom = `${['Machine    MB', ...units].join(' ')}\n`;
  return underHeaders(
    sheets,
    (sheet) => [...above(sheet).map((line) => `${INDENT}${line}\n`), bottom].join(''),
    (sheet) => {
      const columns = cellsOf(sheet).map(
        ({ rate, cpu }, at) => `${rate.padStart(rateWidth(at))} ${cpu.padStart(CPU_WIDTH)}`,
      );
      return `${[subject(sheet), ...columns].join(' ')}\n`;
    },
  );
}

/** The rows, with a header before the first and before each that the header above it does not fit. */
export function underHeaders(
  sheets: readonly Sheet[],
  headerOf: (sheet: Sheet) => string,
  rowOf: (sheet: Sheet) => string,
): string {
  return sheets
    .map((sheet, at) => {
      const header = headerOf(sheet);
      const before = sheets[at - 1];
      return before && headerOf(before) === header ? rowOf(sheet) : header + rowOf(sheet);
    })
    .join('');
}

export function titlesOf({ synced, unlocked, seeks, seekers }: Sheet): Titles {
  return {
    output: `Sequential Output (${synced ? 'sync' : 'nosync'})`,
    bytewise: unlocked ? 'CharUnlk' : 'Per Char',
    seeks:
      seeks === null || seekers === null
        ? 'Seeks'
        : `${twoDigits(Math.floor(seeks / SEEKS_UNIT))}k (${twoDigits(seekers)})`,
  };
}

/** Empty where the score is missing, plus signs where the ancestor did not trust its clock. */
export function cellsOf({ scores }: Sheet): readonly Cell[] {
  return BONNIE_PHASES.map((name) => {
    const score = scores[name];
    if (!score) return { rate: '', cpu: '' };
    const { figure, perSecond, cpuPercent } = score;
    if (perSecond === null) return { rate: '+++++', cpu: '++++' };
    return {
      rate: figure === 'bytes' ? String(Math.floor(perSecond / KIB)) : perSecond.toFixed(1),
      cpu: cpuPercent === null ? '' : cpuPercent.toFixed(1),
    };
  });
}

/** Of each volume. Empty where the block tests were left out. */
export function megabytesOf({ sizeBytes, volumes }: Sheet): string {
  return sizeBytes === null ? '' : String(Math.floor(sizeBytes / volumes / MIB));
}

function cut(label: string, width: number): string {
  const characters = Array.from(label).slice(0, width);
  return characters.join('') + ' '.repeat(width - characters.length);
}

function twoDigits(count: number): string {
  return String(count).padStart(2, '0');
}
