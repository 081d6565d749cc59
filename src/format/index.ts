import type { Format } from './format.js';
import { json } from './json.js';
import { text } from './text.js';

/** Every format, one row each. */
export const formats = { text, json } as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof formats;
