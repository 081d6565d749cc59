import { once } from 'node:events';
import { GobonnieError } from '../../errors.js';
import { joinMeeting, type Meeting } from '../../meeting/meeting.js';
import { shown } from '../../text/escape.js';
import type { CliProcess, Terminal } from '../output/terminal.js';
import type { Preparation } from '../request.js';
import { runAsUser } from './run-as-user.js';

interface Asked {
  readonly user?: string | undefined;
  readonly group?: string | undefined;
  readonly wait?: string;
  readonly quiet?: boolean;
}

type Process = CliProcess & Partial<Pick<NodeJS.Process, 'stdin' | 'geteuid' | 'getegid'>>;

/** Becomes the user that was asked for, and waits where that was asked for. */
export function prepare(
  { user, group, wait, quiet }: Asked,
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
      throw new GobonnieError(
        'option-invalid',
        `-y ${shown(wait)} is neither s nor p`,
        'pass -y s to meet other processes, or -y p to be asked before each test',
      );
  }
}

function inMeeting(): Preparation {
  let meeting: Meeting | null = null;
  return {
    async join(signal) {
      await unlessAborted(
        joinMeeting(signal).then((joined) => {
          meeting = joined;
        }),
        signal,
      );
    },
    beforePhase: async (phase, run, signal) =>
      unlessAborted(meeting?.wait(`${run} ${phase}`, signal), signal),
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

/** Resolves when something was typed, and at once where nothing more can be. */
async function typed(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<void> {
  if (stdin.readableEnded) return;
  const over = new AbortController();
  const listening = { signal: AbortSignal.any([signal, over.signal]) };
  stdin.resume();
  try {
    await Promise.race([once(stdin, 'data', listening), once(stdin, 'end', listening)]);
  } finally {
    // So that the one that did not come does not go on listening.
    over.abort();
    stdin.pause();
  }
}

/** An abort is the run's to tell of. */
async function unlessAborted(waiting: Promise<unknown> | undefined, signal: AbortSignal): Promise<void> {
  try {
    await waiting;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
