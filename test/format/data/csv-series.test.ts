import { beforeEach, describe, expect, test } from 'vitest';
import { seriesCsv } from '../../../src/format/data/csv-series.js';
import { run } from '../../../src/library/run.js';
import { toResults } from '../../../src/report/report-to-results.js';
import type { Report } from '../../../src/report/schema/report.js';
import { measurementWith, reportWith, runWith } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { SMALL_OPTIONS } from '../../support/programs/small-run.js';
import { requireTools } from '../../support/tools.js';
import { readCsvRows } from './read-csv.js';

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

describe("Python's csv module", () => {
  beforeEach(requireTools('python3'));

  test('reads back the numbers of a real report, each sample in the row of its time', async () => {
    const report = await run({ dir: makeDirectory(), ...SMALL_OPTIONS, iopsDuration: 0.5, runs: 2 });
    const parseNumber = (cell = '') => (cell === '' ? null : Number(cell));
    const toSeconds = (ns: number | null = null) => (ns === null ? null : ns / 1e9);
    const samples = report.runs.flatMap(({ measurements }, index) =>
      measurements.flatMap(({ phase, series: { seconds, bytes, operations, latencyNs } }) =>
        seconds.map((second, at) => [
          index + 1,
          phase,
          second,
          bytes[at],
          operations[at],
          toSeconds(latencyNs?.p50[at]),
          toSeconds(latencyNs?.p99[at]),
          toSeconds(latencyNs?.max[at]),
        ]),
      ),
    );
    const rows = readCsvRows(seriesTable(report)).map((row) => [
      Number(row.run),
      row.phase,
      Number(row.seconds),
      Number(row.bytes),
      Number(row.operations),
      parseNumber(row.latency_p50_seconds),
      parseNumber(row.latency_p99_seconds),
      parseNumber(row.latency_max_seconds),
    ]);
    expect(rows).toEqual(samples);
    expect(rows.filter(([, phase, , , , p50]) => phase === 'iops' && p50 !== null)).not.toEqual([]);
  });
});
