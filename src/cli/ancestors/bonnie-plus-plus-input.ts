import { totalmem } from 'node:os';
import type { GobonnieError } from '../../errors.js';
import { memoryLimit } from '../../machine/host.js';
import { MAX_SIZE_GIB } from '../../options/catalogue.js';
import { MAX_DIRECTORIES, MAX_FILES } from '../../options/family.js';
import type { OptionsInput } from '../../options/schema.js';
import { shown } from '../../text/escape.js';
import { parseSize } from '../../text/size.js';
import { KIB, MIB, showBytes } from '../../text/units.js';
import { invalid, wholeNumber } from './flag-values.js';
import { seedOfFile } from './random-file.js';

/** As commander gives them. */
export interface BonniePlusPlusFlags {
  readonly dir?: string;
  readonly size?: string;
  readonly files?: string;
  /** Empty for -f without a number. */
  readonly fast?: string;
  readonly unbuffered?: boolean;
  readonly direct?: boolean;
  readonly concurrency?: string;
  readonly ram?: string;
  readonly runs?: string;
  readonly label?: string;
  readonly seed?: string;
  readonly randomFile?: string;
  readonly user?: string;
  readonly group?: string;
  readonly quiet?: boolean;
  readonly parties?: string;
  readonly wait?: string;
}

const CHUNK = { byDefault: 8192, least: 256, most: MIB };
const SEEKS = 8192;
const SEEKERS = 5;
const BYTE_WISE_MIB = 20;
export const FILES_UNIT = 1024;
const FILES_UNITS = 16;
/** bonnie++'s estimate of the memory for each file: three times what it keeps of it. */
const NAME_BYTES = 75;
const LINK_KINDS: ReadonlyMap<string, OptionsInput['fileKind']> = new Map([
  ['-1', 'hard-links'],
  ['-2', 'symlinks'],
]);
const IO_PHASES = ['write', 'rewrite', 'read', 'seeks'];
const ALL_IO_PHASES = ['putc', 'write', 'rewrite', 'getc', 'read', 'seeks'];
const FILE_PHASES = ['create', 'stat', 'delete', 'create-random', 'stat-random', 'delete-random'];
const RAM_SHARE = 2;

/** All parts but the first may be left out. */
const SIZE = { flag: '-s', parts: 'MiB[:chunk[:seeks[:seekers]]]', example: '64:8k:4096:3' };
const FILES = { flag: '-n', parts: 'N[:max[:min[:dirs[:chunk]]]]', example: '16:1000:10:4:8k' };
type Form = typeof SIZE;

/** bonnie++'s flags as gobonnie's options. */
export function inputOf(given: BonniePlusPlusFlags): OptionsInput {
  const ramMib = wholeNumber(
    '-r',
    given.ram,
    Math.floor(memoryLimit(totalmem(), process.constrainedMemory()) / MIB),
    0,
  );
  const io = ioOf(given, ramMib);
  const tree = treeOf(given, ramMib);
  if (!io && !tree) {
    throw invalid('-s 0 and -n 0 leave nothing to do', 'leave one of them out');
  }
  return {
    dir: given.dir ?? '.',
    label: given.label,
    seed: given.randomFile === undefined ? given.seed : seedOfFile(given.randomFile),
    runs: wholeNumber('-x', given.runs, 1, 1),
    threads: wholeNumber('-c', given.concurrency, 1, 1),
    direct: given.direct ?? false,
    // Each of its tests ends with a sync, even without -b.
    fsync: true,
    fsyncPerWrite: given.unbuffered ?? false,
    byteMode: 'syscall',
    cache: 'keep',
    phases: [...(io?.phases ?? []), ...(tree ? FILE_PHASES : [])],
    ...(io?.options ?? {}),
    ...(tree ?? {}),
  };
}

/** From -s, -f and -r. Null if the tests of the one file are skipped. */
function ioOf({ size, fast }: BonniePlusPlusFlags, ramMib: number) {
  const [sizeText = '', chunk, seeks, seekThreads] = partsOf(SIZE, size);
  const sizeMib = sizeText === '' ? ramMib * RAM_SHARE : mebibytes(sizeText, size);
  if (sizeMib === 0 && sizeText !== '') return null;
  if (sizeMib < ramMib * RAM_SHARE) {
    throw invalid(
      `-s ${sizeMib} is less than twice the RAM (${ramMib} MiB), so memory would be measured`,
      `pass -s ${ramMib * RAM_SHARE}, or -r 0 to skip this check`,
    );
  }
  const blockSize = chunkOf(SIZE, chunk, size);
  const byteWiseMib = fast === '' ? 0 : wholeNumber('-f', fast, BYTE_WISE_MIB, 0);
  return {
    phases: byteWiseMib === 0 ? IO_PHASES : ALL_IO_PHASES,
    options: {
      // -r 0 without -s: gobonnie's default.
      size: sizeMib === 0 ? undefined : sizeMib / KIB,
      blockSize,
      ioSize: blockSize,
      seeks: seeks ? bytesOf(SIZE, seeks, size) : SEEKS,
      seekThreads: wholeNumber('-s …:…:…:', seekThreads || undefined, SEEKERS, 1),
      byteSize: byteWiseMib === 0 ? undefined : byteWiseMib * MIB,
    },
  };
}

/** From -n. Null if the file tests are skipped. */
function treeOf({ files }: BonniePlusPlusFlags, ramMib: number) {
  const [count, max = '', min, directories, chunk] = partsOf(FILES, files);
  const units = wholeNumber('-n', count || undefined, FILES_UNITS, 0, MAX_FILES / FILES_UNIT);
  if (units === 0) return null;
  if (ramMib > 0 && units * FILES_UNIT * NAME_BYTES > ramMib * MIB) {
    throw invalid(
      `-n ${units} is too many files: their names do not fit in ${ramMib} MiB of memory`,
      'pass fewer, or -r 0 to skip this check',
    );
  }
  const kind = LINK_KINDS.get(max);
  const sizeOf = (text = '') => (text === '' || kind ? 0 : bytesOf(FILES, text, files));
  const [most, least] = [sizeOf(max), sizeOf(min)];
  if (least > most) {
    throw invalid(
      `-n ${shown(files)}: the smallest size, ${least}, is more than the largest, ${most}`,
      'put the largest first, as in -n 16:1000:10',
    );
  }
  return {
    files: units * FILES_UNIT,
    fileKind: kind ?? 'files',
    fileSize: most,
    fileMinSize: least,
    directories: wholeNumber('-n …:…:…:', directories || undefined, 0, 0, MAX_DIRECTORIES),
    fileBlockSize: chunkOf(FILES, chunk, files),
  };
}

function partsOf(form: Form, given: string | undefined): readonly string[] {
  const parts = given?.split(':') ?? [];
  if (given === '' || parts.length > form.parts.split(':').length) throw wrongForm(form, given);
  return parts;
}

function mebibytes(text: string, given: string | undefined): number {
  const count = (parseSize(text, MIB) ?? Number.NaN) / MIB;
  if (!Number.isInteger(count)) throw wrongForm(SIZE, given);
  if (count <= MAX_SIZE_GIB * KIB) return count;
  throw invalid(`-s ${shown(given)} is too large`, `pass at most -s ${MAX_SIZE_GIB * KIB}`);
}

function chunkOf(form: Form, text: string | undefined, given: string | undefined): number {
  const bytes = text ? bytesOf(form, text, given) : CHUNK.byDefault;
  if (bytes >= CHUNK.least && bytes <= CHUNK.most && Number.isInteger(Math.log2(bytes))) return bytes;
  const { flag, example } = form;
  throw invalid(
    `${flag}: the chunk ${shown(text)} is not a power of two from ${CHUNK.least} bytes to ${showBytes(CHUNK.most)}`,
    `pass for example ${flag} ${example}`,
  );
}

function bytesOf(form: Form, text: string, given: string | undefined): number {
  const bytes = parseSize(text);
  if (bytes === null || !Number.isInteger(bytes)) throw wrongForm(form, given);
  return bytes;
}

function wrongForm({ flag, parts, example }: Form, given: string | undefined): GobonnieError {
  return invalid(`${flag} ${shown(given)} is not ${parts}`, `pass for example ${flag} ${example}`);
}
