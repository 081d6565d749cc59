import { existsSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeDirectory } from '../../support/disks/directory.js';
import { watchersOf } from '../../support/programs/leftover.js';
import { type Ended, gobonnie, type ProgramOptions } from '../../support/programs/program.js';
import { runningGobonnie } from '../../support/programs/running.js';
import { traceGobonnie } from '../../support/programs/trace.js';
import { NOBODY, needs } from '../../support/tool.js';
import { attack } from './attack.js';
import { type AttackedDirectory, attackedDirectory, GROUNDS } from './attacked-directory.js';
import { FILES, REPORT_NAME, SEED } from './victim.js';

const PHASES = 'write,read,iops,create,stat,delete,create-random,stat-random,delete-random';
const RUN = [
  ...['--size', '0.002', '--threads', '1', '--iops-duration', '0.02', '--phases', PHASES],
  ...['--files', String(FILES), '--seed', String(SEED)],
];
const QUICK = [...RUN, '--phases', 'write'];
/** Leaves time for a swap after every call that looks at, creates or removes something by its name. */
const CALLS = '/^(statx|readlink|mkdir|rename|unlink|rmdir)';
const HESITANT = ['-e', `trace=${CALLS}`, '-e', `inject=${CALLS}:delay_exit=1000`];
const ENOUGH = 1000;

let tries = 0;

/** Every message is one line, and a failure ends with one. */
function expectTold({ stderr, exitCode }: Ended): void {
  const lines = stderr.split('\n').slice(0, -1);
  expect(lines.filter((line) => !/^(gobonnie: |\d{4}\/\d\d\/\d\d )/.test(line))).toEqual([]);
  expect(stderr).not.toContain('internal error');
  expect([0, 1, 2]).toContain(exitCode);
  if (exitCode !== 0) expect(lines.at(-1)).toMatch(/^gobonnie: /);
}

/** Kills a run in progress, and waits until its watcher has ended. */
async function killMidway(args: readonly string[], options: ProgramOptions): Promise<void> {
  for (let isKilled = false; !isKilled; ) {
    const program = runningGobonnie(['-v', '--runs', '1000', ...args], options);
    const watchers = await program.said(/looked at/).then(
      () => watchersOf(program.pid),
      () => [],
    );
    program.kill('SIGKILL');
    isKilled = (await program.ended).signal === 'SIGKILL';
    for (const watcher of watchers) while (existsSync(`/proc/${watcher}`)) await wait(10);
  }
}

async function whileAttacked({ plan, victims }: AttackedDirectory, work: () => Promise<void>): Promise<void> {
  const before = victims.map((victim) => victim.state());
  const stop = await attack(plan);
  await work();
  const made = await stop();
  for (const [index, victim] of victims.entries()) expect(victim.state()).toEqual(before[index]);
  tries += made;
}

describe.each([
  ['root', GROUNDS, 0, {}],
  ['nobody', GROUNDS.slice(0, 1), 65_534, NOBODY],
] as const)('%s', (_, grounds, user, options) => {
  beforeEach(needs('root', 'setpriv', 'strace'));

  test.each(grounds)('measures in a directory %s', async (ground) => {
    const scene = attackedDirectory(ground, user);
    const dir = ['--dir', scene.plan.ground];
    await whileAttacked(scene, async () => {
      expectTold(await gobonnie([...dir, ...RUN], options));
      expectTold(await traceGobonnie(HESITANT, [...dir, ...QUICK], options));
      await killMidway([...dir, ...RUN], options);
      expectTold(await gobonnie(['clean', scene.plan.ground], options));
      expectTold(await gobonnie([...dir, ...RUN], options));
    });
    expectTold(await gobonnie(['clean', scene.plan.ground], options));
    // An empty directory that was moved away just after it was created cannot be found any more.
    const isEmpty = (place: string) => lstatSync(place).isDirectory() && readdirSync(place).length === 0;
    expect(scene.left().filter((place) => !isEmpty(place))).toEqual([]);
  });
});

describe('root', () => {
  beforeEach(needs('root', 'strace'));

  test.each(GROUNDS.filter((ground) => !ground.includes('made')))(
    'puts a report into a directory %s',
    async (ground) => {
      const scene = attackedDirectory(ground, 0);
      const report = path.join(scene.plan.ground, REPORT_NAME);
      const args = ['-q', '--dir', makeDirectory(), ...QUICK, '--out', report];
      await whileAttacked({ ...scene, plan: { ...scene.plan, report } }, async () => {
        expectTold(await gobonnie([...args, '--runs', '10']));
        expectTold(await traceGobonnie(HESITANT, args));
      });
    },
  );
});

test('the victims stayed unchanged in more than a thousand attempts', () => {
  expect(tries).toBeGreaterThanOrEqual(ENOUGH);
  process.stdout.write(`attacks: ${tries} tries, the victim unchanged\n`);
});
