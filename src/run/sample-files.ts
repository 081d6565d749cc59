import { access, constants, lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { Random } from '../../workers/random.js';
import { optionError } from '../errors.js';
import type { FilePart } from '../machine/machine-schema.js';
import { sum } from '../report/statistics/statistics.js';
import { SCRATCH_NAME } from '../scratch/file-location.js';
import { errorWithReason } from '../system-error.js';
import { display } from '../text/escape.js';
import { MIB } from '../text/units.js';

const PART_BYTES = MIB;
const MAX_PARTS = 500;
/** A smaller file may be in its inode. */
const MIN_FILE_BYTES = 4096;
/** Enough for a sample, and found within seconds. */
const MAX_FILES = 50_000;

/** More than the threads that make the calls. */
const MAX_CONCURRENT = 64;

/** Chooses random parts of the files at and below some paths; every byte is equally likely. Throws if there is no file. */
export async function sampleFiles(
  paths: readonly string[],
  seed: number,
  onEntry: () => void,
): Promise<readonly FilePart[]> {
  const lists = await Promise.all(paths.map((named) => findFiles(named, onEntry)));
  // One path may be below another, or name the same file.
  const sizes = new Map(lists.flat());
  const total = sum([...sizes.values()].map(countParts));
  if (total === 0)
    throw optionError(
      `there is no file to read in ${paths.map((one) => display(one)).join(' and ')}`,
      `pass files of at least ${MIN_FILE_BYTES} bytes that you may read, or a directory with some`,
    );
  const random = new Random(seed);
  const chosen = new Set<number>();
  while (chosen.size < Math.min(MAX_PARTS, total)) chosen.add(random.below(total));
  let first = 0;
  const slices = Array.from(sizes, ([file, bytes], fileIndex): readonly FilePart[] => {
    const parts = Array.from({ length: countParts(bytes) }, (_, part) => part);
    const own = parts.filter((part) => chosen.has(first + part));
    first += parts.length;
    return own.map((part) => {
      const offsetBytes = part * PART_BYTES;
      return { fileIndex, file, offsetBytes, lengthBytes: Math.min(PART_BYTES, bytes - offsetBytes) };
    });
  });
  return random.shuffle(slices.flat());
}

function countParts(bytes: number): number {
  return Math.ceil(bytes / PART_BYTES);
}

/**
 * Returns the readable files at or below a path, on the same filesystem, with their sizes in bytes. Follows a link that is the
 * path itself, but no other.
 */
async function findFiles(
  named: string,
  onEntry: () => void,
): Promise<readonly (readonly [file: string, bytes: number])[]> {
  const start = await realpath(named).catch((cause: unknown) => {
    const hint = 'pass an existing file or directory';
    throw errorWithReason('option-invalid', `${display(path.resolve(named))} cannot be read`, cause, hint);
  });
  const { dev } = await lstat(start);
  const found: [string, number][] = [];
  const waiting = [start];
  const examine = async (file: string) => {
    const stats = await lstat(file).catch(() => null);
    onEntry();
    const isSame = stats?.dev === dev;
    const hasData = isSame && stats.isFile() && stats.size >= MIN_FILE_BYTES && stats.blocks > 0;
    const bytes = hasData && (await isReadable(file)) ? stats.size : 0;
    return { file, bytes, entries: isSame && stats.isDirectory() ? await listDirectory(file) : [] };
  };
  while (waiting.length > 0 && found.length < MAX_FILES) {
    const examined = await Promise.all(waiting.splice(-MAX_CONCURRENT).map(examine));
    for (const { file, bytes, entries } of examined) {
      if (bytes > 0) found.push([file, bytes]);
      // A large directory has more entries than a call may have arguments.
      for (const entry of entries) waiting.push(entry);
    }
  }
  return found;
}

/** Returns no entry of a directory that this user may not list, and no scratch directory, whose run may remove it. */
async function listDirectory(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch(() => []);
  return names.filter((name) => !SCRATCH_NAME.test(name)).map((name) => path.join(directory, name));
}

async function isReadable(file: string): Promise<boolean> {
  return access(file, constants.R_OK).then(
    () => true,
    () => false,
  );
}
