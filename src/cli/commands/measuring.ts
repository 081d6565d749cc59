import type { Format } from '../../format/format.js';
import { type FormatName, formats } from '../../format/index.js';
import { paintFor } from '../../format/writing/paint.js';
import type { Plan } from '../../plan/plan.js';
import type { RunEvent } from '../../report/events/event.js';
import { isUrgent } from '../../report/warning-catalogue.js';
import { execute } from '../../run/run.js';
import { colorAsked, type Presentation } from '../argv/presentation.js';
import { EXIT_CODES } from '../exit-codes.js';
import { stallLine } from '../interruption.js';
import { Answer } from '../output/answer.js';
import { jobReportOfRun } from '../output/github.js';
import { type Verbosity, warningLines } from '../output/narration.js';
import type { CliProcess, Terminal } from '../output/terminal.js';
import { terminalStyleOf } from '../output/terminal-style.js';
import type { BenchmarkRequest, Preparation } from '../request.js';
import { judgementLines, judgeReport, type Standards } from '../standards.js';
import { inSession, type Measured, type Session } from './session.js';

/** A request, judged. */
export interface Benchmark {
  readonly request: BenchmarkRequest;
  readonly presentation: Presentation;
  /** What stdout is given, in this order. */
  readonly formats: readonly FormatName[];
  readonly standards: Standards;
}

/** Carries the plan out and reports what comes of it; gives the exit code. */
export async function measure(
  plan: Plan,
  benchmark: Benchmark,
  { join, beforePhase, end }: Preparation,
  process: CliProcess,
  terminal: Terminal,
): Promise<number> {
  const { request, presentation, standards } = benchmark;
  const say = (line: string) => terminal.narrate(line);
  const narrate = await request.loadNarrate();
  const verbosity = verbosityOf(presentation);
  const style = terminalStyleOf(process.stderr, process, colorAsked(presentation));
  const printed = benchmark.formats.map((name) => formats[name]);

  async function measureIn({ watcher, files, progress, signal }: Session): Promise<Measured> {
    const answer = new Answer(printed, terminal, files);
    const onEvent = (event: RunEvent) => {
      progress?.take(event);
      const isLater = event.type === 'warning' && !isUrgent(event.warning);
      if (!isLater) for (const line of narrate(event, verbosity)) say(line);
      if (event.type === 'stall') say(stallLine(event));
      // The end is given to the answer when it has been judged.
      if (event.type !== 'end') answer.tell(event);
    };
    await join?.(signal);
    const run = execute(plan, { signal, onEvent, beforePhase }, watcher);
    const ending = run.finally(end);
    // What was measured is printed even if `end` fails.
    const measured = await run.catch(() => ending);
    const judgement = measured.outcome.state === 'completed' ? judgeReport(measured, standards) : null;
    const { report } = judgement ?? { report: measured };
    answer.tell({ type: 'end', report });
    const paint = paintFor(style.color);
    return {
      ...report,
      lines: [
        ...warningLines(report.warnings, narrate, verbosity, paint),
        ...(judgement ? judgementLines(judgement, presentation.quiet, paint) : []),
      ],
      jobReport: jobReportOfRun(report, judgement?.comparison ?? null),
      exitCode: judgement?.exitCode ?? EXIT_CODES.done,
      ending,
    };
  }

  const showsProgress = !presentation.quiet && !request.isAncestral && !fillsScreen(printed, terminal);
  return inSession(
    { ...request, presentation, style, showsProgress, growsFiles: true },
    process,
    terminal,
    measureIn,
  );
}

/** Events on the same screen show the progress as well. */
function fillsScreen(printed: readonly Format[], terminal: Terminal): boolean {
  return terminal.mayShowAnswer && printed.some(({ event }) => event);
}

function verbosityOf({ quiet, verbose }: Presentation): Verbosity {
  if (quiet) return 'quiet';
  return verbose ? 'verbose' : 'normal';
}
