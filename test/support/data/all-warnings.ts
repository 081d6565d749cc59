import type { Warning } from '../../../src/report/schema/report.js';
import { GIB } from '../../../src/text/units.js';
import { measurementContext } from '../../../src/warnings/measurement-context.js';
import { findMeasurementWarnings, measurementWarnings } from '../../../src/warnings/measurement-warnings.js';
import { createWarning, warningCatalogue } from '../../../src/warnings/warning-catalogue.js';
import { measurementWith, reportWith } from './fixtures.js';

/** The codes of all warnings. */
export const WARNING_CODES = [...Object.keys(warningCatalogue), ...Object.keys(measurementWarnings)];

type WarningCode = keyof typeof warningCatalogue;
type WarningFacts<Code extends WarningCode> = Parameters<(typeof warningCatalogue)[Code]>[0];

export interface TestSystem {
  readonly platform: NodeJS.Platform;
  readonly isRoot: boolean;
}

const warningFacts = ({
  platform,
  isRoot,
}: TestSystem): { readonly [Code in WarningCode]: WarningFacts<Code> } => ({
  'uring-unavailable': { reason: 'only Linux has it' },
  'threads-reduced': { wanted: 64, threads: 8, memoryBytes: GIB },
  'size-reduced': { wantedBytes: 2 * GIB, usedBytes: GIB, directory: '/mnt', mayBeCached: true },
  'layout-stopped': { wantedBytes: GIB, usedBytes: GIB / 4, seconds: 8 },
  'size-below-memory': { totalBytes: GIB, memoryBytes: 2 * GIB, platform },
  'io-size-raised': { ioSizeBytes: 512, askedBytes: 1, why: 'the device moves whole blocks' },
  'memory-filesystem': { directory: '/dev/shm', filesystem: 'tmpfs', device: 'tmpfs' },
  'remote-filesystem': { directory: '/mnt/c', server: 'windows', filesystem: '9p' },
  'writable-by-others': { directory: '/mnt/c' },
  'compressing-filesystem': { directory: '/mnt', compression: 'zstd', hasOwnData: false },
  'zero-filled': { filesystem: 'exfat', threads: 4, option: '--one-file' },
  'cache-not-dropped': { reason: 'only root can drop it', remedy: null, platform, isRoot, isDirect: false },
  'direct-io-unavailable': { file: 'image.raw', platform },
  'not-read-from-device': { file: '/dev/sda', served: { share: 0.5 } },
  'not-stable': { runs: 30, withinPercent: 5, maxRuns: 30 },
  bimodal: { low: '800 MB/s', lowRuns: 3, high: '1850 MB/s', highRuns: 2 },
  outliers: { values: '12 MB/s' },
  'no-cleanup-process': { loss: 'the clean-up process ended (SIGKILL)' },
});

const DEVICE = { readBytes: 0, writtenBytes: 0, dirtyBytes: 0, share: 0, reason: null };
/** Each measurement causes different warnings. */
const MEASUREMENTS = [
  measurementWith({ readBytes: GIB, device: { ...DEVICE, share: null, reason: 'no /proc' } }),
  measurementWith({
    readBytes: GIB,
    device: DEVICE,
    otherIo: { readBytes: GIB, writtenBytes: GIB },
    seconds: 1,
  }),
  measurementWith({ readBytes: 0, writtenBytes: GIB, device: DEVICE, suspendedSeconds: 1 }),
  measurementWith({
    cliff: { atSeconds: 1, beforePerSecond: 2, afterPerSecond: 1 },
    seconds: 1,
    hostCpu: { busyShare: 0.5, stealShare: 0.5 },
  }),
  measurementWith({ seconds: 1, hostCpu: { busyShare: 1, stealShare: 0 } }),
];
const COMMIT = measurementWith({ step: 'commit-wal' });

/** Returns every warning for this user and system. */
export function allWarnings(system: TestSystem): readonly Warning[] {
  const facts = warningFacts(system);
  const context = {
    ...measurementContext(reportWith(), { step: 'write', phase: 'write', direct: false }),
    platform: system.platform,
    ceilingPerSecond: 1,
  };
  const contexts = (['blocks', 'files'] as const).flatMap((ioUnit) =>
    [false, true].flatMap((isDirect) =>
      [false, true].flatMap((isSynced) =>
        (['auto', 'keep'] as const).map((requestedCache) => ({
          ...context,
          ioUnit,
          isDirect,
          isSynced,
          requestedCache,
        })),
      ),
    ),
  );
  return [
    ...(Object.keys(warningCatalogue) as WarningCode[]).map((code) =>
      createWarning(code, facts[code] as never),
    ),
    ...findMeasurementWarnings([COMMIT], { ...context, mountOptions: ['nobarrier'] }),
    ...contexts.flatMap((each) =>
      MEASUREMENTS.flatMap((measurement) => findMeasurementWarnings([measurement], each)),
    ),
  ];
}
