import { harmlessJson } from '../../text/harmless.js';
import type { Format } from '../format.js';

/** What happens, as it happens: one JSON object a line. */
export const ndjson: Format = { isJson: true, oneByOne: 'plain', event: harmlessJson };
