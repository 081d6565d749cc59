import { expect, test } from 'vitest';
import { DISK_KINDS, describeSpeed, type SpeedFacts } from '../../src/rating/rating.js';
import { MB, NS_PER_US } from '../../src/text/units.js';

type Disk = NonNullable<SpeedFacts['disk']>;

const HARD_DISK: Disk = {
  rotational: true,
  transport: 'sata',
  link: { megabitsPerSecond: 6000, lanes: 1 },
  model: null,
};
const SATA_SSD: Disk = { ...HARD_DISK, rotational: false };
const NVME: Disk = { ...SATA_SSD, transport: 'nvme', link: { megabitsPerSecond: 16_000, lanes: 4 } };
const USB: Disk = { ...SATA_SSD, transport: 'usb', link: { megabitsPerSecond: 480, lanes: 1 } };
const VIRTIO: Disk = { ...HARD_DISK, transport: 'virtio', link: null };
const UNKNOWN: Disk = { ...SATA_SSD, transport: null, link: null };
const EBS: Disk = { ...NVME, model: 'Amazon Elastic Block Store' };

/** Facts of sequential reads in MB/s and random reads in µs. */
function facts(disk: Disk | null, sequential: number | null, random: number | null): SpeedFacts {
  return {
    sequential: sequential === null ? null : { bytesPerSecond: sequential * MB, causes: [] },
    random: random === null ? null : { p50Ns: random * NS_PER_US, causes: [] },
    disk,
    remote: null,
  };
}

// biome-ignore format: a row per sentence
test.each<[string, Disk | null, number | null, number | null, string | null]>([
  ['a SATA SSD', SATA_SSD, 540, 134, 'Sequential reads at the limit of SATA (6 Gbit/s); random reads as fast as on a SATA SSD, 70 times as fast as on a hard disk.'],
  ['an NVMe SSD', NVME, 3500, 60, 'Sequential reads at 47 % of the limit of PCIe 4 x4; random reads as fast as on an NVMe SSD, 200 times as fast as on a hard disk.'],
  ['an SSD at USB 2', USB, 42, 206, 'Sequential reads at the limit of USB 2 (480 Mbit/s); random reads as fast as on a USB SSD, 50 times as fast as on a hard disk.'],
  ['a hard disk', HARD_DISK, 180, 13_800, 'Random reads as fast as on a hard disk.'],
  ['a SATA disk with a cache below', SATA_SSD, 2000, 12, 'Random reads take 12 µs, faster than a SATA SSD (by /sys) usually is.'],
  ['a virtual disk on some SSD', VIRTIO, null, 100, 'Random reads as fast as on an SSD, 100 times as fast as on a hard disk.'],
  ['a virtual disk in a network', VIRTIO, null, 830, 'Random reads as fast as on a network volume, 10 times as fast as on a hard disk.'],
  ['a virtual disk that does not rotate', { ...VIRTIO, rotational: false }, null, 9000, 'Slower than an SSD (by /sys) usually is: random reads take 9 ms instead of up to 250 µs.'],
  ['a cloud volume with NVMe', EBS, 125, 600, 'Random reads as fast as on a network volume, 20 times as fast as on a hard disk.'],
  ['a disk without a transport between an SSD and a hard disk', { ...SATA_SSD, rotational: null }, null, 900, null],
])('the sentence on %s', (_, disk, sequential, random, sentence) => {
  expect(describeSpeed(facts(disk, sequential, random))).toBe(sentence);
});

test('the sentence names the measured causes of a slow result, and of no other result', () => {
  const causes = ['encryption', 'device-contention'] as const;
  const slow = { ...facts(NVME, null, null), random: { p50Ns: 2_100_000, causes } };
  expect(describeSpeed(slow)).toMatch(/; likely causes: encryption, I\/O of other programs\.$/);
  expect(describeSpeed({ ...slow, random: { p50Ns: 60_000, causes } })).not.toContain('cause');
  const busy = { bytesPerSecond: 2000 * MB, causes: ['cpu-saturated'] as const };
  expect(describeSpeed({ ...slow, random: null, sequential: busy })).toMatch(/; likely cause: busy CPUs\.$/);
});

test("the sentence names the control group's limit instead of the link's", () => {
  const sequential = { bytesPerSecond: 100 * MB, causes: ['cgroup-limit'] as const };
  expect(describeSpeed({ ...facts(NVME, null, null), sequential })).toBe(
    "Sequential reads at the control group's limit.",
  );
});

test.each([
  [20, "Random reads at the control group's limit."],
  [
    99_600,
    "Slower than a hard disk (by /sys) usually is: random reads take 99.6 ms instead of up to 20 ms; likely cause: the control group's limit.",
  ],
])('the sentence does not compare random reads of %i µs at the limit with faster disks', (time, sentence) => {
  const random = { p50Ns: time * NS_PER_US, causes: ['cgroup-limit'] as const };
  expect(describeSpeed({ ...facts(VIRTIO, null, null), random })).toBe(sentence);
});

test.each([
  ['windows', null],
  ['docker', null],
  ['network', 'Random reads as fast as on a network volume, 20 times as fast as on a hard disk.'],
] as const)(
  'a directory of another system (%s) is compared only if it is in a network',
  (remote, sentence) => {
    expect(describeSpeed({ ...facts(null, null, 600), remote })).toBe(sentence);
  },
);

test('no sentence names a kind of disk that contradicts /sys', () => {
  const transports = ['nvme', 'sata', 'usb', 'mmc', 'network', 'virtio', 'xen', 'vmbus', null] as const;
  const times = Array.from({ length: 60 }, (_, step) => 1.32 ** step);
  const cases = transports.flatMap((transport) =>
    [true, false, null].flatMap((rotational) => times.map((time) => ({ transport, rotational, time }))),
  );
  const sentences = cases.map((one) => {
    const { transport, rotational, time } = one;
    const sentence = describeSpeed(facts({ ...UNKNOWN, transport, rotational }, 500, time)) ?? '';
    const isVirtual = transport !== null && /virtio|xen|vmbus/.test(transport);
    const named = sentence.replace(/, \d+ times as fast as on a hard disk/, '');
    for (const kind of DISK_KINDS.filter(({ name }) => named.includes(name))) {
      if (!isVirtual && transport !== null) expect(kind.transports, sentence).toContain(transport);
      // A virtual disk rotates by default.
      const mayRotate = isVirtual && rotational === true && !sentence.includes('/sys') ? null : rotational;
      if (mayRotate !== null && kind.rotational !== null)
        expect(kind.rotational, `${sentence} ${JSON.stringify(one)}`).toBe(mayRotate);
    }
    if (/\ban SSD/.test(named) && !isVirtual) expect(rotational, sentence).not.toBe(true);
    return sentence;
  });
  expect(sentences.filter(Boolean).length).toBeGreaterThan(cases.length * 0.7);
});

test.each([
  [SATA_SSD, 44, 'a SATA SSD'],
  [SATA_SSD, 159, 'a SATA SSD'],
  [HARD_DISK, 8000, 'a hard disk'],
  [HARD_DISK, 16_600, 'a hard disk'],
])('the real disk %j, which fio measured at %i µs, reads as fast as on %s', (disk, time, name) => {
  expect(describeSpeed(facts(disk, null, time))).toMatch(
    new RegExp(`^Random reads as fast as on ${name}\\b`),
  );
});
