import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { totalmem } from 'node:os';
import { GobonnieError } from '../../errors.js';
import { memoryLimit } from '../../machine/host.js';
import { MAX_DIRECTORIES, MAX_FILES, MAX_SIZE_GIB } from '../../options/option-catalogue.js';
import type { OptionsInput } from '../../options/options-schema.js';
import { systemReason } from '../../system-error.js';
import { display } from '../../text/escape.js';
import { formatBytes, KIB, MIB, parseSize } from '../../text/units.js';
import { optionError, parseWholeNumber } from './flag-values.js';

type MeasurementFlag = 'dir' | 'size' | 'files' | 'concurrency' | 'ram' | 'runs' | 'seed' | 'randomFile';
type TextFlag = MeasurementFlag | 'label' | 'user' | 'group' | 'parties' | 'wait';
type Switch = 'unbuffered' | 'direct' | 'quiet';
/** Flags of bonnie++ as commander returns them. */
export interface BonniePlusPlusFlags
  extends Readonly<Partial<Record<TextFlag, string> & Record<Switch, boolean>>> {
  /** True for -f without a number. */
  readonly fast?: string | true;
}

const CHUNK = { defaultBytes: 8192, minBytes: 256, maxBytes: MIB };
const DEFAULT_SEEKS = 8192;
const DEFAULT_SEEKERS = 5;
const DEFAULT_BYTE_WISE_MIB = 20;
export const FILES_PER_UNIT = 1024;
const DEFAULT_FILE_UNITS = 16;
/** bonnie++'s estimate of the RAM for each file: three times the size of its own entry. */
const NAME_BYTES = 75;
const LINK_KINDS: ReadonlyMap<string, OptionsInput['fileKind']> = new Map([
  ['-1', 'hard-links'],
  ['-2', 'symlinks'],
]);
const IO_PHASES = ['write', 'rewrite', 'read', 'seeks'];
const ALL_IO_PHASES = ['putc', 'write', 'rewrite', 'getc', 'read', 'seeks'];
const FILE_PHASES = ['create', 'stat', 'delete', 'create-random', 'stat-random', 'delete-random'];
const RAM_MULTIPLE = 2;
/** Enough to distinguish files of random bytes. */
const MAX_RANDOM_BYTES = MIB;
/** 48 bits, which a JavaScript number holds exactly. */
const SEED_BYTES = 6;

/** All parts but the first are optional. */
const SIZE_SYNTAX = { flag: '-s', parts: 'MiB[:chunk[:seeks[:seekers]]]', example: '64:8k:4096:3' };
const FILES_SYNTAX = { flag: '-n', parts: 'N[:max[:min[:dirs[:chunk]]]]', example: '16:1000:10:4:8k' };
type FlagSyntax = typeof SIZE_SYNTAX;

/** Converts bonnie++'s flags to gobonnie's options. */
export function optionsFromFlags(flags: BonniePlusPlusFlags): OptionsInput {
  const ramMib = parseWholeNumber(
    '-r',
    flags.ram,
    Math.floor(memoryLimit(totalmem(), process.constrainedMemory()) / MIB),
    0,
  );
  const ioOptions = parseIoFlags(flags, ramMib);
  const fileOptions = parseFilesFlag(flags, ramMib);
  if (!ioOptions && !fileOptions) {
    throw optionError('-s 0 and -n 0 leave nothing to do', 'leave one of them out');
  }
  const ioPhases = ioOptions?.phases ?? [];
  return {
    dir: flags.dir ?? '.',
    label: flags.label,
    seed: flags.randomFile === undefined ? flags.seed : seedFromFile(flags.randomFile),
    runs: parseWholeNumber('-x', flags.runs, 1, 1),
    threads: parseWholeNumber('-c', flags.concurrency, 1, 1),
    direct: flags.direct ?? false,
    // Each test of bonnie++ ends with a sync, even without -b.
    fsync: true,
    fsyncPerWrite: flags.unbuffered ?? false,
    byteMode: 'syscall',
    cache: 'keep',
    phases: fileOptions ? [...ioPhases, ...FILE_PHASES] : ioPhases,
    ...ioOptions?.options,
    ...fileOptions,
  };
}

/** Parses -s, -f and -r. Null if -s skips the tests of the data file. */
function parseIoFlags({ size, fast }: BonniePlusPlusFlags, ramMib: number) {
  const [sizeText = '', chunk, seeks, seekThreads] = splitFlagValue(SIZE_SYNTAX, size);
  const sizeMib = sizeText === '' ? ramMib * RAM_MULTIPLE : parseMebibytes(sizeText, size);
  if (sizeMib === 0 && sizeText !== '') return null;
  if (sizeMib < ramMib * RAM_MULTIPLE) {
    throw optionError(
      `-s ${sizeMib} is less than twice the RAM (${ramMib} MiB), so reads may be cached`,
      `pass -s ${ramMib * RAM_MULTIPLE}, or -r 0 to skip this check`,
    );
  }
  const blockSize = parseChunk(SIZE_SYNTAX, chunk, size);
  const byteWiseMib = fast === true ? 0 : parseWholeNumber('-f', fast, DEFAULT_BYTE_WISE_MIB, 0);
  return {
    phases: byteWiseMib === 0 ? IO_PHASES : ALL_IO_PHASES,
    options: {
      // With -r 0 and without -s, gobonnie's default applies.
      size: sizeMib === 0 ? undefined : sizeMib / KIB,
      blockSize,
      ioSize: blockSize,
      seeks: seeks ? parseBytes(SIZE_SYNTAX, seeks, size) : DEFAULT_SEEKS,
      seekThreads: parseWholeNumber('-s …:…:…:', seekThreads || undefined, DEFAULT_SEEKERS, 1),
      byteSize: byteWiseMib === 0 ? undefined : byteWiseMib * MIB,
    },
  };
}

/** Parses -n. Null if it skips the file tests. */
function parseFilesFlag({ files }: BonniePlusPlusFlags, ramMib: number) {
  const [count, max = '', min, directories, chunk] = splitFlagValue(FILES_SYNTAX, files);
  const units = parseWholeNumber('-n', count || undefined, DEFAULT_FILE_UNITS, 0, MAX_FILES / FILES_PER_UNIT);
  if (units === 0) return null;
  if (ramMib > 0 && units * FILES_PER_UNIT * NAME_BYTES > ramMib * MIB) {
    throw optionError(
      `-n ${units} is too many files: their names do not fit in ${ramMib} MiB of RAM`,
      'pass fewer, or -r 0 to skip this check',
    );
  }
  const kind = LINK_KINDS.get(max);
  const parseFileSize = (text = '') => (text === '' || kind ? 0 : parseBytes(FILES_SYNTAX, text, files));
  const maxBytes = parseFileSize(max);
  const minBytes = parseFileSize(min);
  if (minBytes > maxBytes) {
    throw optionError(
      `-n ${display(files)}: the minimum size ${minBytes} is larger than the maximum ${maxBytes}`,
      'put the maximum first, as in -n 16:1000:10',
    );
  }
  return {
    files: units * FILES_PER_UNIT,
    fileKind: kind ?? 'files',
    fileSize: maxBytes,
    fileMinSize: minBytes,
    directories: parseWholeNumber('-n …:…:…:', directories || undefined, 0, 0, MAX_DIRECTORIES),
    fileBlockSize: parseChunk(FILES_SYNTAX, chunk, files),
  };
}

function splitFlagValue(syntax: FlagSyntax, flagValue: string | undefined): readonly string[] {
  const parts = flagValue?.split(':') ?? [];
  if (flagValue === '' || parts.length > syntax.parts.split(':').length) throw syntaxError(syntax, flagValue);
  return parts;
}

function parseMebibytes(text: string, flagValue: string | undefined): number {
  const count = (parseSize(text, MIB) ?? Number.NaN) / MIB;
  if (!Number.isInteger(count)) throw syntaxError(SIZE_SYNTAX, flagValue);
  if (count <= MAX_SIZE_GIB * KIB) return count;
  throw optionError(`-s ${display(flagValue)} is too large`, `pass at most -s ${MAX_SIZE_GIB * KIB}`);
}

function parseChunk(syntax: FlagSyntax, text: string | undefined, flagValue: string | undefined): number {
  const bytes = text ? parseBytes(syntax, text, flagValue) : CHUNK.defaultBytes;
  if (bytes >= CHUNK.minBytes && bytes <= CHUNK.maxBytes && Number.isInteger(Math.log2(bytes))) return bytes;
  const { flag, example } = syntax;
  throw optionError(
    `invalid ${flag} chunk ${display(text)}: expected a power of two from ${CHUNK.minBytes} bytes to ${formatBytes(CHUNK.maxBytes)}`,
    `for example, ${flag} ${example}`,
  );
}

function parseBytes(syntax: FlagSyntax, text: string, flagValue: string | undefined): number {
  const bytes = parseSize(text);
  if (bytes === null || !Number.isInteger(bytes)) throw syntaxError(syntax, flagValue);
  return bytes;
}

function syntaxError({ flag, parts, example }: FlagSyntax, flagValue: string | undefined): GobonnieError {
  return optionError(
    `invalid ${flag} ${display(flagValue)}: expected ${parts}`,
    `for example, ${flag} ${example}`,
  );
}

/** Derives a seed from the content of a file: the same file produces the same random numbers. */
export function seedFromFile(file: string): number {
  try {
    const fd = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(MAX_RANDOM_BYTES);
      const length = readSync(fd, bytes);
      if (length === 0) throw randomFileError(file, 'is empty');
      return createHash('sha256').update(bytes.subarray(0, length)).digest().readUIntBE(0, SEED_BYTES);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (error instanceof GobonnieError) throw error;
    throw randomFileError(file, `cannot be read: ${systemReason(error)}`);
  }
}

function randomFileError(file: string, problem: string): GobonnieError {
  return optionError(`-Z ${display(file)} ${problem}`, 'pass a file of random bytes');
}
