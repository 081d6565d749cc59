import { existsSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Report } from '../../../src/report/schema/report.js';
import { MARKER_NAME } from '../../../src/scratch/marker.js';
import { getPhase } from '../../../workers/phases/phase-catalogue.js';
import { requireTools } from '../../support/tools.js';
import { forEachConcurrently } from '../concurrency.js';
import { type FileCall, phaseSequence, type Scenario, type TracedRun, traceScenario } from './traced-run.js';

const SMALL_FILES = ['create', 'stat', 'delete', 'create-random', 'stat-random', 'delete-random'];
const SCENARIOS: readonly Scenario[] = [
  {
    name: 'all phases',
    phases: [...SMALL_FILES, 'putc', 'write', 'rewrite', 'getc', 'read', 'seeks', 'iops'],
  },
  {
    name: 'many data files',
    phases: ['write', 'read'],
    flags: ['--data-files', '190', '--block-size', '4k'],
    calls: ['openat', 'close', 'unlink', 'fsync'],
  },
  {
    name: '--fsync-per-write',
    phases: ['create', 'delete', 'putc', 'write', 'rewrite'],
    flags: ['--fsync-per-write'],
    calls: ['fsync', 'fdatasync'],
  },
  {
    name: '--direct',
    phases: ['write', 'read', 'iops'],
    flags: ['--direct', '--io-size', '4k'],
    calls: ['openat', 'pwrite64', 'pread64'],
    parent: os.tmpdir(),
  },
  {
    name: 'two runs',
    phases: ['write', 'create'],
    runs: 2,
    calls: ['unlink', 'rename', 'mkdir', 'pwrite64'],
  },
  {
    name: 'hard links',
    phases: ['create', 'stat', 'delete', 'write'],
    flags: ['--file-kind', 'hard-links'],
    calls: ['openat', 'close', 'unlink', 'mkdir', 'rmdir'],
  },
  // A thread that gets no CPU time during a shorter phase would report no operation.
  {
    name: '--json',
    phases: ['write', 'read', 'iops'],
    runs: 2,
    json: true,
    flags: ['--iops-duration', '0.5'],
  },
];
/** Errors of a thread's last call of a name in a phase. Its first call fails with EIO. */
const ERRORS: Readonly<Record<string, string>> = {
  ...{ openat: 'EMFILE', pwrite64: 'ENOSPC', pread64: 'ESTALE', fsync: 'ENOSPC', close: 'EDQUOT' },
  ...{ unlink: 'EROFS', mkdir: 'ENOSPC', rename: 'ENOSPC', rmdir: 'EPERM' },
};
const MIN_FAILURES = 100;
/** More than the CPUs need, because runs mostly wait. */
const CONCURRENCY = 3;
/** strace cannot inject into a later call of a thread. */
const MAX_STRACE_COUNT = 65_535;

let failures = 0;
let passed = 0;

/** Returns the first and the last call of each name, thread and phase, each with the error to inject. */
function chooseCalls({ scenario, fileCalls }: TracedRun): readonly { call: FileCall; error: string }[] {
  const groups = new Map<string, FileCall[]>();
  for (const call of fileCalls) {
    if (!call.canFail || !(scenario.calls ?? [call.name]).includes(call.name)) continue;
    if (call.number > MAX_STRACE_COUNT) continue;
    const group = `${call.results} ${call.thread} ${call.name}`;
    groups.set(group, [...(groups.get(group) ?? []), call]);
  }
  const chosen: { call: FileCall; error: string }[] = [];
  for (const [first, ...later] of groups.values()) {
    if (first) chosen.push({ call: first, error: 'EIO' });
    const last = later.at(-1);
    if (last) chosen.push({ call: last, error: ERRORS[last.name] ?? 'EIO' });
  }
  return chosen;
}

/** Returns the call that failed. Null if other calls failed: the counts of a timed phase depend on chance. */
function findOnlyInjected({ scenario, calls, fileCalls }: TracedRun): FileCall | null {
  const call = fileCalls.find(({ isInjected }) => isInjected);
  if (!call || calls.filter((line) => line.includes('(INJECTED)')).length > 1) return null;
  // After the first run with cold reads, workers measure cached reads, which have no rate if a call fails.
  const worker = fileCalls.find(({ name, file }) => name === 'pwrite64' && file.includes('/bonnie.'))?.thread;
  const measuresCachedReads = scenario.phases.some((phase) => getPhase(phase).coldCache);
  const mayBeCachedRead = call.thread === worker && call.results === scenario.phases.length;
  return measuresCachedReads && mayBeCachedRead ? null : call;
}

/** True if the call is on the report, and so not part of a phase. */
const isOnReport = ({ report }: TracedRun, { file }: FileCall) => path.dirname(file) === path.dirname(report);

/** True if the call removes the run's files at its end. */
const isRemoval = ({ scenario }: TracedRun, { name, results, file }: FileCall) =>
  results === phaseSequence(scenario).length && /^(?:unlink|rmdir)/.test(name) && file.includes('/disk');

/** Returns the path that the message must name. */
function pathInMessage(run: TracedRun, call: FileCall): string {
  if (isOnReport(run, call)) return run.report;
  const [scratch = call.file] = /^.*\/gobonnie-[^/]+/.exec(call.file) ?? [];
  if (isRemoval(run, call)) return scratch;
  // If gobonnie cannot create or mark the scratch directory, the message names --dir.
  const isSetup = /^mkdir/.test(call.name) && call.file === scratch;
  return isSetup || call.file === path.join(scratch, MARKER_NAME) ? path.dirname(scratch) : call.file;
}

/** Checks that the failure is reported in one line, that only earlier phases have results, and that no file is left. */
function expectPromises(run: TracedRun, call: FileCall, error: string): void {
  const { scenario, stdout, stderr, exitCode, report, home } = run;
  // A report that cannot be written is rejected before the run.
  expect(exitCode).toBe(isOnReport(run, call) && call.results === 0 && stdout === '' ? 2 : 1);
  const messages = stderr.split('\n').filter((line) => line !== '' && !/^\d{4}\/\d\d\/\d\d /.test(line));
  expect(messages).toEqual([expect.stringMatching(/^gobonnie: .+; .+$/)]);
  expect(messages[0]).toContain(pathInMessage(run, call));
  expect(messages[0]).toContain(`(${error})`);
  if (isRemoval(run, call)) expect(messages[0]).toContain(' could not be removed');

  const sequence = phaseSequence(scenario);
  // A failed call on the report does not stop the current phase, so more phases may have results.
  const expectResults = (phases: readonly string[], all: readonly string[]) => {
    const count = isOnReport(run, call) ? Math.max(phases.length, call.results) : call.results;
    expect(phases).toEqual(all.slice(0, count));
  };
  if (scenario.json) {
    const { results } = JSON.parse(stdout) as { readonly results: readonly Record<string, number>[] };
    expect(results).toHaveLength(Math.floor(call.results / scenario.phases.length));
    for (const { write_megabytes_per_second, read_megabytes_per_second, iops } of results)
      expect(
        Math.min(write_megabytes_per_second ?? 0, read_megabytes_per_second ?? 0, iops ?? 0),
      ).toBeGreaterThan(0);
  } else {
    const titles = [...stdout.matchAll(/^([\w -]+?)(?: (?:MB|ops)\/s)?: [\d.]+$/gm)].map(
      ([, title = '']) => title,
    );
    expectResults(
      titles,
      sequence.map((phase) => getPhase(phase).title),
    );
  }
  if (existsSync(report)) {
    const { runs } = JSON.parse(readFileSync(report, 'utf8')) as Pick<Report, 'runs'>;
    expectResults(
      runs.flatMap(({ measurements }) => measurements.map(({ step }) => step)),
      sequence,
    );
  }

  // Only the file that gobonnie could not remove may remain, with its directories and the marker.
  const isStuck = isRemoval(run, call) || (isOnReport(run, call) && call.name.startsWith('unlink'));
  const remaining = isStuck ? call.file : '';
  const expected = [path.join(home, 'disk'), path.dirname(report), report];
  const leftovers = readdirSync(home, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(home, name))
    .filter((name) => !expected.includes(name) && !`${remaining}/`.startsWith(`${name}/`))
    .filter((name) => remaining === '' || path.basename(name) !== MARKER_NAME);
  expect(leftovers).toEqual([]);
}

describe('a failed call ends the run with one error line, no result of its phase and no leftover files:', () => {
  beforeEach(requireTools('root', 'strace'));
  afterAll(() => console.log(`injected faults: ${failures} ran, ${passed} passed`));

  test.each(SCENARIOS)('$name', { timeout: 600_000 }, async (scenario) => {
    const clean = await traceScenario(scenario);
    expect(clean.exitCode, clean.stderr).toBe(0);
    const violations: string[] = [];
    await forEachConcurrently(chooseCalls(clean), CONCURRENCY, async ({ call: { name, number }, error }) => {
      const run = await traceScenario(scenario, `${name}:error=${error}:when=${number}`);
      const call = findOnlyInjected(run);
      if (!call) return;
      failures++;
      try {
        expectPromises(run, call, error);
        passed++;
      } catch (violation) {
        const file = path.relative(run.home, call.file);
        violations.push(
          `${name} ${number} on ${file} after ${call.results} results: ${violation}\n${run.stderr}`,
        );
      }
    });
    expect(violations).toEqual([]);
  });

  test(`at least ${MIN_FAILURES} calls failed`, () => {
    expect(failures).toBeGreaterThanOrEqual(MIN_FAILURES);
  });
});
