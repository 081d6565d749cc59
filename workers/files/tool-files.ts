import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, realpathSync } from 'node:fs';
import type { PhaseContext } from '../phases/phase.js';
import { NO_FOLLOW, POSITION, type ToolDirectory } from '../protocol.js';
import { writeAll } from './read-write.js';

const PRIVATE_MODE = 0o600;
/** Fixed paths instead of PATH, because gobonnie may run as root. */
export const SYNC_PATHS = ['/usr/bin/sync', '/bin/sync'] as const;
const FILL_BYTES = 1024 * 1024;

/** The facts that all models of developers' tools share. */
export const toolPhase = {
  primaryRate: 'operations',
  ioUnit: 'tool-calls',
  order: 'sequential',
  coldCache: false,
} as const;

export function requireToolDirectory({ toolDirectory }: PhaseContext): ToolDirectory {
  if (!toolDirectory) throw new Error('a phase of a tool was planned without a directory');
  return toolDirectory;
}

/** Returns pseudo-random bytes to write. */
export function makeBytes(length: number, { random }: PhaseContext): Uint8Array {
  const bytes = new Uint8Array(length);
  random.fill(bytes);
  return bytes;
}

/** Creates a file of pseudo-random bytes before the gate opens. Moves the position, which shows that it does not stall. */
export function createFilled(path: string, lengthBytes: number, context: PhaseContext): void {
  const bytes = makeBytes(Math.min(FILL_BYTES, lengthBytes), context);
  const fd = openSync(
    path,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW,
    PRIVATE_MODE,
  );
  try {
    for (let position = 0; position < lengthBytes; position += bytes.length) {
      writeAll(fd, bytes.subarray(0, Math.min(bytes.length, lengthBytes - position)), position);
      context.progress[POSITION] = (context.progress[POSITION] ?? 0) + bytes.length;
    }
  } finally {
    closeSync(fd);
  }
}

/** Syncs the filesystem that contains a directory, or all filesystems if the system's program cannot sync a single one. */
export function syncFilesystem(directory: string): void {
  const program = SYNC_PATHS.find((path) => existsSync(path));
  if (program === undefined) throw new Error('found no program named sync');
  const options = { env: {}, stdio: 'ignore' } as const;
  // Another process cannot look up a path through this one's open directories.
  const resolved = realpathSync(directory);
  try {
    execFileSync(program, ['-f', resolved], options);
  } catch {
    execFileSync(program, [], options);
  }
}
