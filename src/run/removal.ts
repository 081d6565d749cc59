import type { Left } from '../report/events/event.js';
import type { Scratch } from '../scratch/scratch.js';
import type { Stalls } from './kernel/stalls.js';

const LOOK_EVERY_MS = 200;
const TELL_EVERY_MS = 1000;

type Removable = Pick<Scratch, 'availableBytes' | 'dataBytes' | 'removedFiles' | 'remainingSmallFiles'>;

/**
 * Watches work that removes files, perhaps large or many. It is stalled only if no file goes and no space becomes free:
 * the kernel frees a large file step by step, in one call that may take minutes.
 */
export function overRemoval<Result>(
  scratch: Removable,
  words: string,
  stalls: Stalls,
  work: () => Promise<Result>,
  tell?: (left: Left) => void,
): Promise<Result> {
  let freeBytes = 0;
  const watched = async () => {
    const beforeBytes = await availableIn(scratch);
    const dataBytes = tell ? await scratch.dataBytes() : 0;
    let toldMs = performance.now();
    let isLooking = false;
    let isOver = false;
    /** What the listener threw. It must not interrupt the removal. */
    const thrown: unknown[] = [];
    const look = async () => {
      isLooking = true;
      freeBytes = await availableIn(scratch);
      const isDue = tell && thrown.length === 0 && performance.now() - toldMs >= TELL_EVERY_MS;
      const named = isDue ? await scratch.dataBytes() : 0;
      isLooking = false;
      if (!isDue || isOver) return;
      toldMs = performance.now();
      // A name goes first, then its space becomes free. Other programs change that, too.
      const bytes = Math.min(dataBytes, Math.max(named, dataBytes - (freeBytes - beforeBytes)));
      try {
        tell({ bytes, files: scratch.remainingSmallFiles });
      } catch (error) {
        thrown.push(error);
      }
    };
    const timer = setInterval(() => {
      if (!isLooking) void look();
    }, LOOK_EVERY_MS);
    try {
      const result = await work();
      if (thrown.length > 0) throw thrown[0];
      return result;
    } finally {
      isOver = true;
      clearInterval(timer);
    }
  };
  return stalls.over({ words: () => words, pulse: () => scratch.removedFiles + freeBytes }, watched());
}

/** 0 once its directory is gone. */
function availableIn(scratch: Removable): Promise<number> {
  return scratch.availableBytes().catch(() => 0);
}
