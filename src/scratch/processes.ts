import { readdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** Environment variable of a command that runs in a scratch directory, and of every process that it starts. */
export const SCRATCH_VARIABLE = 'GOBONNIE_SCRATCH';
const WAIT_MS = 20;
/** A process that the kernel cannot end, because its disk does not respond, must not keep this one waiting. */
const MAX_WAITS = 100;

/**
 * Ends the processes that a command started in a scratch directory, even those that left its process group. Finds them
 * only on Linux.
 */
export async function endProcesses(scratchDirectory: string): Promise<void> {
  const mark = Buffer.from(`\0${SCRATCH_VARIABLE}=${scratchDirectory}\0`).toString('latin1');
  for (let waits = 0; waits < MAX_WAITS; waits++) {
    const ids = await findProcesses(mark);
    if (ids.length === 0) return;
    for (const id of ids) {
      try {
        process.kill(id, 'SIGKILL');
      } catch {
        // It has just ended, or belongs to another user.
      }
    }
    await setTimeout(WAIT_MS);
  }
}

async function findProcesses(mark: string): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []);
  const ids = names.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const found = await Promise.all(
    ids.map(async (id) => {
      // The environment of a zombie is empty, and that of another user's process is not readable.
      const environment = await readFile(`/proc/${id}/environ`, 'latin1').catch(() => '');
      return `\0${environment}`.includes(mark) ? [Number(id)] : [];
    }),
  );
  return found.flat();
}
