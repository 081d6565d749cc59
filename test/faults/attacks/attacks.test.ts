import { existsSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeDirectory } from '../../support/disks/directory.js';
import { findWatchers } from '../../support/programs/leftover.js';
import { type ExitResult, type ProgramOptions, runGobonnie } from '../../support/programs/program.js';
import { startGobonnieForTest } from '../../support/programs/running-program.js';
import { traceGobonnie } from '../../support/programs/trace.js';
import { NOBODY, requireTools } from '../../support/tools.js';
import { startAttack } from './attack.js';
import { type AttackedDirectory, createAttackedDirectory, DIRECTORY_KINDS } from './attacked-directory.js';
import { FILES, REPORT_NAME, SEED } from './victim.js';

const PHASES = 'write,read,iops,create,stat,delete,create-random,stat-random,delete-random';
const RUN = [
  ...['--size', '0.002', '--threads', '1', '--iops-duration', '0.02', '--phases', PHASES],
  ...['--files', String(FILES), '--seed', String(SEED)],
];
const QUICK = [...RUN, '--phases', 'write'];
/** Leaves time for a swap after every call that looks at, creates or removes something by its name. */
const CALLS = '/^(statx|readlink|mkdir|rename|unlink|rmdir)';
const SLOWED_CALLS = ['-e', `trace=${CALLS}`, '-e', `inject=${CALLS}:delay_exit=1000`];
const MIN_TRIES = 1000;

let tries = 0;

/** Every message is one line, and a failure ends with one. */
function expectOneLineMessages({ stderr, exitCode }: ExitResult): void {
  const lines = stderr.split('\n').slice(0, -1);
  expect(lines.filter((line) => !/^(gobonnie: |\d{4}\/\d\d\/\d\d )/.test(line))).toEqual([]);
  expect(stderr).not.toContain('internal error');
  expect([0, 1, 2]).toContain(exitCode);
  if (exitCode !== 0) expect(lines.at(-1)).toMatch(/^gobonnie: /);
}

/** Kills a run in progress, and waits until its watcher has ended. */
async function killMidway(args: readonly string[], options: ProgramOptions): Promise<void> {
  for (let isKilled = false; !isKilled; ) {
    const program = startGobonnieForTest(['-v', '--runs', '1000', ...args], options);
    const watchers = await program.untilStderr(/statted/).then(
      () => findWatchers(program.pid),
      () => [],
    );
    program.kill('SIGKILL');
    isKilled = (await program.exitResult).signal === 'SIGKILL';
    for (const watcher of watchers) while (existsSync(`/proc/${watcher}`)) await wait(10);
  }
}

async function underAttack({ plan, victims }: AttackedDirectory, work: () => Promise<void>): Promise<void> {
  const before = victims.map((victim) => victim.state());
  const stop = await startAttack(plan);
  await work();
  const swaps = await stop();
  for (const [index, victim] of victims.entries()) expect(victim.state()).toEqual(before[index]);
  tries += swaps;
}

describe.each([
  ['root', DIRECTORY_KINDS, 0, {}],
  ['nobody', DIRECTORY_KINDS.slice(0, 1), 65_534, NOBODY],
] as const)('%s', (_, kinds, user, options) => {
  beforeEach(requireTools('root', 'setpriv', 'strace'));

  test.each(kinds)('measures in a directory %s', async (kind) => {
    const scene = createAttackedDirectory(kind, user);
    const dir = ['--dir', scene.plan.target];
    await underAttack(scene, async () => {
      expectOneLineMessages(await runGobonnie([...dir, ...RUN], options));
      expectOneLineMessages(await traceGobonnie(SLOWED_CALLS, [...dir, ...QUICK], options));
      await killMidway([...dir, ...RUN], options);
      expectOneLineMessages(await runGobonnie(['clean', scene.plan.target], options));
      expectOneLineMessages(await runGobonnie([...dir, ...RUN], options));
    });
    expectOneLineMessages(await runGobonnie(['clean', scene.plan.target], options));
    // An empty directory that was moved away just after it was created cannot be found any more.
    const isEmpty = (place: string) => lstatSync(place).isDirectory() && readdirSync(place).length === 0;
    expect(scene.leftovers().filter((place) => !isEmpty(place))).toEqual([]);
  });
});

describe('root', () => {
  beforeEach(requireTools('root', 'strace'));

  test.each(DIRECTORY_KINDS.filter((kind) => !kind.includes('made')))(
    'puts a report into a directory %s',
    async (kind) => {
      const scene = createAttackedDirectory(kind, 0);
      const report = path.join(scene.plan.target, REPORT_NAME);
      const args = ['-q', '--dir', makeDirectory(), ...QUICK, '--out', report];
      await underAttack({ ...scene, plan: { ...scene.plan, report } }, async () => {
        expectOneLineMessages(await runGobonnie([...args, '--runs', '10']));
        expectOneLineMessages(await traceGobonnie(SLOWED_CALLS, args));
      });
    },
  );
});

test('the victims stayed unchanged in more than a thousand attempts', () => {
  expect(tries).toBeGreaterThanOrEqual(MIN_TRIES);
  process.stdout.write(`attacks: ${tries} tries, the victim unchanged\n`);
});
