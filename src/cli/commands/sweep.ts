import * as z from 'zod';
import { GobonnieError } from '../../errors.js';
import { PLAIN_SCREEN } from '../../format/human/screen.js';
import { sweepText } from '../../format/human/sweep-text.js';
import { readPoints } from '../../read/points-csv.js';
import { parseLatencyBound } from '../../sweep/knee.js';
import type { SweepPoint } from '../../sweep/point.js';
import { UNKNOWN_FACTS } from '../../sweep/quota.js';
import { analyzeSweep } from '../../sweep/sweep-result.js';
import { display } from '../../text/escape.js';
import { flag, msg } from '../../text/message-template.js';
import { cliOptionCatalogue } from '../argv/cli-catalogue.js';
import { colorSetting, validateCliOptions } from '../argv/cli-options.js';
import { defineCommand } from '../argv/define-command.js';
import { toFlagsRow, ValuedArgument } from '../argv/option.js';
import type { OptionRows, RawOptions } from '../argv/option-rows.js';
import { EXIT_CODES } from '../exit-codes.js';
import { type ProcessWithStdin, readNamedText } from '../files/result-files.js';
import type { Terminal } from '../output/terminal.js';
import { detectScreen } from '../output/terminal-style.js';

const NOTES =
  'The knee is the least number of threads within 5 % of the best rate. Operations in flight are the rate times the ' +
  'mean latency; if they are fewer than the threads, threads wait elsewhere. A flat curve alone is no quota: gobonnie ' +
  "names one only if a control group has that limit, if the rate falls from one flat level to a lower one, or if a cloud's " +
  'volume is at its published limit.';

const sweepSchema = z.object({ from: z.string(), latency: z.string().optional() });

const { json, color, noColor } = cliOptionCatalogue;

const OPTIONS: OptionRows = {
  from: {
    argument: 'FILE',
    group: 'Options',
    help:
      'analyze points measured elsewhere: CSV with the columns threads, iops and p99_us, and optionally mean_us, ' +
      'bytes_per_second and seconds; - is stdin',
    expects: 'the path of a file',
    example: 'points.csv',
  },
  latency: {
    argument: 'CONDITION',
    group: 'Options',
    help: 'also find the most threads that meet the condition, like "p99<2ms"',
    expects: 'an upper bound of p99',
    example: '"p99<2ms"',
  },
  json: {
    ...json,
    group: 'Options',
    help: 'print one JSON document with the knee, the quota and the points',
  },
  color: { ...color, group: 'Options' },
  noColor: { ...noColor, group: 'Options' },
};

/** Finds how the rate of a disk grows with the threads, and what limits it. */
export const sweep = defineCommand({
  name: 'gobonnie sweep',
  usage: '[options] [DIR]',
  description: 'Finds how many threads a disk needs for its best rate, and whether a quota limits it.',
  argument: new ValuedArgument('[DIR]', 'directory to measure'),
  options: Object.entries(OPTIONS).map(([name, row]) => toFlagsRow(name, row)),
  examples: [
    { command: 'gobonnie sweep --from points.csv', comment: 'points measured by fio, for example' },
    {
      command: 'gobonnie sweep --from points.csv --latency "p99<2ms"',
      comment: 'the most threads below 2 ms',
    },
    { command: 'gobonnie sweep --from points.csv --json | jq .knee.threads', comment: 'for programs' },
  ],
  notes: NOTES,
  request: (rawOptions, [dir]) => {
    rejectContradictions(rawOptions, dir);
    return { type: 'command', run: (process, terminal) => runSweep(rawOptions, process, terminal) };
  },
});

function rejectContradictions({ from }: RawOptions, dir: string | undefined): void {
  if (!from)
    throw new GobonnieError(
      'option-invalid',
      'sweep needs a file of points',
      'for example, gobonnie sweep --from points.csv',
    );
  if (dir !== undefined)
    throw new GobonnieError(
      'option-invalid',
      msg`${flag('from', from)} and the directory ${display(dir)} contradict each other`,
      'use only one of them',
    );
}

async function runSweep(
  rawOptions: RawOptions,
  process: ProcessWithStdin,
  terminal: Terminal,
): Promise<number> {
  const cliOptions = validateCliOptions(rawOptions);
  const { from, latency } = sweepSchema.parse(rawOptions);
  const bound = latency === undefined ? null : parseLatencyBound(latency);
  const points = await readPointsFile(from, process);
  const result = analyzeSweep(points, UNKNOWN_FACTS, bound);
  const screen = detectScreen(process.stdout, process, colorSetting(cliOptions)) ?? PLAIN_SCREEN;
  terminal.print(
    cliOptions.json ? `${JSON.stringify(result)}\n` : sweepText(result, 'operationsPerSecond', bound, screen),
  );
  return EXIT_CODES.success;
}

async function readPointsFile(file: string, process: ProcessWithStdin): Promise<readonly SweepPoint[]> {
  const { fileName, text } = await readNamedText(file, process);
  return readPoints(text, fileName);
}
