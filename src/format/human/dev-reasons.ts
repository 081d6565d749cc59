import { remoteKind } from '../../machine/filesystem.js';
import type { Report } from '../../report/schema/report.js';
import { computeMean } from '../../report/statistics/statistics.js';
import { allMeasurements, meanLatency } from '../../report/step-results.js';
import { FILES_OF_THOUSAND_PACKAGES, microsecondsPerCall } from '../../report/tool-calls.js';
import { display, sanitize } from '../../text/escape.js';
import { formatNs, formatSeconds, NS_PER_MS, NS_PER_US } from '../../text/units.js';

/** A call is slow if it takes this long and this many times as long as in the reference directory. */
const SLOW_CALL_MICROSECONDS = 20;
const SLOW_CALL_RATIO = 3;
const SLOW_SYNC_NS = NS_PER_MS;
/** The steps of one thread, whose calls are counted. The first one waits least for a device, so its reason comes first. */
const COUNTED_STEPS = ['restore', 'clean'] as const;
const SAVED_STEPS = ['install', 'status', 'restore', 'clean'] as const;
/** Less than the variation of npm ci from run to run, whose CPU takes more than ten seconds for a thousand packages. */
const SMALL_SAVING_SECONDS = 1;
const SHOWN_SAVING_SECONDS = 0.05;

/** Where another system or process serves the files, and how to avoid it. */
const REMEDIES = {
  windows: {
    server: 'Windows serves it',
    remedy: 'Keep the project on the Linux side of WSL, in your home directory.',
  },
  docker: { server: 'Docker Desktop serves it', remedy: 'Keep node_modules in a volume.' },
  machine: {
    server: "the virtual machine's host serves it",
    remedy: 'Keep node_modules on a disk of this machine.',
  },
  network: { server: 'a file server serves it', remedy: 'Keep node_modules on a local disk.' },
  process: {
    server: 'another process serves it',
    remedy: 'Keep node_modules on a filesystem of the kernel.',
  },
} as const;

/** Returns why the workloads are slow, the way out, and what another disk could save, as far as it was measured. */
export function devReasons(report: Report): readonly string[] {
  return [...callReasons(report), ...syncReasons(report), ...savings(report)];
}

function callReasons(report: Report): readonly string[] {
  const { target, reference } = report;
  for (const step of COUNTED_STEPS) {
    const here = meanCallTime(step, report);
    const there = reference?.steps.find((one) => one.step === step)?.microsecondsPerCall;
    if (here === null || !reference || !there) continue;
    if (here < SLOW_CALL_MICROSECONDS || here < there * SLOW_CALL_RATIO) continue;
    const place = `${display(reference.directory)} (${sanitize(reference.filesystem ?? 'unknown')})`;
    const fact = `Each call of ${step} takes ${formatMicroseconds(here)} here and ${formatMicroseconds(there)} in ${place}`;
    const isProcess = target.filesystem?.startsWith('fuse');
    const kind = remoteKind(target) ?? (isProcess ? 'process' : null);
    if (kind === null) return [`${fact}.`];
    const { server, remedy } = REMEDIES[kind];
    return [`${fact}: ${server} (${sanitize(target.filesystem ?? '')}). ${remedy}`];
  }
  return [];
}

function meanCallTime(step: string, report: Report): number | null {
  const times = allMeasurements(report)
    .filter((one) => one.step === step)
    .map(microsecondsPerCall)
    .filter((time) => time !== null);
  return times.length === 0 ? null : computeMean(times);
}

/** Each append of etcd is one small write and one sync. */
function syncReasons(report: Report): readonly string[] {
  const appends = allMeasurements(report).filter(({ step }) => step === 'commit-etcd');
  const p50 = meanLatency(appends, 'p50');
  return p50 === null || p50 < SLOW_SYNC_NS ? [] : [`Each sync takes ${formatNs(p50)}.`];
}

/** The difference is all that another disk could save: the same calls take the reference's time at least. */
function savings(report: Report): readonly string[] {
  const { reference } = report;
  if (!reference) return [];
  const saved = SAVED_STEPS.flatMap((step) => {
    const seconds = savedSeconds(step, report);
    return seconds === null ? [] : [{ step, seconds }];
  });
  if (saved.length === 0) return [];
  const shown = saved.filter(({ seconds }) => seconds >= SHOWN_SAVING_SECONDS);
  if (shown.length === 0) return ['Another disk would save next to nothing: the time is CPU time.'];
  const parts = shown.map(({ step, seconds }) => `${step} ${formatSeconds(seconds)}`);
  const sentence = `For 1,000 packages, another disk could save at most: ${parts.join(', ')}.`;
  const install = saved.find(({ step }) => step === 'install');
  if (!install || install.seconds >= SMALL_SAVING_SECONDS) return [sentence];
  return [`${sentence} It would hardly speed up npm ci, which spends most of its time computing.`];
}

/** Returns the time for a thousand packages here minus that in the reference directory. Null if either is unknown. */
function savedSeconds(step: string, report: Report): number | null {
  const rates = allMeasurements(report)
    .filter((one) => one.step === step && one.operations > 0)
    .map(({ seconds, operations }) => seconds / operations);
  const there = report.reference?.steps.find((one) => one.step === step)?.perSecond;
  if (rates.length === 0 || !there) return null;
  return Math.max(0, (computeMean(rates) - 1 / there) * FILES_OF_THOUSAND_PACKAGES);
}

function formatMicroseconds(microseconds: number): string {
  return formatNs(microseconds * NS_PER_US);
}
