import { describe, expect, test } from 'vitest';
import { evaluateExpectation, parseExpectation } from '../../src/checks/expectation.js';
import { listSteps } from '../../src/options/measured-steps.js';
import type { Run } from '../../src/report/schema/report.js';
import { measurementWith, reportWith, runsAt, runWith } from '../support/data/fixtures.js';
import { stepsReport } from '../support/data/step-reports.js';

const NAMES = ['write', 'read', 'iops', 'create-random', 'first-read', 'second-read'];
const MEASURED = listSteps({ phases: NAMES, mix: 90, fsyncPerWrite: true });

function evaluate(text: string, runs: readonly Run[]) {
  return evaluateExpectation(parseExpectation(text, MEASURED), reportWith({ runs: [...runs] }));
}

describe('parsing a condition', () => {
  test.each([
    ['create-random.p999 <= 1s', { step: 'create-random', unit: 'nanoseconds', operator: '<=', bound: 1e9 }],
    ['  iops > 5k ', { step: 'iops', unit: 'operationsPerSecond', operator: '>', bound: 5000 }],
  ])('%s is accepted', (text, parsed) => {
    expect(parseExpectation(text, MEASURED)).toMatchObject({ condition: text.trim(), ...parsed });
  });

  test.each([
    ['write', 'is not a condition', 'for example, --expect "write>=200MB/s"'],
    ['200MB/s<write', 'is not a condition', 'for example,'],
    ['wirte>=200MB/s', 'names wirte, which is not measured', 'use one of write, read, iops, create-random'],
    ['p99<20ms', 'names p99, which is not measured', 'for example, write.p99'],
    ['reads.p99<20ms', 'names reads.p99, which is not measured', 'for example, iops.reads.p99'],
    ['read.p98<20ms', 'names read.p98, which is not a metric', '.p90, .p95, .p99, .p999'],
    ['read.<20ms', 'names read., which is not a metric', 'use read alone'],
    ['write>=200', 'has the value 200, but write is in B/s, kB/s, MB/s,', 'write it like "write>=200MB/s"'],
    ['read.p99<20MB/s', 'but read.p99 is in ns, us, µs, ms, s, min', 'write it like "read.p99<20ms"'],
    ['iops>=1MB/s', 'but iops is in operations per second', '"iops>=5000" or "iops.throughput>=1MB/s"'],
    ['write>>=1MB/s', 'has the value', 'write it like'],
  ])('%j is rejected: %s', (text, message, hint) => {
    expect(() => parseExpectation(text, MEASURED)).toThrow(
      expect.objectContaining({
        code: 'option-invalid',
        message: expect.stringContaining(message),
        hint: expect.stringContaining(hint),
      }),
    );
  });
});

test.each([
  ['write', { fsyncPerWrite: true }, 'reads', 'does not both read and write', 'use write.p99'],
  ['random', { mix: 100 }, 'reads', 'does not both read and write', 'use random.p99'],
  ['random', { mixPercent: 0 }, 'writes', 'does not both read and write', 'use random.p99'],
  ['random', { mix: 50 }, 'write', 'makes no separate sync after each write', 'use random.writes.p99'],
  ['random', { mix: 100, fsyncPerWrite: true }, 'sync', 'makes no separate sync', 'use random.p99'],
  ['create', { fsyncPerWrite: true }, 'sync', 'makes no separate sync', 'use create.p99'],
  ['install', {}, 'sync', 'makes no separate sync', 'use install.p99'],
  ['commit-etcd', { mix: 50 }, 'reads', 'does not both read and write', 'use commit-etcd.p99'],
])('the phase %s with %j cannot have the metric %s.p99', (phase, load, part, reason, hint) => {
  expect(() => parseExpectation(`${phase}.${part}.p99<1s`, listSteps({ phases: [phase], ...load }))).toThrow(
    expect.objectContaining({
      code: 'option-invalid',
      message: expect.stringContaining(`names ${phase}.${part}.p99, but ${phase} ${reason}`),
      hint,
    }),
  );
});

test.each([
  [{ phase: 'random', mix: 70 }, ['reads', 'writes']],
  [{ phase: 'random', mixPercent: 70, syncPerWrite: 'fdatasync' }, ['reads', 'writes', 'write', 'sync']],
  [{ phase: 'commit-etcd' }, ['write', 'sync']],
  [{ phase: 'commit-journal' }, ['write', 'sync']],
  [{ phase: 'write' }, ['write', 'sync'], { fsyncPerWrite: true }],
])('the step %j may have a p99 of its %j', ({ phase, ...load }, parts, options?: object) => {
  const steps = listSteps({ ...options, phases: [], steps: [{ name: 'step', phase, ...load }] });
  for (const part of parts) expect(parseExpectation(`step.${part}.p99<1s`, steps)).toHaveProperty('metric');
});

test('an unknown name in a list of steps is answered with the names of the steps alone', () => {
  const steps = listSteps({ phases: [], steps: [{ name: 'rnd4k.read', phase: 'random' }] });
  expect(() => parseExpectation('iops>=1', steps)).toThrow(
    expect.objectContaining({ hint: 'use one of rnd4k.read' }),
  );
});

describe('evaluating a condition', () => {
  test.each([
    ['write>=200MB/s', 200e6, true],
    ['write>200MB/s', 200e6, false],
    ['write<=200MB/s', 200e6, true],
    ['write<200MB/s', 200e6, false],
    ['write>=200MB/s', 199_999_999, false],
  ])('%s of %d is %s', (text, rate, passed) => {
    expect(evaluate(text, runsAt(rate))).toEqual({
      condition: text,
      unit: 'bytesPerSecond',
      bound: 200e6,
      actual: rate,
      passed,
    });
  });

  test('a condition applies to the mean of the complete runs, and is not met without a complete run', () => {
    const stopped = runWith({ state: 'incomplete', measurements: [measurementWith({ bytesPerSecond: 1 })] });
    expect(evaluate('write>=199MB/s', [...runsAt(100e6, 400e6), stopped])).toMatchObject({
      actual: expect.closeTo(200e6, 0),
      passed: true,
      worst: { actual: 100e6, runs: 2 },
    });
    expect(evaluate('write<=201MB/s', runsAt(100e6, 400e6)).worst).toEqual({ actual: 400e6, runs: 2 });
    expect(evaluate('write>=201MB/s', runsAt(100e6, 400e6))).not.toHaveProperty('worst');
    expect(evaluate('write>=100MB/s', runsAt(100e6, 400e6))).not.toHaveProperty('worst');
    expect(evaluate('write>0MB/s', [stopped])).toMatchObject({ actual: null, passed: false });
  });
});

describe('if part of the result was cached', () => {
  const cached = { readBytes: 100, writtenBytes: 0, dirtyBytes: null, share: 0.014, reason: null };
  const read = measurementWith({
    step: 'read',
    title: 'Sequential Read',
    readBytes: 100,
    writtenBytes: 0,
    bytesPerSecond: 5e9,
    device: cached,
  });

  test.each(['read>=200MB/s', 'read<=9GB/s', 'read.p99<20ms', 'read.ops>=1'])(
    '%s is inconclusive, with a reason and a hint',
    (text) => {
      expect(evaluate(text, [runWith({ measurements: [read] })])).toMatchObject({
        passed: false,
        inconclusive: {
          reason: 'only 1.4 % was read from the device',
          hint: expect.stringMatching(
            /^pass --direct, .*, or pass --allow-cached to accept the timed result$/,
          ),
        },
      });
    },
  );

  test.each([
    ['first-read', 'name files that nobody has read since the volume was attached'],
    [
      'second-read',
      'this filesystem buffers or reduces even direct and synced I/O: measure another directory',
    ],
  ] as const)('the hint for a %s names no option that the command lacks', (phase, hint) => {
    const measurements = [{ ...read, step: phase, phase }];
    expect(evaluate(`${phase}>=1MB/s`, [runWith({ measurements })]).inconclusive?.hint).toBe(
      `${hint}, or expect ${phase}.timed, the rate as timed`,
    );
  });

  test.each(['read>=6GB/s', 'read.p99<1us', 'read.ops>=1M'])(
    '%s is missed even by the timed result',
    (text) => {
      const verdict = evaluate(text, [runWith({ measurements: [read] })]);
      expect(verdict.passed).toBe(false);
      expect(verdict.inconclusive).toBeUndefined();
    },
  );

  test.each(['read.timed>=200MB/s', 'read.share<50%'])('%s refers to the timed result and is met', (text) => {
    expect(evaluate(text, [runWith({ measurements: [read] })])).toMatchObject({ passed: true });
  });

  test('the latency of a write into the page cache is inconclusive', () => {
    const { latencyNs: copyLatencyNs, ...write } = measurementWith();
    const runs = [runWith({ measurements: [{ ...write, latencyNs: null, copyLatencyNs }] })];
    expect(evaluate('write.p99<1s', runs)).toMatchObject({
      actual: null,
      passed: false,
      inconclusive: { hint: 'pass --direct or --fsync-per-write' },
    });
    expect(evaluate('write.mean<1s', runs)).toHaveProperty('inconclusive');
    expect(evaluate('write>=1MB/s', runs).passed).toBe(true);
  });

  test('the slowest host of a run without hosts is unknown for this reason', () => {
    expect(evaluate('write.slowest>=1MB/s', [runWith({ measurements: [measurementWith()] })])).toMatchObject({
      actual: null,
      passed: false,
      inconclusive: {
        reason: 'only a job has a slowest host',
        hint: 'expect write, the rate',
      },
    });
  });

  test('the latency of the writes of a mix into the page cache is inconclusive', () => {
    const writes = { bytes: 1, operations: 1, bytesPerSecond: 1, operationsPerSecond: 1, latencyNs: null };
    const runs = [runWith({ measurements: [measurementWith({ step: 'iops', writes })] })];
    expect(evaluate('iops.writes.p99<1s', runs)).toMatchObject({
      actual: null,
      passed: false,
      inconclusive: { hint: 'pass --direct or --fsync-per-write' },
    });
  });

  test('the hint for the latency of a write of a step into the page cache has settings of the step', () => {
    const { latencyNs: copyLatencyNs } = measurementWith();
    const facts = { latencyNs: null, copyLatencyNs };
    const report = stepsReport([{ step: { name: 'fast', phase: 'write' }, rates: [1e6], facts }]);
    const condition = parseExpectation('fast.p99<1s', listSteps(report.options));
    expect(evaluateExpectation(condition, report).inconclusive?.hint).toBe(
      'set direct=true or sync-per-write=fdatasync in the step',
    );
  });

  test('the latency of a step without latencies is unknown for this reason', () => {
    const { latencyNs: _, ...create } = measurementWith({ step: 'create-random' });
    expect(
      evaluate('create-random.p99<1s', [runWith({ measurements: [{ ...create, latencyNs: null }] })]),
    ).toMatchObject({
      passed: false,
      inconclusive: { reason: 'the step has no latency', hint: 'expect create-random.seconds, its duration' },
    });
  });

  test.each([
    [
      { isMemory: true, directory: '/dev/shm', filesystem: 'tmpfs', device: 'tmpfs' },
      0,
      '/dev/shm is in memory (tmpfs)',
    ],
    [{}, null, "the device's share is unknown: no /proc"],
  ])('the reason describes a target of %j with a share of %j', (target, share, reason) => {
    const report = reportWith();
    const measurements = [measurementWith({ device: { ...cached, share, reason: 'no /proc' } })];
    const verdict = evaluateExpectation(parseExpectation('write>=1MB/s', MEASURED), {
      ...report,
      target: { ...report.target, ...target },
      runs: [runWith({ measurements })],
    });
    expect(verdict).toMatchObject({ passed: false, inconclusive: { reason } });
  });

  test('the latency of a sync is inconclusive if the device did not serve the step', () => {
    const { latencyNs } = measurementWith();
    if (!latencyNs) throw new Error('the fixture has no latency');
    const syncedWrites = { writeLatencyNs: latencyNs, syncLatencyNs: latencyNs };
    const [served, unserved] = [1, 0].map((share) => {
      const measurements = [measurementWith({ syncedWrites, device: { ...cached, share } })];
      return evaluate('write.sync.p99<1s', [runWith({ measurements })]);
    });
    expect(served).toMatchObject({ passed: true });
    expect(unserved).toMatchObject({ passed: false, inconclusive: {} });
  });

  test.each([
    ['create', 4096, 'pass --fsync-per-write, or pass --allow-cached to accept the timed result'],
    [
      'putc',
      4096,
      'include the final sync: pass --no-fsync=false, or pass --allow-cached to accept the timed result',
    ],
    ['stat', 0, 'pass --allow-cached to accept the timed result'],
  ])('the hint for %s of %i bytes makes the device share known if possible', (phase, bytes, hint) => {
    const device = { ...cached, writtenBytes: bytes, share: null, reason: 'nothing counts it' };
    const facts = { step: phase, bytes, readBytes: 0, writtenBytes: bytes, device };
    const report = reportWith({ runs: [runWith({ measurements: [measurementWith(facts)] })] });
    const { inconclusive } = evaluateExpectation(
      parseExpectation(`${phase}>=1B/s`, listSteps({ phases: [], steps: [{ name: phase, phase: 'write' }] })),
      { ...report, options: { ...report.options, fsync: false } },
    );
    expect(inconclusive?.hint).toBe(hint);
  });
});
