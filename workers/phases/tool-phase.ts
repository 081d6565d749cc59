import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, realpathSync } from 'node:fs';
import { writeAll } from '../files/read-write.js';
import {
  CREATE_NEW_FLAGS,
  mayContinue,
  OPERATIONS,
  POSITION,
  READ_BYTES,
  type ToolDirectory,
  WRITTEN_BYTES,
} from '../protocol.js';
import type { PhaseContext, PreparedPhase } from './phase.js';

const PRIVATE_MODE = 0o600;
/** Fixed paths instead of PATH, because gobonnie may run as root. */
export const SYNC_PATHS = ['/usr/bin/sync', '/bin/sync'] as const;
const FILL_BYTES = 65_536;

/** The facts that all models of developers' tools share. */
export const toolPhase = {
  primaryRate: 'operations',
  ioUnit: 'tool-calls',
  order: 'sequential',
  coldCache: false,
} as const;

/** Counts and times the operations of a tool. */
export class ToolOperations {
  #current = '';
  #count = 0;
  #startNs = 0n;
  readonly #context: PhaseContext;

  constructor(context: PhaseContext) {
    this.#context = context;
  }

  mayContinue(): boolean {
    return mayContinue(this.#context.flags, this.#count);
  }

  begin(path: string): void {
    this.#current = path;
    this.#startNs = this.#context.latency.begin();
  }

  end(writtenBytes = 0): void {
    const { latency, progress } = this.#context;
    latency.end(this.#startNs);
    this.#count += 1;
    progress[WRITTEN_BYTES] = (progress[WRITTEN_BYTES] ?? 0) + writtenBytes;
    progress[OPERATIONS] = this.#count;
  }

  /** Shows progress in calls that belong to no operation. Returns false if the phase was stopped. */
  visit(path: string): boolean {
    const { progress } = this.#context;
    this.#current = path;
    progress[POSITION] = (progress[POSITION] ?? 0) + 1;
    return this.mayContinue();
  }

  countRead(bytes: number): void {
    const { progress } = this.#context;
    progress[READ_BYTES] = (progress[READ_BYTES] ?? 0) + bytes;
  }

  prepared(run: () => void, fds: readonly number[] = []): PreparedPhase {
    return { run, close: () => fds.forEach(closeSync), currentFile: () => this.#current };
  }
}

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
  const { progress } = context;
  const bytes = makeBytes(Math.min(FILL_BYTES, lengthBytes), context);
  const fd = openSync(path, CREATE_NEW_FLAGS, PRIVATE_MODE);
  for (let position = 0; position < lengthBytes; position += bytes.length) {
    writeAll(fd, bytes.subarray(0, lengthBytes - position), position);
    progress[POSITION] = (progress[POSITION] ?? 0) + 1;
  }
  closeSync(fd);
}

/**
 * Syncs the filesystem that contains a directory, or all filesystems if the system's program cannot sync a single one.
 * Does nothing on Windows, which has no such program.
 */
export function syncFilesystem(directory: string): void {
  const program = SYNC_PATHS.find((path) => existsSync(path));
  if (program === undefined) return;
  const options = { env: {}, stdio: 'ignore' } as const;
  // Another process cannot look up a path through this one's open directories.
  const resolved = realpathSync(directory);
  try {
    execFileSync(program, ['-f', resolved], options);
  } catch {
    execFileSync(program, [], options);
  }
}
