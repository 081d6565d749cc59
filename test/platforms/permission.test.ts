import { readdirSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeDirectory } from '../support/disks/directory.js';
import { HAS_URING } from '../support/engines.js';
import { type ExitResult, type ProgramOptions, runGobonnie } from '../support/programs/program.js';
import { SMALL_FLAGS } from '../support/programs/small-run.js';
import { ROOT } from '../support/root.js';
import { requireTools } from '../support/tools.js';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isExperiment = major < 22 || (major === 22 && minor < 13);
const SWITCH = isExperiment ? '--experimental-permission' : '--permission';
/** These releases deny every sync. */
const deniesSync = major >= 26 || (major === 24 && minor >= 22);

const READ = '--allow-fs-read=*';
const WRITE = '--allow-fs-write=*';
const WORKER = '--allow-worker';
const CHILD = '--allow-child-process';

const DENIED =
  "Node's permission model forbids this (ERR_ACCESS_DENIED); run node without its permission model\n";

/** Returns the environment for a program and its child processes to run with these permissions. */
function withPermissions(...flags: readonly string[]): ProgramOptions {
  const options = ['--no-warnings', SWITCH, ...flags];
  return { env: { ...process.env, NODE_OPTIONS: options.join(' ') } };
}

function runWithPermissions(dir: string, ...flags: readonly string[]): Promise<ExitResult> {
  return runGobonnie(['--dir', dir, ...SMALL_FLAGS], withPermissions(...flags));
}

beforeEach(requireTools('/proc/self/io'));

/** What a run lacks with these flags. */
const DENIALS: [string, string[]][] = [
  ['the permission to read', [`--allow-fs-read=${ROOT}`]],
  ['the permission to write', [READ]],
];
// Where every sync is denied, a run fails before it starts a thread.
if (!deniesSync) DENIALS.push(['worker threads', [READ, WRITE]]);

test.runIf(HAS_URING)('io_uring needs --allow-ffi, and says so', async () => {
  const args = ['--dir', makeDirectory(), ...SMALL_FLAGS, '--engine', 'uring'];
  const { stderr, exitCode } = await runGobonnie(args, withPermissions(READ, WRITE, WORKER));
  expect(stderr).toContain(
    'the engine uring does not work here: Node runs with --permission and without --allow-ffi;',
  );
  expect(exitCode).toBe(2);
});

describe("a run under Node's permission model", () => {
  test.each(DENIALS)('without %s fails and leaves no files', async (_, flags) => {
    const dir = makeDirectory();
    const { stdout, stderr, exitCode } = await runWithPermissions(dir, ...flags);
    expect(stderr.slice(-DENIED.length)).toBe(DENIED);
    expect(stdout).toBe('');
    expect(exitCode).toBeOneOf([1, 2]);
    expect(readdirSync(dir)).toEqual([]);
  });

  if (deniesSync)
    test('that denies every sync fails at the first sync, and leaves no files', async () => {
      const dir = makeDirectory();
      const { stderr, exitCode } = await runWithPermissions(dir, READ, WRITE, WORKER, CHILD);
      expect(stderr.slice(-DENIED.length)).toBe(DENIED);
      expect(exitCode).toBe(1);
      expect(readdirSync(dir)).toEqual([]);
    });
  else {
    test('without child processes lacks only the watcher, and warns about that', async () => {
      const dir = makeDirectory();
      const { stdout, stderr, exitCode } = await runWithPermissions(dir, READ, WRITE, WORKER);
      expect(stderr).toContain('could not start the clean-up process (Node');
      expect(stdout).toMatch(/^IOPS: \d+$/m);
      expect(exitCode).toBe(0);
      expect(readdirSync(dir)).toEqual([]);
    });

    test.each([
      ['everything', () => WRITE],
      ['only the measured directory', (dir: string) => `--allow-fs-write=${dir}`],
    ])('succeeds with the flags that docs/platforms.md names, with writes to %s', async (_, toFlag) => {
      const dir = makeDirectory();
      const { stdout, stderr, exitCode } = await runWithPermissions(dir, READ, toFlag(dir), WORKER, CHILD);
      expect(stderr).not.toContain('permission model');
      expect(stdout).toMatch(/^IOPS: \d+$/m);
      expect(exitCode).toBe(0);
      expect(readdirSync(dir)).toEqual([]);
    });
  }
});
