import { harmlessJson } from '../../text/escape.js';
import type { Format } from '../format.js';

/** Everything that is known, for programs. Its schema is published. */
export const report: Format = { isJson: true, oneByOne: 'plain', end: harmlessJson };

/** What happens, as it happens: one JSON object a line. */
export const ndjson: Format = { isJson: true, oneByOne: 'plain', event: harmlessJson };
