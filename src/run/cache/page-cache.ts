import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { supportsDirect } from '../../../workers/phases/phase.js';
import { NO_FOLLOW } from '../../../workers/protocol.js';
import { GobonnieError } from '../../errors.js';
import type { Machine } from '../../machine/machine-schema.js';
import type { Options } from '../../options/options-schema.js';
import { isSupportedOn, platformName } from '../../options/platform-support.js';
import type { RunPlan } from '../../plan/plan.js';
import type { CacheHandling } from '../../report/schema/report.js';
import { errorWithReason, pathIndependentHint, systemReason } from '../../system-error.js';
import { display } from '../../text/escape.js';
import type { StallDetector } from '../kernel/stall-detector.js';
import { type CacheMethod, cacheMethodsFor } from './cache-method.js';

/** gobonniego's interval. A phase that reads fills the page cache again. */
const EMPTY_EVERY_MS = 3000;

interface CacheContext {
  readonly mode: Options['cache'];
  readonly machine: Pick<Machine, 'platform' | 'isRoot'>;
  /** Why the page cache need not be dropped with --cache auto. Null if it must be dropped. */
  readonly keptReason: string | null;
  /** Called if no method works with --cache auto. */
  readonly onGiveUp: (reason: string, remedy: string | null) => void;
}

interface SyncContext {
  readonly signal: AbortSignal;
  readonly stallDetector: StallDetector;
}

/** Drops the page cache before and during reads, as --cache requests and as far as this machine can. */
export class PageCache {
  readonly #context: CacheContext;
  /** Methods that have not failed yet, best first. */
  #methods: readonly CacheMethod[];
  #reason: string | null;

  constructor(context: CacheContext) {
    const { mode, machine, keptReason } = context;
    this.#context = context;
    this.#reason = mode === 'auto' ? keptReason : null;
    this.#methods = this.#reason === null ? cacheMethodsFor(mode, machine) : [];
    if (mode === 'auto' && this.#reason === null && this.#methods.length === 0)
      this.#giveUp(whyNoMethodWorks(machine.platform), null);
  }

  get record(): CacheHandling {
    return {
      requested: this.#context.mode,
      applied: this.#methods[0]?.name ?? 'keep',
      reason: this.#reason,
    };
  }

  /**
   * Drops the page cache with the best method that works. Calls `sync` first, because the kernel drops only clean pages.
   * `listFiles` returns the files to evict. Skips the drop once the signal is aborted.
   */
  async empty(
    sync: () => Promise<void>,
    listFiles: () => Promise<readonly string[]>,
    signal: AbortSignal,
  ): Promise<void> {
    const [method, ...others] = this.#methods;
    if (!method) return;
    await sync();
    if (signal.aborted) return;
    try {
      await method.empty(method.name === 'evict' ? await listFiles() : []);
    } catch (error) {
      if (this.#context.mode !== 'auto') throw cacheError(method, error);
      this.#methods = others;
      if (others.length > 0) return this.empty(sync, listFiles, signal);
      this.#giveUp(systemReason(error), remedyFor(error));
    }
  }

  /**
   * Drops the page cache before `work` and, if the method can be repeated, every three seconds until `work` ends.
   * If that fails, aborts the signal of `work` and rejects.
   */
  async emptyDuring<Result>(
    files: readonly string[],
    context: SyncContext,
    work: (stop: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const { signal } = context;
    const empty = () =>
      this.empty(
        () => syncFiles(files, context),
        async () => files,
        signal,
      );
    await empty();
    if (!this.#methods[0]?.canRepeat) return work(signal);
    const end = new AbortController();
    const failure = new AbortController();
    const repeat = async () => {
      while (await sleep(EMPTY_EVERY_MS, true, { signal: end.signal }).catch(() => false)) await empty();
    };
    const repeating = repeat().catch((error: unknown) => failure.abort(error));
    try {
      return await work(AbortSignal.any([signal, failure.signal]));
    } finally {
      end.abort();
      // A sync that has begun may still fail, and then there is no result.
      await repeating;
      failure.signal.throwIfAborted();
    }
  }

  #giveUp(reason: string, remedy: string | null): void {
    this.#reason = reason;
    this.#context.onGiveUp(reason, remedy);
  }
}

/** Returns why the page cache need not be dropped. Null if it must be dropped. */
export function whyCacheIsKept({ machine, steps }: RunPlan): string | null {
  if (machine.target.isMemory) return 'the files are only in RAM';
  const coldSteps = steps.filter(({ phase }) => phase.coldCache);
  if (coldSteps.length === 0) return 'no phase reads data';
  const areDirect = coldSteps.every(({ phase, transfer }) => transfer.direct && supportsDirect(phase));
  return areDirect ? 'direct reads bypass it' : null;
}

function whyNoMethodWorks(platform: string): string {
  return isSupportedOn('drop', platform)
    ? 'only root can drop it'
    : `programs cannot drop it on ${platformName(platform)}`;
}

function cacheError({ name }: CacheMethod, error: unknown): GobonnieError {
  const remedies = [remedyFor(error), 'pass --cache auto, which uses the best available method'];
  return new GobonnieError(
    'cache-failed',
    `--cache ${name} could not drop the page cache: ${systemReason(error)}`,
    remedies.filter((way) => way !== null).join(', or '),
  );
}

function remedyFor(error: unknown): string | null {
  return error instanceof GobonnieError ? error.hint : pathIndependentHint(error);
}

/** Syncs the files to the device, until the signal is aborted. */
export async function syncFiles(
  files: readonly string[],
  { signal, stallDetector }: SyncContext,
): Promise<void> {
  for (const file of files)
    if (!signal.aborted) await stallDetector.watch(`the sync of ${display(file)}`, syncFile(file));
}

/** Syncs a file to the device. Never retries a failed sync: the kernel reports the second attempt as a success. */
async function syncFile(file: string): Promise<void> {
  try {
    const handle = await open(file, constants.O_RDWR | NO_FOLLOW);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw errorWithReason('sync-failed', `${display(file)} could not be synced to the device`, cause);
  }
}
