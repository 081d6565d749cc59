import { sanitize } from '../../text/escape.js';
import { KIB } from '../../text/units.js';

export interface ByteRate {
  readonly title: string;
  /** Null if the test was too short. */
  readonly bytesPerSecond: number | null;
}

const LABEL_WIDTH = 21;
const COLUMN_WIDTH = 6;
const TOO_SHORT = '++++++';

/** Renders getc_putc's table in K/sec, with a column for each method. */
export function getcPutcTable(version: string, label: string, rates: readonly ByteRate[]): string {
  const head = rates.map(({ title }) => title.padStart(COLUMN_WIDTH));
  const row = rates.map((rate) => rateText(rate).padStart(COLUMN_WIDTH));
  return [
    [`Version ${version}`.padEnd(LABEL_WIDTH), ...head].join(' '),
    [sanitize(label).padEnd(LABEL_WIDTH), ...row].join(' '),
    '',
  ].join('\n');
}

export function getcPutcCsv(label: string, rates: readonly ByteRate[]): string {
  return `${[sanitize(label).replaceAll(',', ' '), ...rates.map(rateText)].join(',')}\n`;
}

function rateText({ bytesPerSecond }: ByteRate): string {
  return bytesPerSecond === null ? TOO_SHORT : (bytesPerSecond / KIB).toFixed(0);
}
