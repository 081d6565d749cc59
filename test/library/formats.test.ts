import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { comparisonFormats, formats, GobonnieError } from 'gobonnie';
import { describe, expect, test } from 'vitest';
import { comparisonFormats as comparisonTable } from '../../src/format/human/commands/comparison-format.js';
import { reportFormats as table } from '../../src/format/index.js';
import { reportWith, runWith } from '../support/data/fixtures.js';
import { stepsReport } from '../support/data/step-reports.js';
import { makeDirectory } from '../support/disks/directory.js';
import { runGobonnie } from '../support/programs/program.js';

const report = reportWith({ runs: [runWith(), runWith()] });
const ofSteps = stepsReport([{ step: { name: 'rnd4k-q1t1.read' }, rates: [4_096_000] }]);

test('the library has the same formats as the program', () => {
  expect(Object.keys(formats)).toEqual(Object.keys(table));
  expect(Object.keys(comparisonFormats)).toEqual(Object.keys(comparisonTable));
});

test.each([
  ['text', report],
  ['ndjson', report],
  ['yabs', ofSteps],
] as const)('%s returns the same text that the program prints for the report', async (name, shown) => {
  const file = path.join(makeDirectory(), 'report.json');
  writeFileSync(file, formats.report(shown));
  const { stdout, stderr } = await runGobonnie(['show', file, '--format', name]);
  expect(stderr).toBe('');
  expect(formats[name](shown)).toBe(stdout);
});

describe('a report that a format cannot show', () => {
  const reads = reportWith({ options: { ...report.options, phases: ['read'] } });

  test('is rejected by that format, with the names of the missing phases', () => {
    expect(() => formats.json(reads)).toThrow(GobonnieError);
    expect(() => formats.json(reads)).toThrow('write, iops');
  });

  test('is shown by other formats', () => {
    expect(JSON.parse(formats.report(reads))).toEqual(reads);
  });
});
