import { expect, test } from 'vitest';
import * as z from 'zod';
import { abSchema, comparisonsSchema } from '../../src/compare/comparison-schema.js';
import { eventRecordSchema } from '../../src/report/events/event-record.js';
import { reportSchema } from '../../src/report/schema/report.js';
import { reportWith } from '../support/data/fixtures.js';

/** The title, the file and the schema of each published schema. */
const SCHEMAS = [
  ['gobonnie/1', 'gobonnie-1', reportSchema],
  ['gobonnie-event/1', 'gobonnie-event-1', eventRecordSchema],
  ['gobonnie-comparison/1', 'gobonnie-comparison-1', comparisonsSchema],
  ['gobonnie-ab/1', 'gobonnie-ab-1', abSchema],
] as const;

/** Publishes zod's input schema, which allows additional keys: a later version may extend a report. */
function publish(title: string, schema: z.ZodType): string {
  const published = z.toJSONSchema(schema.meta({ title }), { io: 'input', override: referToReport });
  return `${JSON.stringify(published, null, 2)}\n`;
}

/** Replaces the report in an event by a reference to its own schema, so only one file changes with the report. */
function referToReport({
  zodSchema,
  jsonSchema,
  path,
}: {
  zodSchema: unknown;
  jsonSchema: object;
  path: unknown[];
}) {
  if (zodSchema !== reportSchema || path.length === 0) return;
  for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
  Object.assign(jsonSchema, { $ref: 'gobonnie-1.schema.json' });
}

test.each(SCHEMAS)('the published schema of %s is generated from the code', async (title, name, schema) => {
  await expect(publish(title, schema)).toMatchFileSnapshot(`../../schema/${name}.schema.json`);
});

test.each(SCHEMAS)('the schema of %s transforms nothing and fills in no default', (_, __, schema) => {
  const shape = (io: 'input' | 'output') => JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io })), open);
  expect(shape('input')).toEqual(shape('output'));
});

/** Drops the output schema's rule against additional keys. */
function open(key: string, value: unknown): unknown {
  return key === 'additionalProperties' ? undefined : value;
}

test('a report with additional keys from a later version is valid', () => {
  for (const [title, , schema] of SCHEMAS)
    expect(publish(title, schema)).not.toContain('"additionalProperties": false');
  const { success } = reportSchema.safeParse({ ...reportWith(), extension: { of: 'a later version' } });
  expect(success).toBe(true);
});
