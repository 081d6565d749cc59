import { formatAmount, formatShare } from '../../report/amount.js';
import { phasesByHost, type HostSummary } from '../../report/hosts.js';
import { endsOf, formatRange } from '../../report/measure/range.js';
import { primaryRateUnit } from '../../report/rate.js';
import { sanitize } from '../../text/escape.js';
import { pluralize, formatNs, formatSeconds } from '../../text/units.js';
import { type Chart, pixel } from '../drawing/chart.js';
import type { PhaseOfSides, Side } from '../drawing/side.js';
import { fitting, textMark } from '../drawing/text.js';
import { tag } from '../writing/markup.js';

const [LEFT, RIGHT, ROW_HEIGHT, BAR_HEIGHT] = [190, 480, 24, 14];
/** The slowest of each side; the table has all. */
const MOST_ROWS = 24;

interface Row extends HostSummary {
  readonly side: Side;
  readonly fullName: string;
}

/** What each host of a job did in a phase, the slowest first. Null if there is one only. */
export function hostsChart(
  { phase, title, primaryRate }: PhaseOfSides,
  sides: readonly Side[],
): Chart | null {
  const rows = sides.flatMap((side) => rowsOf(side, phase, sides.length > 1));
  if (rows.length < 2) return null;
  const show = (perSecond: number) => formatAmount(perSecond, primaryRateUnit({ primaryRate }));
  const shown = sides.flatMap((side) => rows.filter((row) => row.side === side).slice(0, MOST_ROWS));
  const [, highest] = endsOf(rows.map(({ timedPerSecond }) => timedPerSecond));
  const outliers = rows.filter(({ isOutlier }) => isOutlier).map(({ fullName }) => fullName);
  return {
    id: `hosts-${phase}`,
    heading: title,
    title: `${title}: by host`,
    sentence: [
      `${pluralize(rows.length, 'host')}, the slowest first, as timed: ${formatRange(
        rows.map(({ timedPerSecond }) => timedPerSecond),
        show,
      )}.`,
      ...(outliers.length > 0 ? [`Far from the others: ${outliers.join(', ')}.`] : []),
    ].join(' '),
    height: shown.length * ROW_HEIGHT + 8,
    marks: shown.flatMap((row, index) => {
      const y = index * ROW_HEIGHT + 8;
      const { colour, fillClassName } = row.side.look;
      const width = pixel((row.timedPerSecond / (highest || 1)) * (RIGHT - LEFT));
      const words = `${show(row.timedPerSecond)}${row.isOutlier ? ', far from the others' : ''}`;
      return [
        textMark(LEFT - 10, y + 12, fitting(row.fullName, LEFT - 16), 'end'),
        tag('rect', { x: LEFT, y, width, height: BAR_HEIGHT, fill: colour, class: fillClassName }),
        textMark(RIGHT + 10, y + 12, words),
      ];
    }),
    table: [
      ['', 'ranks', 'as timed', 'on the disk', 'p99', 'longest', 'device', 'CPU', 'began', 'done'],
      ...rows.map((row) => [
        row.fullName,
        String(row.ranks),
        show(row.timedPerSecond),
        row.perSecond === null ? 'unknown' : show(row.perSecond),
        ...[row.latencyNs?.p99, row.latencyNs?.max].map((ns) => (ns === undefined ? '' : formatNs(ns))),
        row.deviceShare === null ? 'unknown' : formatShare(row.deviceShare),
        `${Math.round(row.cpuPercent)} %`,
        ...[row.startOffsetSeconds, row.endSeconds].map(formatSeconds),
      ]),
    ],
  };
}

function rowsOf(side: Side, phase: string, isOneOfSeveral: boolean): readonly Row[] {
  const { report } = side.results;
  if (!report?.job) return [];
  const rows = phasesByHost(report).find((one) => one.phase === phase)?.rows ?? [];
  return rows.map((row) => {
    const name = sanitize(row.name);
    return { ...row, side, fullName: isOneOfSeveral ? `${side.name}: ${name}` : name };
  });
}
