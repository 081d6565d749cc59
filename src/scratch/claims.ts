import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Claim, Target } from '../machine/machine.js';
import { findMount, type Mount, parseMountInfo } from '../machine/mount.js';
import { allocatedBytes, dataFilePaths } from './data-files.js';
import { MARKER_NAME, type Marker, readMarker } from './marker.js';
import { listProcessIds } from './owner.js';
import { isOwnedByUs } from './safe-path/trust.js';
import { SCRATCH_NAME } from './scratch-name.js';

/** Skip other programs' open files. */
const NODE_PROGRAM = /^node/;

/** A scratch directory that a process of this user keeps open. */
interface OpenScratch {
  readonly pid: number;
  /** The directory's path, for messages. */
  readonly directory: string;
  /** The path through the open directory, which other users cannot redirect. */
  readonly root: string;
}

interface DatedClaim extends Claim {
  /**
   * When the run wrote its marker; 0 if it has rewritten the marker since, for small files or as a heartbeat of a job:
   * it already measures, so it is the earlier run.
   */
  readonly createdNs: bigint;
}

/**
 * Returns the space that this user's other runs will still take on a filesystem. A run keeps its scratch directory
 * open, so /proc shows exactly the live runs. Ignores other users' runs, and finds none in other containers or without
 * /proc: there only the check of the free space during a phase helps.
 */
export async function claimsOn({ mount }: Pick<Target, 'mount'>): Promise<readonly Claim[]> {
  return (await readClaims(mount)).map(({ directory, bytes }) => ({ directory, bytes }));
}

/** Returns claims that are at least as old as the scratch directory `name`, so at most one of two runs continues. */
export async function earlierClaims(
  { mount }: Pick<Target, 'mount'>,
  { root, name }: { readonly root: string; readonly name: string },
): Promise<readonly Claim[]> {
  const own = await stat(path.join(root, MARKER_NAME), { bigint: true });
  const claims = await readClaims(mount);
  return claims.filter(
    ({ directory, createdNs }) => createdNs <= own.mtimeNs && path.basename(directory) !== name,
  );
}

async function readClaims(mount: string | null): Promise<readonly DatedClaim[]> {
  if (mount === null) return [];
  const claims = await Promise.all(listOpenScratches(mount).map(readClaim));
  return claims.filter((claim) => claim !== null).filter(({ bytes }) => bytes > 0);
}

async function readClaim({ pid, directory, root }: OpenScratch): Promise<DatedClaim | null> {
  try {
    const marker = await readMarker(root);
    if (marker?.owner.pid !== pid) return null;
    const { mtimeNs } = await stat(path.join(root, MARKER_NAME), { bigint: true });
    const isMeasuring = Object.keys(marker.smallFileRuns).length > 0 || (marker.beats ?? 0) > 0;
    return { directory, bytes: await unwrittenBytes(root, marker), createdNs: isMeasuring ? 0n : mtimeNs };
  } catch {
    // The process has ended meanwhile.
    return null;
  }
}

/** Returns the space still to be taken. Small files count as unwritten: checking each of them would take long. */
async function unwrittenBytes(root: string, { files, neededBytes = 0 }: Marker): Promise<number> {
  return Math.max(0, neededBytes - (await allocatedBytes(dataFilePaths(root, files))));
}

/** Synchronous, because /proc always responds. */
function listOpenScratches(mount: string): readonly OpenScratch[] {
  try {
    const mounts = parseMountInfo(readFileSync('/proc/self/mountinfo', 'utf8'));
    const device = mounts.findLast(({ path: at }) => at === mount)?.deviceNumber;
    const namespace = readlinkSync('/proc/self/ns/pid');
    return listProcessIds()
      .filter((pid) => isOwnNode(pid, namespace))
      .flatMap((pid) =>
        findOpenScratches(pid).filter(({ directory }) => findDeviceNumber(directory, mounts) === device),
      );
  } catch {
    // There is no /proc.
    return [];
  }
}

function isOwnNode(pid: string, namespace: string): boolean {
  try {
    const processDirectory = `/proc/${pid}`;
    if (!isOwnedByUs(statSync(processDirectory)) || readlinkSync(`${processDirectory}/ns/pid`) !== namespace)
      return false;
    const program = readlinkSync(`${processDirectory}/exe`);
    return program === process.execPath || NODE_PROGRAM.test(path.basename(program));
  } catch {
    // The process has ended, or this user may not inspect it.
    return false;
  }
}

function findOpenScratches(pid: string): readonly OpenScratch[] {
  const fdDirectory = `/proc/${pid}/fd`;
  const found: OpenScratch[] = [];
  for (const fd of emptyOnError(() => readdirSync(fdDirectory))) {
    const root = `${fdDirectory}/${fd}`;
    const [directory = ''] = emptyOnError(() => [readlinkSync(root)]);
    if (SCRATCH_NAME.test(path.basename(directory))) found.push({ pid: Number(pid), directory, root });
  }
  return found;
}

/** Returns nothing if the process has ended, or has closed the file. */
function emptyOnError(read: () => readonly string[]): readonly string[] {
  try {
    return read();
  } catch {
    return [];
  }
}

/** Returns the filesystem's device number: the same for all its subvolumes and bind mounts. */
function findDeviceNumber(directory: string, mounts: readonly Mount[]): string | undefined {
  return findMount(directory, mounts)?.deviceNumber;
}
