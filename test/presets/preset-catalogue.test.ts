import { expect, test } from 'vitest';
import { validateOptions } from '../../src/options/validate-options.js';
import { estimateWrittenBytes } from '../../src/plan/estimate.js';
import { plan } from '../../src/plan/plan.js';
import { type PresetName, presets } from '../../src/presets/preset-catalogue.js';
import { GIB } from '../../src/text/units.js';
import { machineWith } from '../support/data/fixtures.js';

const NAMES = Object.keys(presets) as PresetName[];
const DISK_MARKS = NAMES.filter((name) => name.startsWith('crystaldiskmark'));

/** Sums over all steps of all rounds. */
function totals(name: PresetName) {
  const { size = 1, runs, steps = [] } = validateOptions(presets[name].options);
  const sum = (values: readonly number[]) => runs * values.reduce((total, value) => total + value, 0);
  const writing = steps.filter(({ phase, mix }) => phase === 'write' || (phase === 'random' && mix !== 100));
  return {
    seconds: sum(steps.map(({ seconds = Number.NaN }) => seconds)),
    writtenGib: size + sum(writing.map((step) => step.size ?? size)),
  };
}

test.each(NAMES)(
  'the preset %s consists of valid options with unique step names and says how it differs',
  (name) => {
    const { steps = [] } = validateOptions(presets[name].options);
    expect(new Set(steps.map((step) => step.name)).size).toBe(steps.length);
    const { title, source, differs } = presets[name];
    expect([title, source.name, source.url, differs]).toEqual([
      expect.stringMatching(/\b(s|min|hours)\b/),
      expect.stringMatching(/^\S+ v?[\d.-]+$/),
      expect.stringMatching(/^https:\/\/\S+$/),
      expect.stringMatching(/\w{3}/),
    ]);
  },
);

test.each(DISK_MARKS)(
  '%s writes at most 4 GiB and measures for less than 24 s, which leaves 6 s for the layout',
  (name) => {
    const { seconds } = totals(name);
    const options = validateOptions({ ...presets[name].options, dir: '/mnt/disk' });
    expect(estimateWrittenBytes(plan(options, machineWith()), options.runs)).toBeLessThanOrEqual(4 * GIB);
    expect(seconds).toBeLessThan(24);
  },
);

test.each<[PresetName, number, number]>([
  ['crystaldiskmark', 22, 1 + 1600 / 1024],
  ['yabs', 120, 18],
  ['pg-test-fsync', 40, 9],
])('%s measures for %d s and writes at most %d GiB, with the mixed reads', (name, seconds, gib) => {
  expect(totals(name).seconds).toBeCloseTo(seconds);
  expect(totals(name).writtenGib).toBeCloseTo(gib);
});

test.each<[PresetName, readonly string[]]>([
  ['crystaldiskmark', ['seq1m-q8t1 1x8', 'seq1m-q1t1 1x1', 'rnd4k-q32t1 1x32', 'rnd4k-q1t1 1x1']],
  ['crystaldiskmark-nvme', ['seq1m-q8t1 1x8', 'seq128k-q32t1 1x32', 'rnd4k-q32t16 16x32', 'rnd4k-q1t1 1x1']],
  ['crystaldiskmark-real', ['seq1m-q1t1 1x1', 'rnd4k-q1t1 1x1']],
])('%s reads and writes in the tests of its profile, with its queues', (name, tests) => {
  const { steps = [] } = validateOptions(presets[name].options);
  const inOrder = tests.flatMap((one) => [one.replace(' ', '.read '), one.replace(' ', '.write ')]);
  expect(steps.map((step) => `${step.name} ${step.threads}x${step.depth ?? 1}`)).toEqual(inOrder);
});

test('pg-test-fsync opens the file with O_DIRECT for the methods for which the original does', () => {
  const { steps = [] } = validateOptions(presets['pg-test-fsync'].options);
  const direct = steps.filter((step) => step.direct).map(({ syncPerWrite }) => syncPerWrite);
  expect(direct).toEqual(['o_dsync', 'o_sync', 'o_dsync', 'o_sync']);
});
