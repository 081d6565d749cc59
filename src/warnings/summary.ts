import { allMeasurements } from '../report/runs.js';
import type { Measurement, Report, Warning } from '../report/schema/report.js';
import { groupBy } from '../text/group-by.js';
import { measurementWarnings } from './measurement-warnings.js';
import { measurementContext } from './run-warnings.js';

/** More steps are counted instead of named. */
const MAX_NAMED_STEPS = 2;

/** The messages about several steps, whose own messages have figures of one step. */
const MESSAGES_OF_STEPS: Readonly<Record<string, string>> = {
  bimodal: 'the results are bimodal, and their means match neither level',
  outliers: 'some runs are outliers',
};

/** Returns one warning for each code, over all steps and runs. A warning about some hosts keeps its own message. */
export function summarizeWarnings(report: Report): readonly Warning[] {
  const measurements = allMeasurements(report);
  const stepCount = new Set(measurements.map(({ step }) => step)).size;
  return groupBy(report.warnings, ({ code, hosts = [] }) => [code, ...hosts].join(' ')).map((group) => {
    const [warning] = group;
    const steps = new Set(group.map(({ step }) => step));
    if (steps.size === 1) return warning;
    const affected = measurements.filter(({ step }) => steps.has(step));
    const titles = new Set(affected.map(({ title }) => title));
    const place =
      titles.size > MAX_NAMED_STEPS ? `${titles.size} of ${stepCount} steps` : [...titles].join(', ');
    return { ...warning, step: null, message: `${place}: ${messageOfSteps(warning, affected, report)}` };
  });
}

function messageOfSteps(
  { code, hosts, message }: Warning,
  measurements: readonly Measurement[],
  report: Report,
) {
  const rule = hosts ? undefined : measurementWarnings[code];
  if (!rule) return MESSAGES_OF_STEPS[code] ?? message;
  const [first, ...others] = measurements.filter((one) => rule.applies(one, measurementContext(report, one)));
  if (!first) return message;
  return rule.messageOfSteps?.(first) ?? rule.message([first, ...others], measurementContext(report, first));
}
