import type * as z from 'zod';
import { abSchema, comparisonsSchema } from '../../compare/comparison-schema.js';
import type { ComparisonDocument } from '../../format/human/commands/comparison-format.js';
import { validateDocument, withFileName } from '../../read/guard.js';
import { parseJsonObject } from '../../text/json.js';

const schemas: Readonly<Record<string, z.ZodType<ComparisonDocument>>> = {
  'gobonnie-comparison/1': comparisonsSchema,
  'gobonnie-ab/1': abSchema,
};

/** Reads the output of `compare --json` or `ab --json`. Null for any other text. */
export function readComparison(text: string, fileName: string): ComparisonDocument | null {
  const [, name = ''] = /^\s*\{\s*"schema"\s*:\s*"([\w/-]+)"/.exec(text) ?? [];
  const schema = schemas[name];
  const document = schema && parseJsonObject(text);
  return document ? withFileName(fileName, () => validateDocument(schema, document)) : null;
}
