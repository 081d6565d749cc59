import type { Scratch } from '../scratch/scratch.js';
import type { StallDetector } from './kernel/stall-detector.js';

const CHECK_EVERY_MS = 200;

/**
 * Watches work that removes many or large files. It is stalled only if no file disappears and no space becomes free:
 * the kernel frees a large file step by step, in one call that may take minutes.
 */
export async function watchRemoval<Result>(
  scratch: Pick<Scratch, 'availableBytes' | 'removedFiles'>,
  description: string,
  stallDetector: StallDetector,
  work: () => Promise<Result>,
): Promise<Result> {
  let freeBytes = 0;
  let isChecking = false;
  const check = async () => {
    isChecking = true;
    // The query fails once the directory is gone.
    freeBytes = await scratch.availableBytes().catch(() => 0);
    isChecking = false;
  };
  const timer = setInterval(() => {
    if (!isChecking) void check();
  }, CHECK_EVERY_MS);
  try {
    return await stallDetector.watch(
      { description: () => description, progress: () => scratch.removedFiles + freeBytes },
      work(),
    );
  } finally {
    clearInterval(timer);
  }
}
