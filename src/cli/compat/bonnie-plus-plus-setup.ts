import { once } from 'node:events';
import type { ProcessGroup } from '../../communicator/communicator.js';
import { joinLocalGroup } from '../../communicator/local-group.js';
import { display } from '../../text/escape.js';
import type { CliProcess, Terminal } from '../output/terminal.js';
import type { RunSetup } from '../request.js';
import type { BonniePlusPlusFlags } from './bonnie-plus-plus-flags.js';
import { optionError } from './flag-values.js';
import { runAsUser } from './run-as-user.js';

type Process = CliProcess & Partial<Pick<NodeJS.Process, 'stdin' | 'geteuid' | 'getegid'>>;

/** Changes the user for -u and -g immediately; for -y, each phase waits before it starts. */
export function prepareBonniePlusPlus(
  { user, group, wait, quiet }: BonniePlusPlusFlags,
  process: Process,
  terminal: Terminal,
): RunSetup {
  runAsUser('bonnie++', { user, group });
  if (!quiet && (user !== undefined || group !== undefined))
    terminal.log(`Using uid:${process.geteuid?.()}, gid:${process.getegid?.()}.`);
  switch (wait) {
    case undefined:
      return {};
    case 's':
      return barrierSetup();
    case 'p':
      return promptSetup(process, terminal);
    default:
      throw optionError(
        `-y ${display(wait)} is neither s nor p`,
        'pass -y s to wait for the other processes, or -y p to wait for Enter',
      );
  }
}

function barrierSetup(): RunSetup {
  let barrier: ProcessGroup | undefined;
  return {
    async join(signal) {
      barrier = await ignoreErrorAfterAbort(joinLocalGroup(signal), signal);
    },
    async beforePhase(phase, run, signal) {
      if (barrier) await ignoreErrorAfterAbort(barrier.barrier(`${run} ${phase}`, signal), signal);
    },
    end: async () => barrier?.leave(),
  };
}

function promptSetup({ stdin }: Process, terminal: Terminal): RunSetup {
  return {
    async beforePhase(phase, _, signal) {
      if (!stdin) return;
      terminal.log(`Press Enter to start ${phase}`);
      await ignoreErrorAfterAbort(waitForInput(stdin, signal), signal);
    },
  };
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
function ignoreErrorAfterAbort<Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
): Promise<Value | undefined> {
  return promise.catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return undefined;
  });
}
