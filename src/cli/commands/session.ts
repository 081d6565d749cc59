import { formatErrorLine } from '../../errors.js';
import type { Paint } from '../../format/human/paint.js';
import { isComplete } from '../../report/results.js';
import type { Report } from '../../report/schema/report.js';
import { Watcher } from '../../scratch/watcher/watcher.js';
import { pluralize } from '../../text/units.js';
import { type CliOptions, colorSetting } from '../argv/cli-options.js';
import { EXIT_CODES } from '../exit-codes.js';
import { ReportFiles } from '../files/report-files.js';
import { Interruption, OUT_FAILED, STDOUT_FAILED } from '../interruption.js';
import type { CliProcess, Terminal } from '../output/terminal.js';
import { detectTerminalStyle } from '../output/terminal-style.js';
import { Progress } from '../progress/progress.js';
import type { BenchmarkRequest } from '../request.js';
import { signalExitCode } from '../signals.js';

interface SessionOptions extends Pick<BenchmarkRequest, 'ignoredSignals' | 'isCompat'> {
  readonly cliOptions: CliOptions;
  /** True if events are printed on the same screen, which makes a progress line redundant. */
  readonly showsEvents: boolean;
  /** True if event files grow during the run, see `ReportFiles`. */
  readonly appendsEvents: boolean;
}

/** Resources of a command that measures, from its plan to its exit code. */
export class Session implements AsyncDisposable {
  readonly watcher: Watcher;
  readonly files: ReportFiles;
  /** Null if no progress is shown. */
  readonly progress: Progress | null;
  /** Colours for lines on stderr. */
  readonly paint: Paint;
  readonly #interruption: Interruption;
  readonly #terminal: Terminal;

  private constructor(
    { cliOptions, showsEvents, ignoredSignals, isCompat }: SessionOptions,
    process: CliProcess,
    terminal: Terminal,
    watcher: Watcher,
    files: ReportFiles,
  ) {
    const style = detectTerminalStyle(process.stderr, process, colorSetting(cliOptions));
    const showsProgress =
      style.isLive && !terminal.isSilent && !cliOptions.quiet && !isCompat && !showsEvents;
    this.watcher = watcher;
    this.files = files;
    this.progress = showsProgress ? new Progress(terminal, style) : null;
    this.paint = style.paint;
    this.#terminal = terminal;
    this.#interruption = new Interruption(process, terminal, {
      ignored: ignoredSignals,
      onForcedExit: () => this.progress?.hide(),
    });
    files.onFailure = () => this.#interruption.abort(OUT_FAILED);
  }

  /** Opens the files of --out. */
  static async open(options: SessionOptions, process: CliProcess, terminal: Terminal): Promise<Session> {
    const watcher = new Watcher();
    try {
      const out = terminal.isSilent ? [] : options.cliOptions.out;
      const onTemporary = (temporary: string) => watcher.register({ temporary });
      const files = await ReportFiles.open(out, onTemporary, options.appendsEvents);
      return new Session(options, process, terminal, watcher, files);
    } catch (error) {
      watcher[Symbol.dispose]();
      throw error;
    }
  }

  /** Aborted when the run has to end early. */
  get signal(): AbortSignal {
    return this.#interruption.signal;
  }

  /** Throws if the results could not be written to stdout or to a file of --out. */
  async flush(): Promise<void> {
    await Promise.all([this.#terminal.flushed(), this.files.flush()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.progress?.hide();
    this.#interruption[Symbol.dispose]();
    await this.files.close();
    this.watcher[Symbol.dispose]();
  }
}

/** Logs why a measurement did not complete. Returns the exit code, which is `completedExitCode` if it did. */
export function conclude(
  { outcome, runs }: Pick<Report, 'outcome' | 'runs'>,
  completedExitCode: number,
  { abortedExitCode, isCompat }: Pick<BenchmarkRequest, 'abortedExitCode' | 'isCompat'>,
  log: (line: string) => void,
): number {
  switch (outcome.state) {
    case 'completed':
      return completedExitCode;
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
      // Hints name flags that an ancestor's command lacks.
      const line = isCompat
        ? `${outcome.message}; see gobonnie explain ${outcome.code}`
        : formatErrorLine(outcome);
      log(`gobonnie: ${line}`);
      return EXIT_CODES.failure;
    }
  }
}
