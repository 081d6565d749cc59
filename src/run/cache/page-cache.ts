import { phaseNamed } from '../../../workers/phases/catalogue.js';
import { canBeDirect } from '../../../workers/phases/phase.js';
import { GobonnieError } from '../../errors.js';
import type { Machine } from '../../machine/machine.js';
import type { Plan } from '../../plan/plan.js';
import type { CacheRecord, Warning } from '../../report/schema/report.js';
import { warningOf } from '../../report/warning-catalogue.js';
import { systemReason } from '../../system-error.js';
import type { Stalls } from '../kernel/stalls.js';
import { type SyncedFiles, syncFiles } from '../sync.js';
import { type Emptier, emptiersFor } from './emptier.js';

/** gobonniego's interval: as the page cache fills again, it is emptied again. */
const EMPTY_EVERY_MS = 3000;

/** A page cache that is kept empty. */
export interface ColdCache {
  /** Aborted, with the error, when the files could no longer be synced or emptied. */
  readonly fault: AbortSignal;
  readonly stop: () => Promise<void>;
}

/** Sees to it that reads come from the device, as far as --cache wants it and this machine can. */
export class PageCache {
  readonly #asked: CacheRecord['asked'];
  readonly #warn: (warning: Warning) => void;
  readonly #stalls: Stalls;
  /** What is left to try; the first one is used until it fails. */
  #emptiers: readonly Emptier[];
  #reason: string | null;
  readonly #machine: Pick<Machine, 'platform' | 'isRoot'>;

  constructor(
    { options, machine, transfer, phases }: Plan,
    warn: (warning: Warning) => void,
    stalls: Stalls,
  ) {
    this.#stalls = stalls;
    this.#machine = { platform: machine.platform, isRoot: machine.isRoot };
    this.#asked = options.cache;
    this.#warn = warn;
    const cold = phases.map(phaseNamed).filter(({ coldCache }) => coldCache);
    const direct = transfer.direct && cold.every(canBeDirect);
    this.#reason = options.cache === 'auto' ? needless(machine.target.isMemory, direct) : null;
    this.#emptiers = this.#reason === null ? emptiersFor(options.cache, machine) : [];
    if (options.cache === 'auto' && this.#reason === null && this.#emptiers.length === 0)
      this.#giveUp('only root can empty it, and only on Linux and macOS');
  }

  /** What is really done. */
  get record(): CacheRecord {
    return { asked: this.#asked, done: this.#emptiers[0]?.deed ?? 'keep', reason: this.#reason };
  }

  /** Empties it now, and where it helps every three seconds until it is stopped. Aborting the signal cuts it short. */
  async keepEmpty(synced: SyncedFiles, signal: AbortSignal): Promise<ColdCache> {
    await this.#empty(synced, signal);
    const fault = new AbortController();
    let emptying: Promise<void> | null = null;
    const again = () => {
      emptying ??= this.#empty(synced, signal)
        .catch((error: unknown) => {
          clearInterval(timer);
          fault.abort(error);
        })
        .finally(() => {
          emptying = null;
        });
    };
    const timer = this.#emptiers[0]?.repeats ? setInterval(again, EMPTY_EVERY_MS) : undefined;
    const stop = async () => {
      clearInterval(timer);
      await emptying;
    };
    return { fault: fault.signal, stop };
  }

  async #empty(synced: SyncedFiles, signal: AbortSignal): Promise<void> {
    const [emptier, ...others] = this.#emptiers;
    if (!emptier) return;
    // The kernel lets go only of pages that are clean.
    await syncFiles(synced, this.#stalls, signal);
    if (signal.aborted) return;
    try {
      await emptier.empty(synced.files);
    } catch (error) {
      const reason = systemReason(error);
      if (this.#asked !== 'auto') throw refused(emptier, reason);
      this.#emptiers = others;
      if (others.length > 0) return this.#empty(synced, signal);
      this.#giveUp(reason);
    }
  }

  #giveUp(reason: string): void {
    this.#reason = reason;
    this.#warn(warningOf('cache-not-emptied', { reason, ...this.#machine }));
  }
}

function needless(isMemory: boolean, direct: boolean): string | null {
  if (isMemory) return 'the files lie in memory, and nowhere else';
  return direct ? 'direct reads pass it by' : null;
}

function refused({ deed }: Emptier, reason: string): GobonnieError {
  return new GobonnieError(
    'cache-failed',
    `the page cache could not be emptied as --cache ${deed} wants it: ${reason}`,
    'pass --cache auto, which does the best available',
  );
}
