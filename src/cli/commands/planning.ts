import type { Job } from '../../cluster/job.js';
import type { Agreement } from '../../cluster/messages.js';
import {
  collectRankInfo,
  countRanksPerFilesystem,
  groupByHost,
  type RankInfo,
} from '../../cluster/rank-info.js';
import { GobonnieError } from '../../errors.js';
import { planJson, planText } from '../../format/human/plan-text.js';
import type { Machine } from '../../machine/machine-schema.js';
import type { Options, OptionsInput } from '../../options/options-schema.js';
import { validateOptions } from '../../options/validate-options.js';
import { plan, type RunPlan } from '../../plan/plan.js';
import { minMax } from '../../report/measure/min-max.js';
import { preflight } from '../../run/preflight.js';
import { flag, msg } from '../../text/message-template.js';
import { GIB } from '../../text/units.js';
import type { CliOptions } from '../argv/cli-options.js';
import { OutFile } from '../files/out-file.js';
import { createStallDetector } from '../interruption.js';
import type { Terminal } from '../output/terminal.js';
import { removalLine } from './clean.js';

interface PlanningOptions {
  /** Changes nothing; keeps even leftover files of killed runs. */
  readonly dryRun?: boolean;
  /** True for the ancestors' commands, which reject a missing directory: its disk may not be mounted. */
  readonly needsDirectory?: boolean | undefined;
  readonly signal?: AbortSignal;
}

/** Inspects the machine, removes leftovers of killed runs from the directory, and plans the run. */
export async function makePlan(
  options: Options,
  planning: PlanningOptions,
  log: (line: string) => void,
): Promise<RunPlan> {
  return plan(options, await runPreflight(options, planning, log));
}

/** Plans the run of a rank. Rank 0 decides the size and the threads, which are the same for all ranks. */
export async function makeJobPlan(
  options: Options,
  input: OptionsInput,
  planning: PlanningOptions,
  job: Job,
  log: (line: string) => void,
): Promise<RunPlan> {
  const machine = await runPreflight(options, planning, log);
  const agreement = await job.agreeOnPlan(collectRankInfo(machine, options, input), (ranks) => {
    const ranksSharing = countRanksPerFilesystem(ranks);
    const jobPlan = plan(options, withSharing(divideAmongRanks(machine, ranks), ranksSharing), job.place);
    const { threads, totalBytes } = jobPlan;
    return {
      options: { ...options, threads, ...(totalBytes > 0 && { size: totalBytes / GIB }) },
      ranksSharing,
    };
  });
  return plan(validateOptions(agreement.options), withSharing(machine, agreement.ranksSharing), job.place);
}

/** Returns one rank's cores and RAM, so the ranks of a host together default to its cores and twice its RAM. */
function divideAmongRanks(machine: Machine, ranks: readonly RankInfo[]): Machine {
  const hosts = groupByHost(ranks);
  const { min: cores } = minMax(hosts.map((host) => Math.max(1, Math.floor(host.cores / host.ranks))));
  const { max: memoryLimitBytes } = minMax(hosts.map((host) => Math.floor(host.memoryBytes / host.ranks)));
  return { ...machine, cores, memoryLimitBytes };
}

/** Adds the number of ranks that share the target's filesystem. */
function withSharing(machine: Machine, ranksSharing: Agreement['ranksSharing']): Machine {
  const { target } = machine;
  return { ...machine, target: { ...target, ranksSharing: ranksSharing[target.totalBytes] ?? 1 } };
}

async function runPreflight(
  options: Options,
  { dryRun = false, needsDirectory = false, signal }: PlanningOptions,
  log: (line: string) => void,
): Promise<Machine> {
  const stallDetector = createStallDetector(options.stallTimeout, log, signal);
  const machine = await preflight(
    options.dir,
    stallDetector,
    dryRun ? null : (removal) => log(removalLine(removal)),
  );
  const { exists, directory } = machine.target;
  if (needsDirectory && !exists)
    throw new GobonnieError(
      'directory-unusable',
      msg`${flag('dir', directory)} does not exist`,
      'pass an existing directory; perhaps its disk is not mounted',
    );
  return machine;
}

/** Prints the plans for --dry-run, which rejects everything that a run would reject. */
export async function printPlans(
  plans: readonly RunPlan[],
  { out }: CliOptions,
  printsJson: boolean,
  terminal: Terminal,
): Promise<void> {
  for (const file of out) await OutFile.validate(file);
  for (const printedPlan of plans) terminal.print(printsJson ? planJson(printedPlan) : planText(printedPlan));
}
