import type { GuaranteeNumber } from './guarantees.js';
import type { InjectionPoint } from './injection-point.js';
import type { Observation } from './run-fault-case.js';

/**
 * A fault and the required reaction. `sh` runs the scripts, and the page shows them verbatim; the sandbox sets
 * `$DIR`, `$WORK` and the other variables.
 */
export interface FaultCase {
  /** Name of the fault in the table. */
  readonly fault: string;
  /** Prepares the directory. */
  readonly setup?: string;
  readonly command: string;
  /** Script that runs while the command is stopped. */
  readonly trigger?: { readonly at: InjectionPoint; readonly script: string };
  /** Restores access to the directory after the run. */
  readonly restore?: string;
  readonly guarantees: readonly GuaranteeNumber[];
  readonly exitCode: 0 | 1 | 2 | 141;
  /** Result titles that stdout must show, or the number of complete runs. */
  readonly expectedOutput: readonly string[];
  /** Matches the last line, or any line if nothing failed. */
  readonly expectedMessage?: RegExp;
  /** Further checks. */
  readonly verifyOutcome?: (observation: Observation) => void;
}

/** Cases under one heading. */
export interface FaultGroup {
  readonly title: string;
  readonly cases: readonly FaultCase[];
}

const PROGRAMS = `
  mount umount mountpoint losetup mkfs.ext4 mkfs.xfs mkfs.btrfs btrfs xfs_io chattr filefrag awk dd bindfs nbdfuse
  nbdkit prlimit strace mkfifo mknod`
  .trim()
  .split(/\s+/);

/** Returns the tools that a case needs, for `requireTools`. */
export function requiredTools({ setup = '', command, trigger, restore = '' }: FaultCase): readonly string[] {
  const script = [setup, command, trigger?.script, restore].join('\n');
  const programs = PROGRAMS.filter((name) => script.split(/[\s;()|]+/).includes(name));
  const cgroups = script.match(/\/sys\/fs\/cgroup\/\w+/g) ?? [];
  const tools = ['root', ...programs, ...cgroups];
  if (trigger) tools.push('strace');
  if (script.includes('$NOBODY')) tools.push('setpriv');
  if (/bindfs|nbdfuse/.test(script)) tools.push('/dev/fuse');
  return tools;
}
