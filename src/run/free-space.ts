import { setTimeout as delay } from 'node:timers/promises';
import { GobonnieError } from '../errors.js';
import { maxSmallFileBytes, maxToolBytes } from '../plan/files.js';
import type { Step } from '../plan/steps.js';
import { minFreeBytes } from '../plan/target.js';
import type { ProgressSample } from '../report/events/event-record.js';
import { display } from '../text/escape.js';
import { flag, msg } from '../text/message-template.js';
import { formatBytes, MS_PER_SECOND } from '../text/units.js';
import type { RunContext } from './run-context.js';

/** Consecutive shortages that end a phase, with one query per sample. A single shortage may be brief. */
const SHORTAGES_TO_STOP = 2;
const WAIT_MS = 100;
/** Filesystem metadata and small files of other programs may take the other half of the reserve. */
const FLOOR_SHARE = 0.5;
/** These filesystems free the space of removed files only when they commit, btrfs every 30 s. */
const LATE_FILESYSTEMS = ['btrfs', 'bcachefs', 'zfs'];
/** XFS reserves up to as much space again for a file that grows, and a little for metadata. It releases this when space is short. */
const RESERVED_SHARES: Readonly<Record<string, number>> = { xfs: 1.1 };
const FREED_WITHIN_MS = { soon: 3 * MS_PER_SECOND, late: 35 * MS_PER_SECOND };

/** Ends a phase when another program takes the space that must stay free. Does not slow down the workers. */
export function monitorFreeSpace(step: Step, run: number, context: RunContext) {
  const { plan, scratch, workerPool, signal, onEvent } = context;
  const { options, steps, machine, directory } = plan;
  const { target } = machine;
  const { phase } = step;
  const isCreating = phase.access === 'creates';
  const createsFiles = isCreating && phase.ioUnit === 'files';
  const ownBytes = isCreating ? step.goal.amount * (createsFiles ? maxSmallFileBytes(options) : 1) : 0;
  /** Space that the phase will have taken at its end. */
  const goalBytes = phase.ioUnit === 'tool-calls' ? maxToolBytes(phase, options) : ownBytes;
  const floorBytes = minFreeBytes(target) * FLOOR_SHARE;
  const hasRemovedFiles = run > 1 || steps[0]?.name !== step.name;
  const isLate = LATE_FILESYSTEMS.includes(target.filesystem ?? '');
  const maxWaitMs = hasRemovedFiles ? FREED_WITHIN_MS[isLate ? 'late' : 'soon'] : 0;
  let queries = 0;
  let startBytes = 0;
  let shortages = 0;
  let isChecking = false;
  let isOver = false;
  let failure: GobonnieError | null = null;

  /** Returns infinity if the query fails: the directory may have been moved, which the removal reports. */
  const queryAvailable = () => scratch.availableBytes().catch(() => Number.POSITIVE_INFINITY);
  const countRemaining = (writtenBytes: number) => Math.max(0, goalBytes - writtenBytes);
  /** True if enough space will remain free at the end of the phase. */
  const leavesEnough = (availableBytes: number, writtenBytes: number) =>
    availableBytes - countRemaining(writtenBytes) >= floorBytes;

  const createError = (availableBytes: number, writtenBytes: number) => {
    const remainingBytes = countRemaining(writtenBytes);
    const toWrite = remainingBytes > 0 ? `${formatBytes(remainingBytes)} is still to be written and ` : '';
    return new GobonnieError(
      'low-disk-space',
      `${phase.name} stopped: another process is filling ${display(directory)}, which has ` +
        `${formatBytes(availableBytes)} free, but ${toWrite}${formatBytes(minFreeBytes(target))} must stay free`,
      msg`free some space, pass a smaller ${flag('size')}, or measure another directory`,
    );
  };

  const check = async ({ operations }: ProgressSample) => {
    isChecking = true;
    const available = await queryAvailable();
    isChecking = false;
    const written = createsFiles ? operations * maxSmallFileBytes(options) : workerPool.writtenBytes();
    // Ignore the space of the run's own files: copy-on-write (btrfs) temporarily uses extra space.
    const ownShare = 1 + (RESERVED_SHARES[target.filesystem ?? ''] ?? 0);
    const isTaken = startBytes - available > written * ownShare;
    shortages = isTaken && !leavesEnough(available, written) ? shortages + 1 : 0;
    if (isOver || shortages < SHORTAGES_TO_STOP) return;
    failure = createError(available, written);
    workerPool.stop();
  };

  return {
    /** How often the space was queried before the phase. */
    countQueries: () => queries,
    /** Throws if there is too little space to start. Waits a while if files were removed before the phase. */
    async begin(): Promise<void> {
      const lastMs = performance.now() + maxWaitMs;
      for (let isWaiting = false; ; isWaiting = true) {
        startBytes = await queryAvailable();
        queries++;
        if (!isCreating || leavesEnough(startBytes, 0) || signal.aborted) return;
        if (performance.now() >= lastMs) throw createError(startBytes, 0);
        if (!isWaiting) onEvent({ type: 'activity', activity: 'waiting-for-space' });
        await delay(WAIT_MS);
      }
    },
    observe(sample: ProgressSample): void {
      if (!isChecking && !failure) void check(sample);
    },
    /** Throws if the space became too small during the phase. */
    finish(): void {
      isOver = true;
      if (failure) throw failure;
    },
  };
}
