import { chmodSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeDirectory, makeOpenDirectory, scratchIn } from '../../support/directory.js';
import { gobonnie, start } from '../../support/program.js';
import { runningGobonnie } from '../../support/running.js';
import { SMALL } from '../../support/small-run.js';
import { needs } from '../../support/tool.js';

const TMPFS = 'mount -t tmpfs none /proc';
const FORGERY = `${TMPFS}; ln -s $$ /proc/self; mkdir -p /proc/$$; ln -s /dev/fd /proc/$$/fd`;

/** Runs a command with another /proc, of which nobody else sees anything. */
function having(script: string): readonly string[] {
  return ['unshare', '--mount', 'sh', '-c', `${script} && exec "$0" "$@"`];
}

function childOf(pid: number): number {
  return Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'), 10);
}

/** Runs a command with the /proc of a container in which it is not. */
async function besideContainer(): Promise<readonly string[]> {
  const { child, ended } = start('unshare', ['--mount', '--pid', '--fork', '--mount-proc', 'sleep', '1000']);
  const pid = await vi.waitUntil(() => childOf(child.pid ?? 0), { timeout: 100_000 });
  onTestFinished(async () => {
    process.kill(pid, 'SIGKILL');
    await ended;
  });
  await vi.waitUntil(() => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sleep\n', { timeout: 100_000 });
  return ['nsenter', `--mount=/proc/${pid}/ns/mnt`];
}

beforeEach(needs('root', 'unshare', 'nsenter'));

describe.each([
  ['without /proc', async () => having(TMPFS)],
  ['where another filesystem looks like /proc', async () => having(FORGERY)],
  ['where /proc shows another container', besideContainer],
])('%s', (_, prepare) => {
  test('a directory that others may change is refused in a line, and nothing left in it', async () => {
    const dir = makeOpenDirectory();
    const { stderr, exitCode } = await gobonnie(['-q', '--dir', dir, ...SMALL], { as: await prepare() });
    expect(stderr).toBe(
      `gobonnie: other users can change ${dir}, which is safe to use only with a /proc that shows this process; ` +
        'mount /proc, or pass a directory that only you can change\n',
    );
    expect(exitCode).toBe(1);
    expect(readdirSync(dir)).toEqual([]);
  });

  test.each([
    ['of one’s own', 0o755],
    ['that is sticky', 0o1777],
  ])('a directory %s is measured', async (_kind, mode) => {
    const dir = makeDirectory();
    chmodSync(dir, mode);
    const { stderr, exitCode } = await gobonnie(['-q', '--dir', dir, ...SMALL], { as: await prepare() });
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(readdirSync(dir)).toEqual([]);
  });
});

test('in a container that sees the /proc of the machine no link is followed', async () => {
  const [dir, victim] = [makeOpenDirectory(), makeDirectory()];
  for (const name of ['owner', 'bonnie.0']) writeFileSync(path.join(victim, name), 'mine');
  const program = runningGobonnie(['-v', '--dir', dir, ...SMALL, '--runs', '1000'], {
    as: ['unshare', '--pid', '--fork'],
  });
  await program.said(/Duration/);
  const scratch = scratchIn(dir) ?? '';
  renameSync(scratch, path.join(dir, 'moved'));
  symlinkSync(victim, scratch);
  process.kill(childOf(program.pid), 'SIGINT');
  expect((await program.ended).stderr).toContain('the temporary files are removed');
  expect(readdirSync(victim).toSorted()).toEqual(['bonnie.0', 'owner']);
  expect(readdirSync(dir)).toEqual([path.basename(scratch)]);
});
