import { expect, test } from 'vitest';
import * as z from 'zod';
import { run } from '../../src/benchmark.js';
import { reportSchema } from '../../src/report/report.js';
import { makeDirectory } from '../directory.js';
import { reportWith } from '../fixtures.js';
import { SMALL_OPTIONS } from '../small-run.js';

/** What is published. As input: whoever validates by it takes a report that was extended, as zod does. */
function publish(): string {
  const schema = z.toJSONSchema(reportSchema.meta({ title: 'gobonnie/1' }), { io: 'input' });
  return `${JSON.stringify(schema, null, 2)}\n`;
}

test('the published schema is that of the code', async () => {
  await expect(publish()).toMatchFileSnapshot('../../schema/gobonnie-1.schema.json');
});

test('what is read by the schema is what was written: nothing is transformed or filled in', () => {
  const shape = (io: 'input' | 'output') =>
    JSON.parse(JSON.stringify(z.toJSONSchema(reportSchema, { io })), open);
  expect(shape('input')).toEqual(shape('output'));
});

/** Without what only the output side says: that zod leaves no other keys. */
function open(key: string, value: unknown): unknown {
  return key === 'additionalProperties' ? undefined : value;
}

test('a later report with more in it is still one of this schema', () => {
  expect(publish()).not.toContain('"additionalProperties": false');
  const { success } = reportSchema.safeParse({ ...reportWith(), extension: { of: 'a later version' } });
  expect(success).toBe(true);
});

test.each([{}, { verify: true }, { oneFile: true, unique: true, fsync: true, runs: 2 }])(
  'a real report passes the schema unchanged, and so it does re-read from JSON: %j',
  async (options) => {
    const report = await run({ dir: makeDirectory(), ...SMALL_OPTIONS, ...options });
    expect(report.outcome).toEqual({ state: 'completed' });
    expect(reportSchema.parse(report)).toEqual(report);
    expect(reportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
  },
);

test('a real report that was aborted passes, too', async () => {
  const abort = new AbortController();
  const report = await run(
    { dir: makeDirectory(), ...SMALL_OPTIONS },
    { signal: abort.signal, onEvent: ({ type }) => type === 'phase-end' && abort.abort('enough') },
  );
  expect(report.runs.map(({ state }) => state)).toEqual(['incomplete']);
  expect(reportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
});
