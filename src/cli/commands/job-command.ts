import path from 'node:path';
import { Writable } from 'node:stream';
import type { Communicator } from '../../communicator/communicator.js';
import { joinRendezvous } from '../../communicator/join-rendezvous.js';
import { GobonnieError } from '../../errors.js';
import { Job } from '../../job/job.js';
import { validateOptions } from '../../options/validate-options.js';
import { toGobonnieError } from '../../system-error.js';
import { flag, msg } from '../../text/message-template.js';
import { validateCliOptions } from '../argv/cli-options.js';
import type { SplitOptions } from '../argv/option-rows.js';
import { EXIT_CODES } from '../exit-codes.js';
import { type CliProcess, Terminal } from '../output/terminal.js';
import { catchSignals, type SignalName, signalExitCode } from '../signals.js';

/** Process and terminal to use; every rank but 0 gets a muted pair. */
export interface CommandContext {
  readonly process: CliProcess;
  readonly terminal: Terminal;
  /** Null outside a job. */
  readonly job: Job | null;
}

/** Runs `action` alone or as a rank of a job. Only rank 0 prints, except for errors that rank 0 cannot know. */
export async function runInJob(
  communicator: Communicator | null,
  { process, terminal }: Omit<CommandContext, 'job'>,
  action: (context: CommandContext) => Promise<number>,
): Promise<number> {
  if (!communicator) return action({ process, terminal, job: null });
  const job = new Job(communicator);
  const rankProcess = job.isFirst ? process : silenceProcess(process);
  let exitCode: number = EXIT_CODES.failure;
  try {
    exitCode = await action({
      process: rankProcess,
      terminal: job.isFirst ? terminal : new Terminal(rankProcess),
      job,
    });
  } catch (error) {
    await job.fail(error);
    exitCode = EXIT_CODES[toGobonnieError(error)?.kind ?? 'failure'];
    if (job.isFirst || !job.isReported) throw error;
  } finally {
    if (job.isFirst) await terminal.flushed().catch(() => {});
    await job.leave(exitCode);
  }
  return exitCode;
}

/** Joins the job of --rendezvous. Null without that flag. */
export async function joinByDirectory(
  { cliOptions, input }: SplitOptions,
  process: CliProcess,
): Promise<Communicator | null> {
  const { rendezvous, ranks, rank = process.env.JOB_COMPLETION_INDEX } = validateCliOptions(cliOptions);
  if (rendezvous === undefined) return null;
  if (ranks === undefined)
    throw new GobonnieError(
      'option-invalid',
      msg`${flag('rendezvous', rendezvous)} needs ${flag('ranks')}`,
      msg`for example, ${flag('ranks', 8)}`,
    );
  const index = Number(rank ?? Number.NaN);
  if (Number.isInteger(index) && index >= 0 && index < ranks)
    return abortOnSignal(process, (stop) =>
      joinRendezvous(
        { directory: path.resolve(rendezvous), size: ranks, rank: index },
        validateOptions(input).barrierTimeout,
        stop,
      ),
    );
  throw new GobonnieError(
    'option-invalid',
    msg`${flag('rendezvous', rendezvous)} needs a ${flag('rank')} from 0 to ${ranks - 1}`,
    'number the processes starting at 0',
  );
}

/** Thrown if a signal stops the process before it measures. */
export class StoppedBySignal extends Error {
  readonly exitCode: number;

  constructor(name: SignalName) {
    super(`stopped by ${name}`);
    this.exitCode = signalExitCode(name);
  }
}

/** Aborts `action` on a signal. Rejects only after `action` has removed its files. */
async function abortOnSignal<Result>(
  process: CliProcess,
  action: (stop: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  const release = catchSignals(process, (name) => stop.abort(new StoppedBySignal(name)));
  try {
    return await action(stop.signal);
  } finally {
    release();
  }
}

/** Returns a copy of the process that discards its output. */
function silenceProcess(process: CliProcess): CliProcess {
  const { argv, env, platform, pid } = process;
  const stream = () => new Writable({ write: (_chunk, _encoding, done) => done() }) as NodeJS.WriteStream;
  return {
    argv,
    env,
    platform,
    pid,
    stdout: stream(),
    stderr: stream() as CliProcess['stderr'],
    kill: process.kill.bind(process),
    on: process.on.bind(process),
    off: process.off.bind(process),
  } as CliProcess;
}
