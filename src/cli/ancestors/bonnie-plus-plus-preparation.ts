import { once } from 'node:events';
import type { Meeting } from '../../meeting/exchange.js';
import { joinMeeting } from '../../meeting/local-meeting.js';
import { shown } from '../../text/escape.js';
import type { CliProcess, Terminal } from '../output/terminal.js';
import type { Preparation } from '../request.js';
import type { BonniePlusPlusFlags } from './bonnie-plus-plus-input.js';
import { invalid } from './flag-values.js';
import { runAsUser } from './run-as-user.js';

type Process = CliProcess & Partial<Pick<NodeJS.Process, 'stdin' | 'geteuid' | 'getegid'>>;

/** -u and -g change the user at once; -y makes each phase wait. */
export function prepare(
  { user, group, wait, quiet }: BonniePlusPlusFlags,
  process: Process,
  terminal: Terminal,
): Preparation {
  runAsUser('bonnie++', { user, group });
  if (!quiet && (user !== undefined || group !== undefined))
    terminal.narrate(`Using uid:${process.geteuid?.()}, gid:${process.getegid?.()}.`);
  switch (wait) {
    case undefined:
      return {};
    case 's':
      return inMeeting();
    case 'p':
      return atPrompt(process, terminal);
    default:
      throw invalid(
        `-y ${shown(wait)} is neither s nor p`,
        'pass -y s to meet other processes, or -y p to be asked before each test',
      );
  }
}

function inMeeting(): Preparation {
  let meeting: Meeting | undefined;
  return {
    async join(signal) {
      meeting = await unlessAborted(joinMeeting(signal), signal);
    },
    async beforePhase(phase, run, signal) {
      if (meeting) await unlessAborted(meeting.wait(`${run} ${phase}`, signal), signal);
    },
    end: async () => meeting?.leave(),
  };
}

function atPrompt({ stdin }: Process, terminal: Terminal): Preparation {
  return {
    async beforePhase(phase, _, signal) {
      if (!stdin) return;
      terminal.narrate(`Press Enter to start ${phase}`);
      await unlessAborted(typed(stdin, signal), signal);
    },
  };
}

/** Resolves when something is typed, or at once if stdin has ended. */
async function typed(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<void> {
  if (stdin.readableEnded) return;
  const over = new AbortController();
  const listening = { signal: AbortSignal.any([signal, over.signal]) };
  stdin.resume();
  try {
    await Promise.race([once(stdin, 'data', listening), once(stdin, 'end', listening)]);
  } finally {
    // Removes the listener of the event that did not come.
    over.abort();
    stdin.pause();
  }
}

/** Ignores an error after an abort, as the run reports that. */
function unlessAborted<Value>(waiting: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  return waiting.catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return undefined;
  });
}
