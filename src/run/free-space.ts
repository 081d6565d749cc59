import { setTimeout as delay } from 'node:timers/promises';
import type { Phase } from '../../workers/phases/phase.js';
import { getPhase } from '../../workers/phases/phase-catalogue.js';
import { GobonnieError } from '../errors.js';
import { maxSmallFileBytes } from '../plan/files.js';
import type { Step } from '../plan/steps.js';
import { minFreeBytes } from '../plan/target.js';
import { maxToolBytes } from '../plan/tool-files.js';
import { display } from '../text/escape.js';
import { flag, msg } from '../text/message-template.js';
import { formatBytes, MS_PER_SECOND } from '../text/units.js';
import type { RunContext } from './run-context.js';
import type { ProgressSample } from './worker-pool/sampler.js';

/** Consecutive shortages that end a phase, with one query per sample. A single shortage may be brief. */
const SHORTAGES_TO_STOP = 2;
const WAIT_MS = 100;
/** Filesystem metadata and small files of other programs may take the other half of the reserve. */
const FLOOR_SHARE = 0.5;
/** These filesystems free the space of removed files only when they commit, btrfs every 30 s. */
const LATE_FILESYSTEMS = ['btrfs', 'bcachefs', 'zfs'];
const FREED_WITHIN_MS = { soon: 3 * MS_PER_SECOND, late: 35 * MS_PER_SECOND };

/** Ends a phase when another program takes the space that must stay free. Does not slow down the workers. */
export class FreeSpaceMonitor {
  readonly #phase: Phase;
  readonly #context: RunContext;
  /** Space that the phase will have taken at its end. */
  readonly #goalBytes: number;
  readonly #floorBytes: number;
  readonly #maxWaitMs: number;
  /** How often the space was queried before the phase. */
  queries = 0;
  #startBytes = 0;
  #shortages = 0;
  #isChecking = false;
  #isOver = false;
  #failure: GobonnieError | null = null;

  constructor(step: Step, run: number, context: RunContext) {
    const { options, steps, machine } = context.plan;
    const { target } = machine;
    const phase = getPhase(step.phase);
    this.#phase = phase;
    this.#context = context;
    const unitBytes = phase.ioUnit === 'files' ? maxSmallFileBytes(options) : 1;
    const ownBytes = phase.access === 'creates' ? step.goal.amount * unitBytes : 0;
    this.#goalBytes = phase.ioUnit === 'tool-calls' ? maxToolBytes(phase, options) : ownBytes;
    this.#floorBytes = minFreeBytes(target) * FLOOR_SHARE;
    const isLate = LATE_FILESYSTEMS.includes(target.filesystem ?? '');
    const hasRemovedFiles = run > 1 || steps[0]?.name !== step.name;
    this.#maxWaitMs = hasRemovedFiles ? FREED_WITHIN_MS[isLate ? 'late' : 'soon'] : 0;
  }

  /** Throws if there is too little space to start. Waits a while if files were removed before the phase. */
  async begin(): Promise<void> {
    const { signal, onEvent } = this.#context;
    const lastMs = performance.now() + this.#maxWaitMs;
    for (let isWaiting = false; ; isWaiting = true) {
      this.#startBytes = await this.#available();
      this.queries++;
      const isEnough = this.#phase.access !== 'creates' || this.#leavesEnough(this.#startBytes, 0);
      if (isEnough || signal.aborted) return;
      if (performance.now() >= lastMs) throw this.#createError(this.#startBytes, 0);
      if (!isWaiting) onEvent({ type: 'activity', activity: 'waiting-for-space' });
      await delay(WAIT_MS);
    }
  }

  observe(sample: ProgressSample): void {
    if (!this.#isChecking && !this.#failure) void this.#check(sample);
  }

  /** Throws if the space became too small during the phase. */
  finish(): void {
    this.#isOver = true;
    if (this.#failure) throw this.#failure;
  }

  async #check({ operations }: ProgressSample): Promise<void> {
    this.#isChecking = true;
    const available = await this.#available();
    this.#isChecking = false;
    const { plan, workerPool } = this.#context;
    const isCreatingFiles = this.#phase.ioUnit === 'files' && this.#phase.access === 'creates';
    const written = isCreatingFiles
      ? operations * maxSmallFileBytes(plan.options)
      : workerPool.writtenBytes();
    // Ignore the run's own writes: copy-on-write (btrfs) temporarily uses extra space.
    const isTaken = this.#startBytes - available > written;
    const isShort = isTaken && !this.#leavesEnough(available, written);
    this.#shortages = isShort ? this.#shortages + 1 : 0;
    if (this.#isOver || this.#shortages < SHORTAGES_TO_STOP) return;
    this.#failure = this.#createError(available, written);
    workerPool.stop();
  }

  /** Returns infinity if the query fails: the directory may have been moved, which the removal reports. */
  #available(): Promise<number> {
    return this.#context.scratch.availableBytes().catch(() => Number.POSITIVE_INFINITY);
  }

  /** True if enough space will remain free at the end of the phase. */
  #leavesEnough(availableBytes: number, writtenBytes: number): boolean {
    return availableBytes - this.#remainingBytes(writtenBytes) >= this.#floorBytes;
  }

  #remainingBytes(writtenBytes: number): number {
    return Math.max(0, this.#goalBytes - writtenBytes);
  }

  #createError(availableBytes: number, writtenBytes: number): GobonnieError {
    const { directory, machine } = this.#context.plan;
    const remainingBytes = this.#remainingBytes(writtenBytes);
    const toWrite = remainingBytes > 0 ? `${formatBytes(remainingBytes)} is still to be written and ` : '';
    return new GobonnieError(
      'low-disk-space',
      `${this.#phase.name} stopped: another process is filling ${display(directory)}, which has ` +
        `${formatBytes(availableBytes)} free, but ${toWrite}${formatBytes(minFreeBytes(machine.target))} must stay free`,
      msg`free some space, pass a smaller ${flag('size')}, or measure another directory`,
    );
  }
}
