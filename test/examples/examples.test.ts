import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { packedProject } from '../package/project.js';
import { makeDirectory } from '../support/disks/directory.js';
import { FUSE_TOOLS, mountFuse } from '../support/disks/fuse.js';
import { type ExitResult, startProcess } from '../support/programs/program.js';
import { ROOT } from '../support/root.js';
import { requireTools } from '../support/tools.js';

/** Environment of a user's shell, without the variables of the test runner. */
const ENV = { PATH: process.env.PATH, HOME: process.env.HOME };

const { project } = packedProject();

beforeAll(() => {
  symlinkSync(path.join(ROOT, 'node_modules/vitest'), path.join(project, 'node_modules/vitest'));
  symlinkSync('../vitest/vitest.mjs', path.join(project, 'node_modules/.bin/vitest'));
  cpSync(path.join(ROOT, 'examples'), path.join(project, 'examples'), { recursive: true });
});

function runIn(example: string, command: string, ...args: readonly string[]): Promise<ExitResult> {
  return startProcess(command, args, { cwd: path.join(project, 'examples', example), env: ENV }).exitResult;
}

test('npm run disk succeeds if the disk is fast enough, and leaves no files', async () => {
  const before = readdirSync(path.join(project, 'examples/npm-script'));
  const { stdout, stderr, exitCode } = await runIn('npm-script', 'npm', 'run', 'disk');
  expect(stdout).toMatch(/^Sequential Write MB\/s: /m);
  expect(stderr).toMatch(/^✓ write>=20MB\/s: .*; ✓ iops>=200: /m);
  expect(exitCode).toBe(0);
  expect(readdirSync(path.join(project, 'examples/npm-script'))).toEqual(before);
});

test('the vitest test passes if the disk is fast enough, and otherwise shows the measured value', async () => {
  const example = path.join(project, 'examples/vitest');
  const source = readFileSync(path.join(example, 'disk.test.ts'), 'utf8');
  writeFileSync(path.join(example, 'slow.test.ts'), source.replace('write>=20MB/s', 'write>=1000TB/s'));
  const { stdout, stderr, exitCode } = await runIn('vitest', 'npm', 'test');
  expect(stdout).toMatch(/Tests.*1 failed.*1 passed/);
  expect(stdout + stderr).toMatch(/"actual": \d+[\s\S]*"condition": "write>=1000TB\/s"/);
  expect(stdout).not.toMatch(/FAIL.*disk\.test\.ts/);
  expect(exitCode).toBe(1);
});

test('jq reads both documents, and passes only rates that the device served', async (context) => {
  requireTools('jq')(context);
  const { stdout, exitCode } = await runIn('jq', 'sh', 'results.sh', makeDirectory(os.tmpdir()));
  const [, csv = '', , ...rest] = stdout.split('\n');
  expect(csv).toMatch(/^[\d.]+,[\d.]+,[\d.]+$/);
  expect(rest.slice(0, 3).map((line) => line.split('\t')[0])).toEqual(['write', 'read', 'iops']);
  expect(rest.at(-2)).toBe('true');
  expect(exitCode).toBe(0);
  const inMemory = await runIn('jq', 'sh', 'results.sh', makeDirectory('/dev/shm'));
  expect(inMemory.stdout).toMatch(/\nfalse\n$/);
  expect(inMemory.exitCode).toBe(1);
});

describe('the health check', () => {
  /** Starts the service; returns its data directory, process and URL. */
  async function serve(env: NodeJS.ProcessEnv) {
    const dir = makeDirectory(os.tmpdir());
    const { child, exitResult } = startProcess(process.execPath, ['server.js'], {
      cwd: path.join(project, 'examples/health-check'),
      env: { ...ENV, PORT: '0', DATA_DIR: dir, LIMIT_MS: '60000', ...env },
    });
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await exitResult;
    });
    const url = await new Promise<string>((resolve) => child.stdout?.once('data', resolve));
    return { dir, child, exitResult, url: url.trim() };
  }

  test('reports a healthy disk, and measures once for simultaneous requests', async () => {
    const { dir, url } = await serve({ SECONDS: '4', FLOORS: 'write>=1B/s,iops>0' });
    const responses = await Promise.all([1, 2, 3].map(() => fetch(url)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    const bodies = await Promise.all(responses.map((response) => response.json()));
    expect(bodies[0]).toMatchObject({
      healthy: true,
      state: 'completed',
      verdicts: [{ passed: true }, { passed: true }],
    });
    expect(bodies.slice(1)).toEqual([bodies[0], bodies[0]]);
    expect(readdirSync(dir)).toEqual([]);
  });

  test.each([
    ['is too slow', { FLOORS: 'write>=1000TB/s' }, { state: 'completed', verdicts: [{ passed: false }] }],
    // On a busy machine, removing the files can take longer than the limit.
    [
      'takes too long',
      { LIMIT_MS: '1000', SECONDS: '600' },
      { state: expect.stringMatching(/^(aborted|late)$/) },
    ],
    [
      'does not exist',
      { DATA_DIR: '/dev/null' },
      { state: 'rejected', hint: 'pass the path of a directory' },
    ],
  ])('reports an unhealthy disk if the disk %s', async (_, env, body) => {
    const { dir, url } = await serve(env);
    const response = await fetch(url);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ healthy: false, ...body });
    await vi.waitUntil(() => readdirSync(dir).length === 0, 100_000);
  });

  test('shuts down cleanly during a measurement', async () => {
    const { dir, child, exitResult, url } = await serve({ SECONDS: '600' });
    const response = fetch(url);
    while (readdirSync(dir).length === 0) await wait(1);
    child.kill('SIGTERM');
    expect((await response).status).toBe(503);
    expect(await (await response).json()).toMatchObject({ state: 'aborted', reason: 'shutdown' });
    const { stderr, exitCode } = await exitResult;
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(readdirSync(dir)).toEqual([]);
  });

  test('still responds within its limit if the disk does not respond', async (context) => {
    requireTools(...FUSE_TOOLS)(context);
    const fuse = await mountFuse();
    const { url } = await serve({ DATA_DIR: fuse.dir, LIMIT_MS: '500' });
    fuse.stop();
    try {
      const response = await fetch(url);
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ healthy: false, state: 'late' });
    } finally {
      fuse.resume();
    }
  });
});
