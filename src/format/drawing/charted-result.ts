import {
  findProvenance,
  groupByPhase,
  isComplete,
  type Provenance,
  type Results,
} from '../../report/results.js';
import type { Measurement, Report, Run } from '../../report/schema/report.js';
import { sanitize } from '../../text/escape.js';
import { runsToShow } from '../export/metric-summary.js';
import { type LineStyle, lineStyle } from './line-style.js';

/** One of the results that a page shows. */
export interface ChartedResult {
  /** What distinguishes it from the others. */
  readonly name: string;
  readonly style: LineStyle;
  readonly source: Results;
}

/** The same phase of all sides that have it. */
export interface ChartedPhase {
  readonly phase: string;
  readonly title: string;
  readonly primaryRate: Measurement['primaryRate'];
}

export function toChartedResults(sources: readonly Results[]): readonly ChartedResult[] {
  const names = chooseNames(sources);
  return sources.map((one, index) => ({ name: names[index] ?? '', style: lineStyle(index), source: one }));
}

/** What a key says of them. */
export function legendEntries(chartedResults: readonly Pick<ChartedResult, 'name' | 'style'>[]) {
  return chartedResults.length > 1 ? chartedResults.map(({ name, style }) => [name, style] as const) : [];
}

/** What the user calls them, where they were measured, or when: the first that tells them apart. */
function chooseNames(sources: readonly Results[]): readonly string[] {
  const origins = sources.map(findProvenance);
  const directories = origins.map(({ directory }) => directory ?? '');
  const places = origins.map(describeOrigin);
  const userNames = sources.map(({ name = '' }) => name);
  const placesWithTime = sources.map(({ report }, at) =>
    `${places[at]} ${report ? formatStartTime(report) : ''}`.trim(),
  );
  const isDistinct = (names: readonly string[]) =>
    new Set(names).size === names.length && names.every((name) => name !== '');
  const names =
    (sources.length > 1
      ? [userNames, directories, places, placesWithTime]
      : [directories, userNames, places]
    ).find(isDistinct) ?? placesWithTime.map((name, at) => `${name} (${at + 1})`);
  return names.map(sanitize);
}

function describeOrigin({ program, label, directory }: Provenance): string {
  return [label, directory].filter(Boolean).join(': ') || program.name;
}

/** When it began, to the second. */
export function formatStartTime({ startedAt }: Report): string {
  return startedAt.replace(/\..*$/, '').replace('T', ' ');
}

/** The phases of all sides, in the order of measurement. */
export function toChartedPhases(chartedResults: readonly ChartedResult[]): readonly ChartedPhase[] {
  const rows = groupByPhase(chartedResults.flatMap(({ source }) => runsToShow(source)));
  return rows.map(([{ phase, title, primaryRate }]) => ({ phase, title: sanitize(title), primaryRate }));
}

/** One measurement of a side. */
export interface ChartedMeasurement {
  readonly result: ChartedResult;
  /** Counted from 1. */
  readonly run: number;
  readonly measurement: Measurement;
}

/** A phase in every complete run of gobonnie or, if there is none, in the incomplete ones. */
export function findMeasurements(
  chartedResults: readonly ChartedResult[],
  phase: string,
): readonly ChartedMeasurement[] {
  return chartedResults.flatMap((result) =>
    numberRuns(result.source.report).flatMap(({ number, measurements }) =>
      measurements
        .filter((one) => one.phase === phase)
        .map((measurement) => ({ result, run: number, measurement })),
    ),
  );
}

function numberRuns(report: Report | null): readonly (Run & { readonly number: number })[] {
  const runs = (report?.runs ?? []).map((run, index) => ({ ...run, number: index + 1 }));
  const complete = runs.filter(isComplete);
  return complete.length > 0 ? complete : runs;
}

/** `run 2`, or `B, run 2`. */
export function describeRun(
  { result, run }: ChartedMeasurement,
  chartedResults: readonly ChartedResult[],
): string {
  return chartedResults.length > 1 ? `${result.name}, run ${run}` : `run ${run}`;
}
