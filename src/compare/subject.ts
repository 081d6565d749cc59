import { type Metric, metricName, metrics, valuesOf } from '../report/metrics.js';
import { isComplete } from '../report/schema/complete.js';
import type { Measurement, Report } from '../report/schema/report.js';
import type { Unit } from '../report/schema/unit.js';
import type { Sheet } from '../report/sheet.js';
import { type Fact, factsOfReport, factsOfSheet } from './facts.js';

/** What one metric was, run by run. */
export interface Sample extends Pick<Metric, 'better' | 'role'> {
  /** `read`, `read.p99`. */
  readonly name: string;
  readonly unit: Unit;
  readonly values: readonly number[];
}

/** One side of a comparison: all that is known of one thing, however many documents tell of it. */
export interface Subject {
  readonly name: string;
  /** Of each document. */
  readonly facts: readonly (readonly Fact[])[];
  readonly samples: readonly Sample[];
}

export function subjectOfReport(name: string, report: Report): Subject {
  const [first] = report.runs.filter(isComplete);
  const samples = (first?.measurements ?? []).flatMap((measurement) =>
    metrics.map((metric) =>
      sampleOf(measurement.phase, metric, measurement, valuesOf(report.runs, measurement.phase, metric)),
    ),
  );
  return { name, facts: [factsOfReport(report)], samples: samples.filter(isKnown) };
}

/** Of a report that is to come: what it will tell of, without any value. */
export function expectedSubject(
  name: string,
  report: Report,
  phases: readonly (Pick<Measurement, 'figure'> & { readonly name: string })[],
): Subject {
  const samples = phases.flatMap((phase) => metrics.map((metric) => sampleOf(phase.name, metric, phase, [])));
  return { name, facts: [factsOfReport(report)], samples };
}

/** Of what another program measured, where the rates and the longest latencies are all that is left. */
export function subjectOfSheets(name: string, sheets: readonly Sheet[]): Subject {
  const phases = [...new Set(sheets.flatMap(({ scores }) => Object.keys(scores)))];
  const samples = phases.flatMap((phase) => {
    const scores = sheets.map((sheet) => sheet.scores[phase]).filter((score) => score !== undefined);
    const counted = { figure: scores[0]?.figure ?? 'bytes' } as const;
    return SHEET_METRICS.map((metric) => {
      const values = scores.map(metric.ofScore).filter((value) => value !== null);
      return sampleOf(phase, metric, counted, values);
    });
  });
  return { name, facts: sheets.map(factsOfSheet), samples: samples.filter(isKnown) };
}

/** Several documents of one file: their runs stand side by side. */
export function joined(name: string, subjects: readonly Subject[]): Subject {
  const names = [...new Set(subjects.flatMap(({ samples }) => samples.map((sample) => sample.name)))];
  return {
    name,
    facts: subjects.flatMap(({ facts }) => facts),
    samples: names.flatMap((sampleName) => {
      const same = subjects.flatMap(({ samples }) => samples.filter((sample) => sample.name === sampleName));
      const [first] = same;
      return first ? [{ ...first, values: same.flatMap(({ values }) => values) }] : [];
    }),
  };
}

function sampleOf(
  phase: string,
  metric: Metric,
  counted: Pick<Measurement, 'figure'>,
  values: readonly number[],
): Sample {
  const { better, role } = metric;
  return { name: metricName(phase, metric), unit: metric.unit(counted), better, role, values };
}

function isKnown({ values }: Sample): boolean {
  return values.length > 0;
}

function metricNamed(wanted: string): Metric {
  const metric = metrics.find(({ name }) => name === wanted);
  if (!metric) throw new Error(`no metric is called ${wanted}`);
  return metric;
}

/** Those in which everything that another program told is told. */
const SHEET_METRICS = ['', 'max'].map(metricNamed);
