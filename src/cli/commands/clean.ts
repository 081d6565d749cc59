import os from 'node:os';
import path from 'node:path';
import { GobonnieError } from '../../errors.js';
import { findRendezvous, removeStaleRendezvous } from '../../hosts/rendezvous.js';
import { findLeftovers, removalResult, removeDeadLeftovers } from '../../scratch/leftovers.js';
import { findDeadControlGroups, removeControlGroup } from '../../scratch/processes.js';
import { errorWithReason, pathIndependentHint, toGobonnieError } from '../../system-error.js';
import { display } from '../../text/escape.js';
import { defineCommand } from '../argv/define-command.js';
import { ValuedArgument } from '../argv/option.js';
import { EXIT_CODES } from '../exit-codes.js';
import { removalLine } from '../output/log-format.js';
import type { Terminal } from '../output/terminal.js';

export const clean = defineCommand({
  name: 'gobonnie clean',
  description:
    'Removes leftover files of killed runs from a directory, and the control groups of killed commands.',
  argument: new ValuedArgument('[DIR]', "the measured directory (default: the system's temporary directory)"),
  options: [
    { flags: '-n, --dry-run', help: 'print the files to remove, and remove nothing' },
    { flags: '--host <NAME>', help: 'also remove the files of this host: you declare that it is dead' },
  ],
  examples: [
    { command: 'gobonnie clean --dry-run /mnt/disk', comment: 'prints the files to remove' },
    { command: 'gobonnie clean /mnt/disk', comment: 'removes them' },
    {
      command: 'gobonnie clean --host node7 /shared',
      comment: 'also removes the files of node7, which will not come back',
    },
  ],
  notes:
    'A run removes its files when it ends, even after an error; if it is killed, a clean-up process does. The next run in the same ' +
    'directory, or this command, removes any remaining files, for example after a power failure. It removes only ' +
    'directories that you own and whose marker names a process that is no longer running. The same applies to the control group of a killed ' +
    'gobonnie ab … -- COMMAND, on Linux: this command ends what still runs in it. gobonnie cannot see the processes of ' +
    'other hosts: with --host you declare a host dead, and the command removes its files.',
  request: (flags: Flags, [directory = os.tmpdir()]) => ({
    type: 'command',
    run: (terminal) => removeLeftovers(path.resolve(directory), flags, terminal),
  }),
});

type Flags = { readonly dryRun?: boolean; readonly host?: string };

/** Reports the remaining files and the reason; returns the exit code. */
async function removeLeftovers(directory: string, { dryRun, host: deadHost }: Flags, terminal: Terminal) {
  const reject = rejectUnsearchable(directory);
  const scratches = await findLeftovers(directory, deadHost).catch(reject);
  const rendezvous = await findRendezvous(directory, deadHost).catch(reject);
  const groups = await findDeadControlGroups();
  const found = [...rendezvous, ...scratches, ...groups.map((path) => ({ path, reason: null }))];
  if (found.length === 0) terminal.log(`gobonnie: no leftovers of yours in ${display(directory)}`);
  for (const { path, reason } of found)
    if (reason !== null) terminal.log(`gobonnie: keeping ${display(path)}: ${reason}`);
    else if (dryRun) terminal.print(`would remove ${display(path)}\n`);
  if (dryRun) return EXIT_CODES.success;
  for (const removedPath of await removeStaleRendezvous(directory, deadHost).catch(reject))
    terminal.print(`removed ${display(removedPath)}\n`);
  const results = await removeDeadLeftovers(directory, deadHost).catch(reject);
  for (const path of groups) results.push(await removalResult(path, removeControlGroup(path)));
  for (const result of results)
    if (result.error) terminal.log(removalLine(result));
    else terminal.print(`removed ${display(result.path)}\n`);
  return results.some(({ error }) => error) ? EXIT_CODES.failure : EXIT_CODES.success;
}

/** A known error already suggests an action. */
function rejectUnsearchable(directory: string): (error: Error) => never {
  return (error) => {
    if (error instanceof GobonnieError || !toGobonnieError(error)) throw error;
    const message = `cannot search ${display(directory)} for leftovers`;
    const hint = pathIndependentHint(error) ?? 'pass the measured directory';
    throw errorWithReason('directory-unusable', message, error, hint);
  };
}
