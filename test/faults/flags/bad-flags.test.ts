import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { seededRandom } from '../../support/data/seeded-random.js';
import { listDirectory, useTemporaryDirectory } from '../../support/disks/temporary-directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { runGobonnie } from '../../support/programs/program.js';
import { CaseTally } from '../case-tally.js';
import { type CommandOutput, rejectionViolations } from '../output-violations.js';
import {
  type CommandLine,
  extraArgument,
  missingValue,
  unknownFlag,
  wrongValue,
} from './bad-command-lines.js';
import { contradictions } from './contradictions.js';
import { type Flag, type FrontEnd, frontEnds } from './front-ends.js';

const SEED = 20_180_412;
const USAGE = 2;
/** Number of wrong values per flag: more for gobonnie itself than for the other front ends. */
const WRONG_VALUES = { own: 8, others: 4 } as const;
const VARIANTS = 8;
/** Every 32nd command line also runs in a new process. */
const SPAWN_EVERY = 32;

useTemporaryDirectory(() => {
  writeFileSync(
    'sample.csv',
    `silo4,2G,27330,95,62522,19,22619,6,29056,98,56311,6,159.7,0${','.repeat(13)}\n`,
  );
  writeFileSync('empty', '');
  writeFileSync('sample.raw', '');
  truncateSync('sample.raw', 1024 ** 2);
  symlinkSync('loop', 'loop');
});

const random = seededRandom(SEED);
const allFrontEnds = await frontEnds();
const tally = new CaseTally('bad input', 'command lines', SEED);

const times = <Item>(count: number, make: () => Item) => Array.from({ length: count }, make);
const forFlags = (predicate: (flag: Flag, frontEnd: FrontEnd) => boolean, make: typeof wrongValue) =>
  allFrontEnds.flatMap((frontEnd) =>
    frontEnd.flags
      .filter((flag) => predicate(flag, frontEnd))
      .flatMap((flag) =>
        times(frontEnd.dialect.length === 0 ? WRONG_VALUES.own : WRONG_VALUES.others, () =>
          make(random, frontEnd, flag),
        ),
      ),
  );

const commandLines = {
  'a wrong value': forFlags(({ valueKind }) => valueKind !== 'nothing', wrongValue),
  'a switch that is neither on nor off': forFlags(
    ({ valueKind }, { spelling }) => valueKind === 'nothing' && spelling === 'go',
    wrongValue,
  ),
  'a missing value': allFrontEnds.flatMap((frontEnd) =>
    frontEnd.flags
      .filter(({ valueKind }) => valueKind !== 'nothing' && valueKind !== 'attached-word')
      .map((flag) => missingValue(random, frontEnd, flag)),
  ),
  'an unknown flag': allFrontEnds.flatMap((frontEnd) => times(VARIANTS, () => unknownFlag(random, frontEnd))),
  'an extra argument': allFrontEnds
    .filter(({ dialect }) => dialect[0] !== 'show')
    .flatMap((frontEnd) => times(VARIANTS, () => extraArgument(random, frontEnd))),
  'a contradiction': contradictions(random),
} satisfies Record<string, readonly CommandLine[]>;

const formatArgs = ({ args }: CommandLine) => JSON.stringify(args);

const removeDuplicates = (family: readonly CommandLine[]) => [
  ...new Map(family.map((line) => [formatArgs(line), line])).values(),
];

async function commandLineViolations(
  run: (args: readonly string[]) => Promise<CommandOutput>,
  { args, names }: CommandLine,
) {
  const before = listDirectory();
  const output = await run(args);
  const isNamed = names.length === 0 || names.some((name) => output.stderr.startsWith(`gobonnie: ${name}`));
  const violations = [...rejectionViolations(output, USAGE)];
  if (!isNamed)
    violations.push(`stderr does not begin with ${names.join(' or ')}: ${JSON.stringify(output.stderr)}`);
  const after = listDirectory();
  if (after !== before) violations.push(`the directory changed: ${before} became ${after}`);
  return violations;
}

test.each(Object.entries(commandLines))(
  '%s is rejected in one line, and no file is written',
  async (_, family) => {
    await tally.run(removeDuplicates(family), formatArgs, (line) =>
      commandLineViolations(runInProcess, line),
    );
  },
);

test('a new process rejects the same command lines', async () => {
  // Arguments of a process cannot contain NUL or half a surrogate pair.
  const passable = Object.values(commandLines)
    .flat()
    .filter(({ args }) => args.every((arg) => !/[\0\p{Cs}]/u.test(arg)));
  const sample = passable.filter((_, index) => index % SPAWN_EVERY === 0);
  expect(sample.length).toBeGreaterThanOrEqual(20);
  await tally.run(sample, formatArgs, (line) => commandLineViolations(runGobonnie, line));
});

test('enough cases ran', () => {
  tally.assertMinimum();
});
