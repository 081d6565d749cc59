import { expect } from 'vitest';
import type { ErrorCode } from '../../../src/errors.js';
import type { Machine, Target } from '../../../src/machine/machine-schema.js';
import type { OptionsInput } from '../../../src/options/options-schema.js';
import { validateOptions } from '../../../src/options/validate-options.js';
import { plan, type RunPlan } from '../../../src/plan/plan.js';
import type { RunEvent } from '../../../src/report/events/event-record.js';
import type { RankResult } from '../../../src/report/schema/measurement-schema.js';
import type { Measurement, Report, Run } from '../../../src/report/schema/report.js';
import { emptyReport } from '../../../src/run/empty-report.js';
import { GIB } from '../../../src/text/units.js';

export const STARTED_AT = '2018-04-12T13:46:00.274Z';

export interface MachineFacts extends Partial<Omit<Machine, 'target'>> {
  readonly target?: Partial<Target>;
}

/** Creates a small machine with a large disk, except for the facts that matter to the test. */
export function machineWith({ target, ...facts }: MachineFacts = {}): Machine {
  return {
    hostname: 'goldhost',
    platform: 'linux',
    os: 'Linux 6.1.0',
    arch: 'x64',
    nodeVersion: 'v20.19.0',
    cpuModel: 'Common Processor',
    cores: 4,
    processors: 4,
    memoryBytes: 16 * GIB,
    memoryLimitBytes: 16 * GIB,
    pageBytes: 4096,
    isRoot: false,
    ...facts,
    target: {
      directory: '/mnt/disk',
      accessError: null,
      acceptsDirect: true,
      totalBytes: 1000 * GIB,
      availableBytes: 500 * GIB,
      inodes: { total: 1_000_000, available: 900_000 },
      filesystem: 'ext4',
      mount: '/mnt',
      mountOptions: ['rw', 'relatime'],
      device: '/dev/vda',
      isMemory: false,
      disk: {
        name: 'vda',
        diskstatsName: 'vda',
        model: null,
        rotational: false,
        scheduler: 'none',
        logicalBlockBytes: 512,
        physicalBlockBytes: 4096,
        sizeBytes: 1000 * GIB,
        encryption: null,
      },
      compression: null,
      encryption: null,
      ...target,
    },
  };
}

export function planWith(input: OptionsInput = {}, facts: MachineFacts = {}): RunPlan {
  return plan(validateOptions({ seed: 42, ...input }), machineWith(facts));
}

/** Creates a sequential write that reached the device, except for the facts that matter to the test. */
export function measurementWith(facts: Partial<Measurement> = {}): Measurement {
  const { step = 'write' } = facts;
  return {
    step,
    phase: step,
    title: 'Sequential Write',
    primaryRate: 'bytes',
    threads: 1,
    bytes: 536_870_912,
    readBytes: 0,
    writtenBytes: 536_870_912,
    operations: 8192,
    seconds: 0.5,
    bytesPerSecond: 1_073_741_824,
    operationsPerSecond: 16_384,
    direct: false,
    device: { readBytes: 0, writtenBytes: 536_870_912, dirtyBytes: 0, share: 1, reason: null },
    otherIo: { readBytes: 0, writtenBytes: 0 },
    cpu: { userSeconds: 0.125, systemSeconds: 0.25, percent: 75, microsecondsPerOperation: 45.776_367_187_5 },
    hostCpu: null,
    latencyNs: {
      samples: 8192,
      min: 46_500,
      mean: 59_600,
      p50: 59_904,
      p90: 59_904,
      p95: 59_904,
      p99: 59_904,
      p999: 59_904,
      p9999: 121_000,
      max: 121_000,
      buckets: [
        { from: 46_080, below: 47_104, count: 192 },
        { from: 59_392, below: 60_416, count: 7999 },
        { from: 120_832, below: 122_880, count: 1 },
      ],
    },
    cliff: null,
    series: {
      seconds: [0.1, 0.2, 0.3, 0.4, 0.5],
      operations: [1638, 3277, 4915, 6554, 8192],
      bytes: [107_347_968, 214_761_472, 322_109_440, 429_522_944, 536_870_912],
    },
    ...facts,
  };
}

/** The result of one rank of a job in a phase. */
export function rankResultWith(facts: Partial<RankResult> = {}): RankResult {
  return {
    rank: 0,
    host: 'a',
    threads: 1,
    bytes: 1000,
    operations: 10,
    startOffsetSeconds: 0,
    startOffsetErrorSeconds: 0,
    seconds: 1,
    bytesPerSecond: 1000,
    operationsPerSecond: 10,
    deviceShare: 1,
    cpuPercent: 5,
    latencyNs: { p50: 1, p99: 2, max: 3 },
    ...facts,
  };
}

export function runWith(facts: Partial<Run> = {}): Run {
  return {
    startedAt: '2018-04-12T13:46:01.000Z',
    state: 'completed',
    measurements: [
      measurementWith(),
      measurementWith({
        step: 'read',
        title: 'Sequential Read',
        readBytes: 536_870_912,
        writtenBytes: 0,
        seconds: 0.25,
        bytesPerSecond: 2_147_483_648,
        operationsPerSecond: 32_768,
        device: { readBytes: 536_870_912, writtenBytes: 0, dirtyBytes: 0, share: 1, reason: null },
      }),
      measurementWith({
        step: 'iops',
        title: 'IOPS',
        primaryRate: 'operations',
        bytes: 5_120_000,
        readBytes: 4_608_000,
        writtenBytes: 512_000,
        operations: 10_000,
        seconds: 0.5,
        bytesPerSecond: 10_240_000,
        operationsPerSecond: 20_000,
        device: { readBytes: 40_960_000, writtenBytes: 512_000, dirtyBytes: 512_000, share: 1, reason: null },
      }),
    ],
    ...facts,
  };
}

/** Creates one run with a write phase for each rate. */
export function runsAt(...rates: readonly number[]): Run[] {
  return rates.map((bytesPerSecond) => runWith({ measurements: [measurementWith({ bytesPerSecond })] }));
}

export function startWith(plan: RunPlan, scratchDirectory: string): RunEvent & { readonly type: 'start' } {
  const report = emptyReport(plan, new Date(STARTED_AT));
  return { type: 'start', report: { ...report, target: { ...report.target, scratchDirectory } } };
}

export function reportWith(facts: Partial<Report> = {}): Report {
  const report = emptyReport(planWith({ size: 0.5, iopsDuration: 0.5 }), new Date(STARTED_AT));
  return { ...report, outcome: { state: 'completed' }, ...facts };
}

/** For `toThrow`: matches a GobonnieError by its code and its whole printed line. */
export function gobonnieErrorWith(code: ErrorCode, line: string): Error {
  return expect.objectContaining({ name: 'GobonnieError', code, line });
}
