import type { Moment } from './moment.js';
import type { PromiseNumber } from './promises.js';
import type { Seen } from './trial.js';

/**
 * One fault and what gobonnie has to do. `sh` runs the scripts unchanged, and the page prints them unchanged;
 * `$DIR`, `$WORK` and the other variables are those of the workshop.
 */
export interface Row {
  /** What goes wrong. */
  readonly fault: string;
  /** Prepares the directory. */
  readonly given?: string;
  readonly command: string;
  /** What happens during the run. */
  readonly strike?: { readonly at: Moment; readonly by: string };
  /** Makes visible again what was left. */
  readonly revival?: string;
  readonly promises: readonly PromiseNumber[];
  readonly exitCode: 0 | 1 | 2 | 141;
  /** What stdout has at the end: figures, or complete runs. */
  readonly told: readonly string[];
  /** Matches the last line, or any line when nothing failed. */
  readonly says?: RegExp;
  /** Further checks. */
  readonly holds?: (seen: Seen) => void;
}

/** Rows under one heading. */
export interface Family {
  readonly title: string;
  readonly rows: readonly Row[];
}

const PROGRAMS = [
  ...['mount', 'umount', 'mountpoint', 'losetup', 'mkfs.ext4', 'mkfs.xfs', 'mkfs.btrfs', 'btrfs', 'xfs_io'],
  ...[
    'chattr',
    'filefrag',
    'awk',
    'dd',
    'bindfs',
    'nbdfuse',
    'nbdkit',
    'prlimit',
    'strace',
    'mkfifo',
    'mknod',
  ],
];

/** The tools of a row, for `needs`. */
export function toolsOf({ given = '', command, strike, revival = '' }: Row): readonly string[] {
  const script = [given, command, strike?.by, revival].join('\n');
  const programs = PROGRAMS.filter((name) => script.split(/[\s;()|]+/).includes(name));
  return [
    'root',
    ...programs,
    ...(strike ? ['strace'] : []),
    ...(script.includes('$NOBODY') ? ['setpriv'] : []),
    ...(script.match(/\/sys\/fs\/cgroup\/\w+/g) ?? []),
    ...(/bindfs|nbdfuse/.test(script) ? ['/dev/fuse'] : []),
  ];
}
