import * as z from 'zod';
import { contradictionError, optionError } from '../../errors.js';
import { analyzeReport, sweepReportText, sweepText } from '../../format/human/commands/sweep-text.js';
import { PLAIN_SCREEN } from '../../format/human/screen.js';
import type { Machine } from '../../machine/machine-schema.js';
import { fromPercentage, fromSize, inBounds, percentage, toggle } from '../../options/field-schemas.js';
import { MAX_DEPTH, optionCatalogue } from '../../options/option-catalogue.js';
import { defaultsTo, inGroup, MAX_THREADS, pathOf, switchRow } from '../../options/option-row.js';
import type { Options, OptionsInput, StepInput } from '../../options/options-schema.js';
import { parseOptions } from '../../options/validate-options.js';
import { fitsMemory } from '../../plan/plan-step.js';
import { readPoints } from '../../read/points-csv.js';
import { isPointNeeded } from '../../sweep/measured-points.js';
import { UNKNOWN_FACTS } from '../../sweep/quota.js';
import { analyzeSweep, type LatencyBound, parseLatencyBound } from '../../sweep/sweep-result.js';
import { display, stringifySafely } from '../../text/escape.js';
import { flag, msg } from '../../text/message-template.js';
import { KIB } from '../../text/units.js';
import type { OptionRows, RawOptions } from '../argv/cli-catalogue.js';
import { validateCliOptions } from '../argv/cli-options.js';
import { COMPARED } from '../config/settings.js';
import { EXIT_CODES } from '../exit-codes.js';
import { readNamedText } from '../files/input-file.js';
import { detectScreen, type Terminal } from '../output/terminal.js';
import { defineStepCommand } from './step-command.js';

/** Powers of two, as far as the rate grows and the memory lasts. */
const DEFAULT_DEPTHS: readonly number[] = Array.from({ length: 9 }, (_, power) => 2 ** power);
const DEFAULT_RUNS = 3;
const DEFAULT_IO_BYTES = 4 * KIB;
const ALL_READS = 100;
const POINT_SECONDS = 1;

/** The options that apply to points measured elsewhere. */
const ANALYSIS_OPTIONS: readonly string[] = ['from', 'latency', 'json', 'color', 'noColor'];

const SWEEP_OPTIONS: OptionRows = {
  ...inGroup('What to measure', {
    depth: {
      argument: 'LIST',
      help: 'numbers of operations to keep in flight, like 1,4,16,64: by one thread with io_uring, otherwise by as many threads',
      defaultText: '1, 2, 4, … 256, while the rate grows',
      expects: `numbers from 1 to ${MAX_DEPTH}, separated by commas`,
      example: '1,4,16,64',
    },
    threads: {
      argument: 'LIST',
      help: 'numbers of threads to measure instead, each with one operation in flight',
      conflicts: ['depth'],
      expects: `numbers from 1 to ${MAX_THREADS}, separated by commas`,
      example: '1,4,16,64',
    },
    ioSize: {
      argument: 'LIST',
      help: 'sizes of an operation, like 4k or 4k,64k; two sizes show whether IOPS or bandwidth is limited',
      defaultText: '4k',
      expects: 'sizes, separated by commas',
      example: '4k,64k',
    },
    mix: {
      ...optionCatalogue.mix,
      ...defaultsTo(ALL_READS),
    },
    sequential: switchRow(
      'one sequential stream instead of random operations; threads share it; reads, or with --mix 0 writes',
    ),
  }),
  iopsDuration: {
    ...optionCatalogue.iopsDuration,
    help: 'duration of each point in seconds',
    ...defaultsTo(POINT_SECONDS),
  },
  ...inGroup('Output', {
    latency: {
      argument: 'CONDITION',
      help: 'also find the greatest depth that meets the condition, like "p99<2ms"',
      conflicts: ['format'],
      expects: 'an upper bound of p99',
      example: '"p99<2ms"',
    },
    from: {
      help:
        'analyze points measured elsewhere instead: CSV with the columns depth and iops, and optionally p99_us, mean_us, ' +
        'bytes_per_second and at_seconds, the time since the first point; - is stdin',
      ...pathOf('file', 'points.csv'),
    },
  }),
};

export const sweep = defineStepCommand({
  name: 'gobonnie sweep',
  usage: '[options] [DIR]\n       gobonnie sweep --from FILE',
  description:
    'Finds how many operations in flight a disk needs for its best rate, and whether a quota limits it.',
  options: SWEEP_OPTIONS,
  changes: {
    size: { defaultText: '1 GiB' },
    runs: { defaultText: `${DEFAULT_RUNS}; ${COMPARED.runs} with --baseline` },
    json: { help: 'print one JSON document: the knee, the quota and the points' },
  },
  examples: [
    { command: 'gobonnie sweep', comment: 'random reads of 4 KiB' },
    { command: 'gobonnie sweep --io-size 4k,64k --mix 0', comment: 'writes of two sizes' },
    { command: 'gobonnie sweep --latency "p99<2ms"', comment: 'the greatest depth below 2 ms' },
    { command: 'gobonnie sweep --from points.csv', comment: 'points measured by fio, for example' },
    { command: 'gobonnie sweep --json | jq .knee.depth', comment: 'for programs' },
  ],
  notes:
    'The knee is the least depth within 5 % of the best rate. Operations in flight are the rate times the mean latency; ' +
    'if they are fewer than the depth, threads wait elsewhere. A flat curve alone does not prove a quota: gobonnie ' +
    "names one only if a control group has that limit, if the rate falls from one flat level to half of it or less (in many runs at one depth, to three quarters), or if a cloud's " +
    'volume is at its published limit.',
  request(flags, args) {
    const { from, latency, json, depth, threads, ioSize, mix, sequential, ...rawOptions } = flags;
    const bound = latency === undefined ? null : parseLatencyBound(String(latency));
    if (from !== undefined) {
      if (args[0] !== undefined)
        throw contradictionError(flag('from', from), `the directory ${display(args[0])}`);
      const other = Object.keys(flags).find(
        (name) => flags[name] !== false && !ANALYSIS_OPTIONS.includes(name),
      );
      if (other !== undefined) throw contradictionError(flag('from', from), flag(other));
      return { type: 'command', run: (terminal) => sweepPoints(flags, bound, terminal) };
    }
    const isOpen = threads === undefined && depth === undefined;
    return {
      rawOptions,
      defaults: sweepDefaults(flags),
      ...(isOpen && { adapt: limitDepths, isStepNeeded: isPointNeeded }),
      createFormat: (screen) =>
        json
          ? { isJson: true, end: (report) => stringifySafely(analyzeReport(report)) }
          : { end: (report) => sweepReportText(report, screen) },
    };
  },
});

/** Leaves out the default depths for which the memory is too small. */
function limitDepths(options: Options, machine: Machine, _log: Terminal['log'], isJob: boolean): Options {
  if (isJob)
    throw optionError(
      msg`a job needs a list of ${flag('depth')}: all ranks measure the same points`,
      msg`for example, ${flag('depth', '1,4,16,64')}`,
    );
  const steps = options.steps?.filter((step) => fitsMemory(step, options, machine)) ?? [];
  return { ...options, steps };
}

/** Splits `4k,64k`. */
function listOf<Item extends z.ZodType>(item: Item) {
  const split = (value: unknown) => (typeof value === 'string' ? value.split(',') : value);
  return z.preprocess(split, z.array(item).min(1));
}

const sweepSchema = z.object({
  depth: listOf(z.coerce.number().pipe(inBounds(optionCatalogue.depth))).optional(),
  threads: listOf(z.coerce.number().pipe(inBounds(optionCatalogue.threads))).optional(),
  ioSize: listOf(fromSize(inBounds(optionCatalogue.ioSize))).default([DEFAULT_IO_BYTES]),
  mix: fromPercentage(percentage.default(ALL_READS)),
  sequential: toggle,
});

/** Returns a run's options with a step for each point. Throws a GobonnieError for the first invalid option. */
function sweepDefaults(raw: RawOptions): OptionsInput {
  const { depth, threads, ioSize, mix, sequential } = parseOptions(sweepSchema, SWEEP_OPTIONS, raw);
  if (sequential && mix % ALL_READS !== 0) throw contradictionError(flag('sequential'), flag('mix', mix));
  const loads = threads
    ? threads.map((count): Partial<StepInput> => ({ threads: count, depth: 1 }))
    : (depth ?? DEFAULT_DEPTHS).map((count): Partial<StepInput> => ({ threads: 1, depth: count }));
  const steps = ioSize.flatMap((bytes) =>
    loads.map((load): StepInput => {
      if (!sequential) return { ...load, phase: 'random', ioSize: bytes, mix };
      return { ...load, phase: mix === 0 ? 'write' : 'read', blockSize: bytes };
    }),
  );
  return { direct: true, runs: DEFAULT_RUNS, iopsDuration: POINT_SECONDS, steps };
}

async function sweepPoints(
  rawOptions: RawOptions,
  bound: LatencyBound | null,
  terminal: Terminal,
): Promise<number> {
  const { process } = terminal;
  const { color } = validateCliOptions(rawOptions);
  const { name, text } = await readNamedText(String(rawOptions.from), process);
  const points = readPoints(text, name);
  if (bound && points.every(({ p99Ns }) => p99Ns === null))
    throw optionError(
      msg`${display(name)} has no p99_us, which ${flag('latency')} needs`,
      'add the column p99_us',
    );
  const result = analyzeSweep(points, UNKNOWN_FACTS, bound);
  const screen = detectScreen(process.stdout, process, color) ?? PLAIN_SCREEN;
  const unit = 'operationsPerSecond';
  terminal.print(rawOptions.json ? stringifySafely(result) : sweepText(result, unit, bound, screen));
  return EXIT_CODES.success;
}
