import { expect, test } from 'vitest';
import { yabsJson, yabsText } from '../../../src/format/compat/yabs.js';
import { toResults } from '../../../src/report/results.js';
import type { Report } from '../../../src/report/schema/report.js';
import { measurementWith } from '../../support/data/fixtures.js';
import { presetSteps, stepsReport } from '../../support/data/step-reports.js';

const textOf = (report: Report) => yabsText([toResults(report)]);
const jsonOf = (report: Report) => JSON.parse(yabsJson([toResults(report)]));
const PURE = { name: 'rnd4k-q1t1.read' };
const CACHED = { device: { ...measurementWith().device, share: 0.5 } };

test('the text has two block sizes side by side, with exact rates of reads, writes and both', () => {
  const steps = presetSteps('yabs', 97_536_000).map((one, at) => ({
    ...one,
    rates: [97_536_000 * 4 ** at, 97_536_000 * 4 ** at],
  }));
  expect(textOf(stepsReport(steps))).toBe(
    [
      'gobonnie 1.0.0 on goldhost, mean of 2 runs',
      '',
      'fio Disk Speed Tests (Mixed R/W 50/50) (Partition /dev/vda):',
      '---------------------------------',
      'Block Size | 4k            (IOPS) | 64k           (IOPS)',
      '  ------   | ---            ----  | ---            ----',
      'Read       | 48.77 MB/s   (11.9k) | 195.07 MB/s   (3.0k)',
      'Write      | 48.77 MB/s   (11.9k) | 195.07 MB/s   (3.0k)',
      'Total      | 97.54 MB/s   (23.8k) | 390.14 MB/s   (6.0k)',
      '           |                      |',
      'Block Size | 512k          (IOPS) | 1m            (IOPS)',
      '  ------   | ---            ----  | ---            ----',
      'Read       | 780.29 MB/s   (1.5k) | 3.12 GB/s     (3.0k)',
      'Write      | 780.29 MB/s   (1.5k) | 3.12 GB/s     (3.0k)',
      'Total      | 1.56 GB/s     (3.0k) | 6.24 GB/s     (6.0k)',
      '',
    ].join('\n'),
  );
});

test('the JSON has the keys of yabs.sh, in exact kilobytes of 1000 bytes per second', () => {
  const { partition, fio } = jsonOf(stepsReport(presetSteps('yabs', 8_192_000)));
  expect(partition).toBe('/dev/vda');
  expect(fio.map(({ bs }: { bs: string }) => bs)).toEqual(['4k', '64k', '512k', '1m']);
  expect(fio[0]).toEqual({
    bs: '4k',
    speed_r: 4096,
    iops_r: 1000,
    speed_w: 4096,
    iops_w: 1000,
    speed_rw: 8192,
    iops_rw: 2000,
    speed_units: 'KBps',
  });
});

test('a step of pure reads has no writes, and the table names its mix', () => {
  const report = stepsReport([{ step: PURE, rates: [409_600, 1_638_400] }]);
  expect(textOf(report)).toContain('(Mixed R/W 100/0)');
  expect(textOf(report)).toMatch(/^Read +\| 819\.20 KB\/s {4}\(200\)\nWrite +\| 0\.00 KB\/s {8}\(0\)\n/m);
  expect(jsonOf(report).fio).toEqual([
    expect.objectContaining({ iops_r: expect.closeTo(200), iops_w: 0, iops_rw: expect.closeTo(200) }),
  ]);
});

test('rates of a run that the page cache served are 0 in the text, which says so, and null in the JSON', () => {
  const report = stepsReport([{ step: PURE, rates: [409_600], facts: CACHED }]);
  expect(textOf(report)).toMatch(/mean of 1 run; 0\.00 is unknown\n[\s\S]*Total +\| 0\.00 KB\/s +\(0\)\n$/);
  expect(jsonOf(report).fio).toEqual([
    expect.objectContaining({ bs: '4k', speed_r: null, iops_w: null, speed_rw: null }),
  ]);
});

test('steps of the same size are told apart by their queue', () => {
  const text = textOf(stepsReport(presetSteps('crystaldiskmark', 1e8)));
  expect(text.match(/^Block Size.*$/gm)).toEqual(
    Array.from({ length: 2 }, () => 'Block Size | 4k q32        (IOPS) | 4k q1         (IOPS)'),
  );
});
