import { GobonnieError, optionError } from '../../errors.js';
import type { Baseline, Format } from '../../format/format.js';
import { rankLines } from '../../format/human/host-lines.js';
import {
  formatForScreen,
  hiddenStepsNote,
  parseFormatName,
  rejectUnsuitableFormat,
  renderEnd,
  renderReport,
  reportFormats,
} from '../../format/index.js';
import type { Job } from '../../hosts/job.js';
import { plan } from '../../plan/plan.js';
import type { RunEvent } from '../../report/events/event-record.js';
import { toEventRecord } from '../../report/events/recording.js';
import type { Outcome, Report } from '../../report/schema/report.js';
import { execute } from '../../run/execute.js';
import { measureReference } from '../../run/reference.js';
import { planSource } from '../../run/step-source.js';
import { flag, msg } from '../../text/message-template.js';
import { isUrgent } from '../../warnings/warning-catalogue.js';
import { translateError } from '../argv/dialect.js';
import { logFormats } from '../compat/log-formats.js';
import { addOriginsToError } from '../config/layers.js';
import { readSettings, type Settings } from '../config/settings.js';
import { EXIT_CODES } from '../exit-codes.js';
import { stallLine } from '../interruption.js';
import { githubReportForRun, writeGithubReport } from '../output/github-report.js';
import { type LogFormatter, logMessages } from '../output/log-format.js';
import { type CliProcess, detectScreen, Terminal } from '../output/terminal.js';
import { terminalMessages } from '../output/terminal-messages.js';
import {
  evaluateReport,
  evaluationLines,
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
import {
  conclude,
  countCompleteRuns,
  openSession,
  printPlans,
  runPreflight,
  type Session,
} from './session.js';

/** Measures alone or as a rank of a job; errors name the flags of the dialect. Returns the exit code. */
export async function benchmark(request: BenchmarkRequest, terminal: Terminal): Promise<number> {
  const { process } = terminal;
  let job: Job | null = null;
  let settings: Settings | null = null;
  let exitCode: number;
  try {
    job = await joinLaunchedJob(process);
    settings = await readSettings(request, rankTerminal(job, terminal));
    terminal.noGithub = settings.cliOptions.noGithub;
    job ??= await joinRendezvousJob(settings, process);
    exitCode = await measure(request, settings, rankTerminal(job, terminal), job);
  } catch (error) {
    const known = settings ? addOriginsToError(settings.origins, error) : error;
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
  if (job && request.isStepNeeded)
    throw optionError(
      msg`a job needs a list of ${flag('depth')}: all ranks measure the same points`,
      msg`for example, ${flag('depth', '1,4,16,64')}`,
    );
  const { formats, notes, stderrScreen, isLog, showsTable } = planOutput(request, settings, process);
  const required = terminal.isSilent ? { ...cliOptions, expect: [], baseline: undefined } : cliOptions;
  const criteria = await readPassCriteria(required, options, process);

  const beforeStep = await request.prepare?.(terminal);
  const planning = { dryRun: cliOptions.dryRun, needsDirectory: request.isCompat };
  let machine = await runPreflight(options, planning, log);
  if (job) ({ options, machine } = await agreeOnAmount(job, settings, machine));
  options = request.adaptOptions?.(options, machine, log) ?? options;
  const runPlan = plan(options, machine, job?.place);
  const referencePlan = job ? null : await request.planReference?.(options, machine);
  rejectUnlikeBaseline(criteria, runPlan, job?.record);
  if (cliOptions.dryRun) {
    const printsJson = formats.some(({ isJson }) => isJson);
    await printPlans([runPlan], cliOptions, printsJson, terminal);
    return EXIT_CODES.success;
  }

  if (!cliOptions.quiet) for (const line of notes) log(line);
  // Events on the same screen already show the progress.
  const showsEvents = terminal.isStdoutVisible && formats.some(({ event }) => event);
  await using session = await openSession({ ...request, cliOptions, showsEvents }, terminal);
  const { signal, files, watcher, paint } = session;
  const isGate = criteria.expectations.length > 0 || criteria.baseline !== undefined;
  const verdictsFirst = isGate && isLog && !cliOptions.verbose && formats.every(({ event }) => !event);
  // At a terminal, details come before the results.
  const detailsFirst = stderrScreen !== null && showsTable && cliOptions.verbose;
  const held: string[] = [];
  const printer = verdictsFirst || detailsFirst ? { print: (text: string) => held.push(text) } : terminal;
  const logFormat = logFormats[cliOptions.quiet ? 'none' : (request.logFormat ?? 'gobonniego')];
  const formatLog: LogFormatter = (event, isVerbose) =>
    verdictsFirst && event.type === 'start' ? [] : logFormat(event, isVerbose);
  const messages =
    stderrScreen && !cliOptions.quiet
      ? terminalMessages(runPlan, stderrScreen, showsTable, cliOptions)
      : logMessages(formatLog, cliOptions.verbose, paint);
  const writeResult = createResultWriter(formats, printer, files);

  job?.leaveOnAbort(signal);
  const onEvent = (event: RunEvent) => {
    session.updateProgress?.(event);
    const isDeferred = event.type === 'warning' && !isUrgent(event.warning);
    if (!isDeferred) for (const line of messages.forEvent(event)) log(line);
    if (event.type === 'stall') log(stallLine(event));
    // The end is written after the evaluation.
    if (event.type !== 'end') writeResult(event);
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
    source: planSource(runPlan, { isStepNeeded: request.isStepNeeded, isDecided }),
  };
  const report = await execute(runPlan, hooks, watcher);
  if (referencePlan && report.outcome.state === 'completed')
    report.reference = (await measureReference(referencePlan, signal, watcher)) ?? undefined;
  await failJobOnError(job, report.outcome);
  const evaluation = evaluateReport(report, criteria);
  const verdicts = evaluationLines(evaluation, cliOptions, paint, stderrScreen);
  writeResult({ type: 'end', report: evaluation.report }, evaluation.baseline);
  for (const line of verdictsFirst ? verdicts : messages.beforeResults(evaluation.report)) log(line);
  terminal.print(held.join(''));
  const ranks = cliOptions.verbose && report.job ? rankLines(report, stderrScreen ?? undefined) : [];
  const closingLines = messages.afterResults(evaluation.report, verdictsFirst ? [] : verdicts);
  for (const line of [...ranks, ...closingLines]) log(line);
  const completed = countCompleteRuns(report.runs);
  const exitCode = conclude(report.outcome, completed, evaluation.exitCode, request, log);
  if (!request.isCompat && !terminal.isSilent) {
    const githubReport = githubReportForRun(evaluation.report, evaluation.baseline?.comparison);
    await writeGithubReport(githubReport, cliOptions, terminal);
  }
  await session.flush();
  return exitCode;
}

const { step: _, ...TEXT_MEANS }: Format = reportFormats.text;

/** Decides what to print. Rejects a format that cannot show the phases. */
function planOutput(
  request: BenchmarkRequest,
  { options, cliOptions, isOpenEnded }: Settings,
  process: CliProcess,
) {
  const detect = (stream: CliProcess['stdout'] | CliProcess['stderr']) =>
    request.isInteractive ? detectScreen(stream, process, cliOptions.color) : null;
  const screen = detect(process.stdout);
  const defaultFormats = screen ? ['table'] : request.formats;
  const { format } = cliOptions;
  const ownFormat = format === undefined ? request.createFormat?.(screen) : undefined;
  const formats = format === undefined ? defaultFormats : [format];
  const formatNames = ownFormat ? [] : formats.map(parseFormatName);
  for (const name of formatNames) rejectUnsuitableFormat(name, options);
  // As many runs as a comparison needs would bury its verdict.
  const isText = !screen && format === undefined && formatNames[0] === 'text';
  const hasOnlyMeans = isText && isOpenEnded && cliOptions.baseline !== undefined;
  return {
    formats: ownFormat
      ? [ownFormat]
      : formatNames.map((name) => (hasOnlyMeans ? TEXT_MEANS : formatForScreen(name, screen))),
    /** Messages about steps that a format does not show. */
    notes: formatNames.flatMap((name) => hiddenStepsNote(name, options)),
    /** The screen that shows stderr. Null if messages are printed as a log. */
    stderrScreen: detect(process.stderr),
    /** True if both streams may go to one log, such as a CI log. */
    isLog: request.isInteractive === true && !screen && !detect(process.stderr),
    showsTable: formatNames.includes('table') || (ownFormat !== undefined && screen !== null),
  };
}

/**
 * Returns a function that writes an event to stdout and to the files of --out, in their formats. Pass `baseline` with the
 * `end` event if the report was compared.
 */
function createResultWriter(
  formats: readonly Format[],
  terminal: Pick<Terminal, 'print'>,
  files: Session['files'],
) {
  /** The report before the first measurement. */
  let start: Report | null = null;
  const render = (event: RunEvent, format: Format, baseline?: Baseline) => {
    if (event.type === 'step-end') return start && format.step?.(event.measurement, start);
    if (event.type === 'run-end') return format.run?.(event.report, event.result);
    return event.type === 'end' ? renderEnd(format, event.report, baseline) : '';
  };
  return (event: RunEvent, baseline?: Baseline) => {
    const record = toEventRecord(event, new Date());
    if (event.type === 'start') start = event.report;
    for (const format of formats)
      terminal.print((format.event?.(record) ?? '') + (render(event, format, baseline) ?? ''));
    files.appendEvent(record);
    if (event.type === 'end') files.write((format) => renderReport(format, event.report, baseline));
    const isUpdate = event.type === 'run-end' || event.type === 'step-end';
    const report = isUpdate ? event.report : undefined;
    if (report) files.update((format) => renderReport(format, report));
  };
}

/** Reports a failure outside the steps of a job. Throws what rank 0 cannot know. */
async function failJobOnError(job: Job | null, outcome: Outcome): Promise<void> {
  if (!job || outcome.state !== 'failed') return;
  const error = new GobonnieError('rank-failed', outcome.message, outcome.hint);
  await job.fail(error);
  if (!job.isFirst && !job.isReported) throw error;
}
