import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { NO_FOLLOW } from '../../workers/protocol.js';
import { GobonnieError, shown, systemHint, systemReason } from '../errors.js';
import type { Machine } from '../machine.js';
import type { Warning } from '../report/report.js';

const DROP_CACHES = '/proc/sys/vm/drop_caches';
/** Pages, and the directory entries and inodes with them. */
const DROP_ALL = '3';
/** gobonniego's interval: as the page cache fills again, it is emptied again. */
const EMPTY_EVERY_MS = 3000;
const PURGE = '/usr/sbin/purge';

/** How this machine's page cache is emptied. Null where it cannot be. */
type Emptier = (() => Promise<unknown>) | null;

/** A page cache that is kept empty. */
export interface ColdCache {
  /** Aborted, with the error, when the files could no longer be synced. */
  readonly fault: AbortSignal;
  readonly stop: () => Promise<void>;
}

/** Empties the page cache, so that reads have to come from the device; says so once where it cannot. */
export class PageCache {
  readonly #warn: (warning: Warning) => void;
  #emptier: Emptier;
  #told = false;

  constructor({ platform, isRoot }: Pick<Machine, 'platform' | 'isRoot'>, warn: (warning: Warning) => void) {
    this.#emptier = isRoot ? emptierOf(platform) : null;
    this.#warn = warn;
  }

  /** Empties it now, and again every three seconds until it is stopped. Aborting the signal cuts it short. */
  async keepEmpty(files: readonly string[], signal: AbortSignal): Promise<ColdCache> {
    await this.#empty(files, signal);
    const fault = new AbortController();
    let emptying: Promise<void> | null = null;
    const timer = setInterval(() => {
      emptying ??= this.#empty(files, signal)
        .catch((error: unknown) => {
          // A failed sync is never tried again: the kernel would call the second one a success.
          clearInterval(timer);
          fault.abort(error);
        })
        .finally(() => {
          emptying = null;
        });
    }, EMPTY_EVERY_MS);
    const stop = async () => {
      clearInterval(timer);
      await emptying;
    };
    return { fault: fault.signal, stop };
  }

  /** Files are synced first: the kernel drops only pages that are clean. */
  async #empty(files: readonly string[], signal: AbortSignal): Promise<void> {
    if (this.#emptier === null) return this.#tell('only root can empty it, on Linux and macOS');
    for (const file of files) {
      if (signal.aborted) return;
      await sync(file);
    }
    try {
      await this.#emptier();
    } catch (error) {
      this.#emptier = null;
      this.#tell(systemReason(error as NodeJS.ErrnoException));
    }
  }

  #tell(reason: string): void {
    if (this.#told) return;
    this.#told = true;
    this.#warn({
      code: 'cache-not-emptied',
      message: `the page cache was not emptied (${reason}): memory may serve a part of the reads, so that read and IOPS look too good`,
      hint: 'run as root, and where it can be emptied; the larger --size is beside the memory, the less it matters',
    });
  }
}

function emptierOf(platform: NodeJS.Platform): Emptier {
  switch (platform) {
    case 'linux':
      return () => writeFile(DROP_CACHES, DROP_ALL);
    case 'darwin':
      return () => promisify(execFile)(PURGE);
    default:
      return null;
  }
}

async function sync(file: string): Promise<void> {
  try {
    const handle = await open(file, constants.O_RDWR | NO_FOLLOW);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (cause) {
    const error = cause as NodeJS.ErrnoException;
    throw new GobonnieError(
      'sync-failed',
      `${shown(file)} could not be synced to the device: ${systemReason(error)}`,
      systemHint(error),
      { cause },
    );
  }
}
