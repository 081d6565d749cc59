import { IO_TESTS } from '../../report/family.js';
import type { PhaseFigures, RunResult } from '../../report/results.js';
import { shown } from '../../text/escape.js';
import { KIB, MIB } from '../../text/units.js';
import { damaged, figuresIn, foreignPhase, foreignRun, type RowReader, wholeNumberIn } from './row.js';

/** Each with its %CPU. */
const FIGURES = 2 * IO_TESTS.length;
/** Not to be had by an option, in any of them. */
const CHUNK_BYTES = 16 * KIB;
/** Garloff tells the seeks in thousands. */
const SEEKS_UNIT = 1000;

const TOGETHER_OR_CUT = 'figures run together, or the row is cut';

/** What the header over a row says of it. */
interface Form {
  readonly synced: boolean;
  readonly unlocked: boolean;
  readonly seeks: number | null;
  readonly seekers: number | null;
  readonly sizeUnit: number;
  readonly rateUnit: number;
}

/** Bray's. */
const PLAIN: Form = {
  synced: false,
  unlocked: false,
  seeks: null,
  seekers: null,
  sizeUnit: MIB,
  rateUnit: KIB,
};

/** Bonnie-64's later tables have a gigabyte of a thousand megabytes. */
const IN_GIGABYTES = { sizeUnit: 1000 * MIB, rateUnit: MIB } as const;

/** The rows of Bray's and Garloff's tables, among whatever else was printed or written around them. */
export function bonnieRows(): RowReader {
  let form: Form = PLAIN;
  let before: 'header' | 'row' | 'other' = 'other';
  return (line) => {
    const header = headerIn(line, form);
    if (header) {
      form = header.form;
      before = header.isLast ? 'header' : 'other';
      return null;
    }
    const isBlank = line.trim() === '';
    const isRow = !isBlank && (before === 'header' || looksLikeRow(line, before === 'row'));
    // A blank line may part a header from its row.
    if (!isBlank || before !== 'header') before = isRow ? 'row' : 'other';
    return isRow ? rowIn(line, form) : null;
  };
}

/** The form after one of the three lines of a header; a row follows the last of them. */
function headerIn(line: string, before: Form): { readonly form: Form; readonly isLast: boolean } | null {
  if (/--Sequential Output/.test(line))
    return { form: { ...PLAIN, synced: line.includes('(sync)') }, isLast: false };
  const [, bytewise] = /-(Per Char|CharUnlk)-/.exec(line) ?? [];
  if (bytewise) {
    const [, thousands = '0', seekers = null] = /--(\d{1,9})k \((\d{1,9})\)/.exec(line) ?? [];
    return {
      form: {
        ...before,
        unlocked: bytewise === 'CharUnlk',
        // Less than a thousand stands there as none.
        seeks: Number(thousands) * SEEKS_UNIT || null,
        seekers: seekers === null ? null : Number(seekers),
      },
      isLast: false,
    };
  }
  const [, size, rate] = /\b([MG])B +([KM])\/sec +%CPU/.exec(line) ?? [];
  if (!size) return null;
  return { form: rate === 'M' ? { ...before, ...IN_GIGABYTES } : before, isLast: true };
}

/** Whether most of it are figures, some of them with one decimal as Bonnie's %CPU have; under a row, a cut one, too. */
function looksLikeRow(line: string, isUnderRow: boolean): boolean {
  const words = wordsOf(line);
  const count = (pattern: RegExp) => words.filter((word) => pattern.test(word)).length;
  const [fewestNumbers, fewestCpu] = isUnderRow ? [4, 2] : [9, 4];
  return count(/^\d+(?:\.\d+)?$/) >= fewestNumbers && count(/^\d+\.\d$/) >= fewestCpu;
}

function rowIn(line: string, form: Form): RunResult {
  const words = wordsOf(line);
  const figures = words.slice(-FIGURES);
  // The label may have blanks, and a blank may stand after the asterisk of the volumes.
  const subject = words.slice(0, -FIGURES).join(' ');
  const [, label = '', volumes = '1', size] =
    /^(.*?)(?:(?:^|\s)(0*[1-9]\d*)\* ?|^|\s)(\d+)$/.exec(subject) ?? [];
  if (size === undefined) {
    const found =
      subject === ''
        ? `it has ${words.length} words where a row has a size and ${FIGURES} figures`
        : `there is no size at the end of ${shown(subject)}, before the last ${FIGURES} words`;
    throw damaged(`${found}: ${TOGETHER_OR_CUT}`);
  }
  return foreignRun({
    program: { name: 'bonnie', version: null },
    label,
    sizeBytes:
      wholeNumberIn(volumes, 'the number of volumes') * wholeNumberIn(size, 'the size') * form.sizeUnit,
    volumes: Number(volumes),
    chunkBytes: CHUNK_BYTES,
    seeks: form.seeks,
    seekers: form.seekers,
    synced: form.synced,
    unlocked: form.unlocked,
    phases: IO_TESTS.map((name, at) => phaseAt(at, name, figures, form)),
  });
}

function phaseAt(at: number, name: string, figures: readonly string[], { rateUnit }: Form): PhaseFigures {
  const cell = { rate: figures[2 * at] ?? '', cpu: figures[2 * at + 1] ?? '', name };
  if (!/^(?:\d+\.\d|\++)$/.test(cell.cpu))
    throw damaged(`the %CPU of ${name} is ${shown(cell.cpu)}, which is none: ${TOGETHER_OR_CUT}`);
  if (name === 'seeks') return foreignPhase(name, figuresIn(cell, 1));
  if (rateUnit === KIB && !/^(?:\d+|\++)$/.test(cell.rate))
    throw damaged(`${name} is ${shown(cell.rate)}, which is no K/sec: ${TOGETHER_OR_CUT}`);
  return foreignPhase(name, figuresIn(cell, rateUnit));
}

function wordsOf(line: string): readonly string[] {
  return line.trim().split(/\s+/);
}
