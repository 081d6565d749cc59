import type { GuaranteeNumber } from './guarantees.js';
import type { InjectionPoint } from './injection-point.js';
import type { Observation } from './run-fault-case.js';

/**
 * One fault and what gobonnie has to do. `sh` runs the scripts unchanged, and the page prints them unchanged;
 * `$DIR`, `$WORK` and the other variables are those of the sandbox.
 */
export interface FaultCase {
  /** What goes wrong. */
  readonly fault: string;
  /** Prepares the directory. */
  readonly setup?: string;
  readonly command: string;
  /** What happens during the run. */
  readonly trigger?: { readonly at: InjectionPoint; readonly script: string };
  /** Makes visible again what was left. */
  readonly restore?: string;
  readonly guarantees: readonly GuaranteeNumber[];
  readonly exitCode: 0 | 1 | 2 | 141;
  /** What stdout has at the end: figures, or complete runs. */
  readonly expectedOutput: readonly string[];
  /** Matches the last line, or any line when nothing failed. */
  readonly expectedMessage?: RegExp;
  /** Further checks. */
  readonly verifyOutcome?: (observation: Observation) => void;
}

/** Rows under one heading. */
export interface FaultGroup {
  readonly title: string;
  readonly cases: readonly FaultCase[];
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
export function requiredTools({ setup = '', command, trigger, restore = '' }: FaultCase): readonly string[] {
  const script = [setup, command, trigger?.script, restore].join('\n');
  const programs = PROGRAMS.filter((name) => script.split(/[\s;()|]+/).includes(name));
  return [
    'root',
    ...programs,
    ...(trigger ? ['strace'] : []),
    ...(script.includes('$NOBODY') ? ['setpriv'] : []),
    ...(script.match(/\/sys\/fs\/cgroup\/\w+/g) ?? []),
    ...(/bindfs|nbdfuse/.test(script) ? ['/dev/fuse'] : []),
  ];
}
