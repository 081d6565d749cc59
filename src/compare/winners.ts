import type { Results } from '../report/results.js';
import { isComplete } from '../report/runs.js';
import { averageRuns, minMax } from '../report/statistics/statistics.js';
import { compareSides, DEFAULT_MAX_REGRESSION_PERCENT } from './comparison.js';
import type { MetricWinner } from './comparison-schema.js';
import { countRunsToAnswer, type Stage } from './power.js';
import { type ComparisonSide, type MetricSample, toComparisonSide } from './side.js';

/**
 * Compares the reports of one `ab`, in the rounds that every directory completed. Null for other results, and if no round
 * is complete.
 */
export function compareReportsOfAb(results: readonly Results[], stage: Stage = 'final') {
  const ab = results[0]?.report?.ab;
  if (!ab || results.length < 2 || results.some(({ report }) => !report?.ab)) return null;
  const { min: rounds } = minMax(results.map(({ runs }) => runs.filter(isComplete).length));
  if (rounds === 0) return null;
  const sides = results.map(({ report, runs }) =>
    toComparisonSide(
      `${report?.target.directory}`,
      [{ report, runs: runs.slice(0, rounds) }],
      ab.allowCached,
    ),
  );
  const isStopped = results.some(({ report }) => report?.outcome.state !== 'completed');
  return { ...compareInTurn(sides, ab.maxRegressionPercent, stage), isStopped };
}

/** Compares each other side with the first, and finds the best of all, after rounds in which all were measured in turn. */
export function compareInTurn(
  sides: readonly ComparisonSide[],
  maxRegressionPercent: number | null,
  stage: Stage,
) {
  const [first, ...others] = sides;
  if (!first) throw new Error('there is nothing to compare');
  const comparisons = countPairs(sides.length);
  const method = 'paired';
  const options = { method, comparesDisks: true, maxRegressionPercent, comparisons, stage } as const;
  return {
    comparisons: others.map((other) => compareSides(first, other, options)),
    winners: findWinners(sides),
  };
}

/** For sides that were measured in turn. A winner must be significantly better than every other side. */
export function findWinners(sides: readonly ComparisonSide[]): MetricWinner[] {
  const [first, ...others] = sides;
  const gatingSamples = (first?.samples ?? []).filter(
    ({ role, name }) => role === 'gating' && others.every((other) => findSample(other, name)),
  );
  return gatingSamples.map((sample) => findWinner(sample, sides)).filter((winner) => winner !== null);
}

function findWinner({ name, unit, better }: MetricSample, sides: readonly ComparisonSide[]) {
  const isFromDevice = sides.every((side) => findSample(side, name)?.isFromDevice);
  const valuesOf = (side: ComparisonSide) => findSample(side, name)?.values ?? [];
  const sideMean = (side: ComparisonSide) => averageRuns(valuesOf(side));
  const sign = better === 'lower' ? -1 : 1;
  const [leader, ...others] = sides.toSorted((one, other) => sign * (sideMean(other) - sideMean(one)));
  if (!leader) return null;
  // The leader was not known in advance, so any pair might have been compared.
  const comparisons = countPairs(sides.length);
  const leads = others.map((runnerUp) => {
    const { changes } = compareSides(runnerUp, leader, { method: 'paired', comparisons });
    return { runnerUp, lead: changes.find((change) => change.name === name) };
  });
  const doubtful = leads.find(
    ({ lead }) => lead?.significance !== 'significant' || lead.direction !== 'better',
  );
  const closest = doubtful ?? leads[0];
  if (!closest) return null;
  const { runnerUp, lead } = closest;
  const intervalPercent = lead?.intervalPercent ?? null;
  return {
    name,
    unit,
    isFromDevice,
    winner: doubtful ? null : leader.name,
    leader: leader.name,
    runnerUp: runnerUp.name,
    leadPercent: lead?.changePercent ?? null,
    intervalPercent,
    verdictIntervalPercent: lead?.verdictIntervalPercent ?? null,
    runsToDecide: doubtful
      ? countRunsToAnswer(
          valuesOf(runnerUp),
          valuesOf(leader),
          intervalPercent,
          DEFAULT_MAX_REGRESSION_PERCENT,
        )
      : null,
  };
}

function countPairs(count: number): number {
  return (count * (count - 1)) / 2;
}

function findSample({ samples }: ComparisonSide, sampleName: string): MetricSample | undefined {
  return samples.find(({ name }) => name === sampleName);
}
