import { unitDefinitions } from '../../../report/amount.js';
import { findKnee } from '../../../sweep/knee.js';
import type { LoadCurve } from '../../../sweep/load-curves.js';
import { type Markup, tag } from '../../../text/markup.js';
import { formatBytes } from '../../../text/units.js';
import { describeKnee, describeQuota, lineOf, pointColumns } from '../../human/sweep-text.js';
import { figure, folded, tableElement, textTag } from '../document.js';
import { describeWork } from '../drawing/charted-result.js';
import { hueOfPhase } from '../drawing/hues.js';
import { plot } from '../drawing/plot.js';
import type { Points } from '../drawing/scale.js';

const HEIGHT = 160;

/** Draws the rate and the p99 by threads, and marks the knee. Empty if the device served no point. */
export function loadCurveFigures(curve: LoadCurve, resultName: string): readonly Markup[] {
  const { work, points, quota } = curve;
  const unit = work.phase === 'random' ? 'operationsPerSecond' : 'bytesPerSecond';
  const knee = findKnee(points);
  if (!knee) return [];
  const { name: rate, divisor } = unitDefinitions[unit].chart;
  const hue = hueOfPhase(work.phase, 0);
  const size = formatBytes(points[0].ioSizeBytes ?? 0);
  const title = `${resultName === '' ? '' : `${resultName}: `}${describeWork(work)}, ${size}`;
  const draw = (quantity: string, y: 'log ns' | `linear ${string}`, linePoints: Points) => {
    const lines = [{ name: quantity, hue, points: linePoints }];
    const mark = { text: 'knee', places: [knee.threads] };
    const label = `${title}: ${quantity} by threads`;
    const chart = plot({ label, lines, height: HEIGHT, x: 'log threads', y, mark });
    return linePoints.length === 0 ? [] : [figure(title, `${quantity} by threads`, `f${hue}`, chart)];
  };
  const rates = lineOf(points, (point) => (point[unit] ?? 0) / divisor);
  const latencies = lineOf(points, ({ p99Ns }) => p99Ns);
  const figures = [...draw(rate, `linear ${rate}`, rates), ...draw('p99', 'log ns', latencies)];
  const columns = pointColumns(knee, unit);
  const head = ['threads', ...columns.map((column) => column.head)];
  const rows = points.map((point) => [String(point.threads), ...columns.map(({ cell }) => cell(point))]);
  return [
    tag('div', { class: 'grid wider' }, ...figures),
    textTag('p', `${describeKnee(points, knee, unit)} ${describeQuota(quota)}`, 'note'),
    folded('All points', tableElement([head, ...rows])),
  ];
}
