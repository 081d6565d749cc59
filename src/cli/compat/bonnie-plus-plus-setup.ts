import { once } from 'node:events';
import { joinLocalGroup } from '../../cluster/local-group.js';
import { display } from '../../text/escape.js';
import type { CliProcess, Terminal } from '../output/terminal.js';
import type { OpenPhaseGate } from '../request.js';
import type { BonniePlusPlusFlags } from './bonnie-plus-plus-flags.js';
import { optionError } from './flag-values.js';
import { runAsUser } from './run-as-user.js';

type Process = CliProcess & Partial<Pick<NodeJS.Process, 'stdin' | 'geteuid' | 'getegid'>>;

/** Changes the user for -u and -g immediately; for -y, each phase waits before it starts. */
export function prepareBonniePlusPlus(
  { user, group, wait, quiet }: BonniePlusPlusFlags,
  process: Process,
  terminal: Terminal,
): OpenPhaseGate | null {
  runAsUser('bonnie++', { user, group });
  if (!quiet && (user !== undefined || group !== undefined))
    terminal.log(`Using uid:${process.geteuid?.()}, gid:${process.getegid?.()}.`);
  switch (wait) {
    case undefined:
      return null;
    case 's':
      return openBarrier;
    case 'p':
      return promptGate(process, terminal);
    default:
      throw optionError(
        `-y ${display(wait)} is neither s nor p`,
        'pass -y s to wait for the other processes, or -y p to wait for Enter',
      );
  }
}

const openBarrier: OpenPhaseGate = async (signal) => {
  const group = await ignoreErrorAfterAbort(joinLocalGroup(signal), signal);
  return {
    async beforeStep(phase, run) {
      await ignoreErrorAfterAbort(group?.barrier(`${run} ${phase}`, signal), signal);
    },
    [Symbol.asyncDispose]: async () => group?.leave(),
  };
};

function promptGate({ stdin }: Process, terminal: Terminal): OpenPhaseGate {
  return async (signal) => ({
    async beforeStep(phase) {
      if (!stdin) return;
      terminal.log(`Press Enter to start ${phase}`);
      await ignoreErrorAfterAbort(waitForInput(stdin, signal), signal);
    },
    [Symbol.asyncDispose]: async () => {},
  });
}

/** Resolves on input, or immediately if stdin has ended. */
async function waitForInput(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<void> {
  if (stdin.readableEnded) return;
  const finished = new AbortController();
  const untilFinished = { signal: AbortSignal.any([signal, finished.signal]) };
  stdin.resume();
  try {
    await Promise.race([once(stdin, 'data', untilFinished), once(stdin, 'end', untilFinished)]);
  } finally {
    // Removes the listener of the other event.
    finished.abort();
    stdin.pause();
  }
}

/** Ignores an error after an abort, because the run reports the abort. */
async function ignoreErrorAfterAbort<Value>(
  promise: Promise<Value> | undefined,
  signal: AbortSignal,
): Promise<Value | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (!signal.aborted) throw error;
    return undefined;
  }
}
