import { htmlPage } from '../../../src/format/page/page.js';
import { toResults } from '../../../src/report/results.js';
import type { Report } from '../../../src/report/schema/report.js';
import { measurementWith, reportWith, runWith } from '../../support/data/fixtures.js';
import { presetSteps, stepsReport } from '../../support/data/step-reports.js';
import { foreignResults } from './foreign-results.js';
import { sweepReport } from './sweeps.js';
import { jobReport, wavyReport } from './wavy.js';

function withDirectory(directory: string): Partial<Report> {
  return { target: { ...reportWith().target, directory } };
}

/** Returns a report with a write that pauses for a second, then continues at a tenth of its rate. */
function cliffReport(facts: Partial<Report>): Report {
  const report = wavyReport(3, [1], facts);
  const [write] = report.runs[0]?.measurements ?? [];
  if (!write) throw new Error('the fixture has a write');
  const bytes = write.series.seconds.map((second) =>
    second < 1 ? second * 1e9 : second < 2 ? 1e9 : 1e9 + (second - 2) * 1e8,
  );
  const cliff = { atSeconds: 1, beforePerSecond: 1e9, afterPerSecond: 1e8 };
  const run = runWith({
    measurements: [measurementWith({ ...write, cliff, series: { ...write.series, bytes } })],
  });
  return {
    ...report,
    runs: [run],
    warnings: [{ code: 'cliff', step: 'write', message: 'it fell', hint: 'look' }],
  };
}

/** Returns a commit and an opened file alone and beside a writer. The writer makes them slower by a factor. */
function loadReport(): Report {
  const wave = wavyReport(1, [1]).runs[0]?.measurements[0];
  const steps = [
    ['commit', undefined, 1],
    ['commit.beside-writer', undefined, 40],
    ['writer.beside-commit', 'commit.beside-writer', 1],
    ['open', undefined, 1],
    ['open.beside-writer', undefined, 900],
    ['writer.beside-open', 'open.beside-writer', 1],
  ] as const;
  return stepsReport(
    steps.map(([name, beside, factor]) => {
      const { latencyNs, series } = measurementWith(wave);
      const p99 = (series.latencyNs?.p99 ?? []).map((ns) => ns && ns * factor);
      return {
        step: { name, ...(beside && { beside }), phase: beside ? 'write' : 'commit-etcd' },
        rates: [1e6],
        facts: {
          phase: beside ? 'overwrite' : 'commit-etcd',
          latencyNs: latencyNs && { ...latencyNs, p99: latencyNs.p99 * factor },
          series: { ...series, ...(series.latencyNs && { latencyNs: { ...series.latencyNs, p99 } }) },
        },
      };
    }),
    { command: { name: 'load', options: {} } },
  );
}

const LONG = `/mnt/${'a-very-long-directory-name/'.repeat(8)}`;
const WIDE = `/mnt/${'MUSEUM_WWW_'.repeat(5)}`;

/** Names that would break the page if they were neither escaped nor truncated. */
function hostileReports(): readonly Report[] {
  const names = ['<script>alert(1)</script>', '" onload="alert(2)', "'><svg onload=alert(3)>", LONG, WIDE];
  return names.map((name) => ({
    ...cliffReport(withDirectory(name)),
    label: name,
    warnings: [{ code: 'cliff', step: 'write', message: `fell in ${name}`, hint: '</li><img src=x>' }],
  }));
}

const reports: Readonly<Record<string, readonly Report[]>> = {
  'one run': [wavyReport(1, [1])],
  'three runs': [wavyReport(2, [1, 0.9, 1.1])],
  'a cliff': [cliffReport({})],
  'five reports': [1, 0.9, 1.1, 0.5, 2].map((level, index) =>
    wavyReport(index, [level, level, level * 1.01], withDirectory(`/mnt/disk${index}`)),
  ),
  'hostile names': hostileReports(),
  'a job of five hosts': [jobReport()],
  'the steps of a preset': [stepsReport(presetSteps('crystaldiskmark-nvme', 1e9))],
  'commits under load': [loadReport()],
  'two mixed sweeps': ['/mnt/ssd', '/mnt/hdd'].map((directory) =>
    sweepReport([1, 2, 3, 4, 5, 6, 7, 8, 16, 64, 256], withDirectory(directory)),
  ),
};

/** Every page under a name for its contents. */
export const pages: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(reports).map(([name, list]) => [name, htmlPage(list.map(toResults))])),
  'results of other programs': htmlPage(foreignResults),
  nothing: htmlPage([]),
};
