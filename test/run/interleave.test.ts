import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inspectMachine } from '../../src/machine/machine.js';
import type { OptionsInput } from '../../src/options/options-schema.js';
import { validateOptions } from '../../src/options/validate-options.js';
import { plan } from '../../src/plan/plan.js';
import { reportSchema } from '../../src/report/schema/report.js';
import { type InterleaveHooks, runInterleaved } from '../../src/run/interleave.js';
import { hasEnoughRuns } from '../../src/run/repeat.js';
import { Watcher } from '../../src/scratch/watcher/watcher.js';
import { makeDirectory } from '../support/disks/directory.js';
import { SMALL_OPTIONS } from '../support/programs/small-run.js';

const QUICK = { ...SMALL_OPTIONS, iopsDuration: 0.02 };

async function runAlternating(
  directories: readonly string[],
  input: OptionsInput,
  hooks: Partial<InterleaveHooks> = {},
) {
  const options = validateOptions({ ...QUICK, ...input });
  const plans = await Promise.all(
    directories.map(async (dir) => plan({ ...options, dir }, await inspectMachine(dir))),
  );
  using watcher = new Watcher();
  const defaults: InterleaveHooks = {
    maxRegressionPercent: null,
    onEvent: () => {},
    hasEnoughRounds: (reports, elapsedSeconds) =>
      reports.every(({ runs }) => hasEnoughRuns(runs, elapsedSeconds, options)),
  };
  return (await runInterleaved(plans, { ...defaults, ...hooks }, watcher)).reports;
}

test('plans run in turn in alternating order, and each plan has a report with all its runs', async () => {
  const directories = [makeDirectory(), makeDirectory(), makeDirectory()];
  const order: (readonly number[])[] = [];
  const rounds: (readonly number[])[] = [];
  const reports = await runAlternating(
    directories,
    { runs: 3 },
    {
      onEvent: (event, { directory }, run) =>
        event.type === 'run-end' && order.push([directories.indexOf(directory), run]),
      hasEnoughRounds: (reports) => {
        rounds.push(reports.map(({ runs }) => runs.length));
        // If gobonnie is killed, the report files must not look complete.
        expect(reports.map(({ outcome }) => outcome)).toEqual(reports.map(() => ({ state: 'running' })));
        return rounds.length === 3;
      },
    },
  );
  expect(order.map(([directory]) => directory)).toEqual([0, 1, 2, 2, 1, 0, 0, 1, 2]);
  expect(order.map(([, run]) => run)).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3]);
  expect(rounds).toEqual([
    [1, 1, 1],
    [2, 2, 2],
    [3, 3, 3],
  ]);
  for (const [index, report] of reports.entries()) {
    expect(reportSchema.parse(report)).toEqual(report);
    expect(report).toMatchObject({
      outcome: { state: 'completed' },
      options: { runs: 3 },
      target: { directory: directories[index] },
      statistics: [{ runs: 3 }, { runs: 3 }, { runs: 3 }],
    });
    expect(new Set(report.warnings.map(({ code, step }) => `${code} ${step}`)).size).toBe(
      report.warnings.length,
    );
  }
  expect(directories.flatMap((directory) => readdirSync(directory))).toEqual([]);
});

test('runs that never become stable end after --max-runs, and every report has a warning', async () => {
  const reports = await runAlternating([makeDirectory(), makeDirectory()], {
    untilStable: 0.001,
    maxRuns: 3,
  });
  expect(reports.map(({ runs }) => runs.length)).toEqual([3, 3]);
  expect(reports.map(({ warnings }) => warnings.filter(({ code }) => code === 'not-stable'))).toMatchObject([
    [{ step: null }],
    [{ step: null }],
  ]);
});

test('an abort ends the runs, and the reports contain the completed runs', async () => {
  const directories = [makeDirectory(), makeDirectory()];
  const abort = new AbortController();
  let runs = 0;
  const reports = await runAlternating(
    directories,
    { runs: 5 },
    {
      signal: abort.signal,
      onEvent: (event) => {
        if (event.type === 'run-end') runs++;
        if (event.type === 'step-start' && runs === 3) abort.abort('enough');
      },
    },
  );
  const complete = reports.map((report) => report.runs.filter(({ state }) => state === 'completed').length);
  expect(complete).toEqual([1, 2]);
  expect(reports.map(({ outcome }) => outcome)).toEqual(
    reports.map(() => ({ state: 'aborted', reason: 'enough' })),
  );
  expect(directories.flatMap((directory) => readdirSync(directory))).toEqual([]);
});
