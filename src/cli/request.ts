import type { FormatName } from '../format/index.js';
import type { OptionsInput } from '../options/judge.js';
import type { Narrate } from './narration.js';

/** What a dialect makes of a command line. */
export type Request =
  /** Help or the version: an answer that needs no benchmark. */
  | { readonly type: 'say'; readonly text: string }
  | {
      readonly type: 'benchmark';
      readonly input: OptionsInput;
      readonly presentation: unknown;
      readonly format: FormatName;
      /** What the dialect says on stderr of what happens; loaded only where something happens. */
      readonly loadNarrate: () => Promise<Narrate>;
    };

export type BenchmarkRequest = Extract<Request, { type: 'benchmark' }>;

/** A front end that speaks one ancestor's flags. A new one is a file and a row in the table beside it. */
export interface Dialect {
  readonly name: string;
  read(args: readonly string[]): Request;
}
