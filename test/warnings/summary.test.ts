import { expect, test } from 'vitest';
import { warningText } from '../../src/format/human/sentences.js';
import { allMeasurements } from '../../src/report/runs.js';
import type { Measurement, Report } from '../../src/report/schema/report.js';
import { measurementContext } from '../../src/warnings/measurement-context.js';
import { findMeasurementWarnings } from '../../src/warnings/measurement-warnings.js';
import { findJobWarnings } from '../../src/warnings/run-warnings.js';
import { summarizeWarnings } from '../../src/warnings/summary.js';
import { measurementWith, reportWith, runWith } from '../support/data/fixtures.js';
import { stepsReport } from '../support/data/step-reports.js';

/** Returns a report of one run with the warnings about its measurements. */
function reportOf(steps: readonly Partial<Measurement>[]): Report {
  const measurements = steps.map((facts, index) =>
    measurementWith({ step: `s${index}`, title: `s${index}`, phase: 'read', seconds: 1, ...facts }),
  );
  const report = reportWith({ runs: [runWith({ measurements })] });
  const warnings = measurements.flatMap((one) =>
    findMeasurementWarnings([one], measurementContext(report, one)),
  );
  return { ...report, warnings };
}

function messagesOf(report: Report): readonly string[] {
  return summarizeWarnings(report).map(({ message }) => message);
}

const cores = reportWith().machine.cores;

/** A step during which the CPUs were busy, and gobonnie used a share of all CPUs. */
function busy(busyShare: number, ownShare: number): Partial<Measurement> {
  const percent = ownShare * cores * 100;
  return {
    hostCpu: { busyShare, stealShare: 0 },
    cpu: { ...measurementWith().cpu, percent },
  };
}

test('busy CPUs are one warning, with the number of steps, the range and the share of gobonnie itself', () => {
  const quiet = busy(0.3, 0.2);
  const report = reportOf([busy(0.96, 0.1), quiet, busy(1, 0.31), busy(0.99, 0.2), quiet]);
  expect(messagesOf(report)).toEqual([
    '3 of 5 steps: the CPUs were 96.0 % to 100.0 % busy, gobonnie itself used at most 31.0 %: other programs may have slowed the results',
  ]);
});

test('a warning about a minority of the steps names them', () => {
  const quiet = busy(0.3, 0.2);
  const report = reportOf([busy(1, 0.1), quiet, busy(1, 0.1), busy(1, 0.1), quiet, quiet]);
  expect(messagesOf(report)).toEqual([expect.stringMatching(/^s0, s2, s3: the CPUs were 100\.0 % busy/)]);
});

test('the range of other programs includes the writes of each step by its own rule', () => {
  const otherIo = (megabytes: number) => ({ otherIo: { readBytes: 0, writtenBytes: megabytes * 1e6 } });
  const report = stepsReport([
    {
      step: { name: 'synced', syncPerWrite: 'fsync' },
      rates: [1e6],
      facts: { otherIo: { readBytes: 90e6, writtenBytes: 1e9 } },
    },
    { step: { name: 'one' }, rates: [1e6], facts: otherIo(200) },
    { step: { name: 'two' }, rates: [1e6], facts: otherIo(300) },
  ]);
  const warnings = allMeasurements(report).flatMap((one) => findJobWarnings(one, [], report));
  expect(messagesOf({ ...report, warnings: [...warnings] })).toEqual([
    '3 of 3 steps: other programs used this device (90 to 300 MB)',
  ]);
});

test('busy CPUs are the bottleneck only in the steps in which gobonnie used most of them', () => {
  const step = (name: string, ownShare: number) => ({
    step: { name },
    rates: [1e6],
    facts: busy(1, ownShare),
  });
  const report = stepsReport([step('s0', 0.2), step('s1', 0.6)]);
  const warnings = allMeasurements(report).flatMap((one) => findJobWarnings(one, [], report));
  const [message] = messagesOf({ ...report, warnings: [...warnings] });
  expect(message).toMatch(
    /^s0, s1: .* at most 60\.0 %: other programs may have slowed the results; the CPU may be the bottleneck in s1, not the disk$/,
  );
});

test('rates that fell in more than two steps are one warning without the rates, which have different units', () => {
  const cliff = { atSeconds: 1, beforePerSecond: 2e9, afterPerSecond: 1e9 };
  const report = reportOf([{ cliff }, {}, { cliff, primaryRate: 'operations' }, { cliff }]);
  expect(messagesOf(report)).toEqual([
    '3 of 4 steps: the rate fell during the step: perhaps a cache filled up, burst credits ran out or other programs used the device; the results average both',
  ]);
});

test('a warning about a step of a list has its name, even if a phase has the same name and another title', () => {
  const [warning] = summarizeWarnings(reportOf([{ ...busy(1, 0.1), step: 'read', title: 'read' }]));
  expect(warning && warningText(warning)).toMatch(/^warning: read: the CPUs/);
});

test('a warning about one step keeps its figures, and a warning about some hosts its message', () => {
  const [warning] = summarizeWarnings(reportOf([busy(1, 0.1), {}]));
  expect(warning).toMatchObject({ step: null, message: expect.stringMatching(/^s0: .*100\.0 % busy/) });
  const report = reportOf([busy(1, 0.1), busy(1, 0.1)]);
  const onHost = report.warnings.map((one) => ({ ...one, hosts: ['a'], message: `on a: ${one.message}` }));
  expect(messagesOf({ ...report, warnings: onHost })).toEqual([
    expect.stringMatching(/^s0: on a: the CPUs.*; s1: on a: the CPUs/),
  ]);
});
