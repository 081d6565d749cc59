import os from 'node:os';
import path from 'node:path';
import type { RunFiles } from './run-files.js';
import { KIND_NAMES, type SyscallKind } from './syscall-kind.js';
import type { TracedCall } from './traced-call.js';

/** A tiny run on one thread that makes the same calls every time. */
export interface Scenario {
  readonly name: string;
  readonly phases: readonly string[];
  readonly runs: number;
  readonly kinds: readonly SyscallKind[];
  /** Positions of the calls of each kind that fail in each phase. */
  readonly positions: readonly CallPosition[];
  readonly flags: readonly string[];
  /**
   * Start of counting. `result`: counts one thread's calls from the last printed result, so only calls after the
   * first result can fail. `start`: counts each thread's calls from its start, so a call can fail only if no other
   * thread reaches the same count first.
   */
  readonly since: 'result' | 'start';
  /** Path of --dir within the existing directory. */
  readonly below: string;
  readonly reports: boolean;
  readonly json: boolean;
  /** Parent directory; undefined for a directory in RAM. */
  readonly parent: string | undefined;
}

export type CallPosition = 'first' | 'middle' | 'last';

const SMALL = [
  ...['--threads', '1', '--seed', '7', '--size', '0.00390625', '--byte-size', '128k', '--seeks', '40'],
  ...['--files', '8', '--file-size', '4k', '--file-min-size', '4k', '--directories', '2'],
  // A filesystem in RAM has no page cache to drop, but without this flag gobonnie would not sync before reads.
  ...['--cache', 'evict', '--iops-duration', '0.1'],
];
const DATA_PHASES = ['write', 'rewrite', 'read', 'seeks', 'iops'];
const FILE_PHASES = ['create', 'stat', 'delete', 'create-random', 'stat-random', 'delete-random'];
const CREATE_AND_DELETE_PHASES = ['create', 'delete', 'create-random', 'delete-random'];

const DEFAULTS = {
  runs: 1,
  kinds: KIND_NAMES,
  positions: ['first', 'last'],
  flags: [],
  since: 'result',
  below: '',
  reports: false,
  json: false,
  parent: undefined,
} as const;

export const SCENARIOS: readonly Scenario[] = [
  {
    ...DEFAULTS,
    name: 'all phases',
    phases: ['putc', 'write', 'rewrite', 'getc', 'read', 'seeks', 'iops', ...FILE_PHASES],
    positions: ['first', 'middle', 'last'],
    reports: true,
  },
  { ...DEFAULTS, name: 'putc after write', phases: ['write', 'putc'] },
  {
    ...DEFAULTS,
    name: '--fsync',
    phases: ['putc', 'write', 'rewrite', ...CREATE_AND_DELETE_PHASES],
    kinds: ['fsync', 'close'],
    flags: ['--fsync'],
  },
  {
    ...DEFAULTS,
    name: '--fsync-per-write',
    phases: ['putc', 'write', 'rewrite', 'seeks', 'iops', ...CREATE_AND_DELETE_PHASES],
    kinds: ['fsync'],
    flags: ['--fsync-per-write'],
  },
  {
    ...DEFAULTS,
    name: '--direct',
    phases: ['putc', ...DATA_PHASES],
    kinds: ['openat', 'pwrite64', 'pread64'],
    flags: ['--direct', '--io-size', '4k'],
    parent: os.tmpdir(),
  },
  {
    ...DEFAULTS,
    name: '--data-files',
    phases: ['putc', 'write', 'read'],
    flags: ['--data-files', '3'],
  },
  {
    ...DEFAULTS,
    name: 'two runs',
    phases: ['write', 'create'],
    runs: 2,
    // The same thread writes the first run's report at that time, so the order of other calls depends on chance.
    kinds: ['unlink', 'rename', 'mkdir', 'pwrite64'],
    reports: true,
  },
  {
    ...DEFAULTS,
    name: 'hard links',
    phases: ['write', 'create', 'stat', 'delete'],
    kinds: ['openat', 'close', 'unlink', 'mkdir', 'rmdir'],
    flags: ['--file-kind', 'hard-links'],
  },
  {
    ...DEFAULTS,
    name: '--json',
    phases: ['write', 'read', 'iops'],
    runs: 2,
    // A thread that gets no CPU time during a shorter phase would report no operation.
    flags: ['--iops-duration', '0.5'],
    since: 'start',
    json: true,
  },
  {
    ...DEFAULTS,
    name: 'missing parents',
    phases: ['write'],
    since: 'start',
    kinds: ['mkdir'],
    below: 'a/b/c',
  },
  { ...DEFAULTS, name: 'created parents', phases: ['write'], kinds: ['rmdir'], below: 'a/b/c' },
];

export function buildArgs(scenario: Scenario, files: RunFiles): readonly string[] {
  const dir = path.join(files.disk, scenario.below);
  const args = ['--dir', dir, '--phases', scenario.phases.join(), '--runs', String(scenario.runs)];
  if (scenario.reports) args.push('--out', files.report);
  if (scenario.json) args.push('--json', '-v');
  return [...args, ...SMALL, ...scenario.flags];
}

/** Returns every phase of every run, in order. */
export function phaseSequence({ phases, runs }: Scenario): readonly string[] {
  return Array.from({ length: runs }, () => phases).flat();
}

/** Returns true if the call prints a phase's result: its line or, with --json, the log line of -v. */
export function printsResult(
  { json }: Scenario,
  { stdout, stderr }: RunFiles,
  { name, text }: TracedCall,
): boolean {
  if (name !== 'write') return false;
  return json ? text.includes(`<${stderr}>`) && text.includes('Duration') : text.includes(`<${stdout}>`);
}
