import { GobonnieError } from '../../errors.js';
import { planJson, planText } from '../../format/human/plan-text.js';
import type { Job } from '../../job/job.js';
import type { Agreement } from '../../job/messages.js';
import { collectRankInfo, countRanksPerFilesystem, groupByHost, type RankInfo } from '../../job/rank-info.js';
import type { Machine } from '../../machine/machine.js';
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
  /** The ancestors do not make the directory, so that a disk that is not mounted is noticed. */
  readonly needsDirectory?: boolean | undefined;
  readonly signal?: AbortSignal;
}

/** Looks at the machine, removes what killed runs have left in the directory, and plans. */
export async function makePlan(
  options: Options,
  planning: PlanningOptions,
  log: (line: string) => void,
): Promise<RunPlan> {
  return plan(options, await runPreflight(options, planning, log));
}

/** The same for a rank of a job: the size and the threads are those that rank 0 has decided, for all alike. */
export async function makeJobPlan(
  options: Options,
  input: OptionsInput,
  planning: PlanningOptions,
  job: Job,
  log: (line: string) => void,
): Promise<RunPlan> {
  const machine = await runPreflight(options, planning, log);
  const agreement = await job.agree(collectRankInfo(machine, options, input), (allFacts) => {
    const ranksSharing = countRanksPerFilesystem(allFacts);
    const jobPlan = plan(...withSharers(options, amongRanks(machine, allFacts), ranksSharing), job.place);
    const { threads, totalBytes } = jobPlan;
    return {
      options: { ...options, threads, ...(totalBytes > 0 && { size: totalBytes / GIB }) },
      ranksSharing,
    };
  });
  return plan(...withSharers(validateOptions(agreement.options), machine, agreement.ranksSharing), job.place);
}

/** By default all ranks of a host together have its cores, and twice its memory as data. */
function amongRanks(machine: Machine, all: readonly RankInfo[]): Machine {
  const hosts = groupByHost(all);
  const { min: cores } = minMax(hosts.map((host) => Math.max(1, Math.floor(host.cores / host.ranks))));
  const { max: memoryLimitBytes } = minMax(hosts.map((host) => Math.floor(host.memoryBytes / host.ranks)));
  return { ...machine, cores, memoryLimitBytes };
}

/** With this rank's part of what its host and its filesystem have. */
function withSharers(
  options: Options,
  machine: Machine,
  ranksSharing: Agreement['ranksSharing'],
): readonly [Options, Machine] {
  const { target } = machine;
  const count = ranksSharing[target.totalBytes] ?? 1;
  return [options, { ...machine, target: { ...target, ranksSharing: count } }];
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

/** For --dry-run, which rejects everything that a run would reject. */
export async function printPlans(
  plans: readonly RunPlan[],
  { out }: CliOptions,
  printsJson: boolean,
  terminal: Terminal,
): Promise<void> {
  for (const file of out) await OutFile.validate(file);
  for (const printedPlan of plans) terminal.print(printsJson ? planJson(printedPlan) : planText(printedPlan));
}
