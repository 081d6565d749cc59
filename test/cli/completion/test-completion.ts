import { afterAll, beforeEach, expect, test } from 'vitest';
import { requireTools } from '../../support/tools.js';
import { isUntouched, makeAwkwardDirectory, readHelp, sortUnique, withoutSlash } from './awkward-names.js';
import { HOSTILE, LISTS, NOTHING, OFFERS, PATHS } from './cases.js';
import { ShellSession, type ShellSetup } from './shell-session.js';

/** Tests what every shell does. Returns the directory that they run in. */
export function testCompletion(shell: string, setting: Omit<ShellSetup, 'directory'>): string {
  const directory = makeAwkwardDirectory();
  let started: Promise<ShellSession> | null = null;
  const session = () => {
    started ??= ShellSession.start({ ...setting, directory: directory.path });
    return started;
  };

  beforeEach(requireTools(shell, 'script'));

  afterAll(async () => {
    await (await started)?.end();
    directory.remove();
  });

  const offersAt = async (line: string) => sortUnique(await (await session()).offersAt(line));

  test('offers exactly the commands that the help lists', async () => {
    expect(await offersAt('gobonnie ')).toEqual(sortUnique([...(await readHelp()).keys()]));
  });

  test('offers exactly the flags that the help of each command lists', async () => {
    for (const [name, flags] of await readHelp())
      expect(await offersAt(`gobonnie ${name} -`), name).toEqual(sortUnique(flags));
  });

  test.each(OFFERS)('%s offers %j', async (line, offers) => {
    expect((await offersAt(line)).map((word) => word.replace(/^.*=/, ''))).toEqual(offers);
  });

  test.each(LISTS)('%s offers %j after the last comma', async (line, offers) => {
    const words = (await offersAt(line)).map((word) => word.replace(/^.*[=,]/, ''));
    expect(sortUnique(words)).toEqual(offers);
  });

  test.each(NOTHING)('%s offers nothing', async (line) => {
    expect(await offersAt(line)).toEqual([]);
  });

  test.each(PATHS)('%s passes %j to the program', async (line, words) => {
    expect(withoutSlash(await (await session()).argumentsAt(line))).toEqual(words);
  });

  test('evaluates no word of the line', async () => {
    for (const line of HOSTILE) await offersAt(line);
    expect(isUntouched(directory.path)).toBe(true);
  });

  return directory.path;
}
