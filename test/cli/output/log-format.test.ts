import { expect, test, vi } from 'vitest';
import { formatLog, formatLogTime, logLines } from '../../../src/cli/output/log-format.js';
import type { RunEvent } from '../../../src/report/events/event-record.js';
import { GIB } from '../../../src/text/units.js';
import { version } from '../../../src/version.js';
import { measurementWith, planWith, reportWith, runWith, startWith } from '../../support/data/fixtures.js';

const PLAN = planWith(
  { size: 0.5, runs: 2, seconds: 60 },
  { cores: 8, memoryBytes: 64 * GIB, memoryLimitBytes: 4 * GIB },
);
const START = startWith(PLAN, '/tmp/gobonnie-x');
const START_LINE = `gobonnie starting. version: ${version}, runs: 2, seconds: 60, threads: 8, disk space to use (MiB): 512`;
const WARNING: RunEvent = {
  type: 'warning',
  warning: { code: 'size-reduced', step: null, message: 'it does not fit', hint: 'free some space' },
};

test('the log of a run starts with the start line of gobonniego', () => {
  expect(logLines(START, false)).toEqual([START_LINE]);
});

test('-v adds the cores, the RAM of the machine and the directory', () => {
  expect(logLines(START, true)).toEqual([
    START_LINE,
    'Number of CPU cores: 8',
    'Total system RAM (MiB): 65536',
    'Bonnie working directory: /tmp/gobonnie-x',
  ]);
});

test('the log quotes a directory with control characters', () => {
  expect(logLines(startWith(PLAN, '/tmp/\u001b[31m'), true).at(-1)).toBe(
    'Bonnie working directory: "/tmp/\\u001b[31m"',
  );
});

test('-v prints the MiB, MB and seconds of a sequential phase, and its conditions', () => {
  const { device } = measurementWith();
  const facts = { bytes: 536_870_912, seconds: 1.029243, device: { ...device, share: 0.1234 } };
  const measurement = measurementWith(facts);
  expect(logLines({ type: 'step-end', run: 1, measurement }, true)).toEqual([
    'Written (MiB): 512',
    'Written (MB): 536.870912',
    'Duration (seconds): 1.029243',
    'Sequential Write: device share 12.3 %; latency p50 59.9 µs, p99 59.9 µs, max 121 µs; CPU 75 %',
  ]);
});

test('-v prints the operations and seconds of the IOPS phase, and its conditions', () => {
  const measurement = measurementWith({
    step: 'iops',
    title: 'IOPS',
    primaryRate: 'operations',
    operations: 16_927_770,
    seconds: 15.940455,
  });
  expect(logLines({ type: 'step-end', run: 1, measurement }, true)).toEqual([
    'operations 16927770',
    'Duration (seconds): 15.940455',
    'IOPS: device share 100.0 %; latency p50 59.9 µs, p99 59.9 µs, max 121 µs; CPU 75 %',
  ]);
});

const READ_CEILING = { step: 'read', perSecond: 8.2e9 };
const OF_READ = 'Memory ceiling: read 8200 MB/s (the result is 26.1 % of it)';

test.each([
  [
    [READ_CEILING, { step: 'iops', perSecond: 814_183.4 }],
    [`${OF_READ}, iops 814183/s (the result is 50.0 % of it)`],
  ],
  [[READ_CEILING], [OF_READ]],
  [null, []],
])('-v ends with the rates of the page cache, and the share reached: %#', (memoryCeiling, lines) => {
  const read = measurementWith({ step: 'read', bytesPerSecond: 2.144e9 });
  const iops = measurementWith({ step: 'iops', primaryRate: 'operations', operationsPerSecond: 407_092 });
  const runs = [runWith({ measurements: [read, iops] })];
  const end: RunEvent = { type: 'end', report: reportWith({ memoryCeiling, runs }) };
  expect(logLines(end, true)).toEqual(lines);
  expect(logLines(end, false)).toEqual([]);
});

const { device } = measurementWith();

test.each([
  [{ ...device, share: null, reason: 'NFS' }, 'device share unknown (NFS)'],
  [{ ...device, share: null }, 'device share unknown (no data was moved)'],
])(
  '-v prints why the device share of a phase is unknown, and omits a missing latency: %#',
  (device, text) => {
    const measurement = measurementWith({ device, latencyNs: null });
    expect(logLines({ type: 'step-end', run: 1, measurement }, true).at(-1)).toBe(
      `Sequential Write: ${text}; CPU 75 %`,
    );
  },
);

test('a warning has its hint and code', () => {
  expect(logLines(WARNING, false)).toEqual([
    'warning: it does not fit; free some space (gobonnie explain size-reduced)',
  ]);
});

test('formatLogTime prints local time with two digits per field, like Go', () => {
  vi.stubEnv('TZ', 'Pacific/Kiritimati');
  expect(formatLogTime(new Date('2018-04-12T20:00:00Z'))).toBe('2018/04/13 10:00:00');
  expect(formatLogTime(new Date(2018, 3, 12, 6, 20, 9))).toBe('2018/04/12 06:20:09');
  expect(formatLogTime(new Date(2018, 11, 1, 23, 59, 59))).toBe('2018/12/01 23:59:59');
});

test('every log line starts with a timestamp', () => {
  const lines = formatLog(START, true);
  expect(lines).toHaveLength(4);
  expect(lines.filter((line) => !/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \w/.test(line))).toEqual([]);
});
