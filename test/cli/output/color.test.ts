import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { stripColors } from '../../../src/format/writing/paint.js';
import { measurementWith, reportWith, runWith } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { runGobonnie } from '../../support/programs/program.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';

const ESCAPE = '\u001b';
const RED = `${ESCAPE}[31m`;
const GREEN = `${ESCAPE}[32m`;
const FORCED = { FORCE_COLOR: '1' };

describe('a run whose output is piped', () => {
  const argsWith = (...flags: readonly string[]) => [
    ...['--dir', makeDirectory(), ...SMALL_FLAGS, '--expect', 'iops>0', '--allow-cached'],
    ...flags,
  ];

  test('prints no colours', async () => {
    const { stdout, stderr } = await runGobonnie(argsWith());
    expect(stdout + stderr).not.toContain(ESCAPE);
  });

  test.each<[string[], NodeJS.ProcessEnv]>([
    [['--color'], {}],
    [[], FORCED],
  ])('prints colours on stderr with %j and %j, but no progress line', async (flags, env) => {
    const { stdout, stderr } = await runInProcess(argsWith('--iops-duration', '0.5', ...flags), { env });
    expect(stderr).toContain(`${GREEN}✓ iops>0`);
    expect(stdout).toMatch(/^Sequential Write MB\/s: [\d.]+\nSequential Read MB\/s: [\d.]+\nIOPS: \d+\n$/);
    expect(stripColors(stderr)).not.toContain(ESCAPE);
    expect(stderr).not.toContain('\r');
  });

  test('prints no colours with --no-color, whatever the environment says', async () => {
    expect((await runInProcess(argsWith('--no-color'), { env: FORCED })).stderr).not.toContain(ESCAPE);
  });
});

describe('a comparison', () => {
  const compared = async (flags: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const dir = makeDirectory();
    const files = [1, 0.5].map((share, at) => {
      const file = path.join(dir, `${at}.json`);
      const write = measurementWith({ bytesPerSecond: 1e9 * share });
      const runs = [runWith({ measurements: [write] })];
      writeFileSync(file, JSON.stringify(reportWith({ runs, outcome: { state: 'completed' } })));
      return file;
    });
    const { stdout, exitCode } = await runInProcess(['compare', ...files, ...flags], { env });
    expect(exitCode).toBe(3);
    return stdout;
  };

  test('has no colours if it is piped', async () => {
    const plain = await compared([]);
    expect(plain).toMatch(/ worse$/m);
    expect(plain).not.toContain(ESCAPE);
  });

  test('shows a regression in red if asked to, and is otherwise the same', async () => {
    const painted = await compared(['--color']);
    expect(painted).toContain(`${RED}worse${ESCAPE}[39m`);
    const withoutDirectory = (text: string) => text.replace(/\S+\.json/g, '').replace(/ +/g, ' ');
    expect(withoutDirectory(stripColors(painted))).toBe(withoutDirectory(await compared([])));
    expect(await compared(['--no-color'], FORCED)).not.toContain(ESCAPE);
  });

  test.each(['json', 'markdown'])('never has colours as %s', async (format) => {
    expect(await compared(['--color', '--format', format])).not.toContain(ESCAPE);
  });
});
