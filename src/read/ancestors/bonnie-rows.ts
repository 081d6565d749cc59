import { IO_TESTS } from '../../report/family.js';
import type { PhaseFigures, RunResult } from '../../report/results.js';
import { display } from '../../text/escape.js';
import { KIB, MIB } from '../../text/units.js';
import { damaged, foreignRun, phaseInRow, type RowReader, unexpected, wholeNumberIn } from './row.js';

/** A rate and its %CPU for each test. */
const FIGURES = 2 * IO_TESTS.length;
/** No version has an option for it. */
const CHUNK_BYTES = 16 * KIB;
/** Garloff's header counts the seeks in thousands. */
const SEEKS_UNIT = 1000;

const HINT = 'figures run together or are cut off';

/** What the header of a table says about its rows. */
interface Header extends Pick<RunResult, 'synced' | 'unlocked' | 'seeks' | 'seekThreads'> {
  readonly sizeUnit: number;
  readonly rateUnit: number;
}

/** Bray's header says none of it. */
const BRAY: Header = {
  synced: false,
  unlocked: false,
  seeks: null,
  seekThreads: null,
  sizeUnit: MIB,
  rateUnit: KIB,
};

/** In Bonnie-64's later tables a gigabyte is 1000 MiB. */
const IN_GIGABYTES = { sizeUnit: 1000 * MIB, rateUnit: MIB } as const;

/** The rows follow this line. */
const LAST_HEADER_LINE = /\b[MG]B +([KM])\/sec +%CPU/;

/** Reads the rows of Bray's and Garloff's tables; it remembers the header above them. */
export function bonnieRows(): RowReader {
  let header: Header = BRAY;
  let before: 'header' | 'row' | 'other' = 'other';
  return (line) => {
    const known = headerIn(line, header);
    if (known) {
      header = known;
      before = LAST_HEADER_LINE.test(line) ? 'header' : 'other';
      return null;
    }
    const isBlank = line.trim() === '';
    const isRow = !isBlank && (before === 'header' || looksLikeRow(line, before === 'row'));
    // There may be a blank line between a header and its first row.
    if (!isBlank || before !== 'header') before = isRow ? 'row' : 'other';
    return isRow ? rowIn(line, header) : null;
  };
}

/** The header as known after one of its three lines. Null if it is another line. */
function headerIn(line: string, before: Header): Header | null {
  if (/--Sequential Output/.test(line)) return { ...BRAY, synced: line.includes('(sync)') };
  const [, bytewise] = /-(Per Char|CharUnlk)-/.exec(line) ?? [];
  if (bytewise) {
    const [, thousands = '0', seekThreads = null] = /--(\d{1,9})k \((\d{1,9})\)/.exec(line) ?? [];
    return {
      ...before,
      unlocked: bytewise === 'CharUnlk',
      // Fewer than a thousand are printed as 0.
      seeks: Number(thousands) * SEEKS_UNIT || null,
      seekThreads: seekThreads === null ? null : Number(seekThreads),
    };
  }
  const [, rate] = LAST_HEADER_LINE.exec(line) ?? [];
  if (!rate) return null;
  return rate === 'M' ? { ...before, ...IN_GIGABYTES } : before;
}

/** Whether it is mostly figures, some with one decimal like Bonnie's %CPU. Below a row fewer suffice: it may be cut. */
function looksLikeRow(line: string, isUnderRow: boolean): boolean {
  const words = wordsOf(line);
  const count = (pattern: RegExp) => words.filter((word) => pattern.test(word)).length;
  const [fewestNumbers, fewestCpu] = isUnderRow ? [4, 2] : [9, 4];
  return count(/^\d+(?:\.\d+)?$/) >= fewestNumbers && count(/^\d+\.\d$/) >= fewestCpu;
}

function rowIn(line: string, { sizeUnit, rateUnit, ...facts }: Header): RunResult {
  const words = wordsOf(line);
  const figures = words.slice(-FIGURES);
  // The label may contain blanks, and a blank may follow the asterisk of the volumes.
  const subject = words.slice(0, -FIGURES).join(' ');
  const [, label = '', dataFiles = '1', size] =
    /^(.*?)(?:(?:^|\s)(0*[1-9]\d*)\* ?|^|\s)(\d+)$/.exec(subject) ?? [];
  if (size === undefined) {
    const found =
      subject === ''
        ? `it has ${words.length} words, expected a size and ${FIGURES} figures`
        : `expected a size at the end of ${display(subject)}, before ${FIGURES} figures`;
    throw damaged(`${found}: ${HINT}`);
  }
  return foreignRun({
    program: { name: 'bonnie', version: null },
    label,
    sizeBytes: wholeNumberIn(dataFiles, 'the number of volumes') * wholeNumberIn(size, 'the size') * sizeUnit,
    dataFiles: Number(dataFiles),
    chunkBytes: CHUNK_BYTES,
    ...facts,
    phases: IO_TESTS.map((name, at) => phaseIn(name, figures.slice(2 * at, 2 * at + 2), rateUnit)),
  });
}

function phaseIn(name: string, [rate = '', cpu = '']: readonly string[], rateUnit: number): PhaseFigures {
  if (!/^(?:\d+\.\d|\++)$/.test(cpu)) throw unexpected(`the %CPU of ${name}`, cpu, `one decimal: ${HINT}`);
  if (name !== 'seeks' && rateUnit === KIB && !/^(?:\d+|\++)$/.test(rate))
    throw unexpected(name, rate, `whole K/sec: ${HINT}`);
  return phaseInRow(name, [rate, cpu], name === 'seeks' ? 1 : rateUnit);
}

function wordsOf(line: string): readonly string[] {
  return line.trim().split(/\s+/);
}
