import { GobonnieError } from '../../errors.js';
import { defaultSizeText, engineLines } from '../../format/human/commands/plan-text.js';
import type { Job } from '../../hosts/job.js';
import { plan, type RunPlan } from '../../plan/plan.js';
import type { Outcome, Report } from '../../report/schema/report.js';
import { emptyReport } from '../../run/empty-report.js';
import { execute } from '../../run/execute.js';
import { measureReference } from '../../run/reference.js';
import { translateError } from '../argv/dialect.js';
import { explainOrigins } from '../config/option-source.js';
import { readSettings, type Settings } from '../config/settings.js';
import { githubReportForRun, writeGithubReport } from '../output/github-report.js';
import { createReporter, planOutput } from '../output/run-output.js';
import { Terminal } from '../output/terminal.js';
import {
  evaluateReport,
  isBaselineDecided,
  readPassCriteria,
  rejectUnlikeBaseline,
} from '../pass-criteria.js';
import type { BenchmarkRequest } from '../request.js';
import {
  agreeOnAmount,
  failJob,
  joinLaunchedJob,
  joinRendezvousJob,
  leaveJob,
  rejectJobFlags,
  rejectOpenEnd,
} from './job-command.js';
import { conclude, countCompleteRuns, openSession, printPlans, runPreflight } from './session.js';

/** Measures alone or as a rank of a job; errors name the flags of the dialect. Returns the exit code. */
export async function benchmark(request: BenchmarkRequest, terminal: Terminal): Promise<number> {
  const { process } = terminal;
  let job: Job | null = null;
  let settings: Settings | null = null;
  let exitCode: number;
  try {
    job = await joinLaunchedJob(process);
    settings = await readSettings(request, rankTerminal(job, terminal));
    if (job || settings.cliOptions.rendezvous !== undefined) rejectOpenEnd(settings);
    job ??= await joinRendezvousJob(settings, terminal);
    if (!job) rejectJobFlags(settings);
    exitCode = await measure(request, settings, rankTerminal(job, terminal), job);
  } catch (error) {
    const known = settings ? explainOrigins(settings.origins, error) : error;
    return failJob(job, request.flagNames ? translateError(request.flagNames, known) : known, terminal);
  }
  return leaveJob(job, exitCode, terminal);
}

/** Only rank 0 of a job prints, except for errors that rank 0 cannot know. */
function rankTerminal(job: Job | null, terminal: Terminal): Terminal {
  return job && !job.isFirst ? new Terminal(terminal.process, true) : terminal;
}

/** Plans, measures, evaluates and prints the results. Returns the exit code. */
async function measure(
  request: BenchmarkRequest,
  settings: Settings,
  terminal: Terminal,
  job: Job | null,
): Promise<number> {
  const { log } = terminal;
  const { cliOptions } = settings;
  if (job) job.timeoutSeconds = settings.options.barrierTimeout;
  const output = planOutput(request, settings, terminal);
  const { formats, notes, showsEvents } = output;
  const criteria = await readPassCriteria(settings, job !== null, terminal);
  const beforeStep = await request.prepare?.(terminal);
  const runPlan = await planOnMachine(request, settings, terminal, job);
  const note = request.announce?.(runPlan, terminal.process);
  const reference = job ? null : await request.planReference?.(runPlan);
  const start = emptyReport(runPlan);
  if (request.command) start.command = request.command;
  if (job) start.job = job.record;
  rejectUnlikeBaseline(criteria, start, runPlan);
  if (cliOptions.dryRun) {
    const printsJson = formats.some(({ isJson }) => isJson);
    return printPlans([runPlan], settings, printsJson, terminal, note);
  }

  await using session = await openSession({ ...request, cliOptions, showsEvents }, terminal);
  const startNote = note ?? (request.isInteractive ? defaultSizeText(runPlan) : null);
  const startNotes = startNote ? [...notes, `gobonnie: ${startNote}`] : notes;
  if (!cliOptions.quiet) for (const line of startNotes) log(line);
  if (cliOptions.verbose) for (const line of engineLines(runPlan)) log(`gobonnie: ${line}`);
  const { signal, end, watcher } = session;
  const reporter = createReporter(output, runPlan, session, terminal);
  job?.leaveOnAbort(signal);
  const isDecided = (report: Report) => !settings.isOpenEnded || isBaselineDecided(report, criteria);
  const hooks = {
    signal,
    end,
    onEvent: reporter.report,
    beforeStep,
    skipsCeiling: request.isCompat || request.endsOnSignal || job !== null,
    allowCached: cliOptions.allowCached,
    peers: job ?? undefined,
    isStepNeeded: request.isStepNeeded,
    isDecided,
  };
  const report = await execute(runPlan, hooks, watcher, start);
  if (reference && report.outcome.state === 'completed')
    report.reference = (await measureReference(reference, signal, watcher)) ?? undefined;
  await failJobOnError(job, report.outcome);
  const verdict = evaluateReport(report, criteria);
  reporter.finish(verdict);
  const completed = countCompleteRuns(report.runs);
  const ending = { ...request, writesNothing: runPlan.machine.sample !== undefined };
  const exitCode = conclude(report.outcome, completed, verdict.exitCode, ending, log);
  if (!request.isCompat && !terminal.isSilent)
    await writeGithubReport(githubReportForRun(verdict), cliOptions, terminal);
  await session.flush();
  return exitCode;
}

/** Inspects the machine and plans the run there, in a job with the amounts of all ranks. */
async function planOnMachine(
  request: BenchmarkRequest,
  settings: Settings,
  terminal: Terminal,
  job: Job | null,
): Promise<RunPlan> {
  let { options } = settings;
  let machine = await runPreflight(options, settings.cliOptions, terminal.log);
  if (job) ({ options, machine } = await agreeOnAmount(job, settings, machine));
  const adapted = request.adapt?.(options, machine, terminal.log, job !== null) ?? options;
  return plan(adapted, machine, job?.place);
}

/** Reports a failure outside the steps of a job. Throws what rank 0 cannot know. */
async function failJobOnError(job: Job | null, outcome: Outcome): Promise<void> {
  if (!job || outcome.state !== 'failed') return;
  const error = new GobonnieError('rank-failed', outcome.message, outcome.hint);
  await job.fail(error);
  if (!job.isFirst && !job.isReported) throw error;
}
