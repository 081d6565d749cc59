import { findProvenance, groupByStep, isComplete, type Results } from '../../../report/results.js';
import type { Measurement } from '../../../report/schema/report.js';
import { sanitize } from '../../../text/escape.js';
import { runsToShow } from '../../data/metric-summary.js';
import { type LineStyle, lineStyle } from './line-style.js';

export interface ChartedResult {
  /** Differs from the names of the other results. */
  readonly name: string;
  readonly style: LineStyle;
  readonly source: Results;
}

export type ChartedResults = readonly ChartedResult[];

/** A phase of every result that has it. */
export type ChartedStep = Pick<Measurement, 'step' | 'title' | 'primaryRate'>;

/** Names results by the user's name or their directory, and numbers results of the same name. */
export function toChartedResults(sources: readonly Results[]): ChartedResults {
  const names = sources.map((source) => {
    const { directory, label, program } = findProvenance(source);
    const candidates = sources.length > 1 ? [source.name, directory] : [directory, source.name];
    return sanitize([...candidates, label].find(Boolean) ?? program.name);
  });
  return sources.map((source, index) => {
    const name = names[index] ?? '';
    const isRepeated = names.filter((other) => other === name).length > 1;
    return { name: isRepeated ? `${name} (${index + 1})` : name, style: lineStyle(index), source };
  });
}

/** Returns the steps of all results, in the order of measurement. */
export function toChartedSteps(results: ChartedResults): readonly ChartedStep[] {
  const rows = groupByStep(results.flatMap(({ source }) => runsToShow(source)));
  return rows.map(([{ step, title, primaryRate }]) => ({ step, title: sanitize(title), primaryRate }));
}

/** A measurement of a result, and the name of its run: `run 2` or, with several results, `B, run 2`. */
export type ChartedMeasurement = ReturnType<typeof findMeasurements>[number];

/** Finds a phase in every complete run of gobonnie or, if there is none, in the incomplete runs. */
export function findMeasurements(results: ChartedResults, phase: string) {
  return results.flatMap((result) => {
    const runs = result.source.report?.runs ?? [];
    const hasComplete = runs.some(isComplete);
    const prefix = results.length > 1 ? `${result.name}, ` : '';
    return runs.flatMap((run, index) =>
      run.measurements
        .filter((one) => one.step === phase && isComplete(run) === hasComplete)
        .map((measurement) => ({ result, runName: `${prefix}run ${index + 1}`, measurement })),
    );
  });
}
