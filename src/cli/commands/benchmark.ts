import type { Format } from '../../format/format.js';
import { formats } from '../../format/index.js';
import { planJson, planText } from '../../format/plan.js';
import { inspect } from '../../machine.js';
import { judge } from '../../options/judge.js';
import { plan } from '../../plan.js';
import type { Report } from '../../report/report.js';
import { execute } from '../../run/run.js';
import { counted } from '../../units.js';
import type { Verbosity } from '../narration.js';
import { judgePresentation, type Presentation } from '../presentation.js';
import { ReportFiles } from '../report-files.js';
import type { BenchmarkRequest } from '../request.js';
import { catchSignals, signalExitCode } from '../signals.js';
import type { CliProcess, Terminal } from '../terminal.js';

const NO_STDOUT = 'a stdout that takes nothing';
const NO_REPORT_FILE = 'a file of --out that takes nothing';

/** Measures and prints; gives the exit code. */
export async function benchmark(
  request: BenchmarkRequest,
  process: CliProcess,
  terminal: Terminal,
): Promise<number> {
  const presentation = judgePresentation(request.presentation);
  const options = judge(request.input);
  const decided = plan(options, await inspect(options.dir));
  if (presentation.dryRun) {
    terminal.answer(presentation.json ? planJson(decided) : planText(decided));
    return 0;
  }

  const narrate = await request.loadNarrate();
  const format: Format = formats[request.format];
  const verbosity = verbosityOf(presentation);
  const files = await ReportFiles.open(presentation.out);
  const abort = new AbortController();
  const release = catchSignals(process, (name) => abort.abort(name));
  terminal.onFailure = () => abort.abort(NO_STDOUT);
  files.onFailure = () => abort.abort(NO_REPORT_FILE);
  const report = await execute(decided, {
    signal: abort.signal,
    onEvent: (event) => {
      for (const line of narrate(event, verbosity)) terminal.narrate(line);
      if (event.type === 'phase-end') terminal.answer(format.phase?.(event.measurement) ?? '');
      if (event.type === 'run-end') files.rewrite(event.report);
    },
  });
  terminal.answer(format.end?.(report) ?? '');
  files.rewrite(report);
  const exitCode = conclude(report, terminal);
  await Promise.all([terminal.delivered(), files.written()]).finally(release);
  return exitCode;
}

function verbosityOf({ quiet, verbose }: Presentation): Verbosity {
  if (quiet) return 'quiet';
  return verbose ? 'verbose' : 'normal';
}

function conclude({ outcome, runs }: Report, terminal: Terminal): number {
  switch (outcome.state) {
    case 'completed':
      return 0;
    case 'aborted': {
      // They tell of that themselves.
      if (outcome.reason === NO_STDOUT || outcome.reason === NO_REPORT_FILE) return 1;
      const complete = runs.filter(({ state }) => state === 'completed').length;
      terminal.narrate(
        `gobonnie: stopped by ${outcome.reason} after ${counted(complete, 'complete run')}; ` +
          'the temporary files are removed',
      );
      return signalExitCode(outcome.reason);
    }
    case 'running':
      throw new Error('a run that has ended is not running');
    case 'failed':
      terminal.narrate(`gobonnie: ${outcome.message}; ${outcome.hint}`);
      return 1;
  }
}
