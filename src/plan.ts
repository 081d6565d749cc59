import { SECTOR_BYTES } from '../workers/data/test-data.js';
import type { Content, Slice, Transfer } from '../workers/protocol.js';
import { GobonnieError, shown } from './errors.js';
import type { Machine } from './machine.js';
import { MAX_THREADS } from './options/catalogue.js';
import type { Options } from './options/schema.js';
import { type IoMemory, layOut } from './plan/io-memory.js';
import { sizeUp } from './plan/size.js';
import { refuseLargeIo, transferOf } from './plan/transfer.js';
import type { Warning } from './report/report.js';

/** What will be done, decided and printable; nothing has touched the disk. */
export interface Plan {
  readonly options: Options;
  readonly machine: Machine;
  readonly directory: string;
  readonly threads: number;
  readonly totalBytes: number;
  /** The files are named within the scratch directory that the run will make. */
  readonly slices: readonly Slice[];
  readonly phases: readonly string[];
  readonly transfer: Transfer;
  readonly content: Content;
  readonly ioMemory: IoMemory;
  readonly warnings: readonly Warning[];
}

/** gobonniego's three, in its order; the catalogue may hold more. */
const DEFAULT_PHASES = ['write', 'read', 'iops'] as const;

export function plan(options: Options, machine: Machine): Plan {
  refuseUnusable(machine);
  refuseCacheMode(options, machine);
  const threads = options.threads ?? Math.min(machine.cores, MAX_THREADS);
  const size = sizeUp(options, machine, threads);
  const slices = share(size.blockCount, threads, options);
  const content = contentOf(options);
  const isStamped = content.kind === 'stamped';
  const { transfer, warnings } = transferOf(options, machine, isStamped ? SECTOR_BYTES : 1);
  refuseLargeIo(transfer.ioSizeBytes, Math.min(...slices.map(({ lengthBytes }) => lengthBytes)));
  return {
    options,
    machine,
    directory: machine.target.directory,
    threads,
    totalBytes: size.blockCount * options.blockSize,
    slices,
    phases: DEFAULT_PHASES,
    transfer,
    content,
    ioMemory: layOut(transfer, isStamped, threads, machine.memoryLimitBytes),
    warnings: [
      ...size.warnings,
      ...warnings,
      ...memoryWarning(machine),
      ...compressionWarning(content, machine),
    ],
  };
}

function refuseUnusable({ target }: Machine): void {
  const named = `--dir ${shown(target.directory)}`;
  if (!target.isDirectory) {
    const what = target.exists
      ? 'is not a directory'
      : 'cannot be made: a part of its path is not a directory';
    throw new GobonnieError('directory-unusable', `${named} ${what}`, 'pass the path of a directory');
  }
  if (!target.writable) {
    const what = target.exists
      ? 'cannot be written to'
      : 'cannot be made: the directory above cannot be written to';
    throw new GobonnieError('directory-unusable', `${named} ${what}`, 'pass a --dir that you may write to');
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

/** Whole blocks, spread evenly: no slice is more than a block longer than another. */
function share(blockCount: number, threads: number, { blockSize, oneFile }: Options): readonly Slice[] {
  let offsetBytes = 0;
  return Array.from({ length: threads }, (_, index) => {
    const blocks = Math.floor(blockCount / threads) + (index < blockCount % threads ? 1 : 0);
    const slice = { file: `bonnie.${oneFile ? 0 : index}`, offsetBytes, lengthBytes: blocks * blockSize };
    if (oneFile) offsetBytes += slice.lengthBytes;
    return slice;
  });
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
