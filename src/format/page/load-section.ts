import { metricOfRuns } from '../../report/metrics.js';
import { knownMeasurements } from '../../report/results.js';
import type { Report } from '../../report/schema/report.js';
import { groupBy } from '../../text/group-by.js';
import { escapeMarkup, type Markup, tag } from '../../text/markup.js';
import { formatNs } from '../../text/units.js';
import { type LoadRow, listLoadRows, loadFactor } from '../human/commands/load-text.js';
import { figure, tableElement } from './document.js';
import { fillOf, INK } from './drawing/hues.js';
import { type Line, plot } from './drawing/plot.js';
import { latencyCurve } from './drawing/timeline.js';

const HEIGHT = 180;
const CELL = { width: '100%', height: 22 };
const HEAT_HUE = 0;
/** A cell has the deepest colour when p99 is this many times as long as alone. */
const MAX_GROWTH = 1000;
const MAX_OPACITY = 0.6;

/** Renders the p99 of each step alone and beside others, and their latencies over time. Empty without such steps. */
export function loadElements(report: Report): readonly Markup[] {
  const steps = groupBy(listLoadRows(report), ({ name }) => name);
  if (steps.length === 0) return [];
  return [heatTable(steps), tag('div', { class: 'grid wider' }, ...steps.map((rows) => latencyFigure(rows)))];
}

function heatTable(steps: readonly (readonly LoadRow[])[]): Markup {
  const backgrounds = [...new Set(steps.flat().map(({ background }) => background))];
  const head = backgrounds.map((background) => (background === null ? 'p99 alone' : `beside ${background}`));
  const rows = steps.map((step) => [
    step[0]?.name ?? '',
    ...backgrounds.map((background) => heatCell(step.find((row) => row.background === background))),
  ]);
  return tableElement([['', ...head], ...rows]);
}

/** The colour deepens with each doubling of the latency. */
function heatCell(row: LoadRow | undefined) {
  const p99Ns = row ? metricOfRuns(row.rows, 'p99') : null;
  if (!row || p99Ns === null) return '';
  const growth = loadFactor(row) ?? 1;
  const depth = Math.log(Math.max(1, growth)) / Math.log(MAX_GROWTH);
  const opacity = Math.min(1, depth) * MAX_OPACITY;
  const rectangle = tag('rect', { ...CELL, rx: 4, 'fill-opacity': opacity.toFixed(2), ...fillOf(HEAT_HUE) });
  const place = { x: '96%', y: 15, 'text-anchor': 'end', 'font-size': 13, ...INK };
  return { markup: tag('svg', CELL, rectangle, tag('text', place, escapeMarkup(formatNs(p99Ns)))) };
}

function latencyFigure(rows: readonly [LoadRow, ...LoadRow[]]): Markup {
  const [{ name }] = rows;
  const lines = rows.flatMap(({ background, rows: results }, at) =>
    knownMeasurements(results).map(
      (measurement): Line => ({
        name: background ?? 'alone',
        // The step alone has the second hue, which is blue.
        hue: (at + 1) % rows.length,
        points: latencyCurve(measurement, 'p99'),
      }),
    ),
  );
  const known = lines.filter(({ points }) => points.length > 0);
  const label = `${name}: p99 over time, alone and beside others`;
  return figure(
    name,
    'p99 over time',
    '',
    plot({ label, lines: known, height: HEIGHT, x: 'seconds', y: 'latency' }),
  );
}
