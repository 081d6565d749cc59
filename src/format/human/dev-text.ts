import { fileServer } from '../../machine/filesystem.js';
import type { Measurement, Report } from '../../report/schema/report.js';
import { averageRuns, computeMean } from '../../report/statistics/statistics.js';
import { allMeasurements, meanLatency } from '../../report/step-results.js';
import { FILES_OF_THOUSAND_PACKAGES, goalFiles, microsecondsPerCall } from '../../report/tool-calls.js';
import { display, sanitize } from '../../text/escape.js';
import { groupBy } from '../../text/group-by.js';
import { formatNs, formatSeconds, MB, NS_PER_MS, NS_PER_SECOND, NS_PER_US } from '../../text/units.js';
import { wrapLine } from '../../text/wrap.js';
import { alignedTable } from './aligned-table.js';
import { type Screen, transliterate } from './screen.js';
import { describeFileServer } from './sentences.js';

const THOUSAND_PACKAGES = '1,000 packages';
const SHOWN_FILES = 10_000;
/** The documented limit of etcd for the 99th percentile of its syncs. */
const ETCD_P99_NS = 10 * NS_PER_MS;
/** A call is slow if it takes this long and this many times as long as in the reference directory. */
const SLOW_CALL_MICROSECONDS = 20;
const SLOW_CALL_RATIO = 3;
const SLOW_SYNC_NS = NS_PER_MS;
const SAVED_STEPS = ['install', 'status', 'restore', 'clean'] as const;
/** Less than the variation of npm ci from run to run, whose CPU takes more than ten seconds for a thousand packages. */
const SMALL_SAVING_SECONDS = 1;
const SHOWN_SAVING_SECONDS = 0.05;

type StepSummary = ReturnType<typeof summarizeStep>;
/** The measured steps by name. */
type Steps = Readonly<Record<string, StepSummary>>;

/** Renders a line for each workload, then the reasons if it is slow and what a move to another disk could save. */
export function devText(report: Report, screen: Screen): string {
  const groups = groupBy(allMeasurements(report), ({ step }) => step);
  const steps = Object.fromEntries(groups.map((group) => [group[0].step, summarizeStep(group)]));
  const table = alignedTable(workloadRows(steps, report), ['left', 'left', 'left']);
  const sentences = [
    ...stoppedSentences(report),
    ...callReasons(steps, report),
    ...syncReasons(steps),
    ...savings(steps, report),
  ];
  const paragraphs = sentences.flatMap((sentence) => ['', ...wrapLine(sentence, screen.columns)]);
  return [...table, ...paragraphs].map((line) => `${transliterate(line, screen)}\n`).join('');
}

/** Returns the means of a step over the runs. */
function summarizeStep(measurements: readonly [Measurement, ...Measurement[]]) {
  return {
    measurements,
    phase: measurements[0].phase,
    seconds: computeMean(measurements.map(({ seconds }) => seconds)),
    operations: computeMean(measurements.map(({ operations }) => operations)),
    perSecond: averageRuns(measurements.map(({ operationsPerSecond }) => operationsPerSecond)),
  };
}

function workloadRows(steps: Steps, { target }: Report): readonly (readonly string[])[] {
  const { install, flush, status, 'status-cold': cold, clean, restore } = steps;
  const { 'commit-wal': wal, 'commit-journal': journal, 'commit-etcd': etcd } = steps;
  const rows: string[][] = [];
  if (install) {
    const rate = `${formatCount(install.perSecond)} files/s`;
    const flushText = flush ? `, flush ${projectTime(flush)}` : '';
    rows.push(['install', THOUSAND_PACKAGES, `${projectTime(install)} of I/O (${rate})${flushText}`]);
  }
  if (status) {
    const time = (summary: StepSummary) => formatNs(secondsFor(SHOWN_FILES, summary) * NS_PER_SECOND);
    const isCold = cold?.measurements.every(({ device }) => device.share === 1);
    const coldText = cold && isCold ? `, ${time(cold)} cold` : '';
    rows.push(['status', `${formatCount(SHOWN_FILES)} files`, `${time(status)} warm${coldText}`]);
  }
  if (clean) rows.push(['clean', THOUSAND_PACKAGES, projectTime(clean)]);
  if (wal) {
    const parts = [`${formatCount(wal.perSecond)}/s, p99 ${formatNs(p99(wal))}`];
    if (journal) parts.push(`rollback journal ${formatCount(journal.perSecond)}/s`);
    if (etcd) {
      const verdict = p99(etcd) < ETCD_P99_NS ? 'good' : 'too slow for etcd, which needs less than 10 ms';
      // A commit in memory says nothing about a disk.
      parts.push(`etcd p99 ${formatNs(p99(etcd))}${target.isMemory ? '' : `: ${verdict}`}`);
    }
    rows.push(['commit', 'SQLite WAL', parts.join('; ')]);
  }
  if (restore) {
    const bytes = computeMean(restore.measurements.map(({ writtenBytes }) => writtenBytes));
    rows.push(['restore', `${Math.round(bytes / MB)} MB`, formatSeconds(restore.seconds)]);
  }
  return rows;
}

/** Returns the time for this many files at the measured rate. */
function secondsFor(files: number, { seconds, operations }: StepSummary): number {
  return operations === 0 ? 0 : (seconds * files) / operations;
}

function projectTime(summary: StepSummary): string {
  return formatSeconds(secondsFor(FILES_OF_THOUSAND_PACKAGES, summary));
}

function p99({ measurements }: StepSummary): number {
  return meanLatency(measurements, 'p99') ?? 0;
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

/** Returns why the calls of the first slow step are slow, and how to avoid it. restore is first, because it waits least for a device. */
function callReasons(steps: Steps, { target, reference }: Report): readonly string[] {
  if (!reference) return [];
  for (const { step, microsecondsPerCall: there } of reference.steps) {
    const summary = steps[step];
    const here = summary && microsecondsPerCall(summary);
    if (!here || !there || here < Math.max(SLOW_CALL_MICROSECONDS, there * SLOW_CALL_RATIO)) continue;
    const place = `${display(reference.directory)} (${sanitize(reference.filesystem ?? 'unknown')})`;
    const fact = `Each call of ${step} takes ${formatNs(here * NS_PER_US)} here and ${formatNs(there * NS_PER_US)} in ${place}`;
    const server = fileServer(target);
    if (server === null) return [`${fact}.`];
    return [`${fact}: ${describeFileServer(server, 'it', target.filesystem ?? '')}`];
  }
  return [];
}

/** Each append of etcd is one small write and one sync. */
function syncReasons({ 'commit-etcd': etcd }: Steps): readonly string[] {
  const p50 = etcd ? meanLatency(etcd.measurements, 'p50') : null;
  return p50 === null || p50 < SLOW_SYNC_NS ? [] : [`Each sync takes ${formatNs(p50)}.`];
}

/** The difference is all that another disk could save: the same calls take the reference's time at least. */
function savings(steps: Steps, { reference }: Report): readonly string[] {
  const saved: { readonly step: string; readonly seconds: number }[] = [];
  for (const step of SAVED_STEPS) {
    const here = steps[step];
    const there = reference?.steps.find((one) => one.step === step)?.perSecond;
    if (!here || !there) continue;
    const seconds = secondsFor(FILES_OF_THOUSAND_PACKAGES, here) - FILES_OF_THOUSAND_PACKAGES / there;
    saved.push({ step, seconds });
  }
  if (saved.length === 0) return [];
  const shown = saved.filter(({ seconds }) => seconds >= SHOWN_SAVING_SECONDS);
  if (shown.length === 0) return ['Another disk would save next to nothing: the time is CPU time.'];
  const parts = shown.map(({ step, seconds }) => `${step} ${formatSeconds(seconds)}`);
  const sentence = `For 1,000 packages, another disk could save at most: ${parts.join(', ')}.`;
  const install = saved.find(({ step }) => step === 'install');
  if (!install || install.seconds >= SMALL_SAVING_SECONDS) return [sentence];
  return [`${sentence} It would hardly speed up npm ci, which spends most of its time computing.`];
}

/** Formats 16789 as 16,800: three digits, because a rate is no more exact. */
function formatCount(count: number): string {
  return Number(count.toPrecision(3)).toLocaleString('en-US');
}
