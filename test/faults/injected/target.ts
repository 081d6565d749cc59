import { type CallPosition, phaseSequence, type Scenario } from './scenario.js';
import type { SyscallKind } from './syscall-kind.js';

/** The thread that makes a call on the run's files: libuv's pool thread or the worker. */
export type Role = 'pool' | 'worker';

/** A call that can fail, found in a run without a fault. */
export interface Target {
  readonly scenario: Scenario;
  /** Number of results printed before the call. */
  readonly resultCount: number;
  readonly role: Role;
  readonly kind: SyscallKind;
  readonly call: string;
  /** Number of the call among the calls of this name, counted from the scenario's `since`. */
  readonly number: number;
  readonly position: CallPosition;
  /** Path relative to the run's `home`. */
  readonly file: string;
}

/** Returns true if the call is on the report file, so not part of a phase. */
export function isOnReport({ file }: Pick<Target, 'file'>): boolean {
  return file.startsWith('reports');
}

/** Returns true if the call removes the run's files at its end. */
export function isRemoval({ scenario, resultCount, role, kind }: Omit<Target, 'position'>): boolean {
  const isOver = resultCount === phaseSequence(scenario).length;
  return isOver && role === 'pool' && (kind === 'unlink' || kind === 'rmdir');
}

export function describeTarget({
  scenario,
  resultCount,
  role,
  position,
  call,
  number,
  file,
}: Target): string {
  const phase = phaseSequence(scenario)[resultCount] ?? 'clean-up';
  return `${scenario.name}, ${phase} after ${resultCount} results: the ${role}'s ${position} ${call} (${number}), on ${file}`;
}
