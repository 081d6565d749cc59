import { rmSync, writeFileSync } from 'node:fs';
import { describe, test } from 'vitest';
import { seededRandom } from '../../support/data/seeded-random.js';
import { listDirectory, useTemporaryDirectory } from '../../support/disks/temporary-directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { CaseTally } from '../case-tally.js';
import {
  type CommandOutput,
  hasControlCharacters,
  panicViolations,
  rejectionViolations,
} from '../output-violations.js';
import { type CorruptFile, corruptBytes } from './corrupt-file.js';
import { corruptJson } from './corrupt-json.js';

const SEED = 20_180_412;
const TIMES = 36;
const USAGE = 2;
const OPTIONS = {
  $schema: './node_modules/gobonnie/schema/gobonnie-config.schema.json',
  dir: '.',
  size: 0.001,
  threads: 1,
  iopsDuration: '0.01',
  blockSize: '64k',
  phases: ['write', 'read', 'iops'],
  direct: false,
  label: 'bøx 1',
  out: ['a.json', 'b.json'],
  expect: 'write>=1MB/s',
  maxRegression: '5%',
};
const CONFIG = {
  ...OPTIONS,
  profiles: { ci: { size: 0.002, quiet: true }, 'at night': { runs: 2, seed: 7 } },
};

/** The files and their intact content. */
const FILES = {
  'gobonnie.config.json': CONFIG,
  'package.json': { name: 'x', version: '1.0.0', dependencies: { gobonnie: '1' }, gobonnie: CONFIG },
} as const;

useTemporaryDirectory();
const random = seededRandom(SEED);
const tally = new CaseTally('damaged config files', 'files', SEED);

function outputViolations(output: CommandOutput): readonly string[] {
  if (output.exitCode !== 0) return rejectionViolations(output, USAGE);
  const violations = panicViolations(output.stderr);
  if (!hasControlCharacters(output.stdout + output.stderr)) return violations;
  return [...violations, 'it has control characters'];
}

/** gobonnie reads the options or rejects them in one line, and writes no file. */
async function configViolations(file: string, { content }: CorruptFile): Promise<readonly string[]> {
  writeFileSync(file, content);
  const before = listDirectory();
  const output = await runInProcess(['--dry-run', '--profile', 'ci']);
  const violations = outputViolations(output);
  const after = listDirectory();
  rmSync(file);
  return after === before ? violations : [...violations, `the directory changed: ${before} became ${after}`];
}

describe('damaged config files', () => {
  test.each(Object.entries(FILES))(
    'a damaged %s is read or rejected in one line, and no file is written',
    async (file, document) => {
      const sampleFile = {
        name: file,
        kind: 'report',
        formats: [],
        text: JSON.stringify(document, null, 2),
      } as const;
      const damaged = [...corruptJson(random, sampleFile, TIMES), ...corruptBytes(random, sampleFile)];
      await tally.run(
        damaged,
        ({ name }) => name,
        (corruptFile) => configViolations(file, corruptFile),
      );
    },
  );

  test('enough cases ran', () => {
    tally.assertMinimum();
  });
});
