import { PLAIN_SCREEN, type Screen } from '../../format/human/screen.js';
import { sweepText } from '../../format/human/sweep-text.js';
import type { Machine } from '../../machine/machine-schema.js';
import type { Options } from '../../options/options-schema.js';
import { contradictionError } from '../../options/validate-options.js';
import { maxStepThreads } from '../../plan/step-list.js';
import { readPoints } from '../../read/points-csv.js';
import { type LatencyBound, parseLatencyBound } from '../../sweep/knee.js';
import { isPointNeeded, measuredPoints, quotaFactsOf } from '../../sweep/measured-points.js';
import { UNKNOWN_FACTS } from '../../sweep/quota.js';
import { analyzeSweep, type SweepResult } from '../../sweep/sweep-result.js';
import { display, stringifySafely } from '../../text/escape.js';
import { flag } from '../../text/message-template.js';
import type { RawOptions } from '../argv/cli-catalogue.js';
import { validateCliOptions } from '../argv/cli-options.js';
import { defineCommand } from '../argv/define-command.js';
import { directoryArgument } from '../argv/directory-argument.js';
import { toFlagsRow, ValuedArgument } from '../argv/option.js';
import { EXIT_CODES } from '../exit-codes.js';
import { readNamedText } from '../files/input-file.js';
import { detectScreen, type Terminal } from '../output/terminal.js';
import { useDirectIfPossible } from './step-run.js';
import { SWEEP_OPTIONS, sweepDefaults } from './sweep-options.js';

export const sweep = defineCommand({
  name: 'gobonnie sweep',
  usage: '[options] [DIR]\n       gobonnie sweep --from FILE',
  description: 'Finds how many threads a disk needs for its best rate, and whether a quota limits it.',
  argument: new ValuedArgument('[DIR]', 'directory to measure (default: the temporary directory)'),
  options: Object.entries(SWEEP_OPTIONS).map(([name, row]) => toFlagsRow(name, row)),
  examples: [
    { command: 'gobonnie sweep', comment: 'random reads of 4 KiB' },
    { command: 'gobonnie sweep --io-size 4k,64k --mix 0', comment: 'writes of two sizes' },
    { command: "gobonnie sweep --latency 'p99<2ms'", comment: 'the most threads below 2 ms' },
    { command: 'gobonnie sweep --from points.csv', comment: 'points measured by fio, for example' },
    { command: 'gobonnie sweep --json | jq .knee.threads', comment: 'for programs' },
  ],
  notes:
    'The knee is the least number of threads within 5 % of the best rate. Operations in flight are the rate times the ' +
    'mean latency; if they are fewer than the threads, threads wait elsewhere. A flat curve alone is no quota: gobonnie ' +
    "names one only if a control group has that limit, if the rate falls from one flat level to a lower one, or if a cloud's " +
    'volume is at its published limit.',
  request(rawOptions, args, command) {
    const { from, latency, json, threads, ioSize, mix, sequential, ...flags } = rawOptions;
    const bound = latency === undefined ? null : parseLatencyBound(String(latency));
    if (from !== undefined) {
      if (args[0] !== undefined)
        throw contradictionError(flag('from', from), `the directory ${display(args[0])}`);
      return { type: 'command', run: (terminal) => sweepPoints(rawOptions, bound, terminal) };
    }
    const defaults = sweepDefaults(rawOptions);
    return {
      type: 'benchmark',
      rawOptions: { ...flags, ...directoryArgument(flags, args, command) },
      defaults,
      adaptOptions: (options, machine, log) =>
        useDirectIfPossible(threads ? options : withinMemory(options, machine), machine, log),
      ...(threads === undefined && { isStepNeeded: isPointNeeded }),
      createFormat: (screen) => ({
        end: (report) => {
          const result = analyzeSweep(measuredPoints(report), quotaFactsOf(report), bound);
          return renderSweep(result, { json, sequential }, bound, screen);
        },
      }),
      formats: [],
      isInteractive: true,
    };
  },
});

function withinMemory(options: Options, machine: Machine): Options {
  const limit = maxStepThreads(options, machine);
  const { steps = [] } = options;
  return { ...options, steps: steps.filter(({ threads = 1 }) => threads <= limit) };
}

function renderSweep(
  result: SweepResult,
  { json, sequential }: RawOptions,
  bound: LatencyBound | null,
  screen: Screen | null,
): string {
  if (json) return stringifySafely(result);
  if (result.points.length === 0) return '';
  const unit = sequential ? 'bytesPerSecond' : 'operationsPerSecond';
  return sweepText(result, unit, bound, screen ?? PLAIN_SCREEN);
}

async function sweepPoints(
  rawOptions: RawOptions,
  bound: LatencyBound | null,
  terminal: Terminal,
): Promise<number> {
  const { process } = terminal;
  const { json, ...flags } = rawOptions;
  const { color } = validateCliOptions(flags);
  const { name, text } = await readNamedText(String(flags.from), process);
  const result = analyzeSweep(readPoints(text, name), UNKNOWN_FACTS, bound);
  const screen = detectScreen(process.stdout, process, color);
  terminal.print(renderSweep(result, { json }, bound, screen));
  return EXIT_CODES.success;
}
