import { type CallPosition, phaseSequence, type Scenario } from './scenario.js';
import type { SyscallKind } from './syscall-kind.js';

/** The thread that makes a call on the run's files: that of libuv's pool, or the worker. */
export type Role = 'pool' | 'worker';

/** A call that can be made to fail, as seen in a run without a fault. */
export interface Target {
  readonly scenario: Scenario;
  /** How many figures were printed before it. */
  readonly figures: number;
  readonly role: Role;
  readonly kind: SyscallKind;
  readonly call: string;
  /** Its number among the calls of this name, counted from `since` of the course. */
  readonly number: number;
  readonly position: CallPosition;
  /** Relative to the site's home. */
  readonly file: string;
}

/** Whether the call is on the report file, and not part of a phase. */
export function isOnReport({ file }: Pick<Target, 'file'>): boolean {
  return file.startsWith('reports');
}

/** Whether the call removes the run's files at its end. */
export function isRemoval({ scenario, figures, role, kind }: Omit<Target, 'position'>): boolean {
  const isOver = figures === phaseSequence(scenario).length;
  return isOver && role === 'pool' && (kind === 'unlink' || kind === 'rmdir');
}

export function describeTarget({ scenario, figures, role, position, call, number, file }: Target): string {
  const turn = phaseSequence(scenario)[figures] ?? 'clean-up';
  return `${scenario.name}, ${turn} after ${figures} figures: the ${role}'s ${position} ${call} (${number}), on ${file}`;
}
