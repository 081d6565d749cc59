import { GobonnieError } from '../../errors.js';
import type { Job } from '../../hosts/job.js';
import { plan } from '../../plan/plan.js';
import type { RunEvent } from '../../report/events/event-record.js';
import type { Outcome, Report } from '../../report/schema/report.js';
import { emptyReport } from '../../run/empty-report.js';
import { execute } from '../../run/execute.js';
import { measureReference } from '../../run/reference.js';
import { planSource } from '../../run/step-source.js';
import { translateError } from '../argv/dialect.js';
import { explainOrigins } from '../config/option-source.js';
import { readSettings, type Settings } from '../config/settings.js';
import { EXIT_CODES } from '../exit-codes.js';
import { stallLine } from '../interruption.js';
import { githubReportForRun, writeGithubReport } from '../output/github-report.js';
import { createResultWriter, planOutput } from '../output/run-output.js';
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
    job ??= await joinRendezvousJob(settings, process);
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
  const { process, log } = terminal;
  const { cliOptions } = settings;
  let options = settings.options;
  if (job) {
    job.timeoutSeconds = options.barrierTimeout;
    rejectOpenEnd(settings);
  }
  const { formats, notes, showsEvents, createAudience } = planOutput(request, settings, terminal);
  const required = terminal.isSilent ? { ...cliOptions, expect: [], baseline: undefined } : cliOptions;
  const criteria = await readPassCriteria(required, options, process);

  const beforeStep = await request.prepare?.(terminal);
  const planning = { dryRun: cliOptions.dryRun, needsDirectory: request.isCompat };
  let machine = await runPreflight(options, planning, log);
  if (job) ({ options, machine } = await agreeOnAmount(job, settings, machine));
  const planned = await request.planRun?.(options, machine, log, job?.place);
  const runPlan = planned?.plan ?? plan(options, machine, job?.place);
  const start = emptyReport(runPlan);
  if (job) start.job = job.record;
  const steps = runPlan.steps.map(({ name }) => name);
  rejectUnlikeBaseline(criteria, start, steps);
  if (cliOptions.dryRun) {
    const printsJson = formats.some(({ isJson }) => isJson);
    await printPlans([runPlan], cliOptions, printsJson, terminal);
    return EXIT_CODES.success;
  }

  if (!cliOptions.quiet) for (const line of notes) log(line);
  await using session = await openSession({ ...request, cliOptions, showsEvents }, terminal);
  const { signal, files, watcher, paint } = session;
  const isGate = criteria.expectations.length > 0 || criteria.baseline !== undefined;
  const audience = createAudience(runPlan, paint, isGate);
  const results = createResultWriter(formats, terminal, files, audience.holdsResults);

  job?.leaveOnAbort(signal);
  const onEvent = (event: RunEvent) => {
    session.updateProgress?.(event);
    for (const line of audience.forEvent(event)) log(line);
    if (event.type === 'stall') log(stallLine(event));
    // The end is written after the evaluation.
    if (event.type !== 'end') results.write(event);
  };
  const isDecided = settings.isOpenEnded
    ? (report: Report) => isBaselineDecided(report, criteria)
    : undefined;
  const hooks = {
    signal,
    onEvent,
    beforeStep,
    skipsCeiling: request.isCompat || job !== null,
    allowCached: cliOptions.allowCached,
    peers: job ?? undefined,
    source: planSource(runPlan, { isStepNeeded: planned?.isStepNeeded, isDecided }),
  };
  const report = await execute(runPlan, hooks, watcher, start);
  if (planned?.reference && report.outcome.state === 'completed')
    report.reference = (await measureReference(planned.reference, signal, watcher)) ?? undefined;
  await failJobOnError(job, report.outcome);
  const verdict = evaluateReport(report, criteria);
  results.write({ type: 'end', report: verdict.report }, verdict.baseline);
  for (const line of audience.beforeResults(verdict)) log(line);
  results.release();
  for (const line of audience.afterResults(verdict)) log(line);
  const completed = countCompleteRuns(report.runs);
  const exitCode = conclude(report.outcome, completed, verdict.exitCode, request, log);
  if (!request.isCompat && !terminal.isSilent)
    await writeGithubReport(githubReportForRun(verdict), cliOptions, terminal);
  await session.flush();
  return exitCode;
}

/** Reports a failure outside the steps of a job. Throws what rank 0 cannot know. */
async function failJobOnError(job: Job | null, outcome: Outcome): Promise<void> {
  if (!job || outcome.state !== 'failed') return;
  const error = new GobonnieError('rank-failed', outcome.message, outcome.hint);
  await job.fail(error);
  if (!job.isFirst && !job.isReported) throw error;
}
