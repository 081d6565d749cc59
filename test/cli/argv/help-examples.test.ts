import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { commands } from '../../../src/cli/dispatch.js';
import { useTemporaryDirectory } from '../../support/disks/temporary-directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { findCalls } from './examples.js';

useTemporaryDirectory();

const SMALL = ['--size', '4M', '--iops-duration', '0.05'];
const AS_ROOT = process.getuid?.() === 0 ? ['-u', 'root'] : [];
const FEW_FILES = ['-n', '1'];
/** Flags before those of an example, so it takes less than a second. Fixed durations allow only a dry run. */
const FIRST_FLAGS: Readonly<Record<string, readonly string[]>> = {
  '': SMALL,
  quick: ['--dry-run'],
  dev: ['--dry-run'],
  load: ['--dry-run'],
  ab: [...SMALL, '--runs', '2'],
  sweep: [...SMALL, '--runs', '1', '--depth', '1,2'],
  ping: ['--size', '4M', '--count', '3', '--interval', '10ms'],
  fill: ['--size', '4M', '--pause', '0.01'],
  'first-read': ['--iops-duration', '0.2'],
  zones: ['--block', '1'],
  gobonniego: SMALL,
  bonniego: SMALL,
  'bonnie++': [...AS_ROOT, ...FEW_FILES],
};

async function readExamples(command: string, flag: string): Promise<readonly string[]> {
  const { stdout } = await runInProcess([command, flag].filter(Boolean));
  const [, examples = ''] = /\nExamples:\n(.*?)\n\n/s.exec(stdout) ?? [];
  return examples.split('\n').map((line) => line.trim().replace(/ {3,}.*$/, ''));
}

/** Replaces directories, devices, sizes and the command of `ab` with small ones. */
function shrink(example: string): string {
  return example
    .replaceAll(/\/mnt\/\w+|\/srv|\/var\/lib\/postgresql|\/var\/tmp|\/dev\/shm|\/shared/g, 'disk')
    .replace('/dev/sda', 'image.raw')
    .replace(/(?<= --?size )[\d.]+/, '4M')
    .replace(/(?<=--threads )\d+/, '8')
    .replace(/(?<=--runs )\d+/, '2')
    .replace(/(?<=--block )\d+/, '1')
    .replace(/(?<= -s )\w+/, '4')
    .replace('-n 16', '-n 1')
    .replace(/(?<=--count )\d+/, '3')
    .replace('-u root ', '')
    .replace('npm ci', 'true')
    .replace('pnpm install', 'true');
}

const examples: string[] = [];
for (const command of ['', ...commands.map(({ name }) => name)])
  examples.push(...(await readExamples(command, '--help')));

beforeAll(async () => {
  mkdirSync('disk');
  for (const file of ['image.raw', 'backup.tar', 'disk/data'])
    writeFileSync(file, new Uint8Array(2 ** 21), { flush: true });
  writeFileSync('points.csv', 'depth,iops,p99_us\n1,1000,900\n2,1900,1000\n4,2000,2000\n');
  const { stdout } = await runInProcess(['bonnie++', ...AS_ROOT, ...'-q -r 0 -s 4 -f -n 0'.split(' ')]);
  writeFileSync('old.csv', stdout);
  await runInProcess([...SMALL, '--out', 'report.json']);
  for (const name of ['before', 'after', 'old', 'new', 'a', 'b', 'c'])
    copyFileSync('report.json', `${name}.json`);
});

test.each(examples.filter((line) => line.includes('gobonnie')))(
  '%s, an example of a help, works',
  async (line) => {
    const [call = []] = findCalls(shrink(line));
    const command = call[0] !== undefined && call[0] in FIRST_FLAGS ? call[0] : '';
    const isOwn = command !== '' || call[0] === undefined || call[0].startsWith('-');
    const own = call.slice(command === '' ? 0 : 1);
    let first = isOwn ? (FIRST_FLAGS[command] ?? []) : [];
    // The flags of a benchmark do not apply to a command or to existing points.
    if (own.includes('--from')) first = [];
    if (own.includes('--')) first = ['--runs', '2'];
    const args = [...(command === '' ? [] : [command]), ...first, ...own];
    const { stdout, stderr, exitCode } = await runInProcess(args, { stdin: readFileSync('old.csv', 'utf8') });
    // A condition or a comparison may fail here, with exit code 3.
    expect([0, 3], stderr).toContain(exitCode);
    expect(stdout + stderr).not.toBe('');
    const [, filter] = /\| jq (\S+)$/.exec(line) ?? [];
    if (filter !== undefined)
      expect(execFileSync('jq', ['-e', filter], { input: stdout }).length).toBeGreaterThan(0);
  },
);

test.each(['', ...commands.map(({ name }) => name)])(
  'the examples of gobonnie %s -h are among those of --help',
  async (command) => {
    expect(examples).toEqual(expect.arrayContaining([...(await readExamples(command, '-h'))]));
  },
);
