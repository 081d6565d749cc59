import type { Results, RunResult } from '../../report/results.js';
import type { Outcome, Report } from '../../report/schema/report.js';
import { expectationLine, outcomeText } from '../people/sentences.js';

/** A test case: a phase of a run, a condition of --expect, or a failure outside of both. */
export interface Case {
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

/** The measured phases, those that could not be measured, then the conditions of --expect. */
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

/** The phase that an incomplete run stopped in has the error; later ones are skipped. */
function unmeasuredCases({ runs, outcome, options }: Report): readonly Case[] {
  const error = errorOf(outcome);
  if (error === null) return [];
  const last = runs.at(-1);
  const group = groupOf(Math.max(1, runs.length));
  const caseOf = (name: string, verdict: CaseVerdict): Case => ({ group, name, seconds: 0, verdict });
  const left = last?.state === 'completed' ? [] : options.phases.slice(last?.measurements.length ?? 0);
  const [current, ...others] = left;
  if (last && current !== undefined)
    return [caseOf(current, error), ...others.map((name) => caseOf(name, SKIPPED))];
  return [
    { group: 'run', name: 'completes', seconds: 0, verdict: error },
    ...left.map((name) => caseOf(name, SKIPPED)),
  ];
}

function expectationCases({ expectations = [] }: Report): readonly Case[] {
  return expectations.map((expectation) => ({
    group: 'expect',
    name: expectation.condition,
    seconds: 0,
    verdict: expectation.passed
      ? null
      : { kind: 'failure', type: 'expectation', message: expectationLine(expectation) },
  }));
}

/** The report of a killed run says `running`, which is an error, too. */
function errorOf(outcome: Outcome): CaseVerdict | null {
  const message = outcomeText(outcome);
  if (message === null) return null;
  return { kind: 'error', type: outcome.state === 'failed' ? outcome.code : outcome.state, message };
}

function groupOf(run: number): string {
  return `run-${run}`;
}
