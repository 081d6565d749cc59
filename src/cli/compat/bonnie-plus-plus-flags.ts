import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { totalmem } from 'node:os';
import { type GobonnieError, optionError } from '../../errors.js';
import { FILE_TESTS, IO_TESTS } from '../../format/compat/bonnie-tests.js';
import { memoryLimit } from '../../machine/host.js';
import { MAX_DIRECTORIES, MAX_FILES, MAX_SIZE_GIB } from '../../options/option-catalogue.js';
import type { OptionsInput } from '../../options/options-schema.js';
import { systemReason } from '../../system-error.js';
import { display } from '../../text/escape.js';
import { formatBytes, KIB, MIB, parseSize } from '../../text/units.js';
import { JOB_HINT } from '../argv/parse-argv.js';
import { parseWholeNumber } from './flag-values.js';

type MeasurementFlag = 'dir' | 'size' | 'files' | 'concurrency' | 'ram' | 'runs' | 'seed' | 'randomFile';
type TextFlag = MeasurementFlag | 'label' | 'user' | 'group' | 'wait';
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
/** As bonnie++ 2.00a. */
const DEFAULT_BYTE_WISE_MIB = 3;
export const FILES_PER_UNIT = 1024;
const DEFAULT_FILE_UNITS = 16;
/** bonnie++'s estimate of the RAM for each file: three times the size of its own entry. */
const NAME_BYTES = 75;
const LINK_KINDS: ReadonlyMap<string, OptionsInput['fileKind']> = new Map([
  ['-1', 'hard-links'],
  ['-2', 'symlinks'],
]);
const FAST_TESTS = ['write', 'rewrite', 'read', 'seeks'];
const RAM_MULTIPLE = 2;
/** Enough to distinguish files of random bytes. */
const MAX_RANDOM_BYTES = MIB;
/** 48 bits, which a JavaScript number holds exactly. */
const SEED_BYTES = 6;

export function optionsFromFlags(flags: BonniePlusPlusFlags): OptionsInput {
  if (flags.wait !== undefined && flags.wait !== 'p')
    throw optionError(`unknown -y ${display(flags.wait)}`, flags.wait === 's' ? JOB_HINT : 'pass -y p');
  const memoryMib = Math.floor(memoryLimit(totalmem(), process.constrainedMemory()) / MIB);
  const ramMib = parseWholeNumber('-r', flags.ram, memoryMib, 0);
  const ioOptions = parseIoFlags(flags, ramMib);
  const fileOptions = parseFilesFlag(flags, ramMib);
  if (!ioOptions && !fileOptions)
    throw optionError('-s 0 and -n 0 leave nothing to do', 'leave one of them out');
  const ioPhases = ioOptions?.phases ?? [];
  return {
    dir: flags.dir ?? '.',
    label: flags.label,
    seed: flags.randomFile === undefined ? flags.seed : seedFromFile(flags.randomFile),
    runs: parseWholeNumber('-x', flags.runs, 1, 1),
    threads: parseWholeNumber('-c', flags.concurrency, 1, 1),
    direct: flags.direct ?? false,
    fsyncPerWrite: flags.unbuffered ?? false,
    cache: 'keep',
    phases: fileOptions ? [...ioPhases, ...FILE_TESTS] : ioPhases,
    ...ioOptions?.options,
    ...fileOptions,
  };
}

/** Parses -s, -f and -r. Null if -s skips the tests of the data file. */
function parseIoFlags({ size, fast }: BonniePlusPlusFlags, ramMib: number) {
  const flag = splitFlag('-s', 'MiB[:chunk[:seeks[:seekers]]]', '64:8k:4096:3', size);
  const [sizeText, chunk, seeks, seekThreads] = flag.parts;
  const sizeMib = sizeText ? flag.parseBytes(sizeText, MIB) / MIB : ramMib * RAM_MULTIPLE;
  if (!Number.isInteger(sizeMib)) throw flag.syntaxError();
  if (sizeText && sizeMib === 0) return null;
  if (sizeMib > MAX_SIZE_GIB * KIB)
    throw optionError(`-s ${display(size)} is too large`, `pass at most -s ${MAX_SIZE_GIB * KIB}`);
  if (sizeMib < ramMib * RAM_MULTIPLE)
    throw optionError(
      `-s ${sizeMib} is less than twice the RAM (${ramMib} MiB), so reads may be cached`,
      `pass -s ${ramMib * RAM_MULTIPLE}, or -r 0 to skip this check`,
    );
  const blockSize = flag.parseChunk(chunk);
  const byteWiseMib = fast === true ? 0 : parseWholeNumber('-f', fast, DEFAULT_BYTE_WISE_MIB, 0);
  return {
    phases: byteWiseMib === 0 ? FAST_TESTS : IO_TESTS,
    options: {
      // With -r 0 and without -s, gobonnie's default applies.
      size: sizeMib === 0 ? undefined : sizeMib / KIB,
      blockSize,
      ioSize: blockSize,
      seeks: seeks ? flag.parseBytes(seeks) : DEFAULT_SEEKS,
      seekThreads: parseWholeNumber('-s …:…:…:', seekThreads || undefined, DEFAULT_SEEKERS, 1),
      byteSize: byteWiseMib === 0 ? undefined : byteWiseMib * MIB,
    },
  };
}

/** Parses -n. Null if it skips the file tests. */
function parseFilesFlag({ files }: BonniePlusPlusFlags, ramMib: number) {
  const flag = splitFlag('-n', 'N[:max[:min[:dirs[:chunk]]]]', '16:1000:10:4:8k', files);
  const [count, max = '', min, directories, chunk] = flag.parts;
  const units = parseWholeNumber('-n', count || undefined, DEFAULT_FILE_UNITS, 0, MAX_FILES / FILES_PER_UNIT);
  if (units === 0) return null;
  if (ramMib > 0 && units * FILES_PER_UNIT * NAME_BYTES > ramMib * MIB)
    throw optionError(
      `-n ${units} is too many files: their names do not fit in ${ramMib} MiB of RAM`,
      'pass fewer, or -r 0 to skip this check',
    );
  const kind = LINK_KINDS.get(max);
  const maxBytes = max && !kind ? flag.parseBytes(max) : 0;
  const minBytes = min && !kind ? flag.parseBytes(min) : 0;
  if (minBytes > maxBytes)
    throw optionError(
      `-n ${display(files)}: the minimum size ${minBytes} is larger than the maximum ${maxBytes}`,
      'put the maximum first, as in -n 16:1000:10',
    );
  return {
    files: units * FILES_PER_UNIT,
    fileKind: kind ?? 'files',
    fileSize: maxBytes,
    fileMinSize: minBytes,
    directories: parseWholeNumber('-n …:…:…:', directories || undefined, 0, 0, MAX_DIRECTORIES),
    fileBlockSize: flag.parseChunk(chunk),
  };
}

/** Splits a flag's value at its colons. Each part may be missing. */
function splitFlag(name: string, syntax: string, example: string, value: string | undefined) {
  const hint = `for example, ${name} ${example}`;
  const syntaxError = () => optionError(`invalid ${name} ${display(value)}: expected ${syntax}`, hint);
  const parts = value?.split(':') ?? [];
  if (value === '' || parts.length > syntax.split(':').length) throw syntaxError();
  const parseBytes = (text: string, bareUnit = 1) => {
    const bytes = parseSize(text, bareUnit);
    if (bytes === null || !Number.isInteger(bytes)) throw syntaxError();
    return bytes;
  };
  const parseChunk = (text: string | undefined) => {
    const bytes = text ? parseBytes(text) : CHUNK.defaultBytes;
    if (bytes >= CHUNK.minBytes && bytes <= CHUNK.maxBytes && Number.isInteger(Math.log2(bytes)))
      return bytes;
    const range = `${CHUNK.minBytes} bytes to ${formatBytes(CHUNK.maxBytes)}`;
    throw optionError(`invalid ${name} chunk ${display(text)}: expected a power of two from ${range}`, hint);
  };
  return { parts, parseBytes, parseChunk, syntaxError };
}

/** Derives a seed from the content of a file: the same file produces the same random numbers. */
function seedFromFile(file: string): number {
  const bytes = Buffer.alloc(MAX_RANDOM_BYTES);
  let length: number;
  try {
    // Not readFileSync: a device of random bytes has no end. gobonnie exits if the read fails.
    const fd = openSync(file, 'r');
    length = readSync(fd, bytes);
    closeSync(fd);
  } catch (error) {
    throw randomFileError(file, `cannot be read: ${systemReason(error)}`);
  }
  if (length === 0) throw randomFileError(file, 'is empty');
  return createHash('sha256').update(bytes.subarray(0, length)).digest().readUIntBE(0, SEED_BYTES);
}

function randomFileError(file: string, problem: string): GobonnieError {
  return optionError(`-Z ${display(file)} ${problem}`, 'pass a file of random bytes');
}
