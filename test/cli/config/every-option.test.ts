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
import { validateOptions } from '../../../src/options/validate-options.js';
import { flag, formatFlag, toFlag } from '../../../src/text/message-template.js';
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

/** Validates with a fixed seed and the file size that --file-min-size needs. */
function validate(rawOptions: RawOptions): object {
  const input = pickBenchmarkOptions(rawOptions);
  return { ...validateOptions({ seed: 1, fileSize: '1m', ...input }), ...validateCliOptions(rawOptions) };
}

test.each(NAMES)('%s has the same value from a variable and from the file as from its flag', async (name) => {
  const fromFlag = validate(await readOptions([exampleFlag(name)]));
  const fromVariable = await readOptions([], { [toVariableName(name)]: exampleValue(name) });
  writeFiles('.', { [FILE]: { [name]: exampleJson(name) } });
  for (const options of [fromVariable, await readOptions([])]) {
    expect(options).toHaveProperty(name);
    expect(validate(options)).toEqual(fromFlag);
  }
});

describe('an invalid value of', () => {
  const readRejection = async (env: NodeJS.ProcessEnv = {}) => {
    const error = await readSettingsOf([], env).catch((thrown: unknown) => thrown);
    if (!(error instanceof GobonnieError)) throw new Error('no GobonnieError was thrown');
    expect(error).toMatchObject({ kind: 'usage' });
    return error.message;
  };

  test.each(NAMES)('%s in the file is rejected with its flag and its key', async (name) => {
    writeFiles('.', { [FILE]: { [name]: { size: 1 } } });
    expect(await readRejection()).toMatch(
      new RegExp(`^invalid ${formatFlag(flag(name))} "{ size: 1 }": expected .* \\(${name} in ${FILE}\\)$`),
    );
  });

  /** Options that accept any word here; later checks reject some words. */
  const ANY_WORD = ['dir', 'label', 'format', 'out', 'expect', 'baseline', 'rendezvous'];

  test.each(NAMES.filter((name) => !ANY_WORD.includes(name)))(
    '%s in a variable is rejected with its flag and its variable',
    async (name) => {
      expect(await readRejection({ [toVariableName(name)]: 'may be' })).toMatch(
        new RegExp(
          `^invalid ${formatFlag(flag(name))} "?may( be")?( \\(phase\\))?: expected .* \\(${toVariableName(name)}\\)$`,
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
