import { harmlessJson } from '../../text/escape.js';
import type { Format } from '../format.js';

/** What happens, as it happens: one JSON object a line. */
export const ndjson: Format = { isJson: true, oneByOne: 'plain', event: harmlessJson };
