import { expect, test } from 'vitest';
import type { Disk } from '../../src/machine/machine-schema.js';
import { NS_PER_MS, NS_PER_US } from '../../src/text/units.js';
import { whySyncIsTooFast } from '../../src/warnings/measurement-warnings.js';
import { measurementWith, reportWith } from '../support/data/fixtures.js';

const { disk } = reportWith().target;
const HARD_DISK = { rotational: true, transport: 'sata' } as const;
const SSD = { rotational: false, writeCache: 'write back' } as const;

function whyTooFast(p50: number, facts: Partial<Disk>, mountOptions: string[] = [], phase = 'commit-etcd') {
  const { latencyNs } = measurementWith();
  if (!latencyNs || !disk) throw new Error('the fixtures have latencies and a disk');
  const measurement = { phase, latencyNs: { ...latencyNs, p50 } };
  return whySyncIsTooFast(measurement, { isMemory: false, mountOptions, disk: { ...disk, ...facts } });
}

test.each([
  ['a hard disk on SATA', 0.9 * NS_PER_MS, HARD_DISK],
  ['an SSD with a volatile cache', 19 * NS_PER_US, SSD],
])('a sync of %s can be too fast', (_, p50, facts) => {
  expect(whyTooFast(p50, facts)).toMatch(/takes longer$/);
});

test.each([
  ['a hard disk that takes 1 ms', NS_PER_MS, HARD_DISK],
  ['a virtual disk, which only reports a hard disk', 1, { ...HARD_DISK, transport: 'virtio' as const }],
  ['an SSD that takes 20 µs', 20 * NS_PER_US, SSD],
  ['an SSD with a protected cache', 1, { ...SSD, writeCache: 'write through' }],
  ['an unknown disk', 1, { rotational: null }],
])('a sync of %s is not too fast', (_, p50, facts) => {
  expect(whyTooFast(p50, facts)).toBeNull();
});

test.each(['nobarrier', 'barrier=0'])('a filesystem mounted with %s never flushes the disk', (option) => {
  expect(whyTooFast(9 * NS_PER_MS, {}, ['rw', option])).toContain(option);
});

test('only phases with a single sync for each operation are checked, and none in memory', () => {
  expect(whyTooFast(1, SSD, [], 'commit-journal')).toBeNull();
  expect(whyTooFast(1, SSD, [], 'install')).toBeNull();
  const measurement = measurementWith({ step: 'commit-wal' });
  expect(
    whySyncIsTooFast(measurement, { isMemory: true, mountOptions: ['nobarrier'], disk: null }),
  ).toBeNull();
});
