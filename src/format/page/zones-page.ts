import type { Zone } from '../../report/zones.js';
import { zonesChart } from '../charts/zones.js';
import { tag, escapedMarkup as text } from '../writing/markup.js';
import { documentOf } from './document.js';
import { figureElement } from './figure.js';

/** How fast each part of a disk or file is, as a page. */
export function zonesPage(file: string, zones: readonly Zone[], blockBytes: number): string {
  const chart = zonesChart(zones, blockBytes);
  const body = chart ? figureElement(chart) : tag('p', {}, text('Nothing was read.'));
  return documentOf(`gobonnie zones: ${file}`, [body]);
}
