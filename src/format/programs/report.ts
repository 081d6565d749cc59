import { harmlessJson } from '../../text/escape.js';
import type { Format } from '../format.js';

/** The whole report; its schema is published. */
export const report: Format = { isJson: true, oneByOne: 'plain', end: harmlessJson };

/** Each event as it happens, one JSON object per line. */
export const ndjson: Format = { isJson: true, oneByOne: 'plain', event: harmlessJson };
