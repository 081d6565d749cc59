import { SECTOR_BYTES } from '../../workers/data/test-data.js';
import { phaseNamed } from '../../workers/phases/catalogue.js';
import type { Content, Manner, Slice, Transfer, Tree } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import type { Machine } from '../machine/machine.js';
import { MAX_THREADS } from '../options/row.js';
import type { Options } from '../options/schema.js';
import type { Warning } from '../report/schema/report.js';
import { sum } from '../report/statistics/statistics.js';
import { systemHint, systemReason } from '../system-error.js';
import { shown } from '../text/escape.js';
import { refuseManyFiles } from './inodes.js';
import { type IoMemory, layOut } from './io-memory.js';
import { phasesInOrder } from './phases.js';
import { sizeUp } from './size.js';
import { share, slicesOfTeam } from './slices.js';
import { refuseLargeIo, transferOf } from './transfer.js';
import { refuseLargeTrees, treesOf } from './trees.js';
import { refuseManyWorkers } from './worker-memory.js';

/** What will be done, decided and printable; nothing has touched the disk. */
export interface Plan {
  readonly options: Options;
  readonly machine: Machine;
  readonly directory: string;
  readonly threads: number;
  /** The threads, or the seekers where they are more. */
  readonly workers: number;
  readonly totalBytes: number;
  /** What putc and getc move of it. */
  readonly byteWiseTotalBytes: number;
  /** The files are named within the scratch directory that the run will make. */
  readonly slices: readonly Slice[];
  /** The small files of each thread, named like the slices' files. */
  readonly trees: readonly Tree[];
  readonly phases: readonly string[];
  /** For each phase the slices of each worker that takes part. */
  readonly teams: readonly (readonly (readonly Slice[])[])[];
  readonly transfer: Transfer;
  readonly manner: Manner;
  readonly content: Content;
  readonly ioMemory: IoMemory;
  readonly warnings: readonly Warning[];
}

export function plan(options: Options, machine: Machine): Plan {
  refuseUnusable(machine);
  refuseCacheMode(options, machine);
  const threads = options.threads ?? Math.min(machine.cores, MAX_THREADS);
  const usesData = options.phases.some((name) => phaseNamed(name).stock === 'data');
  const usesTrees = options.phases.some((name) => phaseNamed(name).stock !== 'data');
  const size = usesData ? sizeUp(options, machine, threads) : NO_DATA;
  const totalBytes = size.blockCount * options.blockSize;
  const slices = usesData ? share(size.blockCount, threads, options) : [];
  const manner = mannerOf(options, slices);
  const phases = phasesInOrder(options.phases, manner.byteWiseBytes >= largestOf(slices));
  if (usesTrees) refuseLargeTrees(options, machine, phases, totalBytes);
  const content = contentOf(options);
  const isStamped = content.kind === 'stamped';
  const { transfer, warnings } = transferOf(options, machine, isStamped ? SECTOR_BYTES : 1);
  if (usesData)
    refuseLargeIo(transfer.ioSizeBytes, Math.min(...slices.map(({ lengthBytes }) => lengthBytes)));
  const teams = phases.map((phase) => slicesOfTeam(phase, slices, threads, options));
  const trees = usesTrees ? treesOf(options, threads) : [];
  refuseManyFiles(machine, options.phases.map(phaseNamed), filesOf(slices), trees);
  const workers = Math.max(...teams.map(({ length }) => length));
  const ioMemory = layOut({ ...transfer, ...manner }, isStamped, workers, machine.memoryLimitBytes);
  refuseManyWorkers({ workers, threads }, ioMemory, machine);
  return {
    options,
    machine,
    directory: machine.target.directory,
    threads,
    workers,
    totalBytes,
    byteWiseTotalBytes: sum(slices.map(({ lengthBytes }) => Math.min(lengthBytes, manner.byteWiseBytes))),
    slices,
    trees,
    phases: options.phases,
    teams,
    transfer,
    manner,
    content,
    ioMemory,
    warnings: [
      ...size.warnings,
      ...warnings,
      ...memoryWarning(machine),
      ...compressionWarning(content, machine),
    ],
  };
}

const NO_DATA = { blockCount: 0, warnings: [] } as const;

/** Of a slice as much is moved byte by byte as makes the whole, in whole blocks. */
function mannerOf(
  { syncWrites, byteMode, byteSize, blockSize, seeks, fileBlockSize = blockSize }: Options,
  slices: readonly Slice[],
): Manner {
  const eachBytes = (byteSize ?? Number.POSITIVE_INFINITY) / Math.max(1, slices.length);
  return {
    syncEach: syncWrites,
    byteMode,
    byteWiseBytes: Math.min(largestOf(slices), Math.ceil(eachBytes / blockSize) * blockSize),
    seeks,
    fileBlockBytes: fileBlockSize,
  };
}

function filesOf(slices: readonly Slice[]): number {
  return new Set(slices.map(({ file }) => file)).size;
}

function largestOf(slices: readonly Slice[]): number {
  return Math.max(0, ...slices.map(({ lengthBytes }) => lengthBytes));
}

function refuseUnusable({ target }: Machine): void {
  const named = `--dir ${shown(target.directory)}`;
  if (!target.isDirectory) {
    const what = target.exists
      ? 'is not a directory'
      : 'cannot be made: a part of its path is not a directory';
    throw new GobonnieError('directory-unusable', `${named} ${what}`, 'pass the path of a directory');
  }
  if (target.obstacle) {
    const what = target.exists
      ? 'cannot be written to'
      : 'cannot be made: the directory above cannot be written to';
    const message = `${named} ${what}: ${systemReason(target.obstacle)}`;
    throw new GobonnieError('directory-unusable', message, systemHint(target.obstacle));
  }
}

function refuseCacheMode({ cache }: Options, { platform, isRoot }: Machine): void {
  const canDrop = isRoot && (platform === 'linux' || platform === 'darwin');
  if (cache === 'drop' && !canDrop) {
    throw new GobonnieError(
      'option-invalid',
      `--cache drop ${isRoot ? `does not work on ${platform}` : 'needs root'}`,
      'pass --cache auto, which does what can be done',
    );
  }
  if (cache === 'evict' && platform !== 'linux') {
    throw new GobonnieError(
      'option-invalid',
      `--cache evict does not work on ${platform}`,
      'pass --cache auto, which does what can be done',
    );
  }
}

function contentOf({ unique, verify, compressible }: Options): Content {
  return { kind: unique || verify ? 'stamped' : 'same', verify, compressiblePercent: compressible };
}

function memoryWarning({ target }: Machine): readonly Warning[] {
  if (!target.isMemory) return [];
  return [
    {
      code: 'memory-filesystem',
      phase: null,
      message: `${shown(target.directory)} lies in memory (${target.filesystem}): the figures are memory's, not a disk's`,
      hint: 'pass a --dir on the disk that is meant',
    },
  ];
}

function compressionWarning({ kind }: Content, { target }: Machine): readonly Warning[] {
  if (target.compression === null || kind === 'stamped') return [];
  return [
    {
      code: 'compressing-filesystem',
      phase: null,
      message: `${shown(target.directory)} is compressed (${target.compression}), and one block again and again may compress well`,
      hint: 'pass --unique, and --compressible for data like yours',
    },
  ];
}
