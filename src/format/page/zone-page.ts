import type { Zone } from '../../report/zone-means.js';
import { tag, escapeMarkup as text } from '../../text/markup.js';
import { zoneChart } from './charts/zone-chart.js';
import { htmlDocument } from './document.js';
import { figureElement } from './figure.js';

/** Renders the rate of each part of a disk or file as a page. */
export function zonePage(file: string, zones: readonly Zone[], blockBytes: number): string {
  const chart = zoneChart(zones, blockBytes);
  const body = chart
    ? figureElement(chart, { id: 'zones', title: 'Rate by offset' })
    : tag('p', {}, text('Nothing was read.'));
  return htmlDocument(`gobonnie zones: ${file}`, [body]);
}
