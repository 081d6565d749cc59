import type { Belongings } from './data-files.js';
import type { MarkerFile } from './marker-file.js';
import type { Hold } from './safe-path/directory-handle.js';
import { identityOf } from './safe-path/directory-id.js';

/** Removes the directory with what is known to be in it, and those above that were made for it; gives what failed. */
export async function removeAll(
  hold: Hold,
  marker: MarkerFile,
  belongings: Belongings,
): Promise<readonly NodeJS.ErrnoException[]> {
  const failures = await belongings.remove();
  // As long as any of it is left, the marker says whose it is.
  if (failures.length > 0) return failures;
  return removeWithMarker(hold, marker).then(
    () => [],
    (error: NodeJS.ErrnoException) => [error],
  );
}

/** The marker goes last, when all that the rest takes is at hand, and comes again where the directory stays. */
async function removeWithMarker(hold: Hold, marker: MarkerFile): Promise<void> {
  const above = await hold.above();
  try {
    const wasThere = await marker.remove();
    try {
      // Where it is missing it was moved or unmounted, with all that is in it: nobody but us removes it.
      await hold.removeDirectory();
    } catch (error) {
      if (wasThere) await marker.restore().catch(() => {});
      throw error;
    }
    await removeUpwards(above, marker.marker.madeParents);
  } finally {
    await above.release();
  }
}

/** What says that a directory is not ours alone any more, or gone. */
const OTHERS = ['ENOTEMPTY', 'EEXIST', 'ENOENT'];

/**
 * Removes the directory, and then the one above it, as long as they are those that were made. One that somebody else
 * has put something into stays.
 */
async function removeUpwards(hold: Hold, [made, ...further]: readonly string[]): Promise<void> {
  if (made === undefined) return;
  const above = await hold.above();
  try {
    // The directory that was in it may have been moved.
    if ((await identityOf(hold.root)) !== made) return;
    await hold.removeDirectory();
    await removeUpwards(above, further);
  } catch (error) {
    if (!OTHERS.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await above.release();
  }
}

/** What would have been written down of so many directories above one. */
export async function identitiesAbove(hold: Hold, count: number): Promise<readonly string[]> {
  if (count === 0) return [];
  const above = await hold.above();
  try {
    return [await identityOf(above.root), ...(await identitiesAbove(above, count - 1))];
  } finally {
    await above.release();
  }
}
