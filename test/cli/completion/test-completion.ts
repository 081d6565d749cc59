import { afterAll, beforeEach, expect, test } from 'vitest';
import { requireTools } from '../../support/tools.js';
import { isUntouched, makeAwkwardDirectory, readHelp, sortUnique, withoutSlash } from './awkward-names.js';
import { HOSTILE, LISTS, NOTHING, OFFERS, PATHS } from './cases.js';
import { ShellSession, type ShellSetup } from './shell-session.js';

/** Defines the tests that every shell must pass. Returns the directory that they run in. */
export function testCompletion(shell: string, setup: Omit<ShellSetup, 'directory'>): string {
  const directory = makeAwkwardDirectory();
  let session: Promise<ShellSession> | null = null;
  const getSession = () => {
    session ??= ShellSession.start({ ...setup, directory: directory.path });
    return session;
  };

  beforeEach(requireTools(shell, 'script'));

  afterAll(async () => {
    await (await session)?.end();
    directory.remove();
  });

  const offersAt = async (line: string) => sortUnique(await (await getSession()).offersAt(line));

  test('offers exactly the commands in the help', async () => {
    expect(await offersAt('gobonnie ')).toEqual(sortUnique([...(await readHelp()).keys()]));
  });

  test('offers exactly the flags in the help of each command', async () => {
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
    expect(withoutSlash(await (await getSession()).argumentsAt(line))).toEqual(words);
  });

  test('evaluates no word of the line', async () => {
    for (const line of HOSTILE) await offersAt(line);
    expect(isUntouched(directory.path)).toBe(true);
  });

  return directory.path;
}
