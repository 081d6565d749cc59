import { isToolDataset } from '../../../../workers/phases/phase.js';
import { getPhase } from '../../../../workers/phases/phase-catalogue.js';
import {
  findProvenance,
  groupByStep,
  knownMeasurements,
  type Results,
  type StepValues,
} from '../../../report/results.js';
import { runsToShow } from '../../../report/runs.js';
import type { Measurement, ReportedStep } from '../../../report/schema/report.js';
import { findLoadCurves } from '../../../sweep/measured-points.js';
import { sanitize } from '../../../text/escape.js';
import { formatBytes, formatSeconds, pluralize } from '../../../text/units.js';
import { hueOfPhase } from './hues.js';

export type ChartedResults = ReturnType<typeof toChartedResults>;
export type ChartedResult = ChartedResults[number];

/** A step of every result that has it. */
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
    /** The parameters of a step of a list, whose title is only its name. */
    const detail = listed ? describeStep(listed) : '';
    return { step, title: sanitize(title), primaryRate, phase, detail, hue: hueOfPhase(phase, place) };
  });
}

/** `Random read, 4 KiB, 1 thread, 32 in flight`. */
function describeStep({ ioBytes, threads, depth, intervalSeconds, ...work }: ReportedStep): string {
  const load = [
    pluralize(threads, 'thread'),
    depth > 1 && `${threads * depth} in flight`,
    intervalSeconds !== undefined && `one every ${formatSeconds(intervalSeconds)}`,
  ];
  const size = getPhase(work.phase).ioUnit === 'tool-calls' ? null : formatBytes(ioBytes);
  return [describeWork(work), size, ...load].filter(Boolean).join(', ');
}

export function describeWork({ phase, mixPercent }: Pick<ReportedStep, 'phase' | 'mixPercent'>): string {
  const { dataset, title } = getPhase(phase);
  if (isToolDataset(dataset)) return title;
  if (phase !== 'random') return `Sequential ${phase}`;
  if (mixPercent % 100 !== 0) return `Random, ${mixPercent} % reads`;
  return mixPercent === 0 ? 'Random write' : 'Random read';
}

/** Returns the results of a step in the runs of one result. Empty if it lacks the step. */
export function findRows({ runs }: Results, step: string): readonly StepValues[] {
  return runsToShow(runs).flatMap(({ steps }) => steps.filter((one) => one.step === step));
}

/** Returns gobonnie's measurements of a step in the runs of one result. Empty for other programs. */
export function findMeasurements(result: Results, step: string): readonly Measurement[] {
  return knownMeasurements(findRows(result, step));
}
