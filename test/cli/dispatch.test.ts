import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runInProcess } from '../support/programs/in-process.js';
import { runGobonnie } from '../support/programs/program.js';

test.each([
  [['shwo', 'x.json'], 'there is no command or directory shwo; did you mean show?'],
  [['--size', '1', 'show'], 'show must come before any flag; type gobonnie show and then its flags'],
  [['help', 'shwo'], 'there is no command or argument shwo; did you mean show?'],
  [['help', 'xyz'], 'there is no command or argument xyz; see gobonnie --help'],
  [
    ['quick', '/mnt/no-stick'],
    'there is no command or directory /mnt/no-stick; perhaps its disk is not mounted',
  ],
  [['xyz'], 'there is no command or directory xyz; see gobonnie --help'],
  [
    ['--size', '0.5', 'GB'],
    'there is no command or directory GB; write a unit without a space before it, like 10GB',
  ],
  [
    ['quick', '--size', '1', 'GB', '/tmp'],
    'there is no command or argument GB; write a unit without a space before it, like 10GB',
  ],
  [['zcav', '/dev/sda'], 'there is no command or directory zcav; gobonnie zones reads a disk like zcav'],
  [['--end_fsync=1'], 'unknown option --end_fsync=1; gobonnie explain end_fsync translates it from fio'],
  [['--sync=dsync'], 'unknown option --sync=dsync; gobonnie explain sync translates it from fio'],
  [['--directory', '/tmp'], 'unknown option --directory; pass --dir DIR'],
  [['bonnie', '-u'], 'unknown option -u; see gobonnie bonnie --help'],
  [['quick', '--pause', '5'], 'quick has no --pause; it belongs to fill'],
  [['--preset=etcd'], 'gobonnie without a command has no --preset; it belongs to quick and load'],
  [['quick', '--phases', 'write'], 'quick has no --phases; see gobonnie quick --help'],
  [['bonniego', 'shwo'], 'there is no command or directory shwo; see gobonnie bonniego --help'],
])(
  'gobonnie %j is rejected, with the most similar command or the commands that have the flag',
  async (args, line) => {
    const { stdout, stderr, exitCode } = await runInProcess(args);
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: '', stderr: `gobonnie: ${line}\n`, exitCode: 2 });
  },
);

test('gobonnie help prints the help of gobonnie, and gobonnie help ab prints the help of ab', async () => {
  const { stdout: ownHelp } = await runInProcess(['--help']);
  expect(await runInProcess(['help'])).toMatchObject({ stdout: ownHelp, stderr: '', exitCode: 0 });
  const { stdout: abHelp } = await runInProcess(['ab', '--help']);
  expect(await runInProcess(['help', 'ab'])).toMatchObject({ stdout: abHelp, stderr: '', exitCode: 0 });
  expect(abHelp).toMatch(/^Usage: gobonnie ab /);
});

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

test.each(['-version', 'version'])(
  'gobonnie %s prints the version of the package and nothing else',
  async (flag) => {
    expect(await runGobonnie([flag])).toEqual({
      stdout: `gobonnie version ${version}\n`,
      stderr: '',
      exitCode: 0,
      signal: null,
    });
  },
);
