import { inOneLine } from '../../errors.js';
import type { Format } from '../../format/format.js';
import { type FormatName, formats } from '../../format/index.js';
import { paintFor } from '../../format/writing/paint.js';
import type { Plan } from '../../plan/plan.js';
import type { RunEvent } from '../../report/events/event.js';
import { isComplete } from '../../report/schema/complete.js';
import type { Report } from '../../report/schema/report.js';
import { execute } from '../../run/run.js';
import { Watcher } from '../../scratch/watcher.js';
import { counted } from '../../text/units.js';
import type { Presentation } from '../argv/presentation.js';
import { EXIT_CODES } from '../exit-codes.js';
import { ReportFiles } from '../files/report-files.js';
import { Interruption, stallLine } from '../interruption.js';
import { Answer } from '../output/answer.js';
import { jobOf, tellingOfRun, tellJob } from '../output/github.js';
import type { Verbosity } from '../output/narration.js';
import type { CliProcess, Terminal } from '../output/terminal.js';
import type { Look } from '../output/terminal-style.js';
import { isUrgent, warningLines } from '../output/warnings.js';
import { Progress } from '../progress/progress.js';
import type { BenchmarkRequest, Preparation } from '../request.js';
import { signalExitCode } from '../signals.js';
import { type Judgement, judgementLines, judgeReport, type Standards } from '../standards.js';
import { unlikenessError } from './compare.js';

export const NO_STDOUT = 'a stdout that takes nothing';
export const NO_REPORT_FILE = 'a file of --out that takes nothing';

/** What was asked for beside the plan, and whom it is told. */
export interface Telling {
  readonly request: BenchmarkRequest;
  readonly presentation: Presentation;
  /** Of stderr. */
  readonly look: Look;
  readonly formats: readonly FormatName[];
  readonly standards: Standards;
  readonly preparation: Preparation;
  readonly process: CliProcess;
  readonly terminal: Terminal;
  readonly say: (line: string) => void;
}

/** Carries the plan out, prints what comes of it, and gives the exit code. */
export function measure(plan: Plan, telling: Telling): Promise<number> {
  return Watcher.during((watcher) => measureWatched(plan, telling, watcher));
}

async function measureWatched(plan: Plan, telling: Telling, watcher: Watcher): Promise<number> {
  const { request, presentation, look, formats: names, standards } = telling;
  const { preparation, process, terminal, say } = telling;
  const narrate = await request.loadNarrate();
  const verbosity = verbosityOf(presentation);
  const files = await ReportFiles.open(presentation.out, (temporary) => watcher.expect({ temporary }));
  const printed = names.map((name) => formats[name]);
  const answer = new Answer(printed, terminal, files);
  const progress = progressFor(telling, printed);
  const interruption = new Interruption(process, say, { ignored: request.ignoredSignals });
  interruption.onLeave = () => progress?.hide();
  terminal.onFailure = () => interruption.abort(NO_STDOUT);
  files.onFailure = () => interruption.abort(NO_REPORT_FILE);
  const { join, beforePhase, end } = preparation;
  const { signal } = interruption;
  const onEvent = (event: RunEvent) => {
    progress?.take(event);
    const isLater = event.type === 'warning' && !isUrgent(event.warning);
    if (!isLater) for (const line of narrate(event, verbosity)) say(line);
    if (event.type === 'stall') say(stallLine(event));
    // The end is told when it has been judged.
    if (event.type !== 'end') answer.tell(event);
  };
  try {
    await join?.(signal);
    const run = execute(plan, { signal, onEvent, beforePhase }, watcher);
    const ending = run.finally(end);
    // What is measured is told in any case; then what the end came to.
    const measured = await run.catch(() => ending);
    const judgement = measured.outcome.state === 'completed' ? judgeReport(measured, standards) : null;
    const { report } = judgement ?? { report: measured };
    answer.tell({ type: 'end', report });
    const paint = paintFor(look.color);
    const untold = report.warnings.filter((warning) => !isUrgent(warning));
    for (const line of warningLines(untold, narrate, verbosity, paint)) say(line);
    const exitCode = conclude(report, say, request);
    if (judgement) for (const line of judgementLines(judgement, presentation.quiet, paint)) say(line);
    const job = request.isAncestral ? null : jobOf(process, presentation);
    if (job) await tellJob(job, tellingOfRun(report, judgement?.comparison ?? null), say);
    await Promise.all([ending, terminal.delivered(), files.written()]);
    return judgement ? judgedExitCode(judgement, say) : exitCode;
  } finally {
    progress?.hide();
    interruption.end();
    await files.close();
  }
}

/** Of a run that came to its end. */
function judgedExitCode({ isMet, comparison }: Judgement, say: (line: string) => void): number {
  if (isMet === null && comparison) say(`gobonnie: ${unlikenessError(comparison).line}`);
  if (isMet === null) return EXIT_CODES.usage;
  return isMet ? EXIT_CODES.done : EXIT_CODES.unmet;
}

/** Null where nobody looks on, where an ancestor's words tell it, and where events fill the same screen as they happen. */
function progressFor(
  { look, presentation, request, terminal }: Telling,
  printed: readonly Format[],
): Progress | null {
  const isFull = terminal.mayShowAnswer && printed.some(({ event }) => event);
  if (!look.isLive || isFull || presentation.quiet || request.isAncestral) return null;
  return new Progress(terminal, look);
}

function verbosityOf({ quiet, verbose }: Presentation): Verbosity {
  if (quiet) return 'quiet';
  return verbose ? 'verbose' : 'normal';
}

/** Says how it ended; gives the exit code. */
export function conclude(
  { outcome, runs }: Pick<Report, 'outcome' | 'runs'>,
  say: (line: string) => void,
  { abortedExitCode, isAncestral }: Pick<BenchmarkRequest, 'abortedExitCode' | 'isAncestral'> = {},
): number {
  switch (outcome.state) {
    case 'completed':
      return EXIT_CODES.done;
    case 'aborted': {
      // They tell of that themselves.
      if (outcome.reason === NO_STDOUT || outcome.reason === NO_REPORT_FILE) return EXIT_CODES.failure;
      const complete = runs.filter(isComplete).length;
      say(
        `gobonnie: stopped by ${outcome.reason} after ${counted(complete, 'complete run')}; ` +
          'the temporary files are removed',
      );
      return abortedExitCode ?? signalExitCode(outcome.reason);
    }
    case 'running':
      throw new Error('a run that has ended is not running');
    case 'failed':
      // A hint names flags that an ancestor's dialect does not have.
      say(
        `gobonnie: ${isAncestral ? `${outcome.message}; see gobonnie explain ${outcome.code}` : inOneLine(outcome)}`,
      );
      return EXIT_CODES.failure;
  }
}
