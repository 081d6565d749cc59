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
import type { BenchmarkRequest } from '../request.js';
import { catchSignals, signalExitCode } from '../signals.js';
import type { CliProcess, Terminal } from '../terminal.js';

const NO_STDOUT = 'a stdout that takes nothing';

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
  const abort = new AbortController();
  const release = catchSignals(process, (name) => abort.abort(name));
  terminal.onFailure = () => abort.abort(NO_STDOUT);
  const report = await execute(decided, {
    signal: abort.signal,
    onEvent: (event) => {
      for (const line of narrate(event, verbosity)) terminal.narrate(line);
      if (event.type === 'phase-end') terminal.answer(format.phase?.(event.measurement) ?? '');
    },
  });
  terminal.answer(format.end?.(report) ?? '');
  const exitCode = conclude(report, terminal);
  await terminal.delivered().finally(release);
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
      // The terminal tells of that itself.
      if (outcome.reason === NO_STDOUT) return 1;
      const complete = runs.filter(({ state }) => state === 'completed').length;
      terminal.narrate(
        `gobonnie: stopped by ${outcome.reason} after ${counted(complete, 'complete run')}; ` +
          'the temporary files are removed',
      );
      return signalExitCode(outcome.reason);
    }
    case 'failed':
      terminal.narrate(`gobonnie: ${outcome.message}; ${outcome.hint}`);
      return 1;
  }
}
