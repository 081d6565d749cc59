import { rmSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { validateCliOptions } from '../../../src/cli/argv/cli-options.js';
import { getOptionRow, type SplitOptions, settingRows } from '../../../src/cli/argv/option-rows.js';
import { toVariableName } from '../../../src/cli/config/variables.js';
import { GobonnieError } from '../../../src/errors.js';
import { optionCatalogue } from '../../../src/options/option-catalogue.js';
import { toFlag } from '../../../src/options/option-row.js';
import { validateOptions } from '../../../src/options/validate-options.js';
import { useTemporaryDirectory } from '../../support/disks/temporary-directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { exampleFlag, exampleJson, exampleValue, readOptions, writeFiles } from './config-directory.js';

const NAMES = Object.keys(settingRows);
const SWITCHES = NAMES.filter((name) => getOptionRow(name).argument === null);
const FILE = 'gobonnie.config.json';

useTemporaryDirectory();
beforeEach(() => rmSync(FILE, { force: true }));

/** The ways other than a flag to set an option. */
const WAYS = {
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
type Way = keyof typeof WAYS;

const right = (name: string): Value => [exampleValue(name), exampleJson(name)];
const EACH = (Object.keys(WAYS) as Way[]).flatMap((way) => NAMES.map((name) => [name, way] as const));

/** With a fixed seed, and with the file size that --file-min-size needs. */
function judged({ input, cliOptions }: SplitOptions): object {
  return { ...validateOptions({ seed: 1, fileSize: '1m', ...input }), ...validateCliOptions(cliOptions) };
}

test.each(EACH)('%s from %s has the same value as its flag', async (name, way) => {
  const { args, env } = WAYS[way](name, right(name));
  const asked = await readOptions(args, env);
  expect(judged(asked)).toEqual(judged(await readOptions(['--no-config', exampleFlag(name)])));
  expect({ ...asked.input, ...asked.cliOptions }).toHaveProperty(name);
});

describe('the printed plan', () => {
  const SMALL = ['--seed=7', '--size=0.01', '--threads=1', '--file-size=1m', '--dir=.'];
  // --json needs more phases than the example has.
  const options = Object.keys(optionCatalogue).filter((name) => name !== 'phases');

  test.each(options)('has %s from the file as if it were a flag', async (name) => {
    const others = SMALL.filter((one) => !one.startsWith(`${toFlag(name)}=`));
    writeFiles('.', { [FILE]: { [name]: exampleJson(name) } });
    const planned = async (own: readonly string[]) => {
      const { stdout, exitCode } = await runInProcess(['--dry-run', '--json', ...others, ...own]);
      return { exitCode, options: JSON.parse(stdout).options };
    };
    const asked = await planned([]);
    expect(asked).toEqual(await planned(['--no-config', exampleFlag(name)]));
    expect(asked).toMatchObject({ exitCode: 0, options: { [name]: expect.anything() } });
  });
});

describe('a wrong value of', () => {
  const refused = async (args: readonly string[], env: NodeJS.ProcessEnv) => {
    const error = await readOptions(args, env).catch((thrown: unknown) => thrown);
    if (!(error instanceof GobonnieError)) throw new Error('no GobonnieError was thrown');
    expect(error).toMatchObject({ kind: 'usage' });
    return error;
  };

  test.each(NAMES)('%s in the file is refused with the file, the key and a valid example', async (name) => {
    const { args, env } = WAYS['the file'](name, ['', { size: 1 }]);
    const { message, hint } = await refused(args, env);
    expect(message.startsWith(`${FILE}: invalid ${name} {"size":1}: expected `)).toBe(true);
    expect(message).not.toContain('--');
    const [, example = ''] = /^for example, (".*)$/.exec(hint) ?? [];
    writeFiles('.', { [FILE]: `{${example}}` });
    expect(await readOptions([])).toMatchObject({ input: expect.anything() });
  });

  test.each(NAMES)(
    '%s in a profile is refused with its whole path, even if the profile is not used',
    async (name) => {
      const { env } = WAYS['a profile'](name, ['', null]);
      const { message } = await refused([], env);
      expect(message.startsWith(`${FILE}: invalid profiles.ci.${name} null: expected `)).toBe(true);
    },
  );

  /** They accept any word here; some are refused later. */
  const ANY_WORD = ['dir', 'label', 'format', 'out', 'expect', 'baseline', 'rendezvous'];

  test.each(NAMES.filter((name) => !ANY_WORD.includes(name)))(
    '%s in a variable is refused with its name and a valid example',
    async (name) => {
      const { args, env } = WAYS['a variable'](name, ['may be', null]);
      const { message, hint } = await refused(args, env);
      expect(message.startsWith(`invalid ${toVariableName(name)}="may be": expected `)).toBe(true);
      expect(message).not.toContain('--');
      const [, example = ''] = new RegExp(`^for example, ${toVariableName(name)}=(.*)$`).exec(hint) ?? [];
      expect(await readOptions([], { [toVariableName(name)]: example })).toHaveProperty('input');
    },
  );
});

describe('a switch that the file turns on', () => {
  test.each(SWITCHES)('%s can be turned off by a variable and by a flag', async (name) => {
    writeFiles('.', { [FILE]: { [name]: true } });
    const flag = toFlag(name);
    const given = async (args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
      const { input, cliOptions } = await readOptions(args, env);
      return { ...input, ...cliOptions }[name as keyof SplitOptions['input']];
    };
    expect(await given([])).toBe(true);
    expect(await given([], { [toVariableName(name)]: '0' })).toBe(false);
    expect(await given([`${flag}=false`])).toBe(false);
    expect(await given([`${flag}=false`], { [toVariableName(name)]: 'true' })).toBe(false);
    expect(await given([flag], { [toVariableName(name)]: 'false' })).toBe(true);
  });
});
