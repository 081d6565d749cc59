import { existsSync, realpathSync } from 'node:fs';
import { connectToLauncher } from '../../communicator/launcher.js';
import { GobonnieError } from '../../errors.js';
import { rankLines } from '../../format/human/host-lines.js';
import {
  formatForScreen,
  hiddenPhasesNote,
  isJson,
  parseFormatName,
  rejectUnsuitableFormat,
} from '../../format/index.js';
import { transliterate } from '../../format/writing/screen.js';
import { validateOptions } from '../../options/validate-options.js';
import type { RunEvent } from '../../report/events/event.js';
import { isUrgent } from '../../report/warning-catalogue.js';
import { execute } from '../../run/execute.js';
import { type CliOptions, colorSetting, selectedFormats, validateCliOptions } from '../argv/cli-options.js';
import { translateError } from '../argv/dialect.js';
import { withSettings } from '../config/settings.js';
import { EXIT_CODES } from '../exit-codes.js';
import { stallLine } from '../interruption.js';
import { githubReportForRun } from '../output/github-report.js';
import { logMessages, type Verbosity } from '../output/log-format.js';
import { ResultWriter } from '../output/result-writer.js';
import type { CliProcess, Terminal } from '../output/terminal.js';
import { terminalMessages } from '../output/terminal-messages.js';
import { detectScreen } from '../output/terminal-style.js';
import { evaluateReport, evaluationLines, readPassCriteria, rejectUnlikeBaseline } from '../pass-criteria.js';
import type { BenchmarkRequest } from '../request.js';
import { type CommandContext, joinByDirectory, runInJob, StoppedBySignal } from './job-command.js';
import { makeJobPlan, makePlan, printPlans } from './planning.js';
import { type Session, type SessionResult, withSession } from './session.js';

/** Measures and prints the results; errors name the flags of the dialect. Returns the exit code. */
export async function benchmark(
  request: BenchmarkRequest,
  process: CliProcess,
  terminal: Terminal,
): Promise<number> {
  try {
    const communicator = await connectToLauncher(process.env, programPath(process));
    return await runInJob(communicator, { process, terminal }, (context) =>
      withSettings(request, context.process, context.terminal, async (settings) => {
        const measure = (jobContext: CommandContext) => runBenchmark({ ...request, ...settings }, jobContext);
        if (context.job) return measure(context);
        return runInJob(await joinByDirectory(settings, process), context, measure);
      }),
    );
  } catch (error) {
    if (error instanceof StoppedBySignal) return error.exitCode;
    throw request.flagNames ? translateError(request.flagNames, error) : error;
  }
}

async function runBenchmark(
  request: BenchmarkRequest,
  { process, terminal, job }: CommandContext,
): Promise<number> {
  const log = (line: string) => terminal.log(line);

  const requestedOptions = validateCliOptions(request.cliOptions);
  const cliOptions = job && !job.isFirst ? withoutOutput(requestedOptions) : requestedOptions;
  const { dryRun, quiet } = cliOptions;
  const detectInteractive = (stream: CliProcess['stdout'] | CliProcess['stderr']) =>
    request.isInteractive ? detectScreen(stream, process, colorSetting(cliOptions)) : null;
  const screen = detectInteractive(process.stdout);
  const messageScreen = detectInteractive(process.stderr);
  const names = selectedFormats(
    cliOptions,
    screen || (job && request.isInteractive) ? ['table'] : request.formats,
  ).map(parseFormatName);
  const options = validateOptions(request.input);
  if (job) job.timeoutSeconds = options.barrierTimeout;
  for (const name of names) rejectUnsuitableFormat(name, options.phases);
  const criteria = await readPassCriteria(cliOptions, options.phases, process);

  const { join, beforePhase, end } = (await request.prepare?.(process, terminal)) ?? {};
  const planning = { dryRun, needsDirectory: request.needsDirectory };
  const plan = job
    ? await makeJobPlan(options, request.input, planning, job, log)
    : await makePlan(options, planning, log);
  rejectUnlikeBaseline(criteria, plan);
  if (dryRun) {
    await printPlans([plan], cliOptions, names.some(isJson), terminal);
    return EXIT_CODES.success;
  }

  if (!quiet) for (const line of names.flatMap((name) => hiddenPhasesNote(name, options.phases))) log(line);
  const formatLog = await request.loadLogFormatter();
  const verbosity = toVerbosity(cliOptions);
  const printedFormats = names.map((name) => formatForScreen(name, screen));

  async function measure({ watcher, files, progress, paint, signal }: Session): Promise<SessionResult> {
    const resultWriter = new ResultWriter(printedFormats, terminal, files);
    const showsTable = names.includes('table');
    const messages = messageScreen
      ? terminalMessages({
          plan,
          screen: messageScreen,
          verbosity,
          showsTable,
          env: process.env,
          out: cliOptions.out,
        })
      : logMessages(formatLog, verbosity, paint);
    const onEvent = (event: RunEvent) => {
      progress?.handle(event);
      const isDeferred = event.type === 'warning' && !isUrgent(event.warning);
      if (!isDeferred) for (const line of messages.forEvent(event)) log(line);
      if (event.type === 'stall') log(stallLine(event));
      // The `end` event is written after the evaluation.
      if (event.type !== 'end') resultWriter.write(event);
    };
    await join?.(signal);
    job?.leaveOnAbort(signal);
    const measuresCeiling = !request.isCompat && job === null;
    const hooks = { signal, onEvent, beforePhase, measuresCeiling, peers: job ?? undefined };
    const run = execute(plan, hooks, watcher);
    const cleanup = run.finally(end);
    // Print the results even if `end` fails.
    const measuredReport = await run.catch(() => cleanup);
    const { outcome } = measuredReport;
    if (job && outcome.state === 'failed') {
      const error = new GobonnieError('cleanup-failed', outcome.message, outcome.hint);
      await job.fail(error);
      // Print what rank 0 cannot know.
      if (!job.isFirst && !job.isReported) throw error;
    }
    const evaluation =
      measuredReport.outcome.state === 'completed' ? evaluateReport(measuredReport, criteria) : null;
    const { report } = evaluation ?? { report: measuredReport };
    const { baseline } = criteria;
    const comparison = evaluation?.comparison ?? null;
    resultWriter.write(
      { type: 'end', report },
      baseline && comparison ? { ...baseline, comparison } : undefined,
    );
    const style = { paint, columns: messageScreen?.columns ?? Infinity };
    const criteriaLines = evaluation ? evaluationLines(evaluation, quiet, style) : [];
    const hostLines = verbosity === 'verbose' && job ? rankLines(report, messageScreen ?? undefined) : [];
    return {
      ...report,
      lines: [
        ...hostLines,
        ...messages.afterResults(report),
        ...criteriaLines.map((line) => (messageScreen ? transliterate(line, messageScreen) : line)),
        ...messages.atEnd(report),
      ],
      githubReport: githubReportForRun(report, comparison),
      exitCode: evaluation?.exitCode ?? EXIT_CODES.success,
      cleanup,
    };
  }

  // Events on the same screen already show the progress.
  const showsEvents = terminal.isStdoutVisible && printedFormats.some(({ event }) => event);
  return withSession(
    { ...request, cliOptions, showsEvents, appendsEvents: true },
    process,
    terminal,
    measure,
  );
}

/** Resolves the link that npx creates to the program. */
function programPath({ argv: [, file = 'gobonnie'] }: CliProcess): string {
  return existsSync(file) ? realpathSync(file) : file;
}

/** Only rank 0 of a job prints, writes files and evaluates the criteria. */
function withoutOutput(cliOptions: CliOptions): CliOptions {
  return {
    ...cliOptions,
    quiet: true,
    verbose: false,
    noGithub: true,
    out: [],
    expect: [],
    baseline: undefined,
  };
}

function toVerbosity({ quiet, verbose }: CliOptions): Verbosity {
  if (quiet) return 'quiet';
  return verbose ? 'verbose' : 'normal';
}
