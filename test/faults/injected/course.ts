import os from 'node:os';
import path from 'node:path';
import type { Call } from './call.js';
import { KIND_NAMES, type Kind } from './kind.js';
import type { Site } from './site.js';

/** One run: tiny, on one thread, and the same every time. */
export interface Course {
  readonly name: string;
  readonly phases: readonly string[];
  readonly runs: number;
  readonly kinds: readonly Kind[];
  /** Which calls of each kind fail in each phase. */
  readonly places: readonly Place[];
  readonly flags: readonly string[];
  /**
   * From when calls are counted. `figure`: in one thread, from the last printed figure, so that only calls after the
   * first figure can fail. `start`: in every thread from its start, so that a call can fail only if no other thread
   * reaches the same count first.
   */
  readonly since: 'result' | 'start';
  /** The path of --dir in the directory that exists. */
  readonly below: string;
  readonly reports: boolean;
  readonly json: boolean;
  /** Undefined for a directory in memory. */
  readonly parent: string | undefined;
}

export type Place = 'first' | 'middle' | 'last';

const SMALL = [
  ...['--threads', '1', '--seed', '7', '--size', '0.00390625', '--byte-size', '128k', '--seeks', '40'],
  ...['--files', '8', '--file-size', '4k', '--file-min-size', '4k', '--directories', '2'],
  // Memory has no cache to empty, but without this nothing would be synced before it is read.
  ...['--cache', 'evict', '--iops-duration', '0.1'],
];
const BYTES = ['write', 'rewrite', 'read', 'seeks', 'iops'];
const TREES = ['create', 'stat', 'delete', 'create-random', 'stat-random', 'delete-random'];
const MADE_OR_GONE = ['create', 'delete', 'create-random', 'delete-random'];

const PLAIN = {
  runs: 1,
  kinds: KIND_NAMES,
  places: ['first', 'last'],
  flags: [],
  since: 'result',
  below: '',
  reports: false,
  json: false,
  parent: undefined,
} as const;

export const COURSES: readonly Course[] = [
  {
    ...PLAIN,
    name: 'the family',
    phases: ['putc', 'write', 'rewrite', 'getc', 'read', 'seeks', 'iops', ...TREES],
    places: ['first', 'middle', 'last'],
    reports: true,
  },
  { ...PLAIN, name: 'putc after write', phases: ['write', 'putc'] },
  {
    ...PLAIN,
    name: '--fsync',
    phases: ['putc', 'write', 'rewrite', ...MADE_OR_GONE],
    kinds: ['fsync', 'close'],
    flags: ['--fsync'],
  },
  {
    ...PLAIN,
    name: '--fsync-per-write',
    phases: ['putc', 'write', 'rewrite', 'seeks', 'iops', ...MADE_OR_GONE],
    kinds: ['fsync'],
    flags: ['--fsync-per-write'],
  },
  {
    ...PLAIN,
    name: '--direct',
    phases: ['putc', ...BYTES],
    kinds: ['openat', 'pwrite64', 'pread64'],
    flags: ['--direct', '--io-size', '4k'],
    parent: os.tmpdir(),
  },
  {
    ...PLAIN,
    name: '--data-files',
    phases: ['putc', 'write', 'read'],
    flags: ['--data-files', '3'],
  },
  {
    ...PLAIN,
    name: 'two runs',
    phases: ['write', 'create'],
    runs: 2,
    // The same thread writes the first run's report at that time: the order of other calls is chance.
    kinds: ['unlink', 'rename', 'mkdir', 'pwrite64'],
    reports: true,
  },
  {
    ...PLAIN,
    name: 'links',
    phases: ['write', 'create', 'stat', 'delete'],
    kinds: ['openat', 'close', 'unlink', 'mkdir', 'rmdir'],
    flags: ['--file-kind', 'hard-links'],
  },
  {
    ...PLAIN,
    name: '--json',
    phases: ['write', 'read', 'iops'],
    runs: 2,
    // A thread that gets no processor during all of a shorter phase would report no operation.
    flags: ['--iops-duration', '0.5'],
    since: 'start',
    json: true,
  },
  { ...PLAIN, name: 'missing parents', phases: ['write'], since: 'start', kinds: ['mkdir'], below: 'a/b/c' },
  { ...PLAIN, name: 'made parents', phases: ['write'], kinds: ['rmdir'], below: 'a/b/c' },
];

export function argsOf(course: Course, site: Site): readonly string[] {
  const dir = path.join(site.disk, course.below);
  return [
    ...['--dir', dir, '--phases', course.phases.join(), '--runs', String(course.runs)],
    ...(course.reports ? ['--out', site.report] : []),
    ...(course.json ? ['--json', '-v'] : []),
    ...SMALL,
    ...course.flags,
  ];
}

/** Every phase of every run, in order. */
export function turnsOf({ phases, runs }: Course): readonly string[] {
  return Array.from({ length: runs }, () => phases).flat();
}

/** Whether the call prints a phase's figure: its line, or the log line of -v with --json. */
export function tellsFigure({ json }: Course, { stdout, stderr }: Site, { name, text }: Call): boolean {
  if (name !== 'write') return false;
  return json ? text.includes(`<${stderr}>`) && text.includes('Duration') : text.includes(`<${stdout}>`);
}
