import { mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { getPhase } from '../../../workers/phases/phase-catalogue.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { omitFlagsWithoutEffect } from '../../support/programs/small-run.js';
import { type TraceResult, traceGobonnie } from '../../support/programs/trace.js';

/** A run on one thread that makes the same calls every time. */
export interface Scenario {
  readonly name: string;
  readonly phases: readonly string[];
  readonly runs?: number;
  /** The calls that fail in this scenario; all calls by default. */
  readonly calls?: readonly string[];
  readonly flags?: readonly string[];
  readonly json?: true;
  /** Parent directory; by default a directory in RAM. */
  readonly parent?: string;
}

/** A call on one of the run's own files. */
export interface FileCall {
  readonly thread: string;
  readonly name: string;
  /** Number of the call among this thread's calls of the same name, starting at 1. */
  readonly number: number;
  readonly file: string;
  /** Number of results that were printed before the call. */
  readonly results: number;
  readonly isInjected: boolean;
  /** True if no other thread reached this number of this call before, so strace can make this call fail. */
  readonly canFail: boolean;
}

export interface TracedRun extends TraceResult {
  readonly scenario: Scenario;
  /** Contains everything that the run creates. */
  readonly home: string;
  readonly report: string;
  readonly fileCalls: readonly FileCall[];
}

/** The calls that can fail; those with `?` do not exist on every architecture. */
const CALLS = [
  'openat',
  'pwrite64',
  'pread64',
  'fsync',
  'fdatasync',
  'close',
  '?unlink',
  'unlinkat',
  '?mkdir',
];
const TRACED = [...CALLS, 'mkdirat', '?rename', '?renameat', 'renameat2', '?rmdir', 'write'].join();
/** strace counts each thread's calls separately: with one thread in libuv's pool, every run has the same counts. */
const STRACE = ['-y', '-s', '64', '-E', 'UV_THREADPOOL_SIZE=1', '-e', `trace=${TRACED}`];
/** The worker opens more files than the main thread, whose calls would otherwise fail first. */
const FLAGS = [
  ...['--threads', '1', '--seed', '7', '--size', '0.00390625', '--byte-size', '128k', '--seeks', '40'],
  ...['--files', '250', '--file-size', '4k', '--file-min-size', '4k', '--directories', '2'],
  // A filesystem in RAM has no page cache to drop, but without this flag gobonnie would not sync before reads.
  ...['--cache', 'evict', '--iops-duration', '0.1'],
];

/** Runs the scenario under strace. `inject` makes a call fail, in strace's syntax. */
export async function traceScenario(scenario: Scenario, inject?: string): Promise<TracedRun> {
  // strace prints real paths.
  const home = realpathSync(makeDirectory(scenario.parent));
  const report = path.join(home, 'reports', 'report.json');
  for (const name of ['disk', 'reports']) mkdirSync(path.join(home, name));
  const args = [
    '--dir',
    path.join(home, 'disk'),
    '--phases',
    scenario.phases.join(),
    '--runs',
    String(scenario.runs ?? 1),
  ];
  args.push(...(scenario.json ? ['--json', '-v'] : ['--out', report]), ...FLAGS, ...(scenario.flags ?? []));
  const result = await traceGobonnie(
    inject ? [...STRACE, '-e', `inject=${inject}`] : STRACE,
    omitFlagsWithoutEffect(args),
  );
  return { ...result, scenario, home, report, fileCalls: findFileCalls(result.calls, scenario, home) };
}

/** Returns the phases of every run, in order. */
export function phaseSequence({ phases, runs = 1 }: Scenario): readonly string[] {
  return Array.from({ length: runs }, () => phases).flat();
}

function findFileCalls(lines: readonly string[], scenario: Scenario, home: string): readonly FileCall[] {
  const isResult = scenario.json
    ? /^write\(2<.*Duration/
    : new RegExp(
        `^write\\(1<[^>]*>, "(?:${scenario.phases.map((phase) => getPhase(phase).title).join('|')})`,
      );
  const fileCalls: FileCall[] = [];
  const counts = new Map<string, number>();
  const reached = new Set<string>();
  let results = 0;
  for (const line of lines) {
    const [, thread = '', text = '', name = ''] = /^(\d+) +((\w+)\(.*)$/.exec(line) ?? [];
    if (isResult.test(text)) results = Math.min(results + 1, phaseSequence(scenario).length);
    const number = (counts.get(`${thread} ${name}`) ?? 0) + 1;
    counts.set(`${thread} ${name}`, number);
    const start = text.indexOf(`${home}/`);
    const [file] = /^[^"<>]+/.exec(start === -1 ? '' : text.slice(start)) ?? [];
    // Only calls on what the run creates: it tolerates some failures while it inspects the directory.
    const isOwn = file !== undefined && (/^(?:mkdir|rmdir)/.test(name) || file.includes('gobonnie-'));
    const isInjected = text.includes('(INJECTED)');
    const canFail = !reached.has(`${name} ${number}`);
    reached.add(`${name} ${number}`);
    if (isOwn && name !== 'write')
      fileCalls.push({ thread, name, number, file, results, isInjected, canFail });
  }
  return fileCalls;
}
