import { GobonnieError } from '../../errors.js';
import type { Format } from '../../format/format.js';
import { type FormatName, formatNamed, formats } from '../../format/index.js';
import { planJson, planText } from '../../format/plan.js';
import { inspect } from '../../machine.js';
import { judge } from '../../options/judge.js';
import { plan } from '../../plan.js';
import type { Report } from '../../report/report.js';
import type { RunEvent } from '../../run/events.js';
import { execute } from '../../run/run.js';
import { counted } from '../../units.js';
import type { Verbosity } from '../narration.js';
import { judgePresentation, type Presentation } from '../presentation.js';
import { ReportFiles } from '../report-files.js';
import type { BenchmarkRequest } from '../request.js';
import { catchSignals, signalExitCode } from '../signals.js';
import type { CliProcess, Terminal } from '../terminal.js';
import { errorInWordsOf, inWordsOf } from '../wording.js';
import { refuseMissingDirectory } from './missing-directory.js';

const NO_STDOUT = 'a stdout that takes nothing';
const NO_REPORT_FILE = 'a file of --out that takes nothing';

/** Measures and prints, in the words of the dialect; gives the exit code. */
export async function benchmark(
  request: BenchmarkRequest,
  process: CliProcess,
  terminal: Terminal,
): Promise<number> {
  const { flagNames = {} } = request;
  try {
    return await measure(request, process, terminal, (line) => terminal.narrate(inWordsOf(flagNames, line)));
  } catch (error) {
    throw errorInWordsOf(flagNames, error);
  }
}

async function measure(
  request: BenchmarkRequest,
  process: CliProcess,
  terminal: Terminal,
  say: (line: string) => void,
): Promise<number> {
  const presentation = judgePresentation(request.presentation);
  const chosen = request.formats.map(formatNamed);
  const options = judge(request.input);
  for (const name of chosen) refuseUnfit(name, options.phases);
  const preparation = (await request.prepare?.(process, terminal)) ?? {};
  const machine = await inspect(options.dir);
  if (request.needsDirectory) refuseMissingDirectory(machine);
  const decided = plan(options, machine);
  if (presentation.dryRun) {
    terminal.answer(presentation.json ? planJson(decided) : planText(decided));
    return 0;
  }

  const narrate = await request.loadNarrate();
  if (!presentation.quiet)
    for (const line of chosen.flatMap((name) => leftOut(name, options.phases))) say(line);
  const printed: readonly Format[] = chosen.map((name) => formats[name]);
  const verbosity = verbosityOf(presentation);
  const files = await ReportFiles.open(presentation.out);
  const abort = new AbortController();
  const release = catchSignals(process, (name) => abort.abort(name), request.ignoredSignals);
  terminal.onFailure = () => abort.abort(NO_STDOUT);
  files.onFailure = () => abort.abort(NO_REPORT_FILE);
  const { join, beforePhase, end } = preparation;
  const onEvent = (event: RunEvent) => {
    for (const line of narrate(event, verbosity)) say(line);
    if (event.type === 'phase-end')
      for (const format of printed) terminal.answer(format.phase?.(event.measurement) ?? '');
    if (event.type === 'run-end') {
      for (const format of printed) terminal.answer(format.run?.(event.report, event.result) ?? '');
      files.rewrite(event.report);
    }
  };
  try {
    await join?.(abort.signal);
    const run = execute(decided, { signal: abort.signal, onEvent, beforePhase });
    const ending = run.finally(end);
    // What is measured is told in any case; then what the end came to.
    const report = await run.catch(() => ending);
    for (const format of printed) terminal.answer(format.end?.(report) ?? '');
    files.rewrite(report);
    const exitCode = conclude(report, say, request.abortedExitCode);
    await Promise.all([ending, terminal.delivered(), files.written()]);
    return exitCode;
  } finally {
    release();
  }
}

/** Before anything is measured that could then not be told. */
function refuseUnfit(name: FormatName, phases: readonly string[]): void {
  const { needs = [], holds = phases }: Format = formats[name];
  if (!phases.some((phase) => holds.includes(phase))) {
    throw new GobonnieError(
      'option-invalid',
      `--format ${name} has no place for any of --phases ${phases.join(',')}`,
      'pass another --format, such as text or bonnie++',
    );
  }
  const missing = needs.filter((phase) => !phases.includes(phase));
  if (missing.length === 0) return;
  throw new GobonnieError(
    'option-invalid',
    `--format ${name} needs the phases ${needs.join(', ')}, and --phases leaves out ${missing.join(', ')}`,
    'take them into --phases, or pass another --format, or --out FILE.json for the full report',
  );
}

/** What is measured, and not told. */
function leftOut(name: FormatName, phases: readonly string[]): readonly string[] {
  const { holds = phases }: Format = formats[name];
  const untold = phases.filter((phase) => !holds.includes(phase));
  return untold.length === 0 ? [] : [`gobonnie: --format ${name} has no place for ${untold.join(', ')}`];
}

function verbosityOf({ quiet, verbose }: Presentation): Verbosity {
  if (quiet) return 'quiet';
  return verbose ? 'verbose' : 'normal';
}

function conclude({ outcome, runs }: Report, say: (line: string) => void, abortedExitCode?: number): number {
  switch (outcome.state) {
    case 'completed':
      return 0;
    case 'aborted': {
      // They tell of that themselves.
      if (outcome.reason === NO_STDOUT || outcome.reason === NO_REPORT_FILE) return 1;
      const complete = runs.filter(({ state }) => state === 'completed').length;
      say(
        `gobonnie: stopped by ${outcome.reason} after ${counted(complete, 'complete run')}; ` +
          'the temporary files are removed',
      );
      return abortedExitCode ?? signalExitCode(outcome.reason);
    }
    case 'running':
      throw new Error('a run that has ended is not running');
    case 'failed':
      say(`gobonnie: ${outcome.message}; ${outcome.hint}`);
      return 1;
  }
}
