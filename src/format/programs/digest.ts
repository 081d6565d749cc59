import { phases } from '../../../workers/phases/catalogue.js';
import { type Metric, metrics } from '../../report/metrics.js';
import type { Measurement, Report, Run } from '../../report/schema/report.js';
import type { Sheet } from '../../report/sheet.js';
import { groupsOf } from '../../text/groups.js';

/** One phase of one run, in figures. */
export interface Entry extends Pick<Measurement, 'phase' | 'title' | 'figure'> {
  /** By the metric's name. What is not known is left out. */
  readonly amounts: Readonly<Record<string, number>>;
}

export interface DigestedRun {
  readonly startedAt: string | null;
  readonly state: Run['state'];
  readonly entries: readonly Entry[];
}

/** Whose figures they are. */
export interface Origin {
  readonly program: Sheet['program'];
  readonly label: string;
  /** Null where that was not told. */
  readonly directory: string | null;
}

/** What was measured on one machine, by gobonnie or another program: what others are told of it. */
export interface Digest extends Origin {
  readonly runs: readonly DigestedRun[];
  /** Null where another program measured. */
  readonly report: Report | null;
}

/** What was read back: one for a report, or one for each machine of what another program told. */
export function digestsOf({
  report,
  sheets,
}: {
  readonly report: Report | null;
  readonly sheets: readonly Sheet[];
}): readonly Digest[] {
  if (report) return [digestOf(report)];
  return groupsOf(sheets, ({ label, program }) => JSON.stringify([label, program])).map(digestOfSheets);
}

export function digestOf(report: Report): Digest {
  return { ...originOf(report), runs: report.runs.map(digestedRun), report };
}

export function originOf({ version, label, target }: Report): Origin {
  return { program: { name: 'gobonnie', version }, label, directory: target.directory };
}

export function digestedRun({ startedAt, state, measurements }: Run): DigestedRun {
  const entries = measurements.map((measurement) => ({
    phase: measurement.phase,
    title: measurement.title,
    figure: measurement.figure,
    amounts: amountsOf((metric) => metric.of(measurement)),
  }));
  return { startedAt, state, entries };
}

function digestOfSheets(sheets: readonly [first: Sheet, ...others: Sheet[]]): Digest {
  const [{ program, label }] = sheets;
  return { program, label, directory: null, runs: sheets.map(digestedSheet), report: null };
}

function digestedSheet({ startedAt, scores }: Sheet): DigestedRun {
  const entries = phases.flatMap(({ name, title }) => {
    const score = scores[name];
    if (!score) return [];
    return [
      { phase: name, title, figure: score.figure, amounts: amountsOf(({ ofScore }) => ofScore(score)) },
    ];
  });
  return { startedAt, state: 'completed', entries };
}

function amountsOf(of: (metric: Metric) => number | null): Entry['amounts'] {
  return Object.fromEntries(
    metrics.flatMap((metric) => {
      const amount = of(metric);
      return amount === null ? [] : [[metric.name, amount]];
    }),
  );
}
