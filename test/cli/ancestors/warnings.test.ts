import { expect, test } from 'vitest';
import { bonnieNarrate } from '../../../src/cli/ancestors/bonnie-narration.js';
import { narrate as narrateBonniePlusPlus } from '../../../src/cli/ancestors/bonnie-plus-plus-narration.js';
import {
  WARNING_CODES,
  type WarningCode,
  type warningCatalogue,
  warningOf,
} from '../../../src/report/warning-catalogue.js';
import { GIB } from '../../../src/text/units.js';
import { measurementWith } from '../../support/fixtures.js';

const measured = measurementWith({ phase: 'write' });
const moved = { ...measured, isDirect: false, moves: 'blocks' } as const;
const FACTS: { readonly [Code in WarningCode]: Parameters<(typeof warningCatalogue)[Code]>[0] } = {
  'size-cut': { wantedBytes: 2 * GIB, usedBytes: GIB, directory: '/mnt' },
  'size-below-memory': { totalBytes: GIB, memoryBytes: 2 * GIB },
  'io-size-raised': { ioSizeBytes: 512, askedBytes: 1, why: 'the device moves whole blocks' },
  'memory-filesystem': { directory: '/dev/shm', filesystem: 'tmpfs' },
  'compressing-filesystem': { directory: '/mnt', compression: 'zstd' },
  'cache-not-emptied': { reason: 'only root can empty it', platform: 'linux', isRoot: false },
  'memory-served': moved,
  'still-dirty': moved,
  'not-direct': { file: '/dev/sda' },
  'not-from-device': { file: '/dev/sda', share: 0.5 },
  cliff: { ...measured, cliff: { atSeconds: 1, beforePerSecond: 2, afterPerSecond: 1 } },
  suspended: { ...measured, suspendedSeconds: 1 },
  'others-busy': { title: 'Sequential Write', othersBytes: GIB },
  'cpu-stolen': { title: 'Sequential Write', stealShare: 0.5 },
  'cpu-saturated': { title: 'Sequential Write', busyShare: 0.9 },
  'not-stable': { runs: 30, withinPercent: 5, maxRuns: 30 },
  unwatched: { loss: 'the clean-up process has ended (SIGKILL)' },
  'renamable-directory': { directory: '/tmp' },
};

/** bonnie and bonnie++ have few of gobonnie's flags: there a warning is printed without its hint. */
test.each(WARNING_CODES)(
  'the message of %s names no flag, and bonnie and bonnie++ print only that',
  (code) => {
    const warning = warningOf(code, FACTS[code] as never);
    expect(warning.message).not.toMatch(/(?<!\S)--?[a-z]/i);
    for (const narrate of [bonnieNarrate(false), narrateBonniePlusPlus]) {
      const [line = '', ...more] = narrate({ type: 'warning', warning }, 'normal');
      expect(more).toEqual([]);
      expect(line).toContain(warning.message);
      expect(line).not.toContain(warning.hint);
    }
  },
);
