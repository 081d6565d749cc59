import type { RemainingFiles } from '../report/events/event.js';
import type { Scratch } from '../scratch/scratch.js';
import type { StallDetector } from './kernel/stall-detector.js';

const CHECK_EVERY_MS = 200;
const REPORT_EVERY_MS = 1000;

type RemovalCounters = Pick<Scratch, 'availableBytes' | 'dataBytes' | 'removedFiles' | 'remainingSmallFiles'>;

/**
 * Watches work that removes many or large files. It is stalled only if no file disappears and no space becomes free:
 * the kernel frees a large file step by step, in one call that may take minutes.
 */
export function watchRemoval<Result>(
  scratch: RemovalCounters,
  description: string,
  stallDetector: StallDetector,
  work: () => Promise<Result>,
  onProgress?: (remaining: RemainingFiles) => void,
): Promise<Result> {
  let freeBytes = 0;
  const watched = async () => {
    const beforeBytes = await readAvailableBytes(scratch);
    const dataBytes = onProgress ? await scratch.dataBytes() : 0;
    let reportedMs = performance.now();
    let isChecking = false;
    let isOver = false;
    /** The listener's error. It must not interrupt the removal. */
    const listenerErrors: unknown[] = [];
    const check = async () => {
      isChecking = true;
      freeBytes = await readAvailableBytes(scratch);
      const isDue =
        onProgress && listenerErrors.length === 0 && performance.now() - reportedMs >= REPORT_EVERY_MS;
      const linkedBytes = isDue ? await scratch.dataBytes() : 0;
      isChecking = false;
      if (!isDue || isOver) return;
      reportedMs = performance.now();
      // A file's name disappears first; its space becomes free later. Other programs also change the free space.
      const bytes = Math.min(dataBytes, Math.max(linkedBytes, dataBytes - (freeBytes - beforeBytes)));
      try {
        onProgress({ bytes, files: scratch.remainingSmallFiles });
      } catch (error) {
        listenerErrors.push(error);
      }
    };
    const timer = setInterval(() => {
      if (!isChecking) void check();
    }, CHECK_EVERY_MS);
    try {
      const result = await work();
      if (listenerErrors.length > 0) throw listenerErrors[0];
      return result;
    } finally {
      isOver = true;
      clearInterval(timer);
    }
  };
  return stallDetector.watch(
    { description: () => description, progress: () => scratch.removedFiles + freeBytes },
    watched(),
  );
}

/** Returns 0 once the directory is gone. */
function readAvailableBytes(scratch: RemovalCounters): Promise<number> {
  return scratch.availableBytes().catch(() => 0);
}
