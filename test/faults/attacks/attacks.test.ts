import { once } from 'node:events';
import { chownSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { findScratch, makeDirectory, makePublicDirectory } from '../../support/disks/directory.js';
import { createLeftover, endWithWatcher, startLongRun } from '../../support/programs/leftover.js';
import {
  type ExitResult,
  runGobonnie,
  type StartedProcess,
  startProcess,
} from '../../support/programs/program.js';
import { requireTools } from '../../support/tools.js';
import type { AttackPlan } from './attacker.js';

const ATTACKER = 65_533;
const AS_ATTACKER = ['setpriv', `--reuid=${ATTACKER}`, `--regid=${ATTACKER}`, '--clear-groups'];

beforeEach(requireTools('root', 'setpriv', '/proc/self/io'));

/** Creates a directory with these files, and returns a function that describes those that still exist. */
function createVictim(names: readonly string[]) {
  const victim = path.join(makeDirectory(), 'victim');
  for (const name of names) {
    mkdirSync(path.dirname(path.join(victim, name)), { recursive: true });
    writeFileSync(path.join(victim, name), `the victim’s ${name}`);
  }
  const describeFile = (name: string) => {
    const { ino, mode, uid, size, mtimeNs } = lstatSync(path.join(victim, name), { bigint: true });
    return `${name} ${[ino, mode, uid, size, mtimeNs].join(' ')} ${readFileSync(path.join(victim, name), 'utf8')}`;
  };
  return { victim, describeFiles: () => names.map(describeFile) };
}

describe('a link of another user in place of the scratch directory leads gobonnie to no file of the same name', () => {
  const NAMES = [
    'bonnie.0',
    'bonnie.1',
    'owner',
    'tree.0/0000000000',
    'tree.0-random/Xy000000001f',
    'work/theirs',
  ];

  /** As another user, moves gobonnie's directory aside and puts a link in its place. */
  async function replaceWithLink(scratch: string, victim: string): Promise<void> {
    const script = ['sh', '-c', 'mv "$0" "$0.aside" && ln -s "$1" "$0"', scratch, victim];
    const [program = '', ...args] = [...AS_ATTACKER, ...script];
    expect((await startProcess(program, args).exitResult).exitCode).toBe(0);
  }

  test.each([
    ['SIGINT', 'its run removes its files'],
    ['SIGKILL', 'the watcher removes the files of a killed run'],
  ] as const)('after %s, when %s', async (signal, _) => {
    const dir = makePublicDirectory();
    const { victim, describeFiles } = createVictim(NAMES);
    const before = describeFiles();
    const program = await startLongRun(dir);
    await replaceWithLink(findScratch(dir) ?? '', victim);
    await endWithWatcher(program, signal);
    expect(describeFiles()).toEqual(before);
    expect(readdirSync(victim)).toHaveLength(6);
  });

  test('when the next run or gobonnie clean removes leftovers', async () => {
    const dir = makePublicDirectory();
    const { victim, describeFiles } = createVictim(NAMES);
    const before = describeFiles();
    await replaceWithLink(await createLeftover(dir), victim);
    const small = ['--size', '0.001', '--threads', '1', '--phases', 'write'];
    for (const args of [
      ['--dir', dir, ...small],
      ['clean', dir],
    ])
      expect((await runGobonnie(args)).exitCode).toBe(0);
    expect(describeFiles()).toEqual(before);
  });
});

/** Passed as text, because Node runs no TypeScript. */
const [ATTACKER_SCRIPT] = buildSync({
  entryPoints: [fileURLToPath(new URL('attacker.ts', import.meta.url))],
  platform: 'node',
  format: 'esm',
  write: false,
}).outputFiles;

/** Starts the attacker's process. Returns it as soon as it attacks. */
async function startAttack(plan: AttackPlan): Promise<StartedProcess> {
  const args = ['--input-type=module', '--eval', ATTACKER_SCRIPT?.text ?? '', JSON.stringify(plan)];
  const attacker = startProcess(process.execPath, args, { cwd: '/' });
  const { child, exitResult } = attacker;
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exitResult;
  });
  if (child.stdout) await Promise.race([once(child.stdout, 'data'), exitResult]);
  return attacker;
}

/** Throws unless every message is one line and a failure ends with a message. */
function expectOneLineMessages({ stderr, exitCode }: ExitResult): void {
  const lines = stderr.split('\n').slice(0, -1);
  expect(lines.filter((line) => !/^(gobonnie: |\d{4}\/\d\d\/\d\d )/.test(line))).toEqual([]);
  expect(stderr).not.toContain('internal error');
  expect([0, 1, 2]).toContain(exitCode);
  if (exitCode !== 0) expect(lines.at(-1)).toMatch(/^gobonnie: /);
}

test('another user who swaps the scratch directory with a link thousands of times changes no file of another name', async () => {
  const PHASES = 'write,read,iops,create,stat,delete,create-random,stat-random,delete-random';
  const RUN = ['--size', '0.002', '--threads', '1', '--iops-duration', '0.02', '--files', '32'];
  const { victim, describeFiles } = createVictim(['report', 'bonnie', 'sub/notes', 'sub/0000000000']);
  const before = describeFiles();
  const dir = makePublicDirectory();
  chownSync(dir, ATTACKER, ATTACKER);
  const { child, exitResult } = await startAttack({ uid: ATTACKER, target: dir, victim, swaps: 5000 });
  while (child.exitCode === null && child.signalCode === null) {
    expectOneLineMessages(await runGobonnie(['--dir', dir, ...RUN, '--phases', PHASES]));
    expectOneLineMessages(await runGobonnie(['clean', dir]));
  }
  expect(await exitResult).toMatchObject({ stderr: '', exitCode: 0 });
  expect(describeFiles()).toEqual(before);
});

test('root runs no command in a directory that other users can write to', async () => {
  const dir = makePublicDirectory();
  const { stderr, exitCode } = await runGobonnie(['ab', dir, makeDirectory(), '--no-copy', '--', 'true']);
  expect(stderr).toContain(
    `other users can write to ${dir}, and could change what root runs; pass another directory`,
  );
  expect(exitCode).not.toBe(0);
  expect(readdirSync(dir)).toEqual([]);
});
