import { expect, test } from 'vitest';
import { seriesCsv } from '../../../src/format/data/csv-series.js';
import { toResults } from '../../../src/report/report-to-results.js';
import type { Report } from '../../../src/report/schema/report.js';
import { measurementWith, reportWith, runWith } from '../../support/data/fixtures.js';

const series = {
  seconds: [0.1, 0.2],
  bytes: [100, 100],
  operations: [10, 10],
  latencyNs: { p50: [2000, null], p99: [30_000, null], max: [4_000_000, null] },
};

const seriesTable = (...reports: readonly Report[]) => seriesCsv(reports.map(toResults));

test('every sample of every phase has a line in base units; latencies are empty if no operation ended', () => {
  const { latencyNs, ...without } = series;
  const report = reportWith({
    label: '=goldhost, "x"',
    runs: [
      runWith({ measurements: [measurementWith({ series })] }),
      runWith({ state: 'incomplete', measurements: [measurementWith({ phase: 'read', series: without })] }),
    ],
  });
  expect(seriesTable(report).split('\r\n')).toEqual([
    'label,directory,run,phase,seconds,bytes,operations,latency_p50_seconds,latency_p99_seconds,latency_max_seconds',
    `"'=goldhost, ""x""",/mnt/disk,1,write,0.1,100,10,0.000002,0.00003,0.004`,
    `"'=goldhost, ""x""",/mnt/disk,1,write,0.2,100,10,,,`,
    `"'=goldhost, ""x""",/mnt/disk,2,read,0.1,100,10,,,`,
    `"'=goldhost, ""x""",/mnt/disk,2,read,0.2,100,10,,,`,
    '',
  ]);
});
