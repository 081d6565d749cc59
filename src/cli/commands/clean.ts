import os from 'node:os';
import path from 'node:path';
import { findRendezvous, removeStaleRendezvous } from '../../cluster/rendezvous-files.js';
import { GobonnieError } from '../../errors.js';
import { BEAT_MS, findJobLeftovers } from '../../scratch/job-leftovers.js';
import {
  findLeftovers,
  isRemovable,
  type RemovalResult,
  removeDeadLeftovers,
} from '../../scratch/leftovers.js';
import { pathIndependentHint, systemReason, toGobonnieError } from '../../system-error.js';
import { display } from '../../text/escape.js';
import { formatSeconds, MS_PER_SECOND } from '../../text/units.js';
import { defineCommand } from '../argv/define-command.js';
import { ValuedArgument } from '../argv/option.js';
import { EXIT_CODES } from '../exit-codes.js';
import type { Terminal } from '../output/terminal.js';

/** Long enough for several heartbeats. */
const WATCH_MS = 3 * BEAT_MS;

const NOTES =
  'A run removes its files when it ends, even after an error; if it is killed, a clean-up process does. The next run in the same ' +
  'directory, or this command, removes any remaining files, for example after a power failure. It removes only ' +
  'directories that you own and whose marker names a process that is no longer running.';

/** Removes the leftover files of killed runs. */
export const clean = defineCommand({
  name: 'gobonnie clean',
  usage: '[options] [DIR]',
  description: 'Removes leftover files of killed runs from a directory.',
  argument: new ValuedArgument('[DIR]', "the measured directory (default: the system's temporary directory)"),
  options: [
    { flags: '-n, --dry-run', help: 'print the files to remove, and remove nothing' },
    {
      flags: '--job <ID>',
      help: 'also remove the files of this multi-host job, unless a rank may still be running',
    },
  ],
  examples: [
    { command: 'gobonnie clean --dry-run /mnt/disk', comment: 'prints the files to remove' },
    { command: 'gobonnie clean /mnt/disk', comment: 'removes them' },
  ],
  notes: NOTES,
  request: (
    { dryRun = false, job = null }: { dryRun?: boolean; job?: string | null },
    [directoryArgument = os.tmpdir()],
  ) => ({
    type: 'command',
    run: async (_process, terminal) => {
      const directory = path.resolve(directoryArgument);
      if (job !== null) await rejectRunningJob(directory, job, terminal);
      return removeLeftovers(directory, { dryRun, job }, terminal);
    },
  }),
});

/** Watches for heartbeats, because the processes of other hosts cannot be looked up. */
async function rejectRunningJob(directory: string, job: string, terminal: Terminal): Promise<void> {
  const onWait = () =>
    terminal.log(
      `gobonnie: waiting ${formatSeconds(WATCH_MS / MS_PER_SECOND)} to see whether job ${display(job)} is still running`,
    );
  const { paths, reason } = await findJobLeftovers(directory, job, WATCH_MS, onWait).catch(
    rejectUnsearchable(directory),
  );
  if (paths.length === 0)
    terminal.log(`gobonnie: job ${display(job)} left no files of yours in ${display(directory)}`);
  if (reason === null) return;
  throw new GobonnieError(
    'directory-unusable',
    `job ${display(job)} has not ended: ${reason}`,
    'end the job first; its ranks then remove their own files',
  );
}

/** Reports the remaining files and the reason; returns the exit code. */
async function removeLeftovers(
  directory: string,
  { dryRun, job }: { readonly dryRun: boolean; readonly job: string | null },
  terminal: Terminal,
): Promise<number> {
  const scratches = await findLeftovers(directory).catch(rejectUnsearchable(directory));
  const rendezvous = await findRendezvous(directory).catch(rejectUnsearchable(directory));
  const found = [...rendezvous, ...scratches];
  if (found.length === 0) terminal.log(`gobonnie: no leftovers of yours in ${display(directory)}`);
  for (const leftover of found.filter((left) => !isRemovable(left, job)))
    terminal.log(`gobonnie: keeping ${display(leftover.path)}: ${leftover.reason}`);
  if (dryRun) {
    for (const leftover of found.filter((left) => isRemovable(left, job)))
      terminal.print(`would remove ${display(leftover.path)}\n`);
    return EXIT_CODES.success;
  }
  for (const removedPath of await removeStaleRendezvous(directory, job).catch(rejectUnsearchable(directory)))
    terminal.print(`removed ${display(removedPath)}\n`);
  const results = await removeDeadLeftovers(directory, job).catch(rejectUnsearchable(directory));
  for (const { path, error } of results)
    if (error) terminal.log(failureLine(path, error));
    else terminal.print(`removed ${display(path)}\n`);
  return results.some(({ error }) => error) ? EXIT_CODES.failure : EXIT_CODES.success;
}

/** Line that a run prints about a leftover in its directory. */
export function removalLine({ path, error }: RemovalResult): string {
  return error ? failureLine(path, error) : `gobonnie: removed ${display(path)}, left by a killed run`;
}

function failureLine(path: string, error: unknown): string {
  return (
    `gobonnie: could not remove ${display(path)}, left by a killed run: ${systemReason(error)}; ` +
    (pathIndependentHint(error) ?? 'remove it by hand, or fix that and run gobonnie clean')
  );
}

/** A known error already suggests an action. */
function rejectUnsearchable(directory: string): (error: Error) => never {
  return (error) => {
    if (error instanceof GobonnieError || !toGobonnieError(error)) throw error;
    throw new GobonnieError(
      'directory-unusable',
      `cannot search ${display(directory)} for leftovers: ${systemReason(error)}`,
      pathIndependentHint(error) ?? 'pass the measured directory',
      { cause: error },
    );
  };
}
