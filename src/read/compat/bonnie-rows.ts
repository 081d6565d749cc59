import { IO_TESTS, SEEKS_UNIT } from '../../format/compat/bonnie-tests.js';
import type { RunResult, StepValues } from '../../report/results.js';
import { KIB, MIB } from '../../text/units.js';
import { foreignRun, parseForeignPhase, parseRowInteger, unexpectedValueError } from './row-parsing.js';

/** A rate and its %CPU for each test. */
const VALUES_PER_ROW = 2 * IO_TESTS.length;
/** Fixed in all versions. */
const CHUNK_BYTES = 16 * KIB;

const DAMAGE_HINT = 'numbers run together or are truncated';

type Header = Pick<RunResult, 'synced' | 'unlocked' | 'seeks' | 'seekThreads'>;

/** Bray's header contains no such information. */
const BRAY_HEADER: Header = { synced: false, unlocked: false, seeks: null, seekThreads: null };

/** The last header line, which the rows follow. */
const LAST_HEADER_LINE = /\bMB +K\/sec +%CPU/;

/** Reads the rows of Bray's and Garloff's tables, using the header above them. Null if a line is not a row. */
export function createBonnieRowReader(): (line: string) => RunResult | null {
  let header: Header = BRAY_HEADER;
  let previousLine: 'header' | 'row' | 'other' = 'other';
  return (line) => {
    const known = parseHeader(line, header);
    if (known) {
      header = known;
      previousLine = LAST_HEADER_LINE.test(line) ? 'header' : 'other';
      return null;
    }
    const isBlank = line.trim() === '';
    const isRow = !isBlank && (previousLine === 'header' || looksLikeRow(line, previousLine === 'row'));
    // There may be a blank line between a header and its first row.
    if (!isBlank || previousLine !== 'header') previousLine = isRow ? 'row' : 'other';
    return isRow ? parseRow(line, header) : null;
  };
}

/** Returns the header updated from one of its three lines. Null for any other line. */
function parseHeader(line: string, header: Header): Header | null {
  if (/--Sequential Output/.test(line)) return { ...BRAY_HEADER, synced: line.includes('(sync)') };
  const [, bytewise] = /-(Per Char|CharUnlk)-/.exec(line) ?? [];
  if (bytewise) {
    const [, thousands = '0', seekThreads = null] = /--(\d{1,9})k \((\d{1,9})\)/.exec(line) ?? [];
    return {
      ...header,
      unlocked: bytewise === 'CharUnlk',
      // Bonnie prints fewer than a thousand seeks as 0.
      seeks: Number(thousands) * SEEKS_UNIT || null,
      seekThreads: seekThreads === null ? null : Number(seekThreads),
    };
  }
  return LAST_HEADER_LINE.test(line) ? header : null;
}

/** True if a line is mostly numbers, some with one decimal like %CPU. Below a row, a truncated row suffices. */
function looksLikeRow(line: string, isBelowRow: boolean): boolean {
  const words = splitWords(line);
  const count = (pattern: RegExp) => words.filter((word) => pattern.test(word)).length;
  const minNumbers = isBelowRow ? 4 : 9;
  const minPercentages = isBelowRow ? 2 : 4;
  return count(/^\d+(?:\.\d+)?$/) >= minNumbers && count(/^\d+\.\d$/) >= minPercentages;
}

function parseRow(line: string, header: Header): RunResult {
  const words = splitWords(line);
  const values = words.slice(-VALUES_PER_ROW);
  // The label may contain spaces, and a space may follow the asterisk of the volumes.
  const labelAndSize = words.slice(0, -VALUES_PER_ROW).join(' ');
  const [, label = '', dataFiles = '1', size] =
    /^(.*?)(?:(?:^|\s)(0*[1-9]\d*)\* ?|^|\s)(\d+)$/.exec(labelAndSize) ?? [];
  if (size === undefined)
    throw unexpectedValueError('it', line.trim(), `a size and ${VALUES_PER_ROW} numbers: ${DAMAGE_HINT}`);
  return foreignRun({
    program: { name: 'bonnie', version: null },
    label,
    sizeBytes: parseRowInteger(dataFiles, 'the number of volumes') * parseRowInteger(size, 'the size') * MIB,
    dataFiles: Number(dataFiles),
    blockBytes: CHUNK_BYTES,
    ...header,
    steps: IO_TESTS.map((name, at) => parsePhase(name, values.slice(2 * at, 2 * at + 2))),
  });
}

function parsePhase(name: string, [rate = '', cpu = '']: readonly string[]): StepValues {
  if (!/^(?:\d+\.\d|\++)$/.test(cpu))
    throw unexpectedValueError(`the %CPU of ${name}`, cpu, `one decimal: ${DAMAGE_HINT}`);
  if (name !== 'seeks' && !/^(?:\d+|\++)$/.test(rate))
    throw unexpectedValueError(name, rate, `whole K/sec: ${DAMAGE_HINT}`);
  return parseForeignPhase(name, [rate, cpu], KIB);
}

function splitWords(line: string): readonly string[] {
  return line.trim().split(/\s+/);
}
