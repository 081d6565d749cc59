import { expect, test } from 'vitest';
import { type OptionName, optionCatalogue } from '../../src/options/option-catalogue.js';
import type { OptionsInput } from '../../src/options/options-schema.js';
import { validateOptions } from '../../src/options/validate-options.js';
import { display } from '../../src/text/escape.js';
import { toFlag } from '../../src/text/message-template.js';
import { GIB, KIB } from '../../src/text/units.js';
import { gobonnieErrorWith } from '../support/data/fixtures.js';
import { WRONG_VALUES } from './wrong-values.js';

const NAMES = Object.keys(optionCatalogue) as OptionName[];

test('all defaults except the seed are constants, and dir, size and threads have no default', () => {
  expect(validateOptions({ seed: 1 })).toMatchInlineSnapshot(`
    {
      "barrierTimeout": 300,
      "blockSize": 65536,
      "cache": "auto",
      "compressible": 0,
      "dataFiles": 1,
      "depth": 1,
      "direct": false,
      "directories": 0,
      "engine": "auto",
      "fileKind": "files",
      "fileMinSize": 0,
      "fileSize": 0,
      "files": 16384,
      "fsyncPerWrite": false,
      "ioSize": 512,
      "iopsDuration": 15,
      "maxRuns": 30,
      "mix": 90,
      "noFsync": false,
      "oneFile": false,
      "packages": 230,
      "phases": [
        "write",
        "read",
        "iops",
      ],
      "readOwnFiles": false,
      "runs": 1,
      "seconds": 0,
      "seed": 1,
      "seeks": 8192,
      "sharedDir": false,
      "sharedFile": false,
      "stallTimeout": 10,
      "unique": false,
      "verify": false,
    }
  `);
});

test('each call without a seed draws a random 32-bit seed', () => {
  const seeds = Array.from({ length: 20 }, () => validateOptions({}).seed);
  expect(new Set(seeds).size).toBeGreaterThan(1);
  expect(seeds.filter((seed) => !Number.isInteger(seed) || seed < 0 || seed >= 2 ** 32)).toEqual([]);
});

test.each<[keyof OptionsInput, string, number]>([
  ['size', '.5', 0.5],
  ['size', '+1', 1],
  ['size', '1e-3', 0.001],
  ['size', '500M', 500 / 1024],
  ['size', '10GB', 1e10 / GIB],
  ['threads', '4.0', 4],
  ['blockSize', '64k', 64 * KIB],
  ['untilStable', '5 %', 5],
])('%s %j is %d', (name, value, number) => {
  expect(validateOptions({ [name]: value })[name]).toBe(number);
});

test.each([[['seeks', 'write']], ['seeks,write'], [' seeks , write '], [' seeks write']])(
  'phases %j keep their order',
  (phases) => {
    expect(validateOptions({ phases }).phases).toEqual(['seeks', 'write']);
  },
);

test('fileMinSize may equal fileSize, but not exceed it', () => {
  expect(validateOptions({ fileMinSize: '4k', fileSize: '4k' })).toMatchObject({
    fileMinSize: 4096,
    fileSize: 4096,
  });
  expect(() => validateOptions({ fileMinSize: 4097, fileSize: '4k' })).toThrow(
    gobonnieErrorWith(
      'option-invalid',
      '--file-min-size 4097 is more than --file-size 4k; pass a larger --file-size or a smaller --file-min-size',
    ),
  );
});

test.each(NAMES.filter((name) => name !== 'steps'))(
  '%s rejects each invalid value with the flag, the value and an example',
  (name) => {
    const { expects, example } = optionCatalogue[name];
    const flag = toFlag(name);
    for (const value of WRONG_VALUES[name]) {
      const line = `invalid ${flag} ${display(value)}: expected ${expects}; for example, ${flag} ${example}`;
      expect(() => validateOptions({ [name]: value }), line).toThrow(
        gobonnieErrorWith('option-invalid', line),
      );
    }
  },
);

test.each([
  ['sise', 'did you mean size?'],
  ['expect', 'pass the report to check()'],
  ['preset', 'pass steps'],
])('the unknown option %s is rejected: %s', (name, hint) => {
  expect(() => validateOptions({ [name]: 1 } as OptionsInput)).toThrow(
    gobonnieErrorWith('option-unknown', `there is no option ${name}; ${hint}`),
  );
});

test('an unknown option without a similar option is rejected with the list of all options', () => {
  expect(() => validateOptions({ weather: 1 } as OptionsInput)).toThrow(
    gobonnieErrorWith('option-unknown', `there is no option weather; the options are ${NAMES.join(', ')}`),
  );
});

test.each([null, [], 'size', 5])('options that are not an object are rejected: %j', (input) => {
  expect(() => validateOptions(input as OptionsInput)).toThrow(
    gobonnieErrorWith('option-invalid', 'the options are not an object; for example, { size: 0.5 }'),
  );
});
