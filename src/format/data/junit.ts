import { findFailures } from '../../compare/comparison.js';
import type { Comparison } from '../../compare/comparison-schema.js';
import { incomparableError } from '../../compare/differences.js';
import { formatAmount } from '../../report/amount.js';
import { metricName, summarizeMetrics } from '../../report/metrics.js';
import { findProvenance, groupByStep, type Results, splitByMachine } from '../../report/results.js';
import { runsToShow } from '../../report/runs.js';
import { sum } from '../../report/statistics/statistics.js';
import { escapeMarkup, type Markup, tag, textElement } from '../../text/markup.js';
import { titledWarnings } from '../../warnings/summary.js';
import type { ComparisonDocument } from '../human/commands/comparison-format.js';
import { describeComparison } from '../human/commands/conclusion.js';
import { describeIncomplete, expectationLine, warningText } from '../human/sentences.js';
import { reportMetadata } from './report-metadata.js';

const NAME = 'gobonnie';
/** Name that Ant's schema requires for a host without a name. */
const UNNAMED_HOST = 'localhost';

/** Renders JUnit XML, as Ant, Jenkins and GitLab read it. */
export function junitXml(results: readonly Results[], document?: ComparisonDocument): string {
  const suites = splitByMachine(results).map((one, id, all) => {
    // Of several results, the first has no comparison.
    const comparison = document?.comparisons.at(id - all.length);
    const compared = comparison ? toComparedCases(comparison, document?.strict) : [];
    return suiteElement(one, id, [...toTestCases(one), ...compared]);
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${tag('testsuites', {}, ...suites)}\n`;
}

function suiteElement(results: Results, id: number, cases: readonly TestCase[]): Markup {
  const { runs, report } = results;
  const { program, label } = findProvenance(results);
  const count = (kind: string) => cases.filter(({ verdict }) => verdict?.kind === kind).length;
  const facts = [{ name: program.name, value: program.version ?? 'unknown' }];
  if (report) facts.push(...reportMetadata(report));
  const properties = facts.map((fact) => tag('property', fact));
  return tag(
    'testsuite',
    {
      name: NAME,
      package: NAME,
      id,
      // Ant's schema allows no fraction and no time zone.
      timestamp: (report ?? runs[0])?.startedAt?.slice(0, 'YYYY-MM-DDThh:mm:ss'.length),
      hostname: label.trim() || UNNAMED_HOST,
      tests: cases.length,
      failures: count('failure'),
      errors: count('error'),
      skipped: count('skipped'),
      time: formatTime(sum(cases.map(({ seconds }) => seconds))),
    },
    tag('properties', {}, ...properties),
    ...cases.map(caseElement),
    textElement('system-out', metricLines(results)),
    textElement('system-err', report ? titledWarnings(report).map(warningText) : []),
  );
}

function caseElement({ group, name, seconds, verdict }: TestCase): Markup {
  const attributes = { classname: `${NAME}.${group}`, name, time: formatTime(seconds) };
  if (!verdict) return tag('testcase', attributes);
  const { kind, type, message } = verdict;
  return tag('testcase', attributes, tag(kind, { type, message }, escapeMarkup(message)));
}

/** Jenkins' schema allows at most three decimals. */
function formatTime(seconds: number): string {
  return seconds.toFixed(3);
}

/** Returns a line for every result, under its name in `--expect`. */
function metricLines(results: Results): readonly string[] {
  const summaries = groupByStep(runsToShow(results.runs)).flatMap(summarizeMetrics);
  return summaries
    .filter(({ metric }) => metric.isBrief)
    .map((one) => `${metricName(one.step, one.metric)}: ${formatAmount(one.value, one.unit)}`);
}

interface TestCase {
  readonly group: string;
  readonly name: string;
  readonly seconds: number;
  /** Omitted if it passed. */
  readonly verdict?: Readonly<Record<'kind' | 'type' | 'message', string>>;
}

/** Returns the measured phases, an error if the report is incomplete, then the conditions of --expect. */
function toTestCases({ runs, report }: Results): readonly TestCase[] {
  const cases: TestCase[] = runs.flatMap(({ steps }, index) =>
    steps.map(({ step, seconds }) => ({ group: `run-${index + 1}`, name: step, seconds: seconds ?? 0 })),
  );
  if (!report) return cases;
  const { outcome, expectations = [] } = report;
  const message = describeIncomplete(outcome);
  // The state `running` is also an error: the run was killed.
  const type = outcome.state === 'failed' ? outcome.code : outcome.state;
  if (message !== null)
    cases.push({ group: 'run', name: 'completes', seconds: 0, verdict: { kind: 'error', type, message } });
  for (const one of expectations) {
    const failure = { kind: 'failure', type: 'expectation', message: expectationLine(one) };
    const verdict = one.passed ? {} : { verdict: failure };
    cases.push({ group: 'expect', name: one.condition, seconds: 0, ...verdict });
  }
  return cases;
}

/**
 * Returns the compared rates, unless there is no limit. Each is a failure if the sides differ in more than their results.
 * An inconclusive rate counts as skipped, unless it fails the comparison.
 */
function toComparedCases(comparison: Comparison, strict = false): readonly TestCase[] {
  if (comparison.maxRegressionPercent === null) return [];
  const failures = findFailures(comparison, strict);
  const gating = comparison.changes.filter(({ role }) => role === 'gating');
  return gating.map((change) => {
    const passed = { group: 'baseline', name: change.name, seconds: 0 };
    const isFailure = change.verdict === null || failures.includes(change);
    if (!isFailure && change.verdict === 'pass') return passed;
    const single = { ...comparison, changes: [change] };
    const [message = incomparableError(comparison).line] = describeComparison(single);
    const kind = isFailure ? 'failure' : 'skipped';
    return { ...passed, verdict: { kind, type: change.verdict ?? 'incomparable', message } };
  });
}
