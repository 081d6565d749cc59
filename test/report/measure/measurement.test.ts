import { describe, expect, test } from 'vitest';
import type { OptionsInput } from '../../../src/options/options-schema.js';
import type { Step } from '../../../src/plan/steps.js';
import { elapsedSeconds } from '../../../src/report/measure/elapsed.js';
import { mergeTallies, type PhaseCounters, type PhaseData } from '../../../src/report/measure/measurement.js';
import type { Measurement } from '../../../src/report/schema/report.js';
import { MIB } from '../../../src/text/units.js';
import { BUCKET_COUNT } from '../../../workers/latency-recorder.js';
import type { Phase } from '../../../workers/phases/phase.js';
import { getPhase } from '../../../workers/phases/phase-catalogue.js';
import type { WorkerTally } from '../../../workers/protocol.js';
import { planWith } from '../../support/data/fixtures.js';

const GATE_NS = 5_000_000_000_000_000n;
const WRITE = getPhase('write');
const NO_SERIES = { seconds: [], operations: [], bytes: [] };
const NOTHING: PhaseCounters = {
  cpu: { userSeconds: 0, systemSeconds: 0 },
  io: null,
  newDirtyBytes: null,
  disk: null,
  hostCpu: null,
};

const NO_LATENCY = { samples: 0, minNs: 0, maxNs: 0, totalNs: 0, counts: new Float64Array(BUCKET_COUNT) };

/** The tally of a worker that ended this long after the gate. */
function tally(
  bytes: number,
  operations: number,
  endNs: bigint,
  facts: Partial<WorkerTally> = {},
): WorkerTally {
  return {
    type: 'tally',
    operations,
    readBytes: 0,
    writtenBytes: bytes,
    endNs: GATE_NS + endNs,
    latency: NO_LATENCY,
    writeLatency: NO_LATENCY,
    ...facts,
  };
}

function measure(
  tallies: readonly WorkerTally[],
  facts: Partial<PhaseData> = {},
  phase: Partial<Pick<Phase, 'primaryRate' | 'order' | 'ioUnit'>> = {},
  options: OptionsInput = {},
): Measurement {
  const record = {
    tallies,
    gateNs: GATE_NS,
    series: NO_SERIES,
    suspendedSeconds: 0,
    counters: NOTHING,
    isCacheDropped: false,
    ...facts,
  };
  const { steps, machine } = planWith({ size: 0.5, ...options });
  const [step] = steps as [Step];
  return mergeTallies(step, { ...WRITE, ...phase }, record, machine);
}

/** Ten seconds with a steady rate of operations, and a byte rate that falls after five. */
function fallingSeries(): PhaseData['series'] {
  const seconds = Array.from({ length: 100 }, (_, at) => (at + 1) / 10);
  const falling = seconds.map((second) => (second <= 5 ? second * 1000 : 5000 + (second - 5) * 100));
  const even = seconds.map((second) => second * 1000);
  return { seconds, operations: even, bytes: falling };
}

test('a measurement has its suspended time, limited to the duration, only if it was suspended', () => {
  const tallies = [tally(1000, 1, 2_000_000_000n)];
  expect(measure(tallies)).not.toHaveProperty('suspendedSeconds');
  expect(measure(tallies, { suspendedSeconds: 1.5 }).suspendedSeconds).toBe(1.5);
  expect(measure(tallies, { suspendedSeconds: 9 }).suspendedSeconds).toBe(2);
});

test('small files count in whole pages, and the final sync does not include their data', () => {
  const counters = { ...NOTHING, io: { readBytes: 0, writtenBytes: 2_048_000 }, newDirtyBytes: 1_024_000 };
  const files = { name: 'create', primaryRate: 'operations', ioUnit: 'files' } as const;
  const { device } = measure([tally(50_000, 500, 1_000_000_000n)], { counters }, files, {});
  expect(device).toMatchObject({ dirtyBytes: 1_024_000, share: 0.5 });
});

test('bytes and operations are summed, and the time runs from the gate to the last worker', () => {
  const tallies = [
    tally(3000, 3, 500_000_000n),
    tally(4000, 5, 2_000_000_000n, { readBytes: 1000 }),
    tally(0, 0, 100n),
  ];
  expect(measure(tallies, {}, { primaryRate: 'operations' })).toEqual({
    step: 'write',
    phase: 'write',
    title: 'Sequential Write',
    primaryRate: 'operations',
    threads: 3,
    bytes: 8000,
    readBytes: 1000,
    writtenBytes: 7000,
    operations: 8,
    seconds: 2,
    bytesPerSecond: 4000,
    operationsPerSecond: 4,
    direct: false,
    device: {
      readBytes: null,
      writtenBytes: null,
      dirtyBytes: null,
      share: null,
      reason: expect.stringMatching(/./),
    },
    otherIo: null,
    cpu: { userSeconds: 0, systemSeconds: 0, percent: 0, microsecondsPerOperation: 0 },
    hostCpu: null,
    latencyNs: null,
    cliff: null,
    series: NO_SERIES,
  });
});

test('rewritten data counts once in a byte rate', () => {
  const tallies = [1_000_000_000n, 2_000_000_000n].map((endNs) => tally(4000, 1, endNs, { readBytes: 4000 }));
  expect(measure(tallies)).toMatchObject({
    bytes: 8000,
    readBytes: 8000,
    writtenBytes: 8000,
    bytesPerSecond: 4000,
  });
});

test('rates are finite even if no operation was done', () => {
  const { cpu, ...idle } = measure([tally(0, 0, 1n)]);
  expect(idle).toMatchObject({ seconds: 1e-9, bytesPerSecond: 0, operationsPerSecond: 0 });
  expect(cpu).toMatchObject({ percent: 0, microsecondsPerOperation: null });
});

describe('a duration that no machine can reach is an error of the clock', () => {
  const GOOD = tally(64 * MIB, 1024, 10_000_000n);

  test.each([
    ['no time has passed', tally(0, 0, 0n)],
    ['a worker ended before the gate', tally(64 * MIB, 1024, -32_000_000n)],
    ['a worker moved more bytes than a CPU core can copy', tally(64 * MIB, 1024, 50_000n)],
    ['a worker made more than one operation per cycle of a CPU core', tally(0, 101, 10n)],
  ])('if %s', (_, wrong) => {
    for (const tallies of [[wrong], [GOOD, wrong], [wrong, GOOD]])
      expect(() => measure(tallies)).toThrow(expect.objectContaining({ code: 'clock-failed' }));
  });

  test('but not for one byte in a nanosecond, nor for more data by more threads or requests', () => {
    expect(measure([tally(1, 1, 1n)]).seconds).toBe(1e-9);
    const threads = Array.from({ length: 64 }, () => tally(64 * MIB, 1024, 100_000n));
    expect(measure(threads).seconds).toBe(1e-4);
    expect(elapsedSeconds('read', 100_000n, 64 * 64 * MIB, 1024, 64)).toBe(1e-4);
  });
});

test('CPU time is in percent of the elapsed time, and per operation', () => {
  const counters = { ...NOTHING, cpu: { userSeconds: 0.5, systemSeconds: 2.5 } };
  expect(measure([tally(1000, 1000, 2_000_000_000n)], { counters }).cpu).toEqual({
    userSeconds: 0.5,
    systemSeconds: 2.5,
    percent: 150,
    microsecondsPerOperation: 3000,
  });
});

test("otherIo is the device's I/O beyond this process, and is never negative", () => {
  const io = { readBytes: 1000, writtenBytes: 5000 };
  const counters = {
    ...NOTHING,
    io,
    disk: { readBytes: 1500, writtenBytes: 3000, readRequests: 3, writeRequests: 0 },
  };
  expect(measure([tally(5000, 1, 1_000_000n)], { counters }).otherIo).toEqual({
    readBytes: 500,
    writtenBytes: 0,
  });
});

describe('the device share of random reads', () => {
  /** For 100 reads. */
  const measureShare = (
    ioUnit: Phase['ioUnit'],
    eachBytes: number,
    fromDevice: number,
    options: OptionsInput = {},
  ) => {
    const counters = { ...NOTHING, io: { readBytes: fromDevice, writtenBytes: 0 } };
    const tallies = [tally(0, 100, 1_000_000n, { readBytes: 100 * eachBytes })];
    return measure(tallies, { counters }, { primaryRate: 'operations', order: 'random', ioUnit }, options)
      .device.share;
  };

  test('counts whole blocks for seeks, regardless of --io-size', () => {
    expect(measureShare('blocks', 65_536, 50 * 65_536, { ioSize: 512 })).toBe(0.5);
    expect(measureShare('blocks', 65_536, 50 * 65_536, { ioSize: '128k' })).toBe(0.5);
    expect(measureShare('blocks', 8192, 100 * 8192, { blockSize: '8k' })).toBe(1);
  });

  test('counts every page that a random operation touches', () => {
    // 4 KiB at a random byte touch two pages, except at one of 4096 offsets.
    expect(measureShare('random-blocks', 4096, 100 * 8192, { ioSize: '4k' })).toBe(1);
    expect(measureShare('random-blocks', 4096, 100 * 4096, { ioSize: '4k' })).toBeCloseTo(0.5, 3);
  });
});

test('single bytes and small files count as buffered even with --direct', () => {
  const counters = { ...NOTHING, io: { readBytes: 0, writtenBytes: 4 * MIB }, newDirtyBytes: MIB };
  const measureDevice = (ioUnit: Phase['ioUnit']) =>
    measure([tally(4 * MIB, 1, 1_000_000n)], { counters }, { ioUnit }, { direct: true, noFsync: true })
      .device;
  expect(measureDevice('blocks')).toMatchObject({ dirtyBytes: null, share: 1 });
  for (const ioUnit of ['bytes', 'files'] as const)
    expect(measureDevice(ioUnit)).toMatchObject({ dirtyBytes: MIB, share: 0.75 });
});

test.each([
  ['the names of empty files', 0, 1],
  ['no file data', 4 * MIB, 0.25],
])('in the create phase, the final sync includes %s', (_, writtenBytes, share) => {
  const counters = { ...NOTHING, io: { readBytes: 0, writtenBytes: 4 * MIB }, newDirtyBytes: 3 * MIB };
  const tallies = [tally(writtenBytes, 1, 1_000_000n)];
  const { device } = measure(tallies, { counters }, getPhase('create'));
  expect(device.share).toBe(share);
});

test('only the main rate can have a cliff', () => {
  const series = fallingSeries();
  const tallies = [tally(5500, 10, 10_000_000_000n)];
  expect(measure(tallies, { series }).cliff).toMatchObject({
    beforePerSecond: expect.closeTo(1000, 0),
    afterPerSecond: expect.closeTo(100, 0),
  });
  expect(measure(tallies, { series }, { primaryRate: 'operations' })).toMatchObject({ cliff: null, series });
});

describe('latencies', () => {
  const counts = new Float64Array(BUCKET_COUNT).fill(1, 9, 10);
  const ONE = { samples: 1, minNs: 9, maxNs: 9, totalNs: 9, counts };
  const measureWrite = (options: OptionsInput, readBytes = 0) =>
    measure(
      [
        tally(1000, 1, 1_000_000n, {
          latency: ONE,
          writeLatency: readBytes > 0 ? ONE : NO_LATENCY,
          readBytes,
        }),
      ],
      {},
      readBytes > 0 ? { ioUnit: 'random-blocks', primaryRate: 'operations' } : {},
      options,
    );

  test('of a write into the page cache are only those of a copy', () => {
    expect(measureWrite({})).toMatchObject({ latencyNs: null, copyLatencyNs: { max: 9 } });
    for (const options of [{ direct: true }, { fsyncPerWrite: true }]) {
      expect(measureWrite(options)).toMatchObject({ latencyNs: { max: 9 } });
      expect(measureWrite(options)).not.toHaveProperty('copyLatencyNs');
    }
  });

  test('of reads are separate from those copies', () => {
    const mixed = measureWrite({}, 1000);
    expect(mixed).toMatchObject({ latencyNs: { samples: 1 }, reads: { latencyNs: { samples: 1 } } });
    expect(mixed.writes?.latencyNs).toBeNull();
    expect(measureWrite({ direct: true }, 1000).latencyNs?.samples).toBe(2);
  });
});

test('the rate of a step beside another leaves out what it did before that one started', () => {
  const series = { seconds: [0.4, 0.6, 1.5], bytes: [300, 500, 1000], operations: [3, 5, 10] };
  const tallies = [tally(600, 10, 1_500_000_000n, { readBytes: 400 })];
  const random = { ioUnit: 'random-blocks', primaryRate: 'operations' } as const;
  expect(measure(tallies, { series, leadSeconds: 0.5 }, random)).toMatchObject({
    bytes: 1000,
    seconds: 1.5,
    bytesPerSecond: expect.closeTo(600),
    operationsPerSecond: expect.closeTo(6),
    reads: { bytesPerSecond: expect.closeTo(240), operationsPerSecond: expect.closeTo(2.4) },
    writes: { bytesPerSecond: expect.closeTo(360), operationsPerSecond: expect.closeTo(3.6) },
  });
});
