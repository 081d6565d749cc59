import { rmSync, writeFileSync } from 'node:fs';
import { describe, test } from 'vitest';
import { seededRandom } from '../../support/data/seeded-random.js';
import { listing, useOwnDirectory } from '../../support/disks/own-directory.js';
import { gobonnieHere } from '../../support/programs/program-here.js';
import { faultsOfPanic, faultsOfRefusal, steers } from '../refusal.js';
import { Tally } from '../tally.js';
import { byteDamage, type Damaged } from './damage.js';
import { jsonDamage } from './json-damage.js';

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

useOwnDirectory();
const random = seededRandom(SEED);
const tally = new Tally('damaged files of options', 'files', SEED);

/** The options are read or refused in one line, and nothing is written. */
async function faultsOf(file: string, { content }: Damaged): Promise<readonly string[]> {
  writeFileSync(file, content);
  const before = listing();
  const said = await gobonnieHere(['--dry-run', '--profile', 'ci']);
  const faults =
    said.exitCode === 0
      ? [
          ...faultsOfPanic(said.stderr),
          ...(steers(said.stdout + said.stderr) ? ['it steers the terminal'] : []),
        ]
      : faultsOfRefusal(said, USAGE);
  const after = listing();
  rmSync(file);
  return [...faults, ...(after === before ? [] : [`it wrote: ${before} became ${after}`])];
}

describe('one line is printed and nothing is written for', () => {
  test.each(Object.entries(FILES))('a damaged %s', async (file, document) => {
    const specimen = {
      name: file,
      kind: 'report',
      formats: [],
      text: JSON.stringify(document, null, 2),
    } as const;
    const damaged = [...jsonDamage(random, specimen, TIMES), ...byteDamage(random, specimen)];
    await tally.hold(
      damaged,
      ({ name }) => name,
      (one) => faultsOf(file, one),
    );
  });

  test('enough cases were tried', () => {
    tally.enough();
  });
});
