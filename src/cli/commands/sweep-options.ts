import * as z from 'zod';
import { fromPercentage, fromSize, inBounds, percentage, toggle } from '../../options/field-schemas.js';
import { optionCatalogue } from '../../options/option-catalogue.js';
import { defaultsTo, MAX_THREADS, switchRow } from '../../options/option-row.js';
import type { OptionsInput, StepInput } from '../../options/options-schema.js';
import { invalidOptionError } from '../../options/validate-options.js';
import { KIB } from '../../text/units.js';
import { cliOptionCatalogue, type OptionRows, type RawOptions } from '../argv/cli-catalogue.js';
import { stepRunOptions } from './step-run.js';

/** Powers of two, as far as the rate grows and the memory lasts. */
const DEFAULT_THREADS: readonly number[] = Array.from({ length: 9 }, (_, power) => 2 ** power);
const DEFAULT_RUNS = 3;
const DEFAULT_IO_BYTES = 4 * KIB;
const ALL_READS = 100;
const POINT_SECONDS = 1;

export const SWEEP_OPTIONS: OptionRows = {
  threads: {
    argument: 'LIST',
    group: 'What to measure',
    help: 'numbers of threads to measure, like 1,4,16,64',
    defaultText: '1, 2, 4, … until the rate stops growing',
    expects: `numbers from 1 to ${MAX_THREADS}, separated by commas`,
    example: '1,4,16,64',
  },
  ioSize: {
    argument: 'LIST',
    group: 'What to measure',
    help: 'sizes of an operation, like 4k or 4k,64k; two sizes tell a limit on operations from one on bytes',
    defaultText: '4k',
    expects: 'sizes, separated by commas',
    example: '4k,64k',
  },
  mix: {
    ...optionCatalogue.mix,
    group: 'What to measure',
    ...defaultsTo(ALL_READS),
  },
  sequential: switchRow(
    'What to measure',
    'one sequential stream that the threads share, instead of random operations: reads, or with --mix 0 writes',
  ),
  iopsDuration: {
    ...optionCatalogue.iopsDuration,
    help: 'duration of each point in seconds',
    ...defaultsTo(POINT_SECONDS),
  },
  latency: {
    argument: 'CONDITION',
    group: 'Output',
    help: 'also find the most threads that meet the condition, like "p99<2ms"',
    expects: 'an upper bound of p99',
    example: '"p99<2ms"',
  },
  from: {
    argument: 'FILE',
    group: 'Output',
    help:
      'analyze points measured elsewhere instead: CSV with the columns threads, iops and p99_us, and optionally mean_us, ' +
      'bytes_per_second and seconds; - is stdin',
    expects: 'the path of a file',
    example: 'points.csv',
  },
  ...stepRunOptions,
  json: {
    ...cliOptionCatalogue.json,
    help: 'print one JSON document with the knee, the quota and the points',
  },
};

/** Splits `4k,64k`. */
function listOf<Item extends z.ZodType>(item: Item) {
  const split = (value: unknown) => (typeof value === 'string' ? value.split(',') : value);
  return z.preprocess(split, z.array(item).min(1));
}

const sweepSchema = z.object({
  threads: listOf(z.coerce.number().pipe(inBounds(optionCatalogue.threads))).optional(),
  ioSize: listOf(fromSize(inBounds(optionCatalogue.ioSize))).default([DEFAULT_IO_BYTES]),
  mix: fromPercentage(percentage.default(ALL_READS)),
  sequential: toggle,
});

/** Returns a run's options with a step for each point. Throws a GobonnieError for the first invalid option. */
export function sweepDefaults(raw: RawOptions): OptionsInput {
  const { data, error } = sweepSchema.safeParse(raw);
  if (!data) {
    const name = String(error.issues[0]?.path[0]);
    throw invalidOptionError(name, SWEEP_OPTIONS[name] as (typeof SWEEP_OPTIONS)[string], raw[name]);
  }
  const { threads, ioSize, mix, sequential } = data;
  const steps = ioSize.flatMap((bytes) =>
    (threads ?? DEFAULT_THREADS).map((count): StepInput => {
      if (!sequential) return { phase: 'random', threads: count, ioSize: bytes, mix };
      return { phase: mix === 0 ? 'write' : 'read', threads: count, blockSize: bytes };
    }),
  );
  return { direct: true, runs: DEFAULT_RUNS, iopsDuration: POINT_SECONDS, steps };
}
