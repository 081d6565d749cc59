import type { Format } from '../format/format.js';
import type { Screen } from '../format/human/screen.js';
import type { Machine } from '../machine/machine-schema.js';
import type { Options } from '../options/options-schema.js';
import type { RunPlan } from '../plan/plan.js';
import type { Report } from '../report/schema/report.js';
import type { ExecuteHooks } from '../run/run-context.js';
import type { FlagNames } from './argv/dialect.js';
import type { LogFormatName } from './compat/log-formats.js';
import type { OptionSources } from './config/settings.js';
import type { SignalName } from './interruption.js';
import type { CliProcess, Terminal } from './output/terminal.js';

/** Resolves when the phase may start. */
export type BeforeStep = NonNullable<ExecuteHooks['beforeStep']>;

/** Returns the options for this machine. Logs what it changes. */
type AdaptOptions = (options: Options, machine: Machine, log: Terminal['log'], isJob: boolean) => Options;

export interface BenchmarkRequest extends OptionSources {
  readonly type: 'benchmark';
  /** The command that chooses the steps, for the report. */
  readonly command?: Report['command'];
  readonly adapt?: AdaptOptions;
  /** Returns a note to print before the run starts, or in its plan. Throws if the user has to confirm the plan first. */
  readonly announce?: (plan: RunPlan, process: CliProcess) => string;
  /** Plans the reference, which is measured after a run outside a job. Returns null without a reference directory. */
  readonly planReference?: (plan: RunPlan) => Promise<RunPlan | null>;
  readonly isStepNeeded?: ExecuteHooks['isStepNeeded'];
  /** Creates the format of stdout, unless --format selects another. */
  readonly createFormat?: (screen: Screen) => Format;
  /** Formats printed to stdout, in this order, unless --format or --json selects another. */
  readonly formats: readonly string[];
  /** The format of stderr, by default gobonniego's. */
  readonly logFormat?: LogFormatName;
  /** True to show a table and interactive messages on a terminal. */
  readonly isInteractive?: true | undefined;
  /** True for an ancestor's own behaviour: stderr has no progress line and no CI annotations. */
  readonly isCompat?: boolean;
  /** True if the first signal ends the run like its time, with all results. */
  readonly endsOnSignal?: true | undefined;
  readonly flagNames?: FlagNames;
  /** Called before the machine is inspected. */
  readonly prepare?: (terminal: Terminal) => Promise<BeforeStep | undefined>;
  /** Exit code after any signal, instead of the signal's own code. */
  readonly abortedExitCode?: number;
  readonly ignoredSignals?: readonly SignalName[];
}

export type Request =
  | { readonly type: 'print'; readonly text: string }
  | { readonly type: 'command'; readonly run: (terminal: Terminal) => Promise<number> }
  | BenchmarkRequest;
