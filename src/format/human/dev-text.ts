import type { Measurement, Report } from '../../report/schema/report.js';
import { averageRuns, computeMean } from '../../report/statistics/statistics.js';
import { allMeasurements, meanLatency } from '../../report/step-results.js';
import { FILES_OF_THOUSAND_PACKAGES, goalFiles } from '../../report/tool-calls.js';
import { formatNs, formatSeconds, MB, NS_PER_MS, NS_PER_SECOND } from '../../text/units.js';
import { wrapLine } from '../../text/wrap.js';
import { alignedTable } from './aligned-table.js';
import { devReasons } from './dev-reasons.js';
import { type Screen, transliterate } from './screen.js';

const THOUSAND_PACKAGES = '1,000 packages';
const SHOWN_FILES = 10_000;
/** The documented limit of etcd for the 99th percentile of its syncs. */
const ETCD_P99_NS = 10 * NS_PER_MS;

/** The results of a step in all runs. */
interface StepSummary {
  readonly measurements: readonly Measurement[];
  readonly seconds: number;
  readonly operations: number;
  readonly perSecond: number;
}

/** Renders a line for each workload, then the reasons if it is slow and what a move to another disk could save. */
export function devText(report: Report, screen: Screen): string {
  const rows = [
    installRow(report),
    statusRow(report),
    fileRow('clean', report),
    commitRow(report),
    restoreRow(report),
  ];
  const table = alignedTable(
    rows.filter((row) => row !== null),
    ['left', 'left', 'left'],
  );
  const sentences = [...stoppedSentences(report), ...devReasons(report)];
  const paragraphs = sentences.flatMap((sentence) => ['', ...wrapLine(sentence, screen.columns)]);
  return [...table, ...paragraphs].map((line) => `${transliterate(line, screen)}\n`).join('');
}

/** Returns the mean of a step over the runs. Null if it was not measured. */
function summarizeStep(step: string, report: Report): StepSummary | null {
  const measurements = allMeasurements(report).filter((one) => one.step === step);
  if (measurements.length === 0) return null;
  const mean = (value: (one: Measurement) => number) => computeMean(measurements.map(value));
  return {
    measurements,
    seconds: mean(({ seconds }) => seconds),
    operations: mean(({ operations }) => operations),
    perSecond: averageRuns(measurements.map(({ operationsPerSecond }) => operationsPerSecond)),
  };
}

/** Returns the time for this many files at the measured rate. */
function secondsFor(files: number, { seconds, operations }: StepSummary): number {
  return operations === 0 ? 0 : (seconds * files) / operations;
}

function installRow(report: Report): readonly string[] | null {
  const install = summarizeStep('install', report);
  if (!install) return null;
  const flush = summarizeStep('flush', report);
  const flushText = flush ? `, flush ${formatSeconds(secondsFor(FILES_OF_THOUSAND_PACKAGES, flush))}` : '';
  const rate = `${formatCount(install.perSecond)} files/s`;
  return [
    'install',
    THOUSAND_PACKAGES,
    `${formatSeconds(secondsFor(FILES_OF_THOUSAND_PACKAGES, install))} of I/O (${rate})${flushText}`,
  ];
}

function statusRow(report: Report): readonly string[] | null {
  const warm = summarizeStep('status', report);
  if (!warm) return null;
  const time = (summary: StepSummary) => formatNs(secondsFor(SHOWN_FILES, summary) * NS_PER_SECOND);
  const cold = summarizeStep('status-cold', report);
  const isCold = cold?.measurements.every(({ device }) => device.share === 1);
  const coldText = cold && isCold ? `, ${time(cold)} cold` : '';
  return ['status', `${formatCount(SHOWN_FILES)} files`, `${time(warm)} warm${coldText}`];
}

function fileRow(step: string, report: Report): readonly string[] | null {
  const summary = summarizeStep(step, report);
  return summary && [step, THOUSAND_PACKAGES, formatSeconds(secondsFor(FILES_OF_THOUSAND_PACKAGES, summary))];
}

function commitRow(report: Report): readonly string[] | null {
  const wal = summarizeStep('commit-wal', report);
  if (!wal) return null;
  const parts = [`${formatCount(wal.perSecond)}/s, p99 ${p99Text(wal)}`];
  const journal = summarizeStep('commit-journal', report);
  if (journal) parts.push(`rollback journal ${formatCount(journal.perSecond)}/s`);
  const etcd = summarizeStep('commit-etcd', report);
  if (etcd) parts.push(`etcd p99 ${p99Text(etcd)}${etcdVerdict(etcd, report)}`);
  return ['commit', 'SQLite WAL', parts.join('; ')];
}

function p99Text({ measurements }: StepSummary): string {
  return formatNs(meanLatency(measurements, 'p99') ?? 0);
}

/** A commit in memory says nothing about a disk. */
function etcdVerdict({ measurements }: StepSummary, { target }: Report): string {
  const p99 = meanLatency(measurements, 'p99');
  if (p99 === null || target.isMemory) return '';
  return p99 < ETCD_P99_NS ? ': good' : ': too slow for etcd, which needs less than 10 ms';
}

function restoreRow(report: Report): readonly string[] | null {
  const restore = summarizeStep('restore', report);
  if (!restore) return null;
  const bytes = computeMean(restore.measurements.map(({ writtenBytes }) => writtenBytes));
  return ['restore', `${Math.round(bytes / MB)} MB`, formatSeconds(restore.seconds)];
}

function stoppedSentences(report: Report): readonly string[] {
  const { stonewallSeconds } = report.options;
  if (!stonewallSeconds) return [];
  const stopped = allMeasurements(report).filter((one) => one.operations < (goalFiles(one, report) ?? 0));
  return stopped.map(
    ({ step, operations }) =>
      `The time limit of ${formatSeconds(stonewallSeconds)} stopped ${step} after ${formatCount(operations)} files.`,
  );
}

/** Formats 16789 as 16,800: three digits, because a rate is no more exact. */
function formatCount(count: number): string {
  return Number(count.toPrecision(3)).toLocaleString('en-US');
}
