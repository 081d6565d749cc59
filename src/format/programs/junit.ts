import { formatAmount } from '../../report/amount.js';
import { metricName } from '../../report/metrics.js';
import { splitByMachine, groupByPhase, findProvenance, type Results } from '../../report/results.js';
import { sum } from '../../report/statistics/statistics.js';
import { warningText } from '../people/sentences.js';
import { element, textElement, XML_DECLARATION } from '../writing/markup.js';
import { circumstancesOf } from './circumstances.js';
import { type Case, casesOf } from './junit-cases.js';
import { shownRuns, summariesOf } from './summary.js';

const NAME = 'gobonnie';
/** What Ant's schema calls a host without a name. */
const NO_HOST = 'localhost';

/** JUnit XML for Ant, Jenkins, GitLab and others. */
export function junitXml(results: readonly Results[]): string {
  return XML_DECLARATION + element('testsuites', {}, splitByMachine(results).map(suiteOf));
}

function suiteOf(results: Results, id: number): string {
  const { runs, report } = results;
  const { program, label } = findProvenance(results);
  const cases = casesOf(results);
  const countOf = (kind: string) => cases.filter(({ verdict }) => verdict?.kind === kind).length;
  const facts = [
    { name: program.name, value: program.version ?? 'unknown' },
    ...(report ? circumstancesOf(report) : []),
  ];
  return element(
    'testsuite',
    {
      name: NAME,
      package: NAME,
      id,
      timestamp: inUtc(report?.startedAt ?? runs[0]?.startedAt),
      hostname: label.trim() || NO_HOST,
      tests: cases.length,
      failures: countOf('failure'),
      errors: countOf('error'),
      skipped: countOf('skipped'),
      time: decimal(sum(cases.map(({ seconds }) => seconds))),
    },
    [
      element(
        'properties',
        {},
        facts.map((fact) => element('property', { ...fact })),
      ),
      ...cases.map(caseElement),
      textElement('system-out', {}, figureLines(results)),
      textElement('system-err', {}, (report?.warnings ?? []).map(warningText)),
    ],
  );
}

function caseElement({ group, name, seconds, verdict }: Case): string {
  const attributes = { classname: `${NAME}.${group}`, name, time: decimal(seconds) };
  if (verdict === null) return element('testcase', attributes);
  const { kind, type, message } = verdict;
  return element('testcase', attributes, [textElement(kind, { type, message }, [message])]);
}

/** Every figure by its name in `--expect`. */
function figureLines(results: Results): readonly string[] {
  return groupByPhase(shownRuns(results))
    .flatMap(summariesOf)
    .filter(({ metric }) => metric.isBrief)
    .map(
      ({ phase, metric, unit, statistics }) =>
        `${metricName(phase, metric)}: ${formatAmount(statistics.mean, unit)}`,
    );
}

/** Ant's schema allows neither fraction nor zone. */
function inUtc(time: string | null | undefined): string | undefined {
  return time?.slice(0, 'YYYY-MM-DDThh:mm:ss'.length);
}

/** Without exponent, which the schemas do not allow. */
function decimal(seconds: number): string {
  const finite = Math.min(seconds, Number.MAX_VALUE);
  const inFull = finite.toFixed(6);
  return inFull.includes('e') ? BigInt(finite).toString() : inFull;
}
