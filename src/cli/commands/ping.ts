import * as z from 'zod';
import { operationLine, pingText } from '../../format/human/commands/ping-text.js';
import { fromDecimal, fromTime, inBounds, toggle } from '../../options/field-schemas.js';
import { MAX_DURATION_SECONDS } from '../../options/option-catalogue.js';
import { inGroup, switchRow, wholeNumber } from '../../options/option-row.js';
import { interval, type StepInput } from '../../options/options-schema.js';
import { parseOptions } from '../../options/validate-options.js';
import { GIB, KIB, MIB } from '../../text/units.js';
import { expectRow, type RawOptions } from '../argv/cli-catalogue.js';
import { defineStepCommand } from './step-command.js';

const OPERATION_BYTES = 4 * KIB;
/** Larger than the cache of most disks, but written within a second by an SSD. */
const DATA_BYTES = 256 * MIB;
const MAX_COUNT = 2 ** 31;
const COUNT = wholeNumber({ min: 1, max: MAX_COUNT, example: '60' });

const PING_OPTIONS = inGroup('What to measure', {
  interval: {
    argument: 'SECONDS',
    help: 'time from the start of one operation to the start of the next, in seconds or as 10ms; at least 1ms',
    defaultText: '1',
    expects: 'a time from 1ms to 1 hour, in seconds or with the unit ms',
    example: '0.1',
  },
  count: {
    ...COUNT,
    help: 'stop after N operations',
    defaultText: 'at Ctrl-C, or after 24 days',
  },
  write: switchRow('write 4 KiB and sync it each time, like the commit of a database, instead of reading'),
});

export const ping = defineStepCommand({
  name: 'gobonnie ping',
  description:
    'Makes one small operation a second and prints how long each takes, until Ctrl-C. At the end come the percentiles and ' +
    'the spikes, with their times: what a short benchmark does not see.',
  options: PING_OPTIONS,
  changes: { size: { defaultText: '256 MiB' }, expect: expectRow('"ping.p99<10ms"') },
  isSingleRun: true,
  examples: [
    { command: 'gobonnie ping', comment: 'one random read of 4 KiB a second' },
    { command: 'gobonnie ping --write --interval 10ms --count 6000', comment: 'synced writes, for a minute' },
    {
      command: 'gobonnie ping --out disk.prom --quiet > /dev/null',
      comment: 'for Prometheus, rewritten every 10 s',
    },
    { command: 'gobonnie ping --count 60 --expect "ping.p99<10ms"', comment: 'exit code 3 if it is slower' },
  ],
  notes:
    'Bypasses the page cache where the filesystem can, and otherwise empties it first if it can. A spike takes at least 10 times the ' +
    'median. If the whole machine paused meanwhile, as a timer beside the operations shows, the line of the spike says so. ' +
    'The first Ctrl-C ends the measurement with exit code 0, or 3 if a condition is not met.',
  request({ interval, count, write, ...rawOptions }) {
    return {
      rawOptions,
      defaults: { direct: true, size: DATA_BYTES / GIB, steps: [pingStep({ interval, count, write })] },
      createFormat: (screen) => ({
        operations: (operations) => operations.map((one) => `${operationLine(one, screen)}\n`).join(''),
        end: (report) => pingText(report, screen).replace(/^(?=.)/, '\n'),
      }),
    };
  },
});

const pingSchema = z.object({
  interval: fromTime(interval.default(1)),
  count: fromDecimal(inBounds(COUNT).optional()),
  write: toggle,
});

/** A commit of a database writes through the page cache, and syncs. */
function pingStep(raw: RawOptions): StepInput {
  const { interval, count, write } = parseOptions(pingSchema, PING_OPTIONS, raw);
  return {
    phase: 'random',
    name: 'ping',
    threads: 1,
    depth: 1,
    ioSize: OPERATION_BYTES,
    interval,
    seconds: MAX_DURATION_SECONDS,
    ...(write ? { mix: 0, syncPerWrite: 'fsync', direct: false } : { mix: 100 }),
    ...(count !== undefined && { size: (count * OPERATION_BYTES) / GIB }),
  };
}
