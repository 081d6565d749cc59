import { expect } from 'vitest';
import type { ErrorCode } from '../src/errors.js';
import type { Machine, Target } from '../src/machine.js';
import { judge, type OptionsInput } from '../src/options/judge.js';
import { type Plan, plan } from '../src/plan.js';
import { draft } from '../src/report/draft.js';
import type { Measurement, Report, Run } from '../src/report/report.js';
import { GIB } from '../src/units.js';

export const STARTED_AT = '2018-04-12T13:46:00.274Z';

export interface MachineFacts extends Partial<Omit<Machine, 'target'>> {
  readonly target?: Partial<Target>;
}

/** A small machine with a large disk, but for the facts that matter to the test. */
export function machineWith({ target, ...facts }: MachineFacts = {}): Machine {
  return {
    platform: 'linux',
    nodeVersion: 'v20.19.0',
    cores: 4,
    memoryBytes: 16 * GIB,
    memoryLimitBytes: 16 * GIB,
    isRoot: false,
    ...facts,
    target: {
      directory: '/mnt/disk',
      exists: true,
      isDirectory: true,
      writable: true,
      totalBytes: 1000 * GIB,
      availableBytes: 500 * GIB,
      filesystem: 'ext4',
      mount: '/mnt',
      device: '/dev/vda',
      ...target,
    },
  };
}

export function planWith(input: OptionsInput = {}, facts: MachineFacts = {}): Plan {
  return plan(judge({ seed: 42, ...input }), machineWith(facts));
}

export function measurementWith(facts: Partial<Measurement> = {}): Measurement {
  return {
    phase: 'write',
    title: 'Sequential Write',
    figure: 'bytes',
    bytes: 536_870_912,
    operations: 8192,
    seconds: 0.5,
    bytesPerSecond: 1_073_741_824,
    operationsPerSecond: 16_384,
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
        phase: 'read',
        title: 'Sequential Read',
        seconds: 0.25,
        bytesPerSecond: 2_147_483_648,
      }),
      measurementWith({
        phase: 'iops',
        title: 'IOPS',
        figure: 'operations',
        bytes: 5_120_000,
        operations: 10_000,
        seconds: 0.5,
        bytesPerSecond: 10_240_000,
        operationsPerSecond: 20_000,
      }),
    ],
    ...facts,
  };
}

export function reportWith(facts: Partial<Report> = {}): Report {
  return { ...draft(planWith({ size: 0.5, iopsDuration: 0.5 }), new Date(STARTED_AT)), ...facts };
}

/** For `toThrow`: an error that gobonnie knows, by its code and the whole line that a user sees. */
export function refusal(code: ErrorCode, line: string): Error {
  return expect.objectContaining({ name: 'GobonnieError', code, line });
}
