import type { Results, RunResult } from '../../report/results.js';
import type { Outcome, Report } from '../../report/schema/report.js';
import { expectationLine, outcomeText } from '../people/sentences.js';

/** A test case: a phase of a run, what was expected of a figure, or what went wrong beside them. */
export interface Case {
  readonly group: string;
  readonly name: string;
  readonly seconds: number;
  /** Null where it is as it should be. */
  readonly verdict: CaseVerdict | null;
}

export interface CaseVerdict {
  readonly kind: 'failure' | 'error' | 'skipped';
  readonly type: string;
  readonly message: string;
}

const SKIPPED: CaseVerdict = { kind: 'skipped', type: 'skipped', message: 'it was not begun' };

/** What was measured, then what could not be, then what was expected. */
export function casesOf({ runs, report }: Results): readonly Case[] {
  const measured = runs.flatMap(measuredCases);
  return report ? [...measured, ...unmeasuredCases(report), ...expectationCases(report)] : measured;
}

function measuredCases({ phases }: RunResult, index: number): readonly Case[] {
  return phases.map(({ phase, seconds }) => ({
    group: groupOf(index + 1),
    name: phase,
    seconds: seconds ?? 0,
    verdict: null,
  }));
}

/** The error of a run that did not come to its end stands where that happened. */
function unmeasuredCases({ runs, outcome, options }: Report): readonly Case[] {
  const error = errorOf(outcome);
  if (error === null) return [];
  const last = runs.at(-1);
  const group = groupOf(Math.max(1, runs.length));
  const caseOf = (name: string, verdict: CaseVerdict): Case => ({ group, name, seconds: 0, verdict });
  const left = last?.state === 'completed' ? [] : options.phases.slice(last?.measurements.length ?? 0);
  const [underWay, ...others] = left;
  if (last && underWay !== undefined)
    return [caseOf(underWay, error), ...others.map((name) => caseOf(name, SKIPPED))];
  return [
    { group: 'run', name: 'comes to its end', seconds: 0, verdict: error },
    ...left.map((name) => caseOf(name, SKIPPED)),
  ];
}

function expectationCases({ expectations = [] }: Report): readonly Case[] {
  return expectations.map((expectation) => ({
    group: 'expect',
    name: expectation.text,
    seconds: 0,
    verdict: expectation.isMet
      ? null
      : { kind: 'failure', type: 'expectation', message: expectationLine(expectation) },
  }));
}

/** A file that a killed run leaves is no success. */
function errorOf(outcome: Outcome): CaseVerdict | null {
  const message = outcomeText(outcome);
  if (message === null) return null;
  return { kind: 'error', type: outcome.state === 'failed' ? outcome.code : outcome.state, message };
}

function groupOf(run: number): string {
  return `run-${run}`;
}
