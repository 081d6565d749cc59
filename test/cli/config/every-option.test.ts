import { rmSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  getOptionRow,
  pickBenchmarkOptions,
  type RawOptions,
  settingRows,
} from '../../../src/cli/argv/cli-catalogue.js';
import { validateCliOptions } from '../../../src/cli/argv/cli-options.js';
import { toVariableName } from '../../../src/cli/config/settings.js';
import { GobonnieError } from '../../../src/errors.js';
import { toFlag } from '../../../src/options/option-row.js';
import { validateOptions } from '../../../src/options/validate-options.js';
import { useTemporaryDirectory } from '../../support/disks/temporary-directory.js';
import {
  exampleFlag,
  exampleJson,
  exampleValue,
  readOptions,
  readSettingsOf,
  writeFiles,
} from './config-directory.js';

const NAMES = Object.keys(settingRows);
const SWITCHES = NAMES.filter((name) => getOptionRow(name).argument === null);
const FILE = 'gobonnie.config.json';

useTemporaryDirectory();
beforeEach(() => rmSync(FILE, { force: true }));

/** The sources of options besides flags. */
const SOURCES = {
  'a variable': (name: string, [variable]: Value) => ({
    args: [],
    env: { [toVariableName(name)]: variable },
  }),
  'the file': (name: string, [, json]: Value) => {
    writeFiles('.', { [FILE]: { [name]: json } });
    return { args: [], env: {} };
  },
  'a profile': (name: string, [, json]: Value) => {
    writeFiles('.', { [FILE]: { profiles: { ci: { [name]: json } } } });
    return { args: ['--profile=ci'], env: {} };
  },
};
type Value = readonly [variable: string, json: unknown];
type Source = keyof typeof SOURCES;

const validValue = (name: string): Value => [exampleValue(name), exampleJson(name)];
const CASES = (Object.keys(SOURCES) as Source[]).flatMap((source) =>
  NAMES.map((name) => [name, source] as const),
);

/** Validates with a fixed seed and the file size that --file-min-size needs. */
function validate(rawOptions: RawOptions): object {
  const input = pickBenchmarkOptions(rawOptions);
  return { ...validateOptions({ seed: 1, fileSize: '1m', ...input }), ...validateCliOptions(rawOptions) };
}

test.each(CASES)('%s from %s has the same value as its flag', async (name, source) => {
  const { args, env } = SOURCES[source](name, validValue(name));
  const options = await readOptions(args, env);
  expect(validate(options)).toEqual(validate(await readOptions(['--no-config', exampleFlag(name)])));
  expect(options).toHaveProperty(name);
});

describe('an invalid value of', () => {
  const readRejection = async (args: readonly string[], env: NodeJS.ProcessEnv) => {
    const error = await readSettingsOf(args, env).catch((thrown: unknown) => thrown);
    if (!(error instanceof GobonnieError)) throw new Error('no GobonnieError was thrown');
    expect(error).toMatchObject({ kind: 'usage' });
    return error.message;
  };

  test.each(NAMES)('%s in the file is rejected with its flag and its key', async (name) => {
    const { args, env } = SOURCES['the file'](name, ['', { size: 1 }]);
    const message = await readRejection(args, env);
    expect(message).toMatch(
      new RegExp(`^invalid ${toFlag(name)} "{ size: 1 }": expected .* \\(${name} in ${FILE}\\)$`),
    );
  });

  test.each(NAMES)('%s in an unused profile is rejected with its key', async (name) => {
    const { env } = SOURCES['a profile'](name, ['', null]);
    expect(await readRejection([], env)).toMatch(new RegExp(`\\(profiles\\.ci\\.${name} in ${FILE}\\)$`));
  });

  /** Options that accept any word here; later checks reject some words. */
  const ANY_WORD = ['dir', 'label', 'format', 'out', 'expect', 'baseline', 'rendezvous'];

  test.each(NAMES.filter((name) => !ANY_WORD.includes(name)))(
    '%s in a variable is rejected with its flag and its variable',
    async (name) => {
      const { args, env } = SOURCES['a variable'](name, ['may be', null]);
      const message = await readRejection(args, env);
      expect(message).toMatch(
        new RegExp(
          `^invalid ${toFlag(name)} "may be"( \\(phase\\))?: expected .* \\(${toVariableName(name)}\\)$`,
        ),
      );
    },
  );
});

test.each(SWITCHES)(
  '%s, a switch that the file turns on, can be turned off by a variable and by a flag',
  async (name) => {
    writeFiles('.', { [FILE]: { [name]: true } });
    const flag = toFlag(name);
    const valueWith = async (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
      (await readOptions(args, env))[name];
    expect(await valueWith([])).toBe(true);
    expect(await valueWith([], { [toVariableName(name)]: '0' })).toBe(false);
    expect(await valueWith([`${flag}=false`])).toBe(false);
    expect(await valueWith([`${flag}=false`], { [toVariableName(name)]: 'true' })).toBe(false);
    expect(await valueWith([flag], { [toVariableName(name)]: 'false' })).toBe(true);
  },
);
