import { existsSync, realpathSync } from 'node:fs';
import { GobonnieError } from '../../errors.js';
import { parseFormatName, formatForScreen, isJson, hiddenPhasesNote, rejectUnsuitableFormat } from '../../format/index.js';
import { rankLines } from '../../format/people/hosts.js';
import { transliterate } from '../../format/writing/screen.js';
import { connectToLauncher } from '../../meeting/joined.js';
import { validateOptions } from '../../options/judge-options.js';
import type { RunEvent } from '../../report/events/event.js';
import { isUrgent } from '../../report/warning-catalogue.js';
import { execute } from '../../run/run.js';
import { colorAsked, formatsAsked, judgePresentation, type Presentation } from '../argv/presentation.js';
import { inDialect } from '../argv/wording.js';
import { withSettings } from '../config/settings.js';
import { EXIT_CODES } from '../exit-codes.js';
import { stallLine } from '../interruption.js';
import { ResultWriter } from '../output/answer.js';
import { githubReportForRun } from '../output/github.js';
import { logMessages, type Verbosity } from '../output/narration.js';
import { terminalMessages } from '../output/people.js';
import type { CliProcess, Terminal } from '../output/terminal.js';
import { detectScreen } from '../output/terminal-style.js';
import type { BenchmarkRequest } from '../request.js';
import { judgementLines, judgeReport, readStandards, refuseUnlikeBaseline } from '../standards.js';
import { inJob, metInDirectory, type Stage, StoppedEarly } from './in-job.js';
import { planned, plannedTogether, printPlans } from './planning.js';
import { inSession, type Measured, type Session } from './session.js';

/** Measures and prints, in the words of the dialect; gives the exit code. */
export async function benchmark(
  request: BenchmarkRequest,
  process: CliProcess,
  terminal: Terminal,
): Promise<number> {
  try {
    const launched = await connectToLauncher(process.env, programPath(process));
    return await inJob(launched, { process, terminal }, (stage) =>
      withSettings(request, stage.process, stage.terminal, async (asked) => {
        const measure = (own: Stage) => judgeAndMeasure({ ...request, ...asked }, own);
        if (stage.job) return measure(stage);
        return inJob(await metInDirectory(asked, process), stage, measure);
      }),
    );
  } catch (error) {
    if (error instanceof StoppedEarly) return error.exitCode;
    throw request.flagNames ? inDialect(request.flagNames, error) : error;
  }
}

async function judgeAndMeasure(
  request: BenchmarkRequest,
  { process, terminal, job }: Stage,
): Promise<number> {
  const say = (line: string) => terminal.log(line);

  const asked = judgePresentation(request.presentation);
  const presentation = job && !job.isFirst ? unseen(asked) : asked;
  const { dryRun, quiet } = presentation;
  const [screen, messageScreen] = [process.stdout, process.stderr].map((stream) =>
    request.isForPeople ? detectScreen(stream, process, colorAsked(presentation)) : null,
  );
  const names = formatsAsked(
    presentation,
    screen || (job && request.isForPeople) ? ['table'] : request.formats,
  ).map(parseFormatName);
  const options = validateOptions(request.input);
  if (job) job.timeoutSeconds = options.barrierTimeout;
  for (const name of names) rejectUnsuitableFormat(name, options.phases);
  const standards = await readStandards(presentation, options.phases, process);

  const { join, beforePhase, end } = (await request.prepare?.(process, terminal)) ?? {};
  const planning = { dryRun, needsDirectory: request.needsDirectory };
  const plan = job
    ? await plannedTogether(options, request.input, planning, job, say)
    : await planned(options, planning, say);
  refuseUnlikeBaseline(standards, plan);
  if (dryRun) {
    await printPlans([plan], presentation, names.some(isJson), terminal);
    return EXIT_CODES.done;
  }

  if (!quiet) for (const line of names.flatMap((name) => hiddenPhasesNote(name, options.phases))) say(line);
  const formatLog = await request.loadLogFormatter();
  const verbosity = verbosityOf(presentation);
  const printed = names.map((name) => formatForScreen(name, screen ?? null));

  async function measure({ watcher, files, progress, paint, signal }: Session): Promise<Measured> {
    const answer = new ResultWriter(printed, terminal, files);
    const showsTable = names.includes('table');
    const messages = messageScreen
      ? terminalMessages({
          plan,
          screen: messageScreen,
          verbosity,
          showsTable,
          env: process.env,
          out: presentation.out,
        })
      : logMessages(formatLog, verbosity, paint);
    const onEvent = (event: RunEvent) => {
      progress?.handle(event);
      const isLater = event.type === 'warning' && !isUrgent(event.warning);
      if (!isLater) for (const line of messages.forEvent(event)) say(line);
      if (event.type === 'stall') say(stallLine(event));
      // The end is given to the answer when it has been judged.
      if (event.type !== 'end') answer.write(event);
    };
    await join?.(signal);
    job?.leaveOnAbort(signal);
    const measuresCeiling = !request.isAncestral && job === null;
    const hooks = { signal, onEvent, beforePhase, measuresCeiling, peers: job ?? undefined };
    const run = execute(plan, hooks, watcher);
    const ending = run.finally(end);
    // What was measured is printed even if `end` fails.
    const measured = await run.catch(() => ending);
    const { outcome } = measured;
    if (job && outcome.state === 'failed') {
      const error = new GobonnieError('cleanup-failed', outcome.message, outcome.hint);
      await job.fail(error);
      // What rank 0 cannot know has to be said here.
      if (!job.isFirst && !job.isReported) throw error;
    }
    const judgement = measured.outcome.state === 'completed' ? judgeReport(measured, standards) : null;
    const { report } = judgement ?? { report: measured };
    const { baseline } = standards;
    const comparison = judgement?.comparison ?? null;
    answer.write({ type: 'end', report }, baseline && comparison ? { ...baseline, comparison } : undefined);
    const style = { paint, columns: messageScreen?.columns ?? Infinity };
    const verdicts = judgement ? judgementLines(judgement, quiet, style) : [];
    return {
      ...report,
      lines: [
        ...(verbosity === 'verbose' && job ? rankLines(report, messageScreen ?? undefined) : []),
        ...messages.afterResults(report),
        ...(messageScreen ? verdicts.map((line) => transliterate(line, messageScreen)) : verdicts),
        ...messages.atEnd(report),
      ],
      jobReport: githubReportForRun(report, comparison),
      exitCode: judgement?.exitCode ?? EXIT_CODES.done,
      ending,
    };
  }

  // Events on the same screen show the progress as well.
  const showsEvents = terminal.isStdoutVisible && printed.some(({ event }) => event);
  return inSession({ ...request, presentation, showsEvents, growsFiles: true }, process, terminal, measure);
}

/** Not the link that npx has made to it. */
function programPath({ argv: [, file = 'gobonnie'] }: CliProcess): string {
  return existsSync(file) ? realpathSync(file) : file;
}

/** Only rank 0 of a job prints, writes files and judges. */
function unseen(presentation: Presentation): Presentation {
  return {
    ...presentation,
    quiet: true,
    verbose: false,
    noGithub: true,
    out: [],
    expect: [],
    baseline: undefined,
  };
}

function verbosityOf({ quiet, verbose }: Presentation): Verbosity {
  if (quiet) return 'quiet';
  return verbose ? 'verbose' : 'normal';
}
