import { describe, expect, test } from 'vitest';
import { evaluateExpectation, parseExpectation } from '../../src/checks/expectation.js';
import type { Run } from '../../src/report/schema/report.js';
import { phases } from '../../workers/phases/phase-catalogue.js';
import { gobonnieErrorWith, measurementWith, reportWith, runsAt, runWith } from '../support/data/fixtures.js';

const MEASURED = phases.filter(({ name }) => ['write', 'read', 'iops', 'create-random'].includes(name));

function evaluate(text: string, runs: readonly Run[]) {
  return evaluateExpectation(parseExpectation(text, MEASURED), reportWith({ runs: [...runs] }));
}

describe('parsing a condition', () => {
  test.each([
    ['write>=200MB/s', { phase: 'write', unit: 'bytesPerSecond', operator: '>=', bound: 200e6 }],
    ['  iops > 5k ', { phase: 'iops', unit: 'operationsPerSecond', operator: '>', bound: 5000 }],
    ['read.p99<20ms', { phase: 'read', unit: 'nanoseconds', operator: '<', bound: 20e6 }],
    ['create-random.p999 <= 1s', { phase: 'create-random', unit: 'nanoseconds', operator: '<=', bound: 1e9 }],
    [
      'create-random>=100',
      { phase: 'create-random', unit: 'operationsPerSecond', operator: '>=', bound: 100 },
    ],
    ['read.share>=90%', { phase: 'read', unit: 'share', operator: '>=', bound: 0.9 }],
    [
      'write.durable>=50MiB/s',
      { phase: 'write', unit: 'bytesPerSecond', operator: '>=', bound: 50 * 2 ** 20 },
    ],
  ])('%s is accepted', (text, parsed) => {
    expect(parseExpectation(text, MEASURED)).toMatchObject({ condition: text.trim(), ...parsed });
  });

  test.each([
    ['write', 'is not a condition', 'for example, --expect "write>=200MB/s"'],
    ['', 'is not a condition', 'for example, --expect "write>=200MB/s"'],
    ['write=200MB/s', 'is not a condition', 'for example, --expect "write>=200MB/s"'],
    ['200MB/s<write', 'is not a condition', 'for example,'],
    ['wirte>=200MB/s', 'names wirte, which is not measured', 'use one of write, read, iops, create-random'],
    ['seeks>=100', 'names seeks, which is not measured', 'or pass --phases'],
    ['read.p98<20ms', 'names read.p98, which is not a metric', '.p90, .p95, .p99, .p999'],
    ['read.<20ms', 'names read., which is not a metric', 'use read alone'],
    ['read.p99.max<20ms', 'names read.p99.max, which is not a metric', 'use read alone'],
    ['read.constructor<20ms', 'names read.constructor, which is not a metric', 'use read alone'],
    ['write>=200', 'has no unit', 'write it like "write>=200MB/s"'],
    ['read.p99<.5', 'has no unit', 'write it like "read.p99<20ms"'],
    [
      'write>=200ms',
      'has the value 200ms, but write is in B/s, kB/s, MB/s, GB/s, TB/s, KiB/s,',
      'write it like "write>=200MB/s"',
    ],
    ['write>=', 'has no value', 'write it like "write>=200MB/s"'],
    [
      'read.p99<20MB/s',
      'has the value 20MB/s, but read.p99 is in ns, us, µs, ms, s, min',
      'write it like "read.p99<20ms"',
    ],
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

  test('control characters are escaped in the error', () => {
    expect(() => parseExpectation('wr\u001b[31mite>=1MB/s', MEASURED)).toThrow(
      gobonnieErrorWith('option-invalid', expect.not.stringContaining('\u001b') as unknown as string),
    );
  });
});

describe('evaluating a condition', () => {
  test.each([
    ['write>=200MB/s', 200e6, true],
    ['write>200MB/s', 200e6, false],
    ['write<=200MB/s', 200e6, true],
    ['write<200MB/s', 200e6, false],
    ['write>=200MB/s', 199_999_999, false],
    ['write<200MB/s', 199_999_999, true],
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
    expect(evaluate('write>=200MB/s', [...runsAt(100e6, 300e6), stopped])).toMatchObject({
      actual: 200e6,
      passed: true,
    });
    expect(evaluate('write>0MB/s', [stopped])).toMatchObject({ actual: null, passed: false });
  });

  test('an unknown result meets no condition', () => {
    const runs = [runWith({ measurements: [measurementWith({ latencyNs: null })] })];
    for (const text of ['write.p99<20ms', 'write.p99>0ms'])
      expect(evaluate(text, runs)).toMatchObject({ actual: null, passed: false });
  });
});

describe('if part of the result was cached', () => {
  const cached = { readBytes: 100, writtenBytes: 0, dirtyBytes: null, share: 0.014, reason: null };
  const read = measurementWith({
    phase: 'read',
    title: 'Sequential Read',
    readBytes: 100,
    writtenBytes: 0,
    durable: null,
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
            /^pass --direct .*, or pass --allow-cached to accept the timed result$/,
          ),
        },
      });
    },
  );

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

  test('the timed result counts with --allow-cached', () => {
    const report = reportWith({ runs: [runWith({ measurements: [read] })] });
    expect(evaluateExpectation(parseExpectation('read>=200MB/s', MEASURED), report, true)).toEqual({
      condition: 'read>=200MB/s',
      unit: 'bytesPerSecond',
      bound: 200e6,
      actual: 5e9,
      passed: true,
    });
  });

  test('a condition on a write uses the durable rate, and one on its latency is inconclusive', () => {
    const write = measurementWith({
      device: { ...cached, share: 0 },
      durable: { seconds: 9, bytesPerSecond: 1e6 },
    });
    const runs = [runWith({ measurements: [write] })];
    expect(evaluate('write>=200MB/s', runs)).toMatchObject({ actual: 1e6, passed: false });
    expect(evaluate('write>=1MB/s', runs)).toMatchObject({ actual: 1e6, passed: true });
    expect(evaluate('write.p99<1s', runs)).toMatchObject({
      inconclusive: { reason: 'only 0.0 % had reached the device' },
    });
  });

  test.each([
    [
      { isMemory: true, directory: '/dev/shm', filesystem: 'tmpfs', device: 'tmpfs' },
      0,
      '/dev/shm is in memory (tmpfs)',
    ],
    [
      { isMemory: true, directory: '/mnt', device: '/dev/zram0' },
      0,
      '/mnt is in memory (ext4 on /dev/zram0)',
    ],
    [{}, null, "the device's share is unknown: no /proc"],
  ])('the reason describes a target of %j with a share of %j', (target, share, reason) => {
    const report = reportWith();
    const measurements = [
      measurementWith({ durable: null, device: { ...cached, share, reason: 'no /proc' } }),
    ];
    const verdict = evaluateExpectation(parseExpectation('write>=1MB/s', MEASURED), {
      ...report,
      target: { ...report.target, ...target },
      runs: [runWith({ measurements })],
    });
    expect(verdict).toMatchObject({ passed: false, inconclusive: { reason } });
  });

  test('the hint advises a sync if the kernel does not count so few dirty pages', () => {
    const device = {
      ...cached,
      writtenBytes: 4096,
      share: null,
      reason: 'the kernel does not count so few dirty pages',
    };
    const hintFor = (phase: 'create' | 'putc') => {
      const runs = [runWith({ measurements: [measurementWith({ phase, durable: null, device })] })];
      const expectation = parseExpectation(`${phase}>=1B/s`, [{ name: phase, primaryRate: 'bytes' }]);
      return evaluateExpectation(expectation, { ...reportWith(), runs }).inconclusive?.hint;
    };
    expect(hintFor('create')).toBe(
      'pass --fsync-per-write, or pass --allow-cached to accept the timed result',
    );
    expect(hintFor('putc')).toBe('pass --fsync, or pass --allow-cached to accept the timed result');
  });

  test.each([
    ['created', 'pass --fsync, or pass --allow-cached to accept the timed result'],
    ['statted', 'pass --allow-cached to accept the timed result'],
  ])('for names that were %s, the hint makes the device share known if possible', (operation, hint) => {
    const device = { ...cached, share: null, reason: 'nothing counts it' };
    const phase = operation === 'created' ? 'create' : 'stat';
    const names = {
      phase,
      primaryRate: 'operations',
      durable: null,
      bytes: 0,
      readBytes: 0,
      writtenBytes: 0,
      device,
    } as const;
    const runs = [runWith({ measurements: [measurementWith(names)] })];
    const verdict = evaluateExpectation(
      parseExpectation(`${phase}>=1/s`, [{ name: phase, primaryRate: 'operations' }]),
      { ...reportWith(), runs },
    );
    expect(verdict.inconclusive?.hint).toBe(hint);
  });
});
