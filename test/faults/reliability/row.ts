import type { Moment } from './moment.js';
import type { PromiseNumber } from './promises.js';
import type { Seen } from './trial.js';

/**
 * One fault and what gobonnie has to make of it. The scripts are run as they stand, by `sh`, and printed as they stand;
 * `$DIR`, `$WORK` and the other variables are those of the workshop.
 */
export interface Row {
  /** What goes wrong. */
  readonly fault: string;
  /** Makes the place in which it does. */
  readonly given?: string;
  readonly command: string;
  /** What happens on the way. */
  readonly strike?: { readonly at: Moment; readonly by: string };
  /** After which it can be seen what was left. */
  readonly revival?: string;
  readonly promises: readonly PromiseNumber[];
  readonly exitCode: 0 | 1 | 2;
  /** What stdout gave before the end: figures, or complete runs. */
  readonly told: readonly string[];
  /** What matters of the last line, or of any when nothing failed. */
  readonly says?: RegExp;
  /** What else has to hold. */
  readonly holds?: (seen: Seen) => void;
}

/** Rows of one kind, under one heading. */
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

/** What a row needs, for `needs`. */
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
