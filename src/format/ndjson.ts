import type { Format } from './format.js';
import { harmlessJson } from './harmless.js';

/** What happens, as it happens: one JSON object a line. */
export const ndjson: Format = { isJson: true, oneByOne: 'plain', event: harmlessJson };
