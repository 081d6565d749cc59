import { phases } from '../../workers/phases/phase-catalogue.js';
import { allMeasurements } from '../report/runs.js';
import type { Measurement, Report, Warning } from '../report/schema/report.js';
import { groupBy } from '../text/group-by.js';
import { measurementContext } from './measurement-context.js';
import { measurementWarnings } from './measurement-warnings.js';

/** More steps share a message. */
const MAX_OWN_MESSAGES = 2;
/** More steps are counted instead of named, and so is a majority of the steps: -v has a line for each. */
const MAX_NAMED_STEPS = 4;

/** The messages about several steps, whose own messages have figures of one step. */
const MESSAGES_OF_STEPS: Readonly<Record<string, string>> = {
  bimodal: 'the results are bimodal, and their means match neither level',
  outliers: 'some runs are outliers',
};

/** The steps or phases whose titles stand before warnings. */
type TitledSteps = readonly { readonly name: string; readonly title: string }[];

/** Returns all warnings, each after the title of its step. */
export function titledWarnings(report: Report): readonly Warning[] {
  const titles = findTitles(report);
  return report.warnings.map((warning) => addTitle(warning, titles));
}

/** A step of a list may have the name of a phase. */
function findTitles(report: Report): TitledSteps {
  return [...allMeasurements(report).map(({ step: name, title }) => ({ name, title })), ...phases];
}

/** Puts the title of the step before the message. */
export function addTitle(warning: Warning, titles: TitledSteps): Warning {
  if (warning.step === null) return warning;
  return { ...warning, step: null, message: `${findTitle(warning.step, titles)}: ${warning.message}` };
}

function findTitle(step: string, titles: TitledSteps): string {
  return titles.find(({ name }) => name === step)?.title ?? step;
}

/** Returns one warning for each code and remedy, over all steps and runs. A warning about some hosts keeps its own message. */
export function summarizeWarnings(report: Report): readonly Warning[] {
  const titles = findTitles(report);
  // A report of a newer version may have other phases.
  const measurements = allMeasurements(report).filter((one) => phases.some(({ name }) => name === one.phase));
  const stepCount = new Set(measurements.map(({ step }) => step)).size;
  return groupBy(report.warnings, ({ code, hint, hosts = [] }) => [code, hint, ...hosts].join(' ')).map(
    (group) => {
      const [warning] = group;
      const steps = new Set(group.map(({ step }) => step));
      if (steps.size === 1) return addTitle(warning, titles);
      const affected = measurements.filter(({ step }) => steps.has(step));
      const titleOf = ({ step }: Warning) => (step === null ? 'all' : findTitle(step, titles));
      const summary = summarize(warning, affected, report);
      const isShared = summary.hasFigures || group.length > MAX_OWN_MESSAGES;
      const areNamed =
        group.length <= MAX_OWN_MESSAGES || group.length <= Math.min(MAX_NAMED_STEPS, stepCount / 2);
      const names = areNamed ? group.map(titleOf).join(', ') : `${group.length} of ${stepCount} steps`;
      const message = isShared
        ? `${names}: ${summary.message}`
        : group.map((one) => `${titleOf(one)}: ${one.message}`).join('; ');
      return { ...warning, step: null, message };
    },
  );
}

/** Returns a message about several steps, and whether it has all figures of the warnings about each. */
function summarize({ code, hosts, message }: Warning, measurements: readonly Measurement[], report: Report) {
  const rule = hosts ? undefined : measurementWarnings[code];
  const getContext = (one: Measurement) => measurementContext(report, one);
  const [first, ...others] = measurements.filter((one) => rule?.applies(one, getContext(one)));
  if (!rule || !first) return { message: MESSAGES_OF_STEPS[code] ?? message, hasFigures: false };
  if (rule.messageOfSteps) return { message: rule.messageOfSteps(first), hasFigures: false };
  return { message: rule.message([first, ...others], getContext), hasFigures: true };
}
