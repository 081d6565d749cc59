import { type Comparison, compareSides } from '../../compare/comparison.js';
import { toComparisonSide } from '../../compare/subject.js';
import { GobonnieError } from '../../errors.js';
import type { Results } from '../../report/results.js';
import { changeChart } from '../charts/change.js';
import { deviceShareChart } from '../charts/device-share.js';
import { hostsChart } from '../charts/hosts.js';
import { latencyOverTime } from '../charts/latency-over-time.js';
import { percentileChart } from '../charts/percentiles.js';
import { longestSeconds, rateOverTime } from '../charts/rate-over-time.js';
import { spreadChart } from '../charts/spread.js';
import type { Chart } from '../drawing/chart.js';
import { phasesOfSides, type Side, sidesOf } from '../drawing/side.js';
import { type Markup, tag, escapedMarkup as text } from '../writing/markup.js';
import { answerSection } from './answer.js';
import { documentOf } from './document.js';
import { environmentSection } from './environment.js';
import { figureElement } from './figure.js';

/** The answer, then its charts, of one result or several. */
export function htmlPage(results: readonly Results[], comparisons?: readonly Comparison[]): string {
  const sides = sidesOf(results);
  const title = `gobonnie: ${sides.length > 1 ? `${sides.length} results` : (sides[0]?.name ?? 'no results')}`;
  const body = [
    ...sides.map((side) => answerSection(side, sides.length > 1)),
    ...chartSections(sides, comparisons ?? comparisonsOf(sides)),
    environmentSection(sides),
  ];
  return documentOf(title, body);
}

/** A heading with its charts, or with a line that says why there is none. */
function chartSections(sides: readonly Side[], comparisons: readonly Comparison[]): readonly Markup[] {
  const phases = phasesOfSides(sides);
  const lastSeconds = longestSeconds(sides, phases);
  const share = deviceShareChart(phases, sides);
  const change = changeChart(comparisons);
  const hosts = phases.flatMap((phase) => hostsChart(phase, sides) ?? []);
  return [
    section(
      'The device and memory',
      share ? [share] : [],
      'These results do not say what the device served.',
    ),
    section(
      'Rate over time',
      phases.flatMap((phase) => rateOverTime(phase, sides, lastSeconds) ?? []),
      'These results do not hold rates over time.',
    ),
    section(
      'Latency over time',
      phases.flatMap((phase) => latencyOverTime(phase, sides, lastSeconds) ?? []),
      'These results do not hold latencies over time: gobonnie writes them from 1.0.0 on.',
    ),
    section(
      'Latency by percentile',
      phases.flatMap((phase) => percentileChart(phase, sides) ?? []),
      'These results do not hold the latencies of operations, or too few.',
    ),
    section(
      'Runs and changes',
      [...phases.flatMap((phase) => spreadChart(phase, sides) ?? []), ...(change ? [change] : [])],
      'There is one run only, and nothing to compare it with.',
    ),
    // Most runs are of one process.
    ...(hosts.length > 0 ? [section('By host', hosts, '')] : []),
  ];
}

function section(title: string, charts: readonly Chart[], missing: string): Markup {
  const content =
    charts.length > 0 ? charts.map(figureElement) : [tag('p', { class: 'note' }, text(missing))];
  return tag('section', {}, tag('h2', {}, text(title)), ...content);
}

/** Each with the first one, as far as both have complete runs and figures in common. */
function comparisonsOf([first, ...others]: readonly Side[]): readonly Comparison[] {
  return others.flatMap((other) => {
    try {
      const [before, after] = [first, other].flatMap((side) =>
        side ? [toComparisonSide(side.name, [side.results])] : [],
      );
      return before && after ? [compareSides(before, after)] : [];
    } catch (error) {
      if (error instanceof GobonnieError) return [];
      throw error;
    }
  });
}
