import { on } from 'node:events';
import { display } from '../../text/escape.js';
import { validateChoice } from '../../text/suggest.js';
import type { Terminal } from '../output/terminal.js';
import type { BeforeStep } from '../request.js';
import type { BonniePlusPlusFlags } from './bonnie-plus-plus-flags.js';
import { runAsUser } from './run-as-user.js';

/** Changes the user for -u and -g immediately; for -y p, each phase waits before it starts. */
export function prepareBonniePlusPlus({ user, group, wait, quiet }: BonniePlusPlusFlags, terminal: Terminal) {
  const { process, log } = terminal;
  runAsUser('bonnie++', { user, group });
  if (!quiet && (user !== undefined || group !== undefined))
    log(`Using uid:${process.geteuid?.()}, gid:${process.getegid?.()}.`);
  if (wait === undefined) return undefined;
  validateChoice({ p: true }, wait, `-y ${display(wait)}`);
  return createPrompt(terminal);
}

/** Waits for Enter before each step. */
function createPrompt({ process: { stdin }, log }: Terminal): BeforeStep {
  return async (phase, _run, signal) => {
    if (!stdin) return;
    log(`Press Enter to start ${phase}`);
    await waitForInput(stdin, signal);
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
