import path from 'node:path';
import { type GobonnieError, optionError } from '../../errors.js';
import { Job } from '../../hosts/job.js';
import { joinRendezvous } from '../../hosts/join-rendezvous.js';
import { connectToLauncher } from '../../hosts/launcher.js';
import type { Agreement } from '../../hosts/messages.js';
import {
  collectRankInfo,
  countRanksPerFilesystem,
  groupByHost,
  type RankInfo,
} from '../../hosts/rank-info.js';
import type { Machine } from '../../machine/machine-schema.js';
import type { Options } from '../../options/options-schema.js';
import { countWorkers } from '../../plan/engine.js';
import { chooseAmount } from '../../plan/plan.js';
import { requestSteps } from '../../plan/requested-steps.js';
import { minMax } from '../../report/statistics/statistics.js';
import { rejectJobOnBun } from '../../runtime.js';
import { toGobonnieError } from '../../system-error.js';
import { flag, msg, type OptionRef } from '../../text/message-template.js';
import { GIB } from '../../text/units.js';
import type { Settings } from '../config/settings.js';
import { EXIT_CODES, signalExitCode } from '../exit-codes.js';
import { createInterruption } from '../interruption.js';
import type { CliProcess, Terminal } from '../output/terminal.js';

/** Joins the job whose launcher started this process. Null without a launcher. */
export async function joinLaunchedJob(process: CliProcess): Promise<Job | null> {
  const communicator = await connectToLauncher(process);
  return communicator && new Job(communicator);
}

/** Joins the job of --rendezvous. Null without that flag. */
export async function joinRendezvousJob(
  { cliOptions, options: { barrierTimeout } }: Settings,
  terminal: Terminal,
): Promise<Job | null> {
  const { rendezvous, ranks, rank = terminal.process.env.JOB_COMPLETION_INDEX } = cliOptions;
  if (rendezvous === undefined) return null;
  rejectJobOnBun();
  if (ranks === undefined)
    throw optionError(
      msg`${flag('rendezvous', rendezvous)} needs ${flag('ranks')}`,
      msg`for example, ${flag('ranks', 8)}`,
    );
  const index = Number(rank ?? Number.NaN);
  if (!Number.isInteger(index) || index < 0 || index >= ranks)
    throw optionError(
      msg`${flag('rendezvous', rendezvous)} needs a ${flag('rank')} from 0 to ${ranks - 1}`,
      'number the processes starting at 0',
    );
  const options = { directory: path.resolve(rendezvous), size: ranks, rank: index };
  using interruption = createInterruption(terminal);
  return new Job(await joinRendezvous(options, barrierTimeout, interruption.signal));
}

/** Rejects flags that have an effect only in a job. A file or a variable may set them for the runs in a job. */
export function rejectJobFlags({ origins }: Settings): void {
  for (const name of ['readOwnFiles', 'barrierTimeout']) {
    const source = origins.get(name);
    if (source?.origin !== null || source.value === false) continue;
    const own = flag(name, source.value === true ? undefined : source.value);
    throw optionError(
      msg`${own} has no effect without a job`,
      msg`start gobonnie with mpiexec or srun, or add ${flag('rendezvous', '/shared')}`,
    );
  }
}

/** Rejects a number of runs that depends on the results: the ranks would have to agree after each run. */
export function rejectOpenEnd({ options, cliOptions: { baseline }, isOpenEnded }: Settings): void {
  const { untilStable, seconds } = options;
  if (untilStable !== undefined) throw openEndError(flag('untilStable', untilStable), 'replace it with');
  if (seconds > 0) throw openEndError(flag('seconds', seconds), 'replace it with');
  if (isOpenEnded && baseline !== undefined) throw openEndError(flag('baseline', baseline), 'add');
  if (options.steps?.some(({ beside }) => beside !== undefined))
    throw optionError('steps beside others cannot run in a job', 'start it on each host on its own');
}

function openEndError(openEnd: OptionRef, remedy: string): GobonnieError {
  return optionError(
    msg`a job needs a fixed number of runs, which ${openEnd} does not set`,
    msg`${remedy} ${flag('runs', 5)}`,
  );
}

/** Returns the options and the machine for the plan of this rank. Rank 0 decides the threads and the size of all ranks. */
export async function agreeOnAmount(
  job: Job,
  { options, origins }: Settings,
  machine: Machine,
): Promise<{ readonly options: Options; readonly machine: Machine }> {
  const rankInfo = collectRankInfo(machine, options, origins.get('seed')?.value);
  const { ranksSharing, threads, size, seed } = await job.agreeOnPlan(rankInfo, (ranks) => {
    const ranksSharing = countRanksPerFilesystem(ranks);
    const share = withSharing(divideAmongRanks(machine, ranks), ranksSharing);
    const requested = requestSteps(options);
    const { threads: workers, blockCount } = chooseAmount(requested, share);
    // Each rank multiplies the threads by the depth again where io_uring cannot be used.
    const threads = options.threads ?? Math.max(1, Math.floor(workers / countWorkers(1, options, share)));
    const size = blockCount > 0 ? (blockCount * requested.options.blockSize) / GIB : options.size;
    return { threads, size, seed: options.seed, ranksSharing };
  });
  return { options: { ...options, threads, size, seed }, machine: withSharing(machine, ranksSharing) };
}

/** Returns one rank's cores and RAM, so the ranks of a host together have the default threads and size of one process. */
function divideAmongRanks(machine: Machine, ranks: readonly RankInfo[]): Machine {
  const hosts = groupByHost(ranks);
  const { min: cores } = minMax(hosts.map((host) => Math.max(1, Math.floor(host.cores / host.ranks))));
  const { max: memoryLimitBytes } = minMax(hosts.map((host) => Math.floor(host.memoryBytes / host.ranks)));
  const { max: ranksOnHost } = minMax(hosts.map((host) => host.ranks));
  return { ...machine, cores, memoryLimitBytes, ranksOnHost };
}

function withSharing(machine: Machine, ranksSharing: Agreement['ranksSharing']): Machine {
  const { target } = machine;
  return { ...machine, target: { ...target, ranksSharing: ranksSharing[target.totalBytes] ?? 1 } };
}

/** Leaves the job, if any, after everything is printed: the launcher may end this process. */
export async function leaveJob(job: Job | null, exitCode: number, terminal: Terminal): Promise<number> {
  if (job?.isFirst) await terminal.flushed().catch(() => {});
  await job?.leave(exitCode);
  return exitCode;
}

/** Fails the job, if any. Throws the error, or returns the exit code if rank 0 prints the error. */
export async function failJob(job: Job | null, error: unknown, terminal: Terminal): Promise<number> {
  // The name of the signal that ended the wait for the other ranks.
  if (typeof error === 'string') return signalExitCode(error);
  if (!job) throw error;
  await job.fail(error);
  const exitCode = EXIT_CODES[toGobonnieError(error)?.kind ?? 'failure'];
  await leaveJob(job, exitCode, terminal);
  if (job.isFirst || !job.isReported) throw error;
  return exitCode;
}

/** Fails the job, if any, of a process that cannot parse its command line. Returns or throws like `failJob`. */
export async function failLaunchedJob(error: unknown, terminal: Terminal): Promise<number> {
  const job = await joinLaunchedJob(terminal.process).catch(() => null);
  return failJob(job, error, terminal);
}
