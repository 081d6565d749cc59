import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, fdatasyncSync, openSync, realpathSync } from 'node:fs';
import { moveFile, readAll, writeAll } from '../files/read-write.js';
import { readClockNs } from '../latency-recorder.js';
import {
  CREATE_NEW_FLAGS,
  mayContinue,
  NO_FOLLOW,
  OPERATIONS,
  POSITION,
  READ_BYTES,
  type ToolDirectory,
  toolRunRoot,
  WRITTEN_BYTES,
} from '../protocol.js';
import type { Phase, PhaseContext } from './phase.js';

const PRIVATE_MODE = 0o600;
/** Fixed paths instead of PATH, because gobonnie may run as root. */
export const SYNC_PATHS = ['/usr/bin/sync', '/bin/sync'] as const;
const FILL_BYTES = 65_536;

type ToolFacts = Partial<Phase> & Pick<Phase, 'name' | 'title' | 'amountLabel' | 'dataset' | 'access'>;

/**
 * Defines the model of a developer's tool, by default with one thread. `prepare` returns the function that makes a
 * thread's calls after the gate has opened.
 */
export function toolPhase(facts: ToolFacts, prepare: (thread: ToolThread) => () => void): Phase {
  return {
    primaryRate: 'operations',
    ioUnit: 'tool-calls',
    order: 'sequential',
    coldCache: false,
    runBy: () => 1,
    ...facts,
    prepare(context) {
      const thread = new ToolThread(context);
      const run = prepare(thread);
      if (facts.access === 'creates') syncFilesystem(thread.directory.root);
      return { run, close: () => thread.fds.forEach(closeSync), currentFile: () => thread.current };
    },
  };
}

/** Counts and times a worker's operations on many files, and counts their bytes. */
export class Operations {
  readonly context: PhaseContext;
  /** The file or directory of the last operation. */
  current = '';
  #startNs = 0;

  constructor(context: PhaseContext) {
    this.context = context;
  }

  mayContinue(): boolean {
    const { flags, progress } = this.context;
    return mayContinue(flags, progress[OPERATIONS] ?? 0);
  }

  begin(path: string): void {
    this.current = path;
    this.#startNs = this.context.latency.begin();
  }

  end(): void {
    this.context.latency.end(this.#startNs);
    this.add(OPERATIONS, 1);
  }

  read(fd: number, bytes: Uint8Array, position: number): void {
    readAll(fd, bytes, position);
    this.add(READ_BYTES, bytes.length);
  }

  write(fd: number, bytes: Uint8Array, position: number): void {
    writeAll(fd, bytes, position);
    this.add(WRITTEN_BYTES, bytes.length);
  }

  /** Adds to a word of the progress. */
  add(word: number, amount: number): void {
    const { progress } = this.context;
    progress[word] = (progress[word] ?? 0) + amount;
  }
}

/** A thread of a tool: prepares files, then makes operations. */
export class ToolThread extends Operations {
  /** The directory of this run. */
  readonly directory: ToolDirectory;
  readonly fds: number[] = [];

  constructor(context: PhaseContext) {
    super(context);
    const { toolDirectory, run } = context;
    if (!toolDirectory) throw new Error('a phase of a tool was planned without a directory');
    this.directory = { ...toolDirectory, root: toolRunRoot(toolDirectory.root, run) };
  }

  /** Returns pseudo-random bytes to write. */
  makeBytes(length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    this.context.random.fill(bytes);
    return bytes;
  }

  /** Creates a file of pseudo-random bytes. Moves the position, which shows that it does not stall. */
  createFile(path: string, lengthBytes: number): void {
    const bytes = this.makeBytes(Math.min(FILL_BYTES, lengthBytes));
    const fd = openSync(path, CREATE_NEW_FLAGS, PRIVATE_MODE);
    moveFile(lengthBytes, bytes, (piece, position) => {
      writeAll(fd, piece, position);
      this.add(POSITION, 1);
    });
    closeSync(fd);
  }

  /** Writes, and records the time of the write alone. */
  timedWrite(fd: number, bytes: Uint8Array, position: number): void {
    const startNs = readClockNs();
    this.write(fd, bytes, position);
    this.context.parts.write.end(startNs);
  }

  /** Makes a file durable, and records the time of the sync alone. */
  sync(fd: number): void {
    const startNs = readClockNs();
    fdatasyncSync(fd);
    this.context.parts.sync.end(startNs);
  }

  /** Opens a file until the end of the phase. */
  open(path: string, flags = constants.O_RDONLY): number {
    const fd = openSync(path, flags | NO_FOLLOW);
    this.fds.push(fd);
    return fd;
  }

  /** Shows progress in calls that belong to no operation. Returns false if the phase was stopped. */
  visit(path: string): boolean {
    this.current = path;
    this.add(POSITION, 1);
    return this.mayContinue();
  }
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
