import type { Format } from '../../format/format.js';
import { formats } from '../../format/index.js';
import { planJson, planText } from '../../format/plan.js';
import { inspect } from '../../machine.js';
import { judge } from '../../options/judge.js';
import { plan } from '../../plan.js';
import type { Report } from '../../report/report.js';
import type { RunEvent } from '../../run/events.js';
import { execute } from '../../run/run.js';
import { counted } from '../../units.js';
import { logTime, narrate, type Verbosity } from '../narration.js';
import { judgePresentation, type Presentation } from '../presentation.js';
import type { Request } from '../request.js';
import { catchSignals, signalExitCode } from '../signals.js';
import type { CliProcess, Terminal } from '../terminal.js';

/** Measures and prints; gives the exit code. */
export async function benchmark(
  request: Extract<Request, { type: 'benchmark' }>,
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

  const format: Format = presentation.json ? formats.json : formats.text;
  const abort = new AbortController();
  const release = catchSignals(process, (name) => abort.abort(name));
  terminal.onFailure = () => abort.abort('output-failed');
  const report = await execute(decided, {
    signal: abort.signal,
    onEvent: (event) => show(event, format, verbosityOf(presentation), terminal),
  });
  terminal.answer(format.end?.(report) ?? '');
  await terminal.delivered().finally(release);
  return conclude(report, terminal);
}

function show(event: RunEvent, format: Format, verbosity: Verbosity, terminal: Terminal): void {
  for (const line of narrate(event, verbosity)) terminal.narrate(`${logTime(new Date())} ${line}`);
  if (event.type === 'phase-end') terminal.answer(format.phase?.(event.measurement) ?? '');
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
