import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Report } from '../../../src/report/schema/report.js';
import { sum } from '../../../src/report/statistics/statistics.js';
import { MS_PER_SECOND } from '../../../src/text/units.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { ENTRY, startProcess } from '../../support/programs/program.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';
import { requireTools } from '../../support/tools.js';

const runOnBun = (...args: readonly string[]) => startProcess('bun', [ENTRY, ...args]);

describe('on Bun, whose threads have clocks of their own', () => {
  beforeEach(requireTools('bun'));

  test('steps last as long as requested and no longer than the run, which leaves nothing behind', async () => {
    const dir = makeDirectory();
    const out = path.join(makeDirectory(), 'report.json');
    const startMs = performance.now();
    const run = runOnBun('--dir', dir, ...SMALL_FLAGS, '--threads', '4', '--out', out);
    const { exitCode, stderr } = await run.exitResult;
    const elapsedSeconds = (performance.now() - startMs) / MS_PER_SECOND;
    expect(stderr).not.toContain('gobonnie: ');
    expect(exitCode).toBe(0);
    const { machine, runs } = JSON.parse(readFileSync(out, 'utf8')) as Report;
    expect(machine.nodeVersion).toMatch(/^Bun \d/);
    const measurements = runs[0]?.measurements ?? [];
    expect(measurements.map(({ step }) => step)).toEqual(['write', 'read', 'iops']);
    expect(measurements.at(-1)?.seconds).toBeGreaterThanOrEqual(0.1);
    expect(sum(measurements.map(({ seconds }) => seconds))).toBeLessThan(elapsedSeconds);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('tool phases and a command end without an error, and leave nothing behind', async () => {
    const dir = makeDirectory();
    const other = makeDirectory('/dev/shm');
    for (const args of [
      ['--dir', dir, '--packages', '2', '--phases', 'install,status,clean'],
      ['ab', dir, other, '--runs', '2', '--', 'true'],
    ]) {
      const { stdout, stderr, exitCode } = await runOnBun(...args).exitResult;
      expect({ exitCode, stdout: stdout !== '', failed: /^gobonnie: .*;/m.test(stderr) && stderr }).toEqual({
        exitCode: 0,
        stdout: true,
        failed: false,
      });
    }
    expect([...readdirSync(dir), ...readdirSync(other)]).toEqual([]);
  });

  test('SIGTERM ends a run with exit code 143, and leaves nothing behind', async () => {
    const dir = makeDirectory();
    const { child, exitResult } = runOnBun('--dir', dir, ...SMALL_FLAGS, '--runs', '1000');
    await once(child.stdout as NodeJS.EventEmitter, 'data');
    child.kill('SIGTERM');
    expect((await exitResult).exitCode).toBe(143);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('an error is one line, and a job is rejected', async () => {
    const dir = makeDirectory();
    expect(await runOnBun('--dir', dir, '--size', '500000').exitResult).toMatchObject({
      stderr: expect.stringMatching(/^gobonnie: --size 500000 \(500000 GiB\) does not fit .+\n$/),
      exitCode: 2,
    });
    const job = ['--rendezvous', dir, '--ranks', '2', '--rank', '0'];
    expect(await runOnBun('--dir', dir, ...job).exitResult).toMatchObject({
      stderr: expect.stringMatching(/^gobonnie: a job of several processes does not run on Bun .+\n$/),
      exitCode: 2,
    });
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe('on Deno', () => {
  beforeEach(requireTools('deno'));

  test('gobonnie is rejected by name before it writes anything', async () => {
    const dir = makeDirectory();
    const run = startProcess('deno', ['run', '-A', ENTRY, '--dir', dir, ...SMALL_FLAGS]);
    expect(await run.exitResult).toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(/^gobonnie: gobonnie does not run on Deno .+; .+ npx gobonnie\n$/),
      exitCode: 2,
    });
    expect(readdirSync(dir)).toEqual([]);
  });
});
