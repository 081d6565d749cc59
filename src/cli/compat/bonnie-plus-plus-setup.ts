import { on } from 'node:events';
import { joinLocalGroup } from '../../cluster/local-group.js';
import { display } from '../../text/escape.js';
import { validateChoice } from '../../text/suggest.js';
import type { Terminal } from '../output/terminal.js';
import type { PhaseGate } from '../request.js';
import type { BonniePlusPlusFlags } from './bonnie-plus-plus-flags.js';
import { runAsUser } from './run-as-user.js';

/** Changes the user for -u and -g immediately; for -y, each phase waits before it starts. */
export function prepareBonniePlusPlus({ user, group, wait, quiet }: BonniePlusPlusFlags, terminal: Terminal) {
  const { process, log } = terminal;
  runAsUser({ user, group });
  if (!quiet && (user !== undefined || group !== undefined))
    log(`Using uid:${process.geteuid?.()}, gid:${process.getegid?.()}.`);
  const gates = { s: joinBarrier, p: async () => createPrompt(terminal) };
  return wait === undefined ? null : gates[validateChoice(gates, wait, `-y ${display(wait)}`)];
}

/** Null after an abort, which the run reports. */
async function joinBarrier(signal: AbortSignal): Promise<PhaseGate | null> {
  try {
    const group = await joinLocalGroup(signal);
    return {
      beforeStep: (phase, run) => group.barrier(`${run} ${phase}`, signal),
      [Symbol.asyncDispose]: group.leave,
    };
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

function createPrompt({ process: { stdin }, log }: Terminal): PhaseGate {
  return {
    async beforeStep(phase, _run, signal) {
      if (!stdin) return;
      log(`Press Enter to start ${phase}`);
      await waitForInput(stdin, signal);
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Resolves on input, or immediately if stdin has ended. */
async function waitForInput(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<void> {
  if (stdin.readableEnded) return;
  const input = on(stdin, 'data', { signal, close: ['end'] });
  stdin.resume();
  try {
    // A loop, which also removes the listeners.
    for await (const _ of input) break;
  } finally {
    stdin.pause();
  }
}
