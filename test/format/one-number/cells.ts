import { type FormatName, renderReport, reportFormats } from '../../../src/format/index.js';
import type { Report } from '../../../src/report/schema/report.js';
import type { Figure } from './expected.js';

/** The figures in the columns of tables, by their heads. */
const COLUMNS: Readonly<Record<string, string>> = {
  ...{ rate: 'rate', 'on the disk': 'rate', 'as timed': 'timed', 'MB/s': 'bytes', IOPS: 'ops' },
  ...{ within: 'margin', device: 'share', share: 'share', ceiling: 'ceiling', cpu: 'cpu', CPU: 'cpu' },
  ...{ p50: 'p50', p99: 'p99', max: 'max', longest: 'max', began: 'began', done: 'done' },
  ...{ '50 %': 'p50', '90 %': 'p90', '99 %': 'p99', '99.9 %': 'p999' },
};
/** Units that a head has instead of the cells. */
const HEAD_UNITS: Readonly<Record<string, string>> = { 'MB/s': ' MB/s', IOPS: '/s' };
/** Columns of two figures. */
const RANGES: Readonly<Record<string, readonly [low: string, high: string]>> = {
  '95 % interval': ['low', 'high'],
  'lowest and highest': ['lowest', 'highest'],
};
/** Cells without a figure. */
const UNKNOWN = ['', 'unknown', 'cached'];

function figuresInCell(subject: string, head: string, cell: string): readonly Figure[] {
  const range = RANGES[head];
  if (range) return cell.split(' to ').map((text, at) => [`${subject} ${range[at]}`, text]);
  const name = COLUMNS[head];
  return name === undefined ? [] : [[`${subject} ${name}`, cell + (HEAD_UNITS[head] ?? '')]];
}

export function figuresInRow(subject: string, heads: readonly string[], cells: readonly string[]) {
  return heads.flatMap((head, at) => {
    const cell = cells[at] ?? '';
    return UNKNOWN.includes(cell) ? [] : figuresInCell(subject, head, cell);
  });
}

/** Undoes what HTML and Markdown escape, and removes tags. */
export const plain = (text: string) =>
  text
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .trim();

export const allMeasurements = ({ runs }: Report) => runs.flatMap(({ measurements }) => measurements);

/** Returns the name of the step with this title. */
export const stepOf = (report: Report, title: string) =>
  allMeasurements(report).find((one) => one.title === title)?.step ?? title;

export const render = (name: FormatName, report: Report) => renderReport(reportFormats[name], report);

/** `write.p99` is the name of a metric in conditions and comparisons. */
export const nameMetric = (report: Report, metric: string) =>
  allMeasurements(report).some(({ step }) => step === metric)
    ? `${metric} rate`
    : metric.replace(/\.(?=[a-z0-9]+$)/, ' ');
