import { afterAll, beforeEach, expect, test } from 'vitest';
import { needs } from '../../support/tool.js';
import { helped, isUntouched, makeAwkwardDirectory, tidy, withoutSlash } from './awkward-names.js';
import { HOSTILE, LISTS, NOTHING, OFFERS, PATHS } from './cases.js';
import { Session, type Setting } from './session.js';

/** What holds in every shell. Gives the directory in which it was tried. */
export function holdsPromises(shell: string, setting: Omit<Setting, 'directory'>): string {
  const ground = makeAwkwardDirectory();
  let started: Promise<Session> | null = null;
  const session = () => {
    started ??= Session.start({ ...setting, directory: ground.path });
    return started;
  };

  beforeEach(needs(shell, 'script'));

  afterAll(async () => {
    await (await started)?.end();
    ground.remove();
  });

  const offersAt = async (line: string) => tidy(await (await session()).offersAt(line));

  test('offers every command that the help lists', async () => {
    expect(await offersAt('gobonnie ')).toEqual(tidy([...(await helped()).keys()]));
  });

  test('offers every flag that the help of a command has, and no other', async () => {
    for (const [name, flags] of await helped())
      expect(await offersAt(`gobonnie ${name} -`), name).toEqual(tidy(flags));
  });

  test.each(OFFERS)('%s', async (line, offers) => {
    expect((await offersAt(line)).map((word) => word.replace(/^.*=/, ''))).toEqual(offers);
  });

  test.each(LISTS)('%s', async (line, offers) => {
    const words = (await offersAt(line)).map((word) => word.replace(/^.*[=,]/, ''));
    expect(tidy(words)).toEqual(offers);
  });

  test.each(NOTHING)('%s, where it offers nothing', async (line) => {
    expect(await offersAt(line)).toEqual([]);
  });

  test.each(PATHS)('%s', async (line, words) => {
    expect(withoutSlash(await (await session()).argumentsAt(line))).toEqual(words);
  });

  test('evaluates no word of the line', async () => {
    for (const line of HOSTILE) await offersAt(line);
    expect(isUntouched(ground.path)).toBe(true);
  });

  return ground.path;
}
