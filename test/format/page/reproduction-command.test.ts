import { expect, test } from 'vitest';
import { gobonniego } from '../../../src/cli/compat/gobonniego.js';
import { reproductionCommand } from '../../../src/format/page/reproduction-command.js';
import type { OptionsInput } from '../../../src/options/options-schema.js';
import { validateOptions } from '../../../src/options/validate-options.js';
import { plan } from '../../../src/plan/plan.js';
import { emptyReport } from '../../../src/run/empty-report.js';
import { machineWith, planWith } from '../../support/data/fixtures.js';

/** Splits a command line into words, as a shell does. */
function words(command: string): readonly string[] {
  return [...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word).slice(2);
}

test.each<OptionsInput>([
  { size: 1, seed: 7 },
  {
    size: 0.3,
    seed: 7,
    dir: '/mnt/with space',
    threads: 3,
    runs: 5,
    direct: true,
    ioSize: 4096,
    cache: 'keep',
  },
  {
    size: 1,
    seed: 7,
    unique: true,
    verify: true,
    compressible: 50,
    untilStable: 5,
    maxRuns: 9,
    oneFile: true,
  },
  {
    size: 1,
    seed: 7,
    phases: 'write,rewrite,seeks',
    seeks: 99,
    seekThreads: 3,
    dataFiles: 2,
    fsync: true,
    fsyncPerWrite: true,
  },
  {
    size: 1,
    seed: 7,
    phases: 'create,stat',
    files: 64,
    fileSize: 4096,
    fileMinSize: 100,
    fileKind: 'files',
    directories: 3,
  },
])('the command of a report with %j repeats its measurement', (input) => {
  const report = emptyReport(planWith(input), new Date());
  const request = gobonniego.parse(words(reproductionCommand(report)));
  if (request.type !== 'benchmark') throw new Error('the command measures nothing');
  const again = emptyReport(plan(validateOptions(request.input), machineWith()), new Date());
  expect(again.options).toEqual(report.options);
});

test('the command omits options with default values', () => {
  const report = emptyReport(planWith({ size: 1, seed: 7 }), new Date());
  expect(reproductionCommand(report)).toBe(
    `npx gobonnie --dir ${report.target.directory} --size 1 --threads ${report.options.threads} --seed 7`,
  );
});
