import { getPhase } from '../../../../workers/phases/phase-catalogue.js';
import { fileServer } from '../../../machine/filesystem.js';
import { metricOfRuns } from '../../../report/metrics.js';
import { knownRates } from '../../../report/rate.js';
import { stepValues } from '../../../report/results.js';
import { allMeasurements, runsToShow } from '../../../report/runs.js';
import type { Measurement, Report } from '../../../report/schema/report.js';
import { minMax } from '../../../report/statistics/statistics.js';
import {
  FILES_OF_THOUSAND_PACKAGES,
  goalFiles,
  isOfTool,
  microsecondsPerCall,
} from '../../../report/tool-calls.js';
import { toQuota } from '../../../sweep/quota.js';
import { display, sanitize } from '../../../text/escape.js';
import { groupBy } from '../../../text/group-by.js';
import { formatNs, formatSeconds, NS_PER_US } from '../../../text/units.js';
import { toText, wrapLine } from '../../../text/wrap.js';
import type { Screen } from '../screen.js';
import { describeFileServer } from '../sentences.js';
import { type Column, textTable } from '../table.js';
import { MAX_ETCD_SYNC_NS } from './load-text.js';
import { describeLimit } from './sweep-text.js';

const THOUSAND_PACKAGES = '1,000 packages';
/** A call is slow if it takes this long and this many times as long as in the reference directory. */
const SLOW_CALL_MICROSECONDS = 20;
const SLOW_CALL_RATIO = 3;
/** A commit in the rollback journal of ext4 makes about this many writes. */
const MAX_WRITES_PER_COMMIT = 20;
const SAVED_STEPS = ['install', 'status', 'restore', 'clean'] as const;
/** Less than the variation of npm ci from run to run, whose CPU takes more than ten seconds for a thousand packages. */
const SMALL_SAVING_SECONDS = 1;
const SHOWN_SAVING_SECONDS = 0.05;
/** Runs of a workload that differ by this factor have no useful mean. */
const LARGE_VARIATION = 2;

type WorkloadRow = readonly [workload: string, amount: string, result: string];

export const WORKLOAD_COLUMNS: readonly Column<WorkloadRow>[] = ([0, 1, 2] as const).map((cell) => {
  return { title: '', align: 'left', rank: 0, value: (row) => row[cell] };
});

type StepSummary = ReturnType<typeof summarizeStep>;
/** The measured steps by name. */
type Steps = Readonly<Record<string, StepSummary>>;

/** Renders a line for each workload, then the reasons if it is slow and the time that another disk could save. */
export function devText(report: Report, screen: Screen): string {
  const paragraphs = devSentences(report).flatMap((sentence) => ['', ...wrapLine(sentence, screen.columns)]);
  return toText([...devTable(report, screen), ...paragraphs]);
}

/** True if all phases model developers' tools, as those of `gobonnie dev`. */
export function isDevReport({ options }: Report): boolean {
  const { phases, steps } = options;
  return !steps && phases.length > 0 && phases.every((phase) => isOfTool({ phase }));
}

export function devSentences(report: Report): readonly string[] {
  const steps = summarizeSteps(report);
  return [
    ...stoppedSentences(report),
    ...callReasons(steps, report),
    ...limitReasons(steps, report),
    ...savings(steps, report),
    ...variationReasons(steps, report),
  ];
}

/** Returns a row for each workload of a report of `gobonnie dev`. Empty for another report. */
export function devWorkloads(report: Report): readonly WorkloadRow[] {
  return isDevReport(report) ? workloadRows(report) : [];
}

/** Returns a line for each workload. */
export function devTable(report: Report, screen: Screen): readonly string[] {
  return textTable(WORKLOAD_COLUMNS, workloadRows(report), screen, '');
}

function summarizeSteps(report: Report): Steps {
  const groups = groupBy(allMeasurements({ runs: runsToShow(report.runs) }), ({ step }) => step);
  return Object.fromEntries(groups.map((group) => [group[0].step, summarizeStep(group, report)]));
}

/** Returns the means of a step over the runs. */
function summarizeStep(measurements: readonly [Measurement, ...Measurement[]], report: Report) {
  const rows = measurements.map((one) => stepValues(one, report));
  const mean = (name: string) => metricOfRuns(rows, name) ?? 0;
  return {
    measurements,
    phase: measurements[0].phase,
    title: sanitize(measurements[0].title),
    seconds: mean('seconds'),
    operations: mean('operations'),
    perSecond: mean('ops'),
    p99Ns: mean('p99'),
  };
}

function workloadRows(report: Report): readonly WorkloadRow[] {
  const steps = summarizeSteps(report);
  const { install, flush, status, 'status-cold': cold, clean, restore, ...others } = steps;
  const { 'commit-wal': wal, 'commit-journal': journal, 'commit-etcd': etcd } = steps;
  const rows: WorkloadRow[] = [];
  if (install) {
    const rate = `${formatCount(install.perSecond)} files/s`;
    const flushText = flush ? `, flush ${projectTime(flush)}` : '';
    rows.push([install.title, THOUSAND_PACKAGES, `${projectTime(install)} of I/O (${rate})${flushText}`]);
  }
  if (status) {
    const isCold = cold?.measurements.every(({ device }) => device.share === 1);
    const coldText = cold && isCold ? `, ${projectTime(cold)} cold` : '';
    rows.push([status.title, THOUSAND_PACKAGES, `${projectTime(status)} warm${coldText}`]);
  }
  if (clean) rows.push([clean.title, THOUSAND_PACKAGES, projectTime(clean)]);
  if (wal) {
    const journalText = journal ? `; rollback journal ${formatCount(journal.perSecond)}/s` : '';
    rows.push(['SQLite', 'commits', `${commitText(wal)}${journalText}`]);
  }
  if (etcd) {
    const verdict = etcd.p99Ns < MAX_ETCD_SYNC_NS ? 'good' : 'too slow for etcd (< 10 ms)';
    // A commit in memory says nothing about a disk.
    rows.push(['etcd', 'commits', `${commitText(etcd)}${report.target.isMemory ? '' : `: ${verdict}`}`]);
  }
  if (restore) rows.push([restore.title, THOUSAND_PACKAGES, projectTime(restore)]);
  for (const summary of Object.values(others))
    if (summary && !getPhase(summary.phase).duration)
      rows.push([summary.title, THOUSAND_PACKAGES, projectTime(summary)]);
  return rows;
}

function commitText({ perSecond, p99Ns }: StepSummary): string {
  return `${formatCount(perSecond)}/s, p99 ${formatNs(p99Ns)}`;
}

/** Returns the time for a thousand packages at the measured rate. */
function projectSeconds({ seconds, operations }: StepSummary): number {
  return operations === 0 ? 0 : (seconds * FILES_OF_THOUSAND_PACKAGES) / operations;
}

function projectTime(summary: StepSummary): string {
  return formatSeconds(projectSeconds(summary));
}

function stoppedSentences(report: Report): readonly string[] {
  const { stonewallSeconds } = report.options;
  if (!stonewallSeconds) return [];
  const stopped = allMeasurements(report).filter((one) => one.operations < (goalFiles(one, report) ?? 0));
  return stopped.map(
    ({ title, operations }) =>
      `The time limit of ${formatSeconds(stonewallSeconds)} stopped ${sanitize(title)} after ${formatCount(operations)} files.`,
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
    const fact = `Each system call of ${summary.title} takes ${formatNs(here * NS_PER_US)} here and ${formatNs(there * NS_PER_US)} in ${place}`;
    const server = fileServer(target);
    if (server === null) return [`${fact}.`];
    return [`${fact}: ${describeFileServer(server, display(target.directory), target.filesystem ?? '')}`];
  }
  return [];
}

/**
 * Names a control group's limit on writes that may slow commits: each makes several writes of the device, and their number
 * is unknown, because the filesystem's journal makes some of them.
 */
function limitReasons(steps: Steps, { target }: Report): readonly string[] {
  const commits = Object.values(steps).filter(({ phase }) => phase.startsWith('commit'));
  const limits = (target.ioLimits ?? []).filter(({ direction, unit, perSecond }) => {
    const rates = commits.flatMap(({ measurements }) => knownRates(measurements, unit));
    return direction === 'write' && rates.some((rate) => rate * MAX_WRITES_PER_COMMIT >= perSecond);
  });
  const note = 'Each commit makes several writes, so this may be what limits commits.';
  return limits.map((limit) => `${describeLimit(toQuota(limit))} ${note}`);
}

/**
 * The difference is all that another disk could save: the same calls take the reference's time at least. It could save
 * nothing of a status for which a filesystem of the kernel read nothing.
 */
function savings(steps: Steps, { reference, target }: Report): readonly string[] {
  const saved = SAVED_STEPS.flatMap((step) => {
    const here = steps[step];
    const there = reference?.steps.find((one) => one.step === step)?.perSecond;
    if (!here || !there) return [];
    const isCached = step === 'status' && here.measurements.every(({ device }) => device.readBytes === 0);
    const seconds = projectSeconds(here) - FILES_OF_THOUSAND_PACKAGES / there;
    return [{ step, title: here.title, seconds: isCached && fileServer(target) === null ? 0 : seconds }];
  });
  if (!reference || saved.length === 0) return [];
  const shown = saved.filter(({ seconds }) => seconds >= SHOWN_SAVING_SECONDS);
  if (shown.length === 0)
    return [
      `Another disk would save next to nothing: the same calls take as long in ${display(reference.directory)}.`,
    ];
  const parts = shown.map(({ title, seconds }) => `${title} ${formatSeconds(seconds)}`);
  const sentence = `For 1,000 packages, another disk could save at most: ${parts.join(', ')}.`;
  const install = saved.find(({ step }) => step === 'install');
  if (!install || install.seconds >= SMALL_SAVING_SECONDS) return [sentence];
  return [`${sentence} npm ci itself would hardly be faster.`];
}

/** Names the workloads that differ between runs or, after a single run, the reason why they may. */
function variationReasons(steps: Steps, { target }: Report): readonly string[] {
  const cause = `${target.filesystem} can create files several times more slowly for some time after many were deleted`;
  const isAffected = target.filesystem === 'ext4' && steps.install !== undefined;
  const ranges = SAVED_STEPS.flatMap((step) => {
    const { measurements = [], title = step } = steps[step] ?? {};
    // A time limit can stop a run before its first file.
    const known = measurements.filter(({ operations }) => operations > 0);
    const { min, max } = minMax(known.map(({ seconds, operations }) => seconds / operations));
    if (max < min * LARGE_VARIATION) return [];
    const times = [min, max].map((seconds) => formatSeconds(seconds * FILES_OF_THOUSAND_PACKAGES));
    return [{ step, text: `${title} took ${times.join(' to ')}` }];
  });
  if (ranges.length > 0) {
    const isCreation = ranges.some(({ step }) => getPhase(step).access === 'creates');
    const reason = isAffected && isCreation ? `${cause}.` : 'Run again when nothing else uses the disk.';
    return [
      `The runs differ: ${ranges.map(({ text }) => text).join(', ')}. Do not rely on the means. ${reason}`,
    ];
  }
  if (!isAffected || steps.install?.measurements.length !== 1) return [];
  return [`This is one run, and ${cause}: compare several with --runs 3.`];
}

/** Formats 16789 as 16,800: three digits, because a rate is no more exact. */
function formatCount(count: number): string {
  return Number(count.toPrecision(3)).toLocaleString('en-US');
}
