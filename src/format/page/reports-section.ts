import type { Report } from '../../report/schema/report.js';
import { stringifySafely } from '../../text/escape.js';
import { type Markup, tag, escapeMarkup as text } from '../../text/markup.js';
import type { ChartedResult } from './drawing/charted-result.js';

/** With more runs, their measurements would be most of the page. */
const MAX_RUNS = 30;

/** Renders the reports as JSON, without the data that would be most of the page. */
export function reportsSection(chartedResults: readonly ChartedResult[]): Markup {
  const reports = chartedResults.flatMap(({ name, source }) =>
    source.report ? [{ name, report: source.report }] : [],
  );
  if (reports.length === 0) return text('');
  return tag(
    'section',
    {},
    tag('h2', {}, text('Reports')),
    tag(
      'p',
      { class: 'note' },
      text(
        'Without rates over time, latency histograms and, for more than 30 runs, measurements: --out FILE.json writes it all.',
      ),
    ),
    ...reports.map(({ name, report }) =>
      tag(
        'details',
        {},
        tag('summary', {}, text(name)),
        tag('pre', {}, text(stringifySafely(abridgeReport(report)).trimEnd())),
      ),
    ),
  );
}

function abridgeReport({ runs, ...report }: Report): object {
  const abridgedRuns = runs.map(({ measurements, ...run }) => ({
    ...run,
    measurements: measurements.map(({ series, latencyNs, ...measurement }) => ({
      ...measurement,
      latencyNs: latencyNs && { ...latencyNs, buckets: undefined },
    })),
  }));
  return { ...report, ...(runs.length > MAX_RUNS ? {} : { runs: abridgedRuns }) };
}
