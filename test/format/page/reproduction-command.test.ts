import { expect, test } from 'vitest';
import { pickBenchmarkOptions } from '../../../src/cli/argv/option-rows.js';
import { gobonniego } from '../../../src/cli/compat/gobonniego.js';
import { reproductionCommand } from '../../../src/format/page/summary-section.js';
import { validateOptions } from '../../../src/options/validate-options.js';
import { plan } from '../../../src/plan/plan.js';
import type { Report } from '../../../src/report/schema/report.js';
import { emptyReport } from '../../../src/run/empty-report.js';
import { machineWith } from '../../support/data/fixtures.js';

/** Returns the report of a command, before its first measurement. */
function reportOf(command: string): Report {
  const words = [...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
  const request = gobonniego.parse(words.slice(2));
  if (request.type !== 'benchmark') throw new Error('the command measures nothing');
  return emptyReport(
    plan(validateOptions(pickBenchmarkOptions(request.rawOptions)), machineWith()),
    new Date(),
  );
}

test.each([
  '--size 1',
  "--size 0.3 --dir '/mnt/with space' --threads 3 --runs 5 --direct --io-size 4096 --cache keep",
  '--size 1 --unique --verify --compressible 50 --until-stable 5 --max-runs 9 --one-file',
  '--size 1 --phases write,rewrite,seeks --seeks 99 --seek-threads 3 --data-files 2 --fsync --fsync-per-write',
  '--size 1 --phases create,stat --files 64 --file-size 4096 --file-min-size 100 --directories 3',
])('the command of a report of %s repeats its measurement', (flags) => {
  const report = reportOf(`npx gobonnie --seed 7 ${flags}`);
  expect(reportOf(reproductionCommand(report)).options).toEqual(report.options);
});

test('the command omits options with default values', () => {
  const report = reportOf('npx gobonnie --seed 7 --size 1');
  expect(reproductionCommand(report)).toBe(
    `npx gobonnie --dir ${report.target.directory} --size 1 --threads ${report.options.threads} --seed 7`,
  );
});
