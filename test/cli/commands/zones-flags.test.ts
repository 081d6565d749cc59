import { expect, test } from 'vitest';
import { runInProcess } from '../../support/programs/in-process.js';

/** Expects this line on stderr, an empty stdout and exit code 2. */
async function expectRejection(args: readonly string[], line: string) {
  expect(await runInProcess(['zones', ...args])).toEqual({
    stdout: '',
    stderr: `gobonnie: ${line}\n`,
    exitCode: 2,
  });
}

test('zones --help names the flags, their defaults and zcav', async () => {
  const { stdout, stderr, exitCode } = await runInProcess(['zones', '--help']);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  expect(stdout).toMatch(/^Usage: gobonnie zones \[options\] FILE\n/);
  expect(stdout).toMatch(/-b, --block <MiB> .*\(default: 512\)/);
  expect(stdout).toMatch(/-c, --loops <N> [^-]*\(default: 1\)/);
  expect(stdout).toContain('zcav');
});

const FILE_HINT = 'pass a file or block device, such as /dev/sda';

test.each([
  [[], `zones needs a FILE; ${FILE_HINT}`],
  [['-'], `zones cannot read stdin; ${FILE_HINT}`],
  [['a', 'b'], 'there is no command or argument b; see gobonnie zones --help'],
  [['--blok', '1', 'a'], 'unknown option --blok; did you mean --block?'],
  [['a', '-c'], '-c has no value; for example, -c 3'],
  [
    ['a', '-b', '0'],
    'invalid --block 0: expected a whole number of MiB from 1 to 1048576, or a size like 64m or 1g; for example, --block 64',
  ],
  [['a', '--loops=0'], 'invalid --loops 0: expected a whole number above 0; for example, --loops 3'],
  [
    ['a\nb'],
    '"a\\nb" cannot be read: no such file or directory (ENOENT); name an existing file or block device',
  ],
])('zones %j is rejected in one line', async (args, line) => {
  await expectRejection(args, line);
});
