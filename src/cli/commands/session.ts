import { formatErrorLine } from '../../errors.js';
import { createPaint, type Paint } from '../../format/writing/paint.js';
import { optionCatalogue } from '../../options/option-catalogue.js';
import { toFlag } from '../../options/option-row.js';
import { isComplete } from '../../report/results.js';
import type { Report } from '../../report/schema/report.js';
import { Watcher } from '../../scratch/watcher/watcher.js';
import { pluralize } from '../../text/units.js';
import { type CliOptions, colorSetting } from '../argv/cli-options.js';
import { EXIT_CODES } from '../exit-codes.js';
import { ReportFiles } from '../files/report-files.js';
import { Interruption, OUT_FAILED, STDOUT_FAILED } from '../interruption.js';
import { type GithubReport, writeGithubReport } from '../output/github-report.js';
import type { CliProcess, Terminal } from '../output/terminal.js';
import { detectTerminalStyle } from '../output/terminal-style.js';
import { Progress } from '../progress/progress.js';
import type { BenchmarkRequest } from '../request.js';
import { signalExitCode } from '../signals.js';

interface SessionOptions extends Pick<BenchmarkRequest, 'abortedExitCode' | 'ignoredSignals' | 'isCompat'> {
  readonly cliOptions: CliOptions;
  /** True if events are printed on the same screen, which makes a progress line redundant. */
  readonly showsEvents: boolean;
  /** True if event files grow during the run, see `ReportFiles`. */
  readonly appendsEvents: boolean;
}

/** Resources of a command that measures. */
export interface Session {
  readonly watcher: Watcher;
  readonly files: ReportFiles;
  /** Null if no progress is shown. */
  readonly progress: Progress | null;
  /** Colours for lines on stderr. */
  readonly paint: Paint;
  /** Aborted when the run has to end early. */
  readonly signal: AbortSignal;
}

/** Outcome of a measurement whose results are already on stdout and in the files of --out. */
export interface SessionResult extends Pick<Report, 'outcome' | 'runs'> {
  /** Warnings and verdicts for stderr. */
  readonly lines: readonly string[];
  readonly githubReport: GithubReport;
  /** Exit code of a completed measurement. */
  readonly exitCode: number;
  /** If it rejects, the session also fails. */
  readonly cleanup?: Promise<unknown>;
}

/** Opens the resources, measures, logs the outcome, and closes the resources. Returns the exit code. */
export function withSession(
  options: SessionOptions,
  process: CliProcess,
  terminal: Terminal,
  measure: (session: Session) => Promise<SessionResult>,
): Promise<number> {
  const { cliOptions, showsEvents, appendsEvents, ignoredSignals, isCompat } = options;
  const log = (line: string) => terminal.log(line);
  const style = detectTerminalStyle(process.stderr, process, colorSetting(cliOptions));
  const showsProgress = style.isLive && !cliOptions.quiet && !isCompat && !showsEvents;
  return Watcher.watch(async (watcher) => {
    const onTemporary = (temporary: string) => watcher.register({ temporary });
    const files = await ReportFiles.open(cliOptions.out, onTemporary, appendsEvents);
    const progress = showsProgress ? new Progress(terminal, style) : null;
    const onForcedExit = () => progress?.hide();
    const interruption = new Interruption(process, terminal, { ignored: ignoredSignals, onForcedExit });
    files.onFailure = () => interruption.abort(OUT_FAILED);
    try {
      const { signal } = interruption;
      const result = await measure({ watcher, files, progress, paint: createPaint(style.color), signal });
      for (const line of result.lines) log(line);
      const exitCode = conclude(result, options, log);
      if (!isCompat) await writeGithubReport(result.githubReport, process, cliOptions, log);
      await Promise.all([result.cleanup, terminal.flushed(), files.flush()]);
      return exitCode;
    } finally {
      progress?.hide();
      interruption.end();
      await files.close();
    }
  });
}

/** Logs why a measurement did not complete. Returns the exit code. */
function conclude(
  { outcome, runs, exitCode }: SessionResult,
  { abortedExitCode, isCompat }: SessionOptions,
  log: (line: string) => void,
): number {
  switch (outcome.state) {
    case 'completed':
      return exitCode;
    case 'aborted': {
      // Both reasons have their own error.
      if (outcome.reason === STDOUT_FAILED || outcome.reason === OUT_FAILED) return EXIT_CODES.failure;
      const complete = pluralize(runs.filter(isComplete).length, 'complete run');
      log(`gobonnie: stopped by ${outcome.reason} after ${complete}; the temporary files are removed`);
      return abortedExitCode ?? signalExitCode(outcome.reason);
    }
    case 'running':
      throw new Error('the outcome of a finished run is "running"');
    case 'failed': {
      // An ancestor's command lacks the flags of gobonnie.
      const isForeign = Object.keys(optionCatalogue).some((name) => outcome.hint.includes(toFlag(name)));
      const line =
        isCompat && isForeign
          ? `${outcome.message}; see gobonnie explain ${outcome.code}`
          : formatErrorLine(outcome);
      log(`gobonnie: ${line}`);
      return EXIT_CODES.failure;
    }
  }
}
