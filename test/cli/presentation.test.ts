import { expect, test } from 'vitest';
import { judgePresentation } from '../../src/cli/presentation.js';
import { refusal } from '../fixtures.js';

test('without a flag the answer is text, the narration short and the benchmark real', () => {
  const plain = { json: false, verbose: false, quiet: false, dryRun: false, out: [] };
  expect(judgePresentation({})).toEqual(plain);
  expect(judgePresentation({ json: undefined, verbose: undefined })).toEqual(plain);
});

test.each(['json', 'verbose', 'quiet', 'dryRun'] as const)('%s is kept and turns nothing else on', (name) => {
  expect(judgePresentation({ [name]: true })).toEqual({ ...judgePresentation({}), [name]: true });
});

test('the files of --out are kept in their order, and turn nothing else on', () => {
  const out = ['b.json', 'a.json'];
  expect(judgePresentation({ out })).toEqual({ ...judgePresentation({}), out });
});

test('quiet and verbose together are refused, each with --json is fine', () => {
  expect(() => judgePresentation({ quiet: true, verbose: true })).toThrow(
    refusal('option-invalid', '--quiet and --verbose contradict each other; pass one of them'),
  );
  expect(judgePresentation({ quiet: true, json: true })).toMatchObject({ quiet: true, json: true });
  expect(judgePresentation({ verbose: true, json: true })).toMatchObject({ verbose: true, json: true });
});
