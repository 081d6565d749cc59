import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { makeDirectory } from '../../support/disks/directory.js';
import { findWatchers } from '../../support/programs/leftover.js';
import {
  type ExitResult,
  type ProgramOptions,
  runGobonnie,
  startProcess,
} from '../../support/programs/program.js';
import { startGobonnieForTest } from '../../support/programs/running-program.js';
import { traceGobonnie } from '../../support/programs/trace.js';
import { NOBODY, requireTools } from '../../support/tools.js';
import type { AttackPlan } from './attacker.js';

const PHASES = 'write,read,iops,create,stat,delete,create-random,stat-random,delete-random';
const RUN = [
  ...['--size', '0.002', '--threads', '1', '--iops-duration', '0.02', '--phases', PHASES],
  ...['--files', '32'],
];
const QUICK = [...RUN, '--phases', 'write'];
/** Delays every call that checks, creates or removes an entry by name, to leave time for a swap. */
const CALLS = '/^(statx|readlink|mkdir|rename|unlink|rmdir)';
const SLOWED_CALLS = ['-e', `trace=${CALLS}`, '-e', `inject=${CALLS}:delay_exit=1000`];
const MIN_SWAPS = 1000;

const ROOT = 0;
const ATTACKER = 65_533;

/** Names that gobonnie removes in its own scratch directory. */
const NAMES = ['bonnie.0', 'owner', 'tree.0', 'tree.0-random'];
const SMALL_FILES = ['tree.0/0000000000', 'tree.0/000000000fXy', 'tree.0-random/Xy000000001f'];

/** The measured directory. The attacker may rename the path `swapped`, or the entries of a writable directory. */
interface Target {
  readonly target: string;
  readonly swapped?: string;
  readonly isWritable?: true;
}

/** Creates the measured directory, by the attacker's permissions. */
const directoryKinds = {
  'a world-writable directory': (root, user) => ({
    target: makeOwned(path.join(root, 'target'), 0o777, user),
    isWritable: true,
  }),
  'a directory of the attacker in a sticky directory': (root) => {
    const above = makeOwned(path.join(root, 'above'), 0o1777, ROOT);
    const target = makeOwned(path.join(above, 'target'), 0o777, ATTACKER);
    return { target, swapped: target, isWritable: true };
  },
  'a directory in a directory of the attacker': (root, user) => {
    const above = makeOwned(path.join(root, 'above'), 0o755, ATTACKER);
    const target = makeOwned(path.join(above, 'target'), 0o755, user);
    return { target, swapped: target };
  },
  'a missing directory in a directory of the attacker': (root) => {
    const missing = path.join(makeOwned(path.join(root, 'above'), 0o777, ATTACKER), 'missing');
    return { target: path.join(missing, 'empty'), swapped: missing };
  },
} satisfies Readonly<Record<string, (root: string, user: number) => Target>>;

type DirectoryKind = keyof typeof directoryKinds;
const DIRECTORY_KINDS = Object.keys(directoryKinds) as DirectoryKind[];

interface AttackedDirectory {
  readonly plan: AttackPlan;
  /** Returns the metadata and content of every file that must not change. */
  describeVictims(): readonly string[];
  /** Returns the user's new files and directories. */
  leftovers(): readonly string[];
}

/** Creates a directory for a user to measure, the attacker's plan, and files that must not change. */
function createAttackedDirectory(kind: DirectoryKind, user: number): AttackedDirectory {
  const root = makeDirectory();
  chmodSync(root, 0o755);
  const { target, swapped, isWritable }: Target = directoryKinds[kind](root, user);
  const victim = path.join(root, 'victim');
  const innerVictim = isWritable ? path.join(target, 'gobonnie-kin000') : null;
  const describeVictim = [createVictim(victim, ROOT, 0o755)];
  if (innerVictim !== null) describeVictim.push(createVictim(innerVictim, user, 0o700));
  const known = new Set(listInodes(root).keys());
  return {
    plan: {
      uid: ATTACKER,
      target,
      victim,
      names: NAMES,
      innerVictim,
      swappedPath: swapped ?? null,
    },
    describeVictims: () => describeVictim.flatMap((describe) => describe()),
    leftovers: () =>
      [...listInodes(root)]
        .filter(([ino, entryPath]) => !known.has(ino) && lstatSync(entryPath).uid === user)
        .map(([, entryPath]) => entryPath),
  };
}

function makeOwned(directory: string, mode: number, uid: number): string {
  mkdirSync(directory);
  chownSync(directory, uid, uid);
  chmodSync(directory, mode);
  return directory;
}

/** Creates a directory with names that gobonnie removes or overwrites, and returns a function that describes it. */
function createVictim(directory: string, uid: number, mode: number): () => readonly string[] {
  for (const name of ['', 'empty', 'tree.0', 'tree.0-random'])
    makeOwned(path.join(directory, name), mode, uid);
  for (const name of ['bonnie.0', 'owner', ...SMALL_FILES]) {
    writeFileSync(path.join(directory, name), `the victim’s ${name}`);
    chownSync(path.join(directory, name), uid, uid);
  }
  // Keep it open, because the attacker moves it.
  const fd = openSync(directory, 'r');
  onTestFinished(() => closeSync(fd));
  return () => describeTree(`/proc/${process.pid}/fd/${fd}/.`);
}

function describeTree(entryPath: string): readonly string[] {
  const stats = lstatSync(entryPath, { bigint: true });
  const { ino, mode, uid, gid, size, mtimeNs } = stats;
  const facts = `${path.basename(entryPath)} ${[ino, mode, uid, gid, size, mtimeNs].join(' ')}`;
  if (!stats.isDirectory()) return [`${facts} ${stats.isFile() ? readFileSync(entryPath, 'utf8') : ''}`];
  const names = readdirSync(entryPath).toSorted();
  return [facts, ...names.flatMap((name) => describeTree(`${entryPath}/${name}`))];
}

/** Returns the inode and path of every entry, at any depth, without following links. */
function listInodes(directory: string): ReadonlyMap<number, string> {
  const entries = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return new Map(
    entries.map((name) => [lstatSync(path.join(directory, name)).ino, path.join(directory, name)] as const),
  );
}

/** Passed as text, because Node runs no TypeScript. */
const [ATTACKER_SCRIPT] = buildSync({
  entryPoints: [fileURLToPath(new URL('attacker.ts', import.meta.url))],
  platform: 'node',
  format: 'esm',
  write: false,
}).outputFiles;

let totalSwaps = 0;

/** Starts the attacker's process; returns a function that ends it and returns the number of swaps. */
async function startAttack(plan: AttackPlan): Promise<() => Promise<number>> {
  const args = ['--input-type=module', '--eval', ATTACKER_SCRIPT?.text ?? '', JSON.stringify(plan)];
  const { child, exitResult } = startProcess(process.execPath, args, { cwd: '/' });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exitResult;
  });
  if (child.stdout) await Promise.race([once(child.stdout, 'data'), exitResult]);
  return async () => {
    child.kill('SIGTERM');
    const { stdout, stderr } = await exitResult;
    const swaps = /^ready\n(\d+)\n$/.exec(stdout)?.[1];
    if (swaps === undefined) throw new Error(`the attacker failed: ${stdout}${stderr}`);
    return Number(swaps);
  };
}

/** Throws unless every message is one line and a failure ends with a message. */
function expectOneLineMessages({ stderr, exitCode }: ExitResult): void {
  const lines = stderr.split('\n').slice(0, -1);
  expect(lines.filter((line) => !/^(gobonnie: |\d{4}\/\d\d\/\d\d )/.test(line))).toEqual([]);
  expect(stderr).not.toContain('internal error');
  expect([0, 1, 2]).toContain(exitCode);
  if (exitCode !== 0) expect(lines.at(-1)).toMatch(/^gobonnie: /);
}

/** Kills a run in progress and waits until its watcher exits. */
async function killDuringRun(args: readonly string[], options: ProgramOptions): Promise<void> {
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

/** Runs a function during an attack; throws if a victim changed. */
async function underAttack(
  { plan, describeVictims }: AttackedDirectory,
  act: () => Promise<void>,
): Promise<void> {
  const before = describeVictims();
  const stop = await startAttack(plan);
  await act();
  const swaps = await stop();
  expect(describeVictims()).toEqual(before);
  totalSwaps += swaps;
}

describe.each([
  ['root', DIRECTORY_KINDS, 0, {}],
  ['nobody', DIRECTORY_KINDS.slice(0, 1), 65_534, NOBODY],
] as const)('as %s', (_, kinds, user, options) => {
  beforeEach(requireTools('root', 'setpriv', 'strace'));

  test.each(kinds)('runs in %s change no victim and leave no files', async (kind) => {
    const attacked = createAttackedDirectory(kind, user);
    const dir = ['--dir', attacked.plan.target];
    await underAttack(attacked, async () => {
      expectOneLineMessages(await runGobonnie([...dir, ...RUN], options));
      expectOneLineMessages(await traceGobonnie(SLOWED_CALLS, [...dir, ...QUICK], options));
      await killDuringRun([...dir, ...RUN], options);
      expectOneLineMessages(await runGobonnie(['clean', attacked.plan.target], options));
      expectOneLineMessages(await runGobonnie([...dir, ...RUN], options));
    });
    expectOneLineMessages(await runGobonnie(['clean', attacked.plan.target], options));
    // gobonnie cannot find an empty directory that was moved just after its creation.
    const isEmpty = (file: string) => lstatSync(file).isDirectory() && readdirSync(file).length === 0;
    expect(attacked.leftovers().filter((file) => !isEmpty(file))).toEqual([]);
  });
});

test(`the victims did not change in at least ${MIN_SWAPS} swaps`, () => {
  expect(totalSwaps).toBeGreaterThanOrEqual(MIN_SWAPS);
  process.stdout.write(`attacks: ${totalSwaps} swaps, victims unchanged\n`);
});
