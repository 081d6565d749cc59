import { expect, test } from 'vitest';
import { bonnieNarrate } from '../../../src/cli/ancestors/bonnie-narration.js';
import { narrate as narrateBonniePlusPlus } from '../../../src/cli/ancestors/bonnie-plus-plus-narration.js';
import { warningsOf } from '../../../src/report/measure/warnings.js';
import { circumstancesOf } from '../../../src/report/run-warnings.js';
import type { Warning } from '../../../src/report/schema/report.js';
import { WARNING_CODES, warningCatalogue, warningOf } from '../../../src/report/warning-catalogue.js';
import { GIB } from '../../../src/text/units.js';
import { cutWith, measurementWith, reportWith } from '../../support/data/fixtures.js';

type Codes = keyof typeof warningCatalogue;
const FACTS: { readonly [Code in Codes]: Parameters<(typeof warningCatalogue)[Code]>[0] } = {
  'threads-cut': { wanted: 64, threads: 8, memoryBytes: GIB },
  'size-cut': { wantedBytes: 2 * GIB, usedBytes: GIB, directory: '/mnt', beside: null },
  'size-below-memory': { totalBytes: GIB, memoryBytes: 2 * GIB },
  'io-size-raised': { ioSizeBytes: 512, askedBytes: 1, why: 'the device moves whole blocks' },
  'memory-filesystem': { directory: '/dev/shm', filesystem: 'tmpfs' },
  'served-directory': { directory: '/mnt/c', server: 'windows', filesystem: '9p' },
  'open-to-others': { directory: '/mnt/c' },
  'compressing-filesystem': { directory: '/mnt', compression: 'zstd' },
  'cache-not-emptied': { reason: 'only root can empty it', platform: 'linux', isRoot: false },
  'not-direct': { file: '/dev/sda' },
  'not-from-device': { file: '/dev/sda', share: 0.5 },
  'not-stable': { runs: 30, withinPercent: 5, maxRuns: 30 },
  'two-speeds': { low: '800 MB/s', lowRuns: 3, high: '1850 MB/s', highRuns: 2 },
  outliers: { values: '12 MB/s' },
  unwatched: { loss: 'the clean-up process has ended (SIGKILL)' },
  'renamable-directory': { directory: '/tmp' },
};

const WHERE = { ...circumstancesOf(reportWith(), 'write'), ceilingPerSecond: 1 };
const DEVICE = { readBytes: 0, writtenBytes: 0, dirtyBytes: 0, share: 0, reason: null };
/** Each gives reason for other warnings. */
const MEASUREMENTS = [
  measurementWith({ readBytes: GIB, device: { ...DEVICE, share: null, reason: 'no /proc' } }),
  measurementWith({
    readBytes: GIB,
    device: DEVICE,
    others: { readBytes: GIB, writtenBytes: GIB },
    seconds: 1,
  }),
  measurementWith({ readBytes: 0, writtenBytes: GIB, device: DEVICE, suspendedSeconds: 1 }),
  measurementWith({
    cliff: { atSeconds: 1, beforePerSecond: 2, afterPerSecond: 1 },
    seconds: 1,
    host: { busyShare: 0.5, stealShare: 0.5 },
  }),
  measurementWith({ seconds: 1, host: { busyShare: 1, stealShare: 0 } }),
  measurementWith({ stonewall: cutWith({ isEven: false }) }),
];

const WARNINGS: readonly Warning[] = [
  ...(Object.keys(warningCatalogue) as Codes[]).map((code) => warningOf(code, FACTS[code] as never)),
  ...MEASUREMENTS.flatMap((measurement) => warningsOf([measurement], WHERE)),
];

/** bonnie and bonnie++ have few of gobonnie's flags: there a warning is printed without its hint. */
test.each(WARNING_CODES)(
  'the message of %s names no flag, and bonnie and bonnie++ print only that',
  (code) => {
    const warning = WARNINGS.find((one) => one.code === code);
    if (!warning) throw new Error(`none of these is ${code}`);
    expect(warning.message).not.toMatch(/(?<!\S)--?[a-z]/i);
    for (const narrate of [bonnieNarrate(false), narrateBonniePlusPlus]) {
      const [line = '', ...more] = narrate({ type: 'warning', warning }, 'normal');
      expect(more).toEqual([]);
      expect(line).toContain(warning.message);
      expect(line).not.toContain(warning.hint);
    }
  },
);
