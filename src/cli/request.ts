import type { RunHooks } from '../run/run-context.js';
import type { FlagNames } from './argv/dialect.js';
import type { SplitOptions } from './argv/option-rows.js';
import type { LogFormatter } from './output/log-format.js';
import type { CliProcess, Terminal } from './output/terminal.js';
import type { SignalName } from './signals.js';

/** Carries out a command; gives the exit code. */
export type CommandAction = (process: CliProcess, terminal: Terminal) => Promise<number>;

/** What a dialect adds to a run. */
export interface RunSetup {
  /** Called before the first phase: waits for other processes to join. */
  readonly join?: (signal: AbortSignal) => Promise<void>;
  /** Resolves when a phase may start. */
  readonly beforePhase?: RunHooks['beforePhase'];
  /** Always called after the run. */
  readonly end?: () => Promise<void>;
}

/** The request of a command line. */
export type Request =
  /** The help or the version. */
  | { readonly type: 'print'; readonly text: string }
  | (SplitOptions & {
      readonly type: 'benchmark';
      /** The formats printed on stdout, in this order, unless --format or --json name another. */
      readonly formats: readonly string[];
      /** What the dialect writes to stderr; loaded only when there is something to write. */
      readonly loadLogFormatter: () => Promise<LogFormatter>;
      /** Whether a terminal is shown a table and messages for people. */
      readonly isInteractive?: true | undefined;
      /** Whether stderr is exactly an ancestor's: no progress line, no annotations for a CI job. */
      readonly isCompat?: boolean;
      /** What the dialect calls the flags that messages name. */
      readonly flagNames?: FlagNames;
      /** Called before the machine is inspected. */
      readonly prepare?: (process: CliProcess, terminal: Terminal) => Promise<RunSetup>;
      /** Whether the directory must exist; gobonnie itself makes it for the run. */
      readonly needsDirectory?: boolean;
      /** The exit code after any signal, if not the signal's own. */
      readonly abortedExitCode?: number;
      /** Signals that do not end the run. */
      readonly ignoredSignals?: readonly SignalName[];
    })
  /** Anything else. */
  | { readonly type: 'command'; readonly run: CommandAction };

export type BenchmarkRequest = Extract<Request, { type: 'benchmark' }>;
