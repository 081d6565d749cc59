import { describeSpeed, speedFactsOf } from '../../rating/rating.js';
import { findProvenance, programName, type Results } from '../../report/results.js';
import { sanitize } from '../../text/escape.js';
import { type Attributes, escapeMarkup, type Markup, tag } from '../../text/markup.js';
import { truncateStart } from '../../text/width.js';
import { wrapLine } from '../../text/wrap.js';
import { type StepNumbers, sparkline, stepNumbers } from './cards.js';
import { type ChartedResult, toChartedResults, toChartedSteps } from './drawing/charted-result.js';
import { COLOR_RULES, DIM, fillOf, GRID, INK } from './drawing/hues.js';

const WIDTH = 720;
const LEFT = 20;
const RIGHT = WIDTH - LEFT;
const HEAD_HEIGHT = 74;
const ROW_HEIGHT = 46;
const FOOT_HEIGHT = 30;
const RATE_END = 350;
const CURVE = { x: 368, width: 150 };
const P50_END = 620;
const TARGET_COLUMNS = 60;
const SPEED_COLUMNS = 96;
const SPEED_LINE = 14;
const TITLE_COLUMNS = 24;
const SMALL = { ...DIM, 'font-size': 11 };
const FONT = { 'font-family': 'system-ui, sans-serif', 'font-size': 13 };

/** Renders results as one static card for a README or a post, with the numbers of the page. */
export function svgPicture(results: readonly Results[]): string {
  const charted = toChartedResults(results);
  const marks: Markup[] = [];
  const descriptions: string[] = [];
  const paced: boolean[] = [];
  let height = 0;
  for (const result of charted) {
    const numbers = stepNumbers(result, toChartedSteps([result]));
    const speed = result.report && describeSpeed(speedFactsOf(result.report));
    const speedLines = wrapLine(speed ?? '', SPEED_COLUMNS);
    marks.push(...headMarks(result, speedLines, height));
    height += HEAD_HEIGHT + SPEED_LINE * (speedLines.length - 1);
    for (const one of numbers) {
      marks.push(...rowMarks(one, result, height));
      descriptions.push(`${one.step.title}: ${one.rate}, ${one.margin}.`);
      paced.push(one.isPaced);
      height += ROW_HEIGHT;
    }
  }
  const size = { width: WIDTH, height: height + FOOT_HEIGHT };
  const xmlns = 'http://www.w3.org/2000/svg';
  const labels = { role: 'img', 'aria-labelledby': 'title text' };
  const picture = tag(
    'svg',
    { xmlns, viewBox: `0 0 ${size.width} ${size.height}`, ...size, ...labels, ...FONT },
    tag('title', { id: 'title' }, escapeMarkup(`gobonnie: ${charted.map(({ name }) => name).join(', ')}`)),
    tag('desc', { id: 'text' }, escapeMarkup(descriptions.join(' '))),
    tag('style', {}, escapeMarkup(COLOR_RULES)),
    tag('rect', { width: '100%', height: '100%', rx: 12, fill: '#fff', class: 'box' }),
    ...marks,
    textMark(LEFT, height + 16, footText(paced), SMALL),
  );
  return `${picture}\n`;
}

/** A step with pauses has its p50 instead of the rate, which the pauses determine. */
function footText(paced: readonly boolean[]): string {
  if (!paced.includes(true)) return 'Higher rates are better. Sparklines: rate over time, from 0.';
  if (!paced.includes(false))
    return 'Lower latencies are better. Large: p50. Sparklines: longest latency over time, from 0.';
  return 'Higher rates and lower latencies (p50) are better. Sparklines: rate, or longest latency, over time, from 0.';
}

function headMarks(result: ChartedResult, speedLines: readonly string[], top: number): readonly Markup[] {
  const { program, label } = findProvenance(result);
  const maker = [programName(program), truncateStart(label, TITLE_COLUMNS)];
  const brand = sanitize(maker.filter(Boolean).join(' · '));
  const { target, startedAt = '' } = result.report ?? {};
  const device = [target?.filesystem, target?.device && `on ${target.device}`].filter(Boolean).join(' ');
  const shownTarget = truncateStart([result.name, device].filter(Boolean).join(', '), TARGET_COLUMNS);
  return [
    textMark(LEFT, top + 26, brand, { ...INK, 'font-weight': 700, 'font-size': 15 }),
    endMark(RIGHT, top + 26, startedAt.slice(0, 10), DIM),
    clipped(top + 34, P50_END - LEFT - 50, textMark(0, 14, shownTarget, INK)),
    ...speedLines.map((line, at) => textMark(LEFT, top + 64 + SPEED_LINE * at, line, SMALL)),
    endMark(P50_END, top + 64, 'p50', SMALL),
    endMark(RIGHT, top + 64, 'p99', SMALL),
  ];
}

function rowMarks(numbers: StepNumbers, result: ChartedResult, top: number): readonly Markup[] {
  const { step, rate, margin, latencies, source } = numbers;
  const latency = (name: string) => latencies.find((one) => one.name === name)?.text ?? '';
  const title = truncateStart(step.title, TITLE_COLUMNS);
  return [
    tag('line', { x1: LEFT, x2: RIGHT, y1: top, y2: top, ...GRID }),
    clipped(top, 200, textMark(0, 20, title, { ...fillOf(step.hue), 'font-weight': 600 })),
    textMark(LEFT, top + 36, margin, SMALL),
    endMark(RATE_END, top + 30, rate, { ...INK, 'font-weight': 650, 'font-size': 20 }),
    ...sparkline(step, result, { ...CURVE, y: top + 3 }),
    endMark(P50_END, top + 21, latency('p50'), INK),
    endMark(RIGHT, top + 21, latency('p99'), INK),
    endMark(RIGHT, top + 37, source?.text ?? '', SMALL),
  ];
}

/** Hides the part of a text that exceeds the width, because the widths of fonts differ. */
function clipped(y: number, width: number, text: Markup): Markup {
  return tag('svg', { x: LEFT, y, width, height: ROW_HEIGHT - 4, 'aria-hidden': 'true' }, text);
}

function textMark(x: number, y: number, text: string, attributes: Attributes): Markup {
  return tag('text', { x, y, ...attributes }, escapeMarkup(text));
}

function endMark(x: number, y: number, text: string, attributes: Attributes): Markup {
  return textMark(x, y, text, { 'text-anchor': 'end', ...attributes });
}
