import type { Command } from 'commander';
import type { RunHooks } from '../run/run.js';
import type { Asked } from './argv/asked.js';
import type { FlagNames } from './argv/wording.js';
import type { Narrate } from './output/narration.js';
import type { CliProcess, Terminal } from './output/terminal.js';
import type { SignalName } from './signals.js';

/** Does what was asked for; gives the exit code. */
export type Act = (process: CliProcess, terminal: Terminal) => Promise<number>;

/** What a dialect adds to a run. */
export interface Preparation {
  /** When everything is judged: takes a seat where others wait. */
  readonly join?: (signal: AbortSignal) => Promise<void>;
  /** Resolves when a phase may start. */
  readonly beforePhase?: RunHooks['beforePhase'];
  /** Called in any case, when nothing runs any more. */
  readonly end?: () => Promise<void>;
}

/** What a dialect makes of a command line. */
export type Request =
  /** Help or the version: an answer that needs no benchmark. */
  | { readonly type: 'say'; readonly text: string }
  | (Asked & {
      readonly type: 'benchmark';
      /** What is printed on stdout where the presentation names no other: by name, one after the other. */
      readonly formats: readonly string[];
      /** What the dialect says on stderr of what happens; loaded only where something happens. */
      readonly loadNarrate: () => Promise<Narrate>;
      /** Where stderr is an ancestor's, word for word: nothing is drawn over it, and no runner of jobs is told anything. */
      readonly isAncestral?: boolean;
      /** What the dialect calls the flags that messages name. */
      readonly flagNames?: FlagNames;
      /** What has to be done before anything is looked at; loaded only then. */
      readonly prepare?: (process: CliProcess, terminal: Terminal) => Promise<Preparation>;
      /** Whether the directory has to be there; gobonnie's own way is to make it for the time of the run. */
      readonly needsDirectory?: boolean;
      /** Where a signal does not end with the code that is usual for it. */
      readonly abortedExitCode?: number;
      /** Signals that do not end it. */
      readonly ignoredSignals?: readonly SignalName[];
    })
  /** Anything else; loaded only when it is done. */
  | { readonly type: 'act'; readonly load: () => Promise<Act> };

export type BenchmarkRequest = Extract<Request, { type: 'benchmark' }>;

/** The headings of the list of commands, in its order. */
export const COMMAND_GROUPS = ['Commands', 'As its ancestors'] as const;

/** A front end that speaks one ancestor's flags. A new one is a file and a row in the table beside it. */
export interface Dialect {
  readonly name: string;
  /** A line for the list of commands, and where that has it. */
  readonly summary: string;
  readonly group: (typeof COMMAND_GROUPS)[number];
  /** All that it takes and tells of itself, for its help and for what a shell completes. */
  command(): Command;
  /** Lexes with that command. */
  read(args: readonly string[]): Request;
}
