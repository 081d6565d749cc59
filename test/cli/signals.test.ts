import { readdirSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { makeDirectory } from '../directory.js';
import { type Live, liveGobonnie } from '../live.js';
import { SLOW, SMALL } from '../small-run.js';
import { needs } from '../tool.js';

const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const;

const ENDLESS = [...SLOW, '--iops-duration', '600'];
const UNDER_WAY_BYTES = 8 * 1024 ** 2;
const PHASES = {
  write: { after: /gobonnie starting/, counter: 'wchar', ended: /Written/, lines: 0 },
  read: { after: /Written[\s\S]*Duration/, counter: 'rchar', ended: /Read/, lines: 1 },
  iops: { after: /Read[\s\S]*Duration/, counter: 'rchar', ended: /operations/, lines: 2 },
} as const;

/** What the process has moved so far, by its own account in the kernel. */
function moved(pid: number, counter: 'rchar' | 'wchar'): number {
  return Number(new RegExp(`^${counter}: (\\d+)$`, 'm').exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
}

/** Resolves, with the program held, when it is in the middle of a phase. */
async function holdIn(program: Live, name: keyof typeof PHASES): Promise<void> {
  const { after, counter, ended } = PHASES[name];
  await program.said(after);
  const before = moved(program.pid, counter);
  await vi.waitUntil(() => moved(program.pid, counter) > before + UNDER_WAY_BYTES, {
    timeout: 30_000,
    interval: 2,
  });
  program.kill('SIGSTOP');
  expect(program.heard()).not.toMatch(ended);
}

describe('in the middle of a phase', () => {
  beforeEach(needs('/proc/self/io'));

  const rows = (['write', 'read', 'iops'] as const).flatMap((phase) =>
    SIGNALS.map(([signal, exitCode]) => ({ phase, signal, exitCode })),
  );

  test.each(rows)('$signal in $phase ends in good order', async ({ phase, signal, exitCode }) => {
    const dir = makeDirectory();
    const program = liveGobonnie(['-v', '--dir', dir, ...ENDLESS]);
    await holdIn(program, phase);
    expect(readdirSync(dir)).toHaveLength(1);
    program.kill(signal);
    program.kill('SIGCONT');
    const ended = await program.ended;
    expect({ exitCode: ended.exitCode, signal: ended.signal }).toEqual({ exitCode, signal: null });
    expect(readdirSync(dir)).toEqual([]);
    expect(ended.stdout.split('\n')).toHaveLength(PHASES[phase].lines + 1);
    expect(ended.stderr).toMatch(
      new RegExp(
        `\ngobonnie: stopped by ${signal} after 0 complete runs; the temporary files are removed\n$`,
      ),
    );
  });

  test('a second signal does not disturb the clean-up', async () => {
    const dir = makeDirectory();
    const program = liveGobonnie(['-v', '--dir', dir, ...ENDLESS]);
    await holdIn(program, 'write');
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGCONT'] as const) program.kill(signal);
    const { exitCode } = await program.ended;
    // Which of two that wait is delivered first is the system's affair.
    expect([130, 143]).toContain(exitCode);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('--json without a complete run has no results', async () => {
    const program = liveGobonnie(['-v', '--json', '--dir', makeDirectory(), ...ENDLESS]);
    await holdIn(program, 'iops');
    program.kill('SIGINT');
    program.kill('SIGCONT');
    const { stdout, exitCode } = await program.ended;
    expect(exitCode).toBe(130);
    expect(JSON.parse(stdout).results).toEqual([]);
  });
});

test.each(SIGNALS)('--json keeps the complete runs at %s', async (signal, exitCode) => {
  const dir = makeDirectory();
  const program = liveGobonnie(['-v', '--json', '--dir', dir, '--seconds', '3600', ...SMALL]);
  await program.said(/operations[\s\S]*Written/);
  program.kill(signal);
  const ended = await program.ended;
  const document = JSON.parse(ended.stdout);
  expect(ended.exitCode).toBe(exitCode);
  expect(ended.stdout).toBe(`${JSON.stringify(document)}\n`);
  expect(document.results.length).toBeGreaterThanOrEqual(1);
  expect(document.results.length).toBe(ended.stderr.match(/ operations /g)?.length);
  expect(ended.stderr).toMatch(
    new RegExp(`gobonnie: stopped by ${signal} after ${document.results.length} complete`),
  );
  expect(readdirSync(dir)).toEqual([]);
});

test('-q still says that it was stopped', async () => {
  const dir = makeDirectory();
  const program = liveGobonnie(['-q', '--dir', dir, ...SMALL, '--iops-duration', '600']);
  await new Promise((resolve) => program.child.stdout?.once('data', resolve));
  program.kill('SIGINT');
  const { stderr } = await program.ended;
  expect(stderr).toBe('gobonnie: stopped by SIGINT after 0 complete runs; the temporary files are removed\n');
});
