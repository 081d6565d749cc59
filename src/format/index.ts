import type { Format } from './format.js';
import { json } from './json.js';
import { report } from './report.js';
import { text } from './text.js';

/** Every format, one row each. */
export const formats = { text, json, report } as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof formats;

/** The format of a file by its name's extension. */
export const formatsByExtension: Readonly<Record<string, Format>> = { '.json': report };
