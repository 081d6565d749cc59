import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../support/data/seeded-random.js';
import { listDirectory, useTemporaryDirectory } from '../../support/disks/temporary-directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { runGobonnie } from '../../support/programs/program.js';
import { CaseTally } from '../case-tally.js';
import { type CommandOutput, rejectionViolations } from '../output-violations.js';
import { type CommandLine, noValue, strayArgument, unknownFlag, wrongValue } from './bad-command-lines.js';
import { contradictions } from './contradictions.js';
import { type Flag, type FrontEnd, frontEnds } from './front-ends.js';

const SEED = 20_180_412;
const USAGE = 2;
/** How many wrong values each flag is given: more for gobonnie itself than for the other front ends. */
const TRIES = { own: 8, others: 4 } as const;
const STRAYS = 8;
/** Every 32nd command line is also tried with a process of its own. */
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
        times(frontEnd.dialect.length === 0 ? TRIES.own : TRIES.others, () => make(random, frontEnd, flag)),
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
      .map((flag) => noValue(random, frontEnd, flag)),
  ),
  'an unknown flag': allFrontEnds.flatMap((frontEnd) => times(STRAYS, () => unknownFlag(random, frontEnd))),
  'an extra argument': allFrontEnds
    .filter(({ dialect }) => dialect[0] !== 'show')
    .flatMap((frontEnd) => times(STRAYS, () => strayArgument(random, frontEnd))),
  'a contradiction': contradictions(random),
} satisfies Record<string, readonly CommandLine[]>;

const formatArgs = ({ args }: CommandLine) => JSON.stringify(args);

const removeDuplicates = (family: readonly CommandLine[]) => [
  ...new Map(family.map((one) => [formatArgs(one), one])).values(),
];

async function commandLineViolations(
  run: (args: readonly string[]) => Promise<CommandOutput>,
  { args, names }: CommandLine,
) {
  const before = listDirectory();
  const output = await run(args);
  const isNamed = names.length === 0 || names.some((name) => output.stderr.startsWith(`gobonnie: ${name}`));
  return [
    ...rejectionViolations(output, USAGE),
    ...(isNamed ? [] : [`it does not begin with ${names.join(' or ')}: ${JSON.stringify(output.stderr)}`]),
    ...(listDirectory() === before ? [] : [`it wrote: ${before} became ${listDirectory()}`]),
  ];
}

describe('refused in one line, with nothing written:', () => {
  test.each(Object.entries(commandLines))('%s', async (_, family) => {
    await tally.run(removeDuplicates(family), formatArgs, (vector) =>
      commandLineViolations(runInProcess, vector),
    );
  });
});

test('a process of its own refuses the same', async () => {
  // The arguments of a process cannot contain NUL or half a surrogate pair.
  const given = Object.values(commandLines)
    .flat()
    .filter(({ args }) => args.every((arg) => !/[\0\p{Cs}]/u.test(arg)));
  const sample = given.filter((_, at) => at % SPAWN_EVERY === 0);
  expect(sample.length).toBeGreaterThanOrEqual(20);
  await tally.run(sample, formatArgs, (vector) => commandLineViolations(runGobonnie, vector));
});

test('enough cases were tried', () => {
  tally.assertMinimum();
});
