import {
  findProvenance,
  groupByStep,
  type Results,
  runsToShow,
  type StepValues,
} from '../../../report/results.js';
import type { ReportedStep } from '../../../report/schema/report.js';
import { findLoadCurves } from '../../../sweep/measured-points.js';
import { sanitize } from '../../../text/escape.js';
import { formatBytes, pluralize } from '../../../text/units.js';
import { hueOfPhase } from './hues.js';

export type ChartedResult = ReturnType<typeof toChartedResults>[number];
export type ChartedResults = readonly ChartedResult[];
/** A phase of every result that has it. */
export type ChartedStep = ReturnType<typeof toChartedSteps>[number];

/** Names results by the user's name or their directory, and numbers results of the same name. */
export function toChartedResults(results: readonly Results[]) {
  const names = results.map((result) => {
    const { directory, label, program } = findProvenance(result);
    const candidates = results.length > 1 ? [result.name, directory] : [directory, result.name];
    return sanitize([...candidates, label].find(Boolean) ?? program.name);
  });
  return results.map((result, index) => {
    const name = names[index] ?? '';
    const isRepeated = names.filter((other) => other === name).length > 1;
    const loadCurves = result.report ? findLoadCurves(result.report) : [];
    return { ...result, name: isRepeated ? `${name} (${index + 1})` : name, loadCurves };
  });
}

/** Returns the steps of all results, in the order of measurement. */
export function toChartedSteps(results: ChartedResults) {
  const rows = groupByStep(results.flatMap(({ runs }) => runsToShow(runs)));
  const lists = results.flatMap(({ report }) => report?.options.steps ?? []);
  return rows.map(([{ step, title, primaryRate }], place) => {
    const listed = lists.find(({ name }) => name === step);
    const phase = listed?.phase ?? step;
    // The title of a step of a list is only its name.
    const detail = listed ? describeStep(listed) : '';
    return { step, title: sanitize(title), primaryRate, phase, detail, hue: hueOfPhase(phase, place) };
  });
}

/** `Random read, 4 KiB, 1 thread, 32 in flight`. */
function describeStep({ ioBytes, threads, depth = 1, ...work }: ReportedStep): string {
  const load = [pluralize(threads, 'thread'), ...(depth > 1 ? [`${threads * depth} in flight`] : [])];
  return [describeWork(work), formatBytes(ioBytes), ...load].join(', ');
}

export function describeWork({ phase, mixPercent }: Pick<ReportedStep, 'phase' | 'mixPercent'>): string {
  if (phase !== 'random') return `Sequential ${phase}`;
  if (mixPercent % 100 !== 0) return `Random, ${mixPercent} % reads`;
  return mixPercent === 0 ? 'Random write' : 'Random read';
}

/** Returns the results of a step in the runs of one result. Empty if it lacks the step. */
export function findRows({ runs }: Results, step: string): readonly StepValues[] {
  return runsToShow(runs).flatMap(({ steps }) => steps.filter((one) => one.step === step));
}

/**
 * Finds a phase in every complete run of gobonnie or, if there is none, in the incomplete runs. A run has the name `run 2`
 * or, with several results, `B, run 2`.
 */
export function findMeasurements(results: ChartedResults, phase: string) {
  return results.flatMap((result) => {
    const runs = result.report?.runs ?? [];
    const shownRuns = runsToShow(runs);
    const prefix = results.length > 1 ? `${result.name}, ` : '';
    return shownRuns.flatMap((run) =>
      run.measurements
        .filter((one) => one.step === phase)
        .map((measurement) => ({ result, runName: `${prefix}run ${runs.indexOf(run) + 1}`, measurement })),
    );
  });
}
