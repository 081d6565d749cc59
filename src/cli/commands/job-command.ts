import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { Job } from '../../cluster/job.js';
import { joinRendezvous } from '../../cluster/join-rendezvous.js';
import { connectToLauncher } from '../../cluster/launcher.js';
import { GobonnieError } from '../../errors.js';
import { validateOptions } from '../../options/validate-options.js';
import { toGobonnieError } from '../../system-error.js';
import { flag, msg } from '../../text/message-template.js';
import { validateCliOptions } from '../argv/cli-options.js';
import type { SplitOptions } from '../argv/option-rows.js';
import { EXIT_CODES } from '../exit-codes.js';
import type { CliProcess, Terminal } from '../output/terminal.js';
import { catchSignals, type SignalName, signalExitCode } from '../signals.js';

/** Joins the job whose launcher started this process. Null without a launcher. */
export async function joinLaunchedJob(process: CliProcess): Promise<Job | null> {
  const communicator = await connectToLauncher(process.env, programPath(process));
  return communicator && new Job(communicator);
}

/** Resolves the link that npx creates to the program. */
function programPath({ argv: [, file = 'gobonnie'] }: CliProcess): string {
  return existsSync(file) ? realpathSync(file) : file;
}

/** Joins the job of --rendezvous. Null without that flag. */
export async function joinRendezvousJob(
  { cliOptions, input }: SplitOptions,
  process: CliProcess,
): Promise<Job | null> {
  const { rendezvous, ranks, rank = process.env.JOB_COMPLETION_INDEX } = validateCliOptions(cliOptions);
  if (rendezvous === undefined) return null;
  if (ranks === undefined)
    throw new GobonnieError(
      'option-invalid',
      msg`${flag('rendezvous', rendezvous)} needs ${flag('ranks')}`,
      msg`for example, ${flag('ranks', 8)}`,
    );
  const index = Number(rank ?? Number.NaN);
  if (!Number.isInteger(index) || index < 0 || index >= ranks)
    throw new GobonnieError(
      'option-invalid',
      msg`${flag('rendezvous', rendezvous)} needs a ${flag('rank')} from 0 to ${ranks - 1}`,
      'number the processes starting at 0',
    );
  const communicator = await abortOnSignal(process, (stop) =>
    joinRendezvous(
      { directory: path.resolve(rendezvous), size: ranks, rank: index },
      validateOptions(input).barrierTimeout,
      stop,
    ),
  );
  return new Job(communicator);
}

/** Leaves the job, if any, after everything is printed: the launcher may end this process. */
export async function leaveJob(job: Job | null, exitCode: number, terminal: Terminal): Promise<number> {
  if (job?.isFirst) await terminal.flushed().catch(() => {});
  await job?.leave(exitCode);
  return exitCode;
}

/** Fails the job, if any. Throws the error, or returns the exit code if rank 0 prints the error. */
export async function failJob(job: Job | null, error: unknown, terminal: Terminal): Promise<number> {
  if (error instanceof StoppedBySignal) return error.exitCode;
  if (!job) throw error;
  await job.fail(error);
  const exitCode = EXIT_CODES[toGobonnieError(error)?.kind ?? 'failure'];
  await leaveJob(job, exitCode, terminal);
  if (job.isFirst || !job.isReported) throw error;
  return exitCode;
}

/** Thrown if a signal stops the process before it measures. */
class StoppedBySignal extends Error {
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
