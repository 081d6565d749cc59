import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { supportsDirect } from '../../../workers/phases/phase.js';
import { getPhase } from '../../../workers/phases/phase-catalogue.js';
import { NO_FOLLOW } from '../../../workers/protocol.js';
import { GobonnieError } from '../../errors.js';
import { isSupportedOn, platformName } from '../../options/platform-support.js';
import type { RunPlan } from '../../plan/plan.js';
import type { CacheHandling, Warning } from '../../report/schema/report.js';
import type { FileLocation } from '../../scratch/file-location.js';
import { pathIndependentHint, systemHint, systemReason } from '../../system-error.js';
import { display } from '../../text/escape.js';
import { createWarning } from '../../warnings/warning-catalogue.js';
import type { StallDetector } from '../kernel/stall-detector.js';
import { type CacheMethod, cacheMethodsFor } from './cache-method.js';

/** gobonniego's interval. A phase that reads fills the page cache again. */
const EMPTY_EVERY_MS = 3000;

interface CacheContext {
  readonly plan: RunPlan;
  readonly warn: (warning: Warning) => void;
  readonly stallDetector: StallDetector;
}

/** Drops the page cache before and during reads, as --cache requests and as far as this machine can. */
export class PageCache {
  readonly #context: CacheContext;
  /** Methods that have not failed yet, best first. */
  #methods: readonly CacheMethod[];
  #reason: string | null;

  constructor(context: CacheContext) {
    this.#context = context;
    const { options, machine } = context.plan;
    this.#reason = options.cache === 'auto' ? whyCacheIsKept(context.plan) : null;
    this.#methods = this.#reason === null ? cacheMethodsFor(options.cache, machine) : [];
    if (options.cache === 'auto' && this.#reason === null && this.#methods.length === 0)
      this.#giveUp(whyNoMethodWorks(machine.platform));
  }

  get record(): CacheHandling {
    return {
      requested: this.#context.plan.options.cache,
      applied: this.#methods[0]?.name ?? 'keep',
      reason: this.#reason,
    };
  }

  /**
   * Drops the page cache before `work` and, if the method can be repeated, every three seconds until `work` ends.
   * If that fails, aborts the signal of `work` and rejects.
   */
  async emptyDuring<Result>(
    locations: ReadonlySet<FileLocation>,
    signal: AbortSignal,
    work: (stop: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    await this.#empty(locations, signal);
    const failure = new AbortController();
    let emptying: Promise<void> | null = null;
    const emptyAgain = () => {
      emptying ??= this.#empty(locations, signal)
        .catch((error: unknown) => {
          clearInterval(timer);
          failure.abort(error);
        })
        .finally(() => {
          emptying = null;
        });
    };
    const timer = this.#methods[0]?.canRepeat ? setInterval(emptyAgain, EMPTY_EVERY_MS) : undefined;
    try {
      return await work(AbortSignal.any([signal, failure.signal]));
    } finally {
      clearInterval(timer);
      // A sync that has begun may still fail, and then there is no result.
      await emptying;
      failure.signal.throwIfAborted();
    }
  }

  async #empty(locations: ReadonlySet<FileLocation>, signal: AbortSignal): Promise<void> {
    const [method, ...others] = this.#methods;
    if (!method) return;
    // Sync first, because the kernel drops only clean pages.
    for (const location of locations) await syncFiles(location, this.#context.stallDetector, signal);
    if (signal.aborted) return;
    try {
      await method.empty([...locations].flatMap(({ files }) => files));
    } catch (error) {
      if (this.#context.plan.options.cache !== 'auto') throw cacheError(method, error);
      this.#methods = others;
      if (others.length > 0) return this.#empty(locations, signal);
      this.#giveUp(systemReason(error), remedyFor(error));
    }
  }

  #giveUp(reason: string, remedy: string | null = null): void {
    this.#reason = reason;
    const { plan, warn } = this.#context;
    const { platform, isRoot } = plan.machine;
    const isDirect = plan.options.direct || plan.options.steps !== undefined;
    warn(createWarning('cache-not-dropped', { reason, remedy, platform, isRoot, isDirect }));
  }
}

/** Returns why the page cache need not be dropped. Null if it must be dropped. */
export function whyCacheIsKept({ machine, steps }: RunPlan): string | null {
  if (machine.target.isMemory) return 'the files are only in RAM';
  const coldSteps = steps.filter(({ phase }) => getPhase(phase).coldCache);
  if (coldSteps.length === 0) return 'no phase reads data';
  const areDirect = coldSteps.every(
    ({ phase, transfer }) => transfer.direct && supportsDirect(getPhase(phase)),
  );
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

/**
 * Syncs the files to the device. Never retries a failed sync: the kernel reports the second attempt as a success.
 * Aborting the signal skips the remaining files.
 */
export async function syncFiles(
  { files, displayPath }: FileLocation,
  stallDetector: StallDetector,
  signal: AbortSignal,
): Promise<void> {
  for (const file of files) {
    if (signal.aborted) return;
    const name = display(displayPath(file));
    await stallDetector.watch(`the sync of ${name}`, sync(file, name));
  }
}

async function sync(file: string, name: string): Promise<void> {
  try {
    const handle = await open(file, constants.O_RDWR | NO_FOLLOW);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw new GobonnieError(
      'sync-failed',
      `${name} could not be synced to the device: ${systemReason(cause)}`,
      systemHint(cause),
      { cause },
    );
  }
}
