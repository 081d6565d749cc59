import { formatAmount } from '../../report/amount.js';
import { metricName } from '../../report/metrics.js';
import { findProvenance, groupByPhase, type Results, splitByMachine } from '../../report/results.js';
import { sum } from '../../report/statistics/statistics.js';
import { element, textElement, XML_DECLARATION } from '../../text/markup.js';
import { warningText } from '../human/sentences.js';
import { type TestCase, toTestCases } from './junit-cases.js';
import { runsToShow, summarizeMetrics } from './metric-summary.js';
import { reportMetadata } from './report-metadata.js';

const NAME = 'gobonnie';
/** Name that Ant's schema requires for a host without a name. */
const UNNAMED_HOST = 'localhost';

/** Renders JUnit XML, as Ant, Jenkins and GitLab read it. */
export function junitXml(results: readonly Results[]): string {
  return XML_DECLARATION + element('testsuites', {}, splitByMachine(results).map(suiteElement));
}

function suiteElement(results: Results, id: number): string {
  const { runs, report } = results;
  const { program, label } = findProvenance(results);
  const cases = toTestCases(results);
  const count = (kind: string) => cases.filter(({ verdict }) => verdict?.kind === kind).length;
  const properties = [{ name: program.name, value: program.version ?? 'unknown' }];
  if (report) properties.push(...reportMetadata(report));
  return element(
    'testsuite',
    {
      name: NAME,
      package: NAME,
      id,
      timestamp: formatTimestamp(report?.startedAt ?? runs[0]?.startedAt),
      hostname: label.trim() || UNNAMED_HOST,
      tests: cases.length,
      failures: count('failure'),
      errors: count('error'),
      skipped: count('skipped'),
      time: formatDecimalSeconds(sum(cases.map(({ seconds }) => seconds))),
    },
    [
      element(
        'properties',
        {},
        properties.map((property) => element('property', property)),
      ),
      ...cases.map(caseElement),
      textElement('system-out', {}, metricLines(results)),
      textElement('system-err', {}, (report?.warnings ?? []).map(warningText)),
    ],
  );
}

function caseElement({ group, name, seconds, verdict }: TestCase): string {
  const attributes = { classname: `${NAME}.${group}`, name, time: formatDecimalSeconds(seconds) };
  if (verdict === null) return element('testcase', attributes);
  const { kind, type, message } = verdict;
  return element('testcase', attributes, [textElement(kind, { type, message }, [message])]);
}

/** Returns a line for every result, under its name in `--expect`. */
function metricLines(results: Results): readonly string[] {
  return groupByPhase(runsToShow(results))
    .flatMap(summarizeMetrics)
    .filter(({ metric }) => metric.isBrief)
    .map(
      ({ phase, metric, unit, statistics }) =>
        `${metricName(phase, metric)}: ${formatAmount(statistics.mean, unit)}`,
    );
}

/** Ant's schema allows no fraction and no time zone. */
function formatTimestamp(time: string | null | undefined): string | undefined {
  return time?.slice(0, 'YYYY-MM-DDThh:mm:ss'.length);
}

/** Avoids exponents, which the schemas do not allow. */
function formatDecimalSeconds(seconds: number): string {
  const finite = Math.min(seconds, Number.MAX_VALUE);
  const fixed = finite.toFixed(6);
  return fixed.includes('e') ? BigInt(finite).toString() : fixed;
}
