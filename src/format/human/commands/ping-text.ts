import { formatDeviceShare } from '../../../report/amount.js';
import { allMeasurements } from '../../../report/runs.js';
import type { Measurement, TimedOperation } from '../../../report/schema/measurement-schema.js';
import type { Report } from '../../../report/schema/report.js';
import { sum } from '../../../report/statistics/statistics.js';
import { sanitize } from '../../../text/escape.js';
import { formatBytes, formatNs, formatSeconds, NS_PER_US, pluralize } from '../../../text/units.js';
import { hangingIndent, toText } from '../../../text/wrap.js';
import type { Screen } from '../screen.js';
import { INDENT } from '../table.js';

/** The bar of an operation is empty at this latency, and gains an equal length with each power of ten. */
const BAR_FROM_NS = 10 * NS_PER_US;
const BAR_DECADES = 6;
const LATENCY_WIDTH = 8;
const TIME_LENGTH = 8;
/** An operation that takes this many times as long as the median is a spike. */
const SPIKE_RATIO = 10;
/** A pause of the machine that makes up less of a spike does not explain the spike. */
const MIN_PAUSE_SHARE = 0.1;
const PERCENTILES = ['p50', 'p90', 'p99', 'p999', 'max'] as const;
const TITLES = { p50: 'p50', p90: 'p90', p99: 'p99', p999: 'p99.9', max: 'max' };

/** Returns the line of an operation: its local time, its latency, and a bar on a logarithmic scale. */
export function operationLine({ time, latencyNs }: TimedOperation, { columns, paint }: Screen): string {
  const head = `${INDENT}${localTime(time)}  ${formatNs(latencyNs).padStart(LATENCY_WIDTH)}  `;
  const share = Math.log10(Math.max(1, latencyNs / BAR_FROM_NS)) / BAR_DECADES;
  const cells = Math.round(Math.min(1, share) * (columns - head.length - 1));
  return `${head}${paint.accent('▇'.repeat(cells))}`.trimEnd();
}

function localTime(time: string): string {
  return new Date(time).toTimeString().slice(0, TIME_LENGTH);
}

/** Several spikes may occur within a second. */
function preciseLocalTime(time: string): string {
  return `${localTime(time)}.${String(new Date(time).getMilliseconds()).padStart(3, '0')}`;
}

/** Pages and Markdown have readers in several time zones, and name the date in UTC. */
function utcTime(time: string): string {
  return new Date(time).toISOString().replace('T', ' ').replace('Z', ' UTC');
}

/** Renders the spikes and the percentiles of each run. Empty without a result. */
export function pingText(report: Report, screen: Screen): string {
  return toText(allMeasurements(report).flatMap((one) => measurementLines(one, report, screen)));
}

/** Returns the same as sentences. */
export function pingSentences(report: Report): readonly string[] {
  return allMeasurements(report).flatMap((one) => {
    const { latencyNs, operations, readBytes } = one;
    if (latencyNs === null) return [];
    const [head = '', ...spikes] = spikeLines(one, utcTime).map((line) => line.trim());
    const list = spikes.length > 0 ? `${head} ${spikes.join(', ')}` : head;
    return [
      `Half of the ${pluralize(operations, operationName(readBytes))} took at most ${formatNs(latencyNs.p50)}, 99 of 100 at most ${formatNs(latencyNs.p99)}.`,
      `${list.charAt(0).toUpperCase()}${list.slice(1)}.`,
    ];
  });
}

function operationName(readBytes: number): string {
  return readBytes > 0 ? 'read' : 'synced write';
}

function measurementLines(measurement: Measurement, report: Report, screen: Screen): readonly string[] {
  const { operations, seconds, latencyNs, readBytes, bytes } = measurement;
  if (latencyNs === null) return [];
  const what = `${pluralize(operations, operationName(readBytes))} of ${formatBytes(bytes / operations)} in ${formatSeconds(seconds)}`;
  const percentiles = PERCENTILES.map((one) => `${TITLES[one]} ${formatNs(latencyNs[one])}`).join('   ');
  const lines = [
    ...spikeLines(measurement, preciseLocalTime),
    `${what}, ${sourceText(measurement, report)}`,
    percentiles,
  ];
  return lines.flatMap((line) => hangingIndent(INDENT, line, screen.columns));
}

/** Returns the access, and the share of the data that the device served. */
export function sourceText({ direct, device, readBytes }: Measurement, { target }: Report): string {
  const access = direct ? 'direct' : 'through the page cache';
  if (target.isMemory) return `${access}: in memory, not on a disk`;
  if (device.share === null)
    return `${access}: it is unknown whether the disk or a cache answered (${sanitize(device.reason ?? '')})`;
  return `${access}: ${formatDeviceShare(device.share)} ${readBytes > 0 ? 'from' : 'to'} the device`;
}

/** Names the spikes with their times. The report has the slowest ones only. */
function spikeLines(
  { latencyNs, slowest = [] }: Measurement,
  timeText: (time: string) => string,
): readonly string[] {
  if (latencyNs === null) return [];
  const fromNs = latencyNs.p50 * SPIKE_RATIO;
  const count = sum(latencyNs.buckets.filter(({ from }) => from >= fromNs).map((one) => one.count));
  const shown = slowest.filter((one) => one.latencyNs >= fromNs);
  if (shown.length === 0) return [`no spike: none took ${SPIKE_RATIO} times the median`];
  const inOrder = shown.toSorted((one, other) => one.time.localeCompare(other.time));
  const most = shown.length < count ? `; the slowest ${shown.length}` : '';
  return [
    `${pluralize(Math.max(count, shown.length), 'spike')}, ${SPIKE_RATIO} times the median or more${most}:`,
    ...inOrder.map((one) => `${INDENT}${timeText(one.time)}  ${formatNs(one.latencyNs)}${pauseText(one)}`),
  ];
}

function pauseText({ latencyNs, pausedNs }: TimedOperation): string {
  if (pausedNs < latencyNs * MIN_PAUSE_SHARE) return '';
  return `, of which this machine itself paused for ${formatNs(pausedNs)}`;
}
