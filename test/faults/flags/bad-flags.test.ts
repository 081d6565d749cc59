import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../support/data/seeded-random.js';
import { listing, useOwnDirectory } from '../../support/disks/own-directory.js';
import { gobonnie } from '../../support/programs/program.js';
import { gobonnieHere } from '../../support/programs/program-here.js';
import { faultsOfRefusal, type Said } from '../refusal.js';
import { Tally } from '../tally.js';
import { contradictions } from './contradictions.js';
import { type Flag, type FrontEnd, frontEnds } from './flags.js';
import { noValue, strayArgument, unknownFlag, type Vector, wrongValue } from './vectors.js';

const SEED = 20_180_412;
const USAGE = 2;
/** How many wrong values each flag is given: more for gobonnie itself than for the other front ends. */
const TRIES = { own: 8, others: 4 } as const;
const STRAYS = 8;
/** Every 32nd command line is also tried with a process of its own. */
const SPAWNED = 32;

useOwnDirectory(() => {
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
const fronts = await frontEnds();
const tally = new Tally('bad input', 'command lines', SEED);

const times = <Item>(count: number, make: () => Item) => Array.from({ length: count }, make);
const ofFlags = (isMeant: (flag: Flag, front: FrontEnd) => boolean, make: typeof wrongValue) =>
  fronts.flatMap((front) =>
    front.flags
      .filter((flag) => isMeant(flag, front))
      .flatMap((flag) =>
        times(front.dialect.length === 0 ? TRIES.own : TRIES.others, () => make(random, front, flag)),
      ),
  );

const vectors = {
  'a wrong value': ofFlags(({ takes }) => takes !== 'nothing', wrongValue),
  'a switch that is neither on nor off': ofFlags(
    ({ takes }, { spelling }) => takes === 'nothing' && spelling === 'go',
    wrongValue,
  ),
  'a missing value': fronts.flatMap((front) =>
    front.flags
      .filter(({ takes }) => takes !== 'nothing' && takes !== 'attached-word')
      .map((flag) => noValue(random, front, flag)),
  ),
  'an unknown flag': fronts.flatMap((front) => times(STRAYS, () => unknownFlag(random, front))),
  'an extra argument': fronts
    .filter(({ dialect }) => dialect[0] !== 'show')
    .flatMap((front) => times(STRAYS, () => strayArgument(random, front))),
  'a contradiction': contradictions(random),
} satisfies Record<string, readonly Vector[]>;

const shown = ({ args }: Vector) => JSON.stringify(args);

const distinct = (family: readonly Vector[]) => [...new Map(family.map((one) => [shown(one), one])).values()];

async function faultsWith(run: (args: readonly string[]) => Promise<Said>, { args, names }: Vector) {
  const before = listing();
  const said = await run(args);
  const spoken = names.length === 0 || names.some((name) => said.stderr.startsWith(`gobonnie: ${name}`));
  return [
    ...faultsOfRefusal(said, USAGE),
    ...(spoken ? [] : [`it does not begin with ${names.join(' or ')}: ${JSON.stringify(said.stderr)}`]),
    ...(listing() === before ? [] : [`it wrote: ${before} became ${listing()}`]),
  ];
}

describe('refused in one line, with nothing written:', () => {
  test.each(Object.entries(vectors))('%s', async (_, family) => {
    await tally.hold(distinct(family), shown, (vector) => faultsWith(gobonnieHere, vector));
  });
});

test('a process of its own refuses the same', async () => {
  // The arguments of a process cannot contain NUL or half a surrogate pair.
  const given = Object.values(vectors)
    .flat()
    .filter(({ args }) => args.every((arg) => !/[\0\p{Cs}]/u.test(arg)));
  const sample = given.filter((_, at) => at % SPAWNED === 0);
  expect(sample.length).toBeGreaterThanOrEqual(20);
  await tally.hold(sample, shown, (vector) => faultsWith(gobonnie, vector));
});

test('enough cases were tried', () => {
  tally.enough();
});
