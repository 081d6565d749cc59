import { formatAmount } from '../../../report/amount.js';
import { stepsByHost } from '../../../report/host-summary.js';
import { primaryRateUnit } from '../../../report/rate.js';
import { minMax } from '../../../report/statistics/statistics.js';
import { type Markup, tag } from '../../../text/markup.js';
import { HOST_COLUMNS } from '../../human/host-lines.js';
import { tableElement } from '../document.js';
import type { ChartedResult, ChartedStep } from '../drawing/charted-result.js';
import { fillOf } from '../drawing/hues.js';

const BAR = { height: 12, 'aria-hidden': 'true' };

/** Lists the hosts of a job, the slowest first, with a bar for the rate of each. Empty with fewer than two hosts. */
export function hostTables({ report }: ChartedResult, steps: readonly ChartedStep[]): readonly Markup[] {
  const groups = report?.job ? stepsByHost(report) : [];
  return groups.flatMap(({ step, title, rows: hosts, primaryRate }) => {
    if (hosts.length < 2) return [];
    const hue = steps.find((one) => one.step === step)?.hue ?? 0;
    const show = (perSecond: number) => formatAmount(perSecond, primaryRateUnit({ primaryRate }));
    const highest = minMax(hosts.map(({ timedPerSecond }) => timedPerSecond)).max || 1;
    const head = [title, '', 'as timed', 'on the disk', ...HOST_COLUMNS.map((column) => column.head)];
    const rows = hosts.map((host) => {
      const width = `${((100 * host.timedPerSecond) / highest).toFixed(1)}%`;
      const bar = tag('svg', { width: '100%', ...BAR }, tag('rect', { width, ...BAR, ...fillOf(hue) }));
      return [
        `${host.name}${host.isOutlier ? ', an outlier' : ''}`,
        { markup: bar },
        show(host.timedPerSecond),
        host.perSecond === null ? 'unknown' : show(host.perSecond),
        ...HOST_COLUMNS.map(({ cell }) => cell(host)),
      ];
    });
    return [tableElement([head, ...rows])];
  });
}
