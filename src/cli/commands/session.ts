import { formatErrorLine } from '../../errors.js';
import type { Format } from '../../format/format.js';
import { planText } from '../../format/human/commands/plan-text.js';
import type { Machine } from '../../machine/machine-schema.js';
import type { Options } from '../../options/options-schema.js';
import type { RunPlan } from '../../plan/plan.js';
import type { Step } from '../../plan/steps.js';
import { isComplete } from '../../report/runs.js';
import type { Outcome, Run } from '../../report/schema/report.js';
import { preflight } from '../../run/preflight.js';
import type { RemovalResult } from '../../scratch/leftovers.js';
import { Watcher } from '../../scratch/watcher/watcher.js';
import { stringifySafely } from '../../text/escape.js';
import { pluralize } from '../../text/units.js';
import type { CliOptions } from '../argv/cli-options.js';
import { withProgramName } from '../argv/program-name.js';
import type { Settings } from '../config/settings.js';
import { EXIT_CODES, signalExitCode } from '../exit-codes.js';
import { validateOutFile } from '../files/out-file.js';
import { ReportFiles } from '../files/report-files.js';
import { createInterruption, createStallDetector, OUT_FAILED, STDOUT_FAILED } from '../interruption.js';
import { removalLine } from '../output/log-format.js';
import { detectPaint, detectScreen, type Terminal } from '../output/terminal.js';
import { showProgress } from '../progress/progress.js';
import type { BenchmarkRequest } from '../request.js';

/** Inspects the machine and, without --dry-run, removes leftovers of killed runs from the directory. */
export async function runPreflight(
  options: Options,
  { dryRun }: Pick<CliOptions, 'dryRun'>,
  log: (line: string) => void,
): Promise<Machine> {
  const stallDetector = createStallDetector(options.stallTimeout, log);
  const onLeftover = (removal: RemovalResult) => log(removalLine(removal));
  return preflight(options, stallDetector, dryRun ? null : onLeftover);
}

/** Prints the plans for --dry-run, which rejects everything that a run would reject. Returns the exit code. */
export async function printPlans(
  plans: readonly RunPlan[],
  { cliOptions, mostRuns }: Pick<Settings, 'cliOptions' | 'mostRuns'>,
  printsJson: boolean,
  terminal: Terminal,
  note?: string,
): Promise<number> {
  for (const file of cliOptions.out) await validateOutFile(file);
  for (const printedPlan of plans)
    terminal.print(
      printsJson
        ? stringifySafely(toPlanDocument(printedPlan))
        : withProgramName(planText(printedPlan, mostRuns, note), terminal.process.env),
    );
  return EXIT_CODES.success;
}

/** A phase prints as its name. */
function toPlanDocument({ layout, steps, ...facts }: RunPlan): unknown {
  const toDocument = ({ phase, ...step }: Step) => ({ ...step, phase: phase.name });
  return { ...facts, layout: layout && toDocument(layout), steps: steps.map(toDocument) };
}

interface SessionOptions extends Pick<BenchmarkRequest, 'ignoredSignals' | 'isCompat' | 'endsOnSignal'> {
  readonly cliOptions: CliOptions;
  /** The formats of --out by extension; by default the formats of reports. */
  readonly outFormats?: Readonly<Record<string, Format>> | undefined;
  /** True if events are printed on the same screen, which makes a progress line redundant. */
  readonly showsEvents: boolean;
}

/** Resources of a command that measures, from its plan to its exit code. */
export type Session = Awaited<ReturnType<typeof openSession>>;

/** Opens the files of --out, catches signals and shows the progress, until the session is disposed. */
export async function openSession(
  { cliOptions, outFormats, showsEvents, ignoredSignals, isCompat, endsOnSignal }: SessionOptions,
  terminal: Terminal,
) {
  const { process } = terminal;
  const watcher = new Watcher();
  const out = terminal.isSilent ? [] : cliOptions.out;
  const onTemporary = (temporary: string) => watcher.register({ temporary });
  const files = await ReportFiles.open(out, onTemporary, outFormats).catch((error: unknown) => {
    watcher[Symbol.dispose]();
    throw error;
  });
  const { color } = cliOptions;
  const screen = detectScreen(process.stderr, process, color);
  const hidesProgress = terminal.isSilent || cliOptions.quiet || isCompat || showsEvents;
  const updateProgress = screen && !hidesProgress ? showProgress(terminal, screen) : null;
  const interruption = createInterruption(terminal, ignoredSignals, endsOnSignal);
  files.onFailure = () => interruption.abort(OUT_FAILED);
  return {
    watcher,
    files,
    /** Null if no progress is shown. */
    updateProgress,
    /** The terminal that shows stderr. Null for a log. */
    screen,
    /** Colours for lines on stderr. */
    paint: detectPaint(process.stderr, process, color),
    /** Aborted when the run has to end early. */
    signal: interruption.signal,
    /** Aborted when the step in progress has to end, with its result. */
    end: interruption.end,
    /** Throws if the results could not be written to stdout or to a file of --out. */
    async flush() {
      await Promise.all([terminal.flushed(), files.flush()]);
    },
    async [Symbol.asyncDispose]() {
      terminal.endLiveLine();
      interruption[Symbol.dispose]();
      await files.close();
      watcher[Symbol.dispose]();
    },
  };
}

interface Ending extends Pick<BenchmarkRequest, 'abortedExitCode' | 'isCompat'> {
  /** True if there were no files to remove. */
  readonly writesNothing?: boolean;
}

/**
 * Logs why a measurement did not complete, and what it completed. Returns the exit code, which is `completedExitCode` if
 * it did.
 */
export function conclude(
  outcome: Outcome,
  completed: string,
  completedExitCode: number,
  { abortedExitCode, isCompat, writesNothing }: Ending,
  log: (line: string) => void,
): number {
  switch (outcome.state) {
    case 'completed':
      return completedExitCode;
    case 'aborted': {
      const { reason } = outcome;
      // Both reasons have their own error.
      if (reason === STDOUT_FAILED || reason === OUT_FAILED) return EXIT_CODES.failure;
      const removal = writesNothing ? '' : '; the temporary files are removed';
      log(`gobonnie: stopped by ${reason} after ${completed}${removal}`);
      return abortedExitCode ?? signalExitCode(reason);
    }
    case 'running':
      throw new Error('the outcome of a finished run is "running"');
    case 'failed': {
      // Hints name flags that an ancestor's command lacks.
      const line = isCompat
        ? `${outcome.message}; see gobonnie explain ${outcome.code}`
        : formatErrorLine(outcome);
      log(`gobonnie: ${line}`);
      return EXIT_CODES.failure;
    }
  }
}

export function countCompleteRuns(runs: readonly Run[]): string {
  return pluralize(runs.filter(isComplete).length, 'complete run');
}
