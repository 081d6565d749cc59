import type { Results, RunResult } from '../../report/results.js';
import type { Outcome, Report } from '../../report/schema/report.js';
import { describeIncomplete, expectationLine } from '../human/sentences.js';

/** A test case: a phase of a run, a condition of --expect, or a failure outside of phases. */
export interface TestCase {
  readonly group: string;
  readonly name: string;
  readonly seconds: number;
  /** Null if it passed. */
  readonly verdict: CaseVerdict | null;
}

interface CaseVerdict {
  readonly kind: 'failure' | 'error' | 'skipped';
  readonly type: string;
  readonly message: string;
}

const SKIPPED: CaseVerdict = { kind: 'skipped', type: 'skipped', message: 'not started' };

/** Returns the measured phases, the phases that failed or were skipped, then the conditions of --expect. */
export function toTestCases({ runs, report }: Results): readonly TestCase[] {
  const cases = runs.flatMap(measuredTestCases);
  return report ? [...cases, ...unmeasuredTestCases(report), ...expectationTestCases(report)] : cases;
}

function measuredTestCases({ phases }: RunResult, index: number): readonly TestCase[] {
  return phases.map(({ phase, seconds }) => ({
    group: runGroup(index + 1),
    name: phase,
    seconds: seconds ?? 0,
    verdict: null,
  }));
}

/** The phase in which a run stopped gets the error; later phases are skipped. */
function unmeasuredTestCases({ runs, outcome, options }: Report): readonly TestCase[] {
  const error = toErrorVerdict(outcome);
  if (error === null) return [];
  const last = runs.at(-1);
  const group = runGroup(Math.max(1, runs.length));
  const createTestCase = (name: string, verdict: CaseVerdict): TestCase => ({
    group,
    name,
    seconds: 0,
    verdict,
  });
  const remaining = last?.state === 'completed' ? [] : options.phases.slice(last?.measurements.length ?? 0);
  const [current, ...others] = remaining;
  if (last && current !== undefined)
    return [createTestCase(current, error), ...others.map((name) => createTestCase(name, SKIPPED))];
  return [
    { group: 'run', name: 'completes', seconds: 0, verdict: error },
    ...remaining.map((name) => createTestCase(name, SKIPPED)),
  ];
}

function expectationTestCases({ expectations = [] }: Report): readonly TestCase[] {
  return expectations.map((expectation) => ({
    group: 'expect',
    name: expectation.condition,
    seconds: 0,
    verdict: expectation.passed
      ? null
      : { kind: 'failure', type: 'expectation', message: expectationLine(expectation) },
  }));
}

/** Null for a complete report. The state `running` is also an error: the run was killed. */
function toErrorVerdict(outcome: Outcome): CaseVerdict | null {
  const message = describeIncomplete(outcome);
  if (message === null) return null;
  return { kind: 'error', type: outcome.state === 'failed' ? outcome.code : outcome.state, message };
}

function runGroup(run: number): string {
  return `run-${run}`;
}
