import os from 'node:os';
import { expect, test } from 'vitest';
import { MIB } from '../../src/units.js';
import { version } from '../../src/version.js';
import { makeDirectory } from '../directory.js';
import { gobonnie } from '../program.js';
import { SMALL } from '../small-run.js';

const STAMP = String.raw`\d{4}/\d\d/\d\d \d\d:\d\d:\d\d`;
const RESULTS = [
  /^Sequential Write MB\/s: \d+\.\d\d$/,
  /^Sequential Read MB\/s: \d+\.\d\d$/,
  /^IOPS: \d+$/,
].map((line) => expect.stringMatching(line));

function linesOf(text: string): readonly string[] {
  return text.split('\n');
}

/** Without root there is one more line: that the page cache was not emptied. */
function narrationOf(stderr: string): readonly string[] {
  return linesOf(stderr).filter((line) => !line.includes(' warning: the page cache '));
}

function stamped(text: string) {
  return expect.stringMatching(new RegExp(`^${STAMP} ${text}$`));
}

test('stdout is the three figures, and stderr says what is started', async () => {
  const { stdout, stderr, exitCode } = await gobonnie(['--dir', makeDirectory(), ...SMALL, '--threads=3']);
  expect(exitCode).toBe(0);
  expect(linesOf(stdout)).toEqual([...RESULTS, '']);
  expect(narrationOf(stderr)).toEqual([
    stamped(
      `gobonnie starting\\. version: ${version.replaceAll('.', '\\.')}, runs: 1, seconds: 0, threads: 3, ` +
        'disk space to use \\(MiB\\): 10',
    ),
    '',
  ]);
});

test('the start line gives the runs and the seconds that were asked for', async () => {
  const args = ['--dir', makeDirectory(), '--runs', '2', '--seconds', '0.5', ...SMALL];
  const { stderr } = await gobonnie(args);
  expect(stderr).toContain(', runs: 2, seconds: 0.5, threads: 2, disk space to use (MiB): 10\n');
});

test("-v adds gobonniego's lines, in its order, and leaves stdout as it is", async () => {
  const dir = makeDirectory();
  const { stdout, stderr, exitCode } = await gobonnie(['-v', '--dir', dir, ...SMALL]);
  const seconds = stamped('Duration \\(seconds\\): \\d+\\.\\d{6}');
  expect(exitCode).toBe(0);
  expect(linesOf(stdout)).toEqual([...RESULTS, '']);
  expect(narrationOf(stderr)).toEqual([
    stamped('gobonnie starting\\. version: .*'),
    stamped(`Number of CPU cores: ${os.availableParallelism()}`),
    stamped(`Total system RAM \\(MiB\\): ${Math.floor(os.totalmem() / MIB)}`),
    stamped(`Bonnie working directory: ${dir}/gobonnie-\\w{6}`),
    stamped('Written \\(MiB\\): 10'),
    stamped('Written \\(MB\\): 10\\.682368'),
    seconds,
    stamped('Read \\(MiB\\): 10'),
    stamped('Read \\(MB\\): 10\\.682368'),
    seconds,
    stamped('operations [1-9]\\d*'),
    seconds,
    '',
  ]);
});

test('the time stamps are local time', async () => {
  const env = { ...process.env, TZ: 'Pacific/Kiritimati' };
  const before = Date.now();
  const { stderr } = await gobonnie(['--dir', makeDirectory(), ...SMALL], { env });
  const [, stamp = ''] = new RegExp(`^(${STAMP}) `).exec(stderr) ?? [];
  const saidMs = Date.parse(`${stamp.replaceAll('/', '-').replace(' ', 'T')}+14:00`);
  expect(saidMs).toBeGreaterThan(before - 1000);
  expect(saidMs).toBeLessThanOrEqual(Date.now());
});

test('-q leaves only the figures', async () => {
  const { stdout, stderr, exitCode } = await gobonnie(['-q', '--dir', makeDirectory(), ...SMALL]);
  expect(exitCode).toBe(0);
  expect(stderr).toBe('');
  expect(linesOf(stdout)).toEqual([...RESULTS, '']);
});

test('--runs 2 measures twice', async () => {
  const { stdout, exitCode } = await gobonnie(['-q', '--runs', '2', '--dir', makeDirectory(), ...SMALL]);
  expect(exitCode).toBe(0);
  expect(linesOf(stdout)).toEqual([...RESULTS, ...RESULTS, '']);
});

test('--seconds starts another run as long as they are not over, and none after', async () => {
  const args = ['-q', '--json', '--seconds', '1', '--dir', makeDirectory()];
  const { stdout, exitCode } = await gobonnie([...args, '--size', '0.001', '--iops-duration', '0.2']);
  const starts = JSON.parse(stdout).results.map((result: { start_time: string }) =>
    Date.parse(result.start_time),
  );
  expect(exitCode).toBe(0);
  expect(starts.length).toBeGreaterThan(1);
  expect(starts.at(-1) - starts[0]).toBeLessThanOrEqual(1000);
});
