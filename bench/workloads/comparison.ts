import { type Cell, type Statistic, type StepSeconds, summarizeStep } from './agreement.js';

/** All rounds of the real tools and of the model on one filesystem. */
export interface FilesystemRounds {
  readonly filesystem: string;
  readonly isNative: boolean;
  readonly real: readonly StepSeconds[];
  readonly model: readonly StepSeconds[];
}

/** A step of the model, the real tool, and the largest error allowed on the filesystems with a goal. */
export interface Workload {
  readonly step: string;
  readonly tool: string;
  readonly goal?: { readonly maxError: number; appliesTo(cell: Cell): boolean };
}

/** Below it, a status is mostly the start of git. */
const SHORT_STATUS_SECONDS = 0.2;

const anywhere = { maxError: 1.5, appliesTo: () => true };
const onNative = { maxError: 1.25, appliesTo: ({ isNative }: Cell) => isNative };
const ifLong = { maxError: 1.5, appliesTo: ({ real }: Cell) => real > SHORT_STATUS_SECONDS };

export const WORKLOADS: readonly Workload[] = [
  { step: 'install', tool: '`npm ci`, warm cache' },
  { step: 'flush', tool: '`sync` after `npm ci`' },
  { step: 'status', tool: '`git status`', goal: ifLong },
  { step: 'status-cold', tool: '`git status`, cold', goal: ifLong },
  { step: 'clean', tool: '`rm -rf`', goal: anywhere },
  { step: 'restore', tool: '`tar x`', goal: anywhere },
  { step: 'commit-journal', tool: 'SQLite, rollback journal', goal: onNative },
  { step: 'commit-wal', tool: 'SQLite, WAL, synchronous=FULL', goal: onNative },
];

/** A mode of SQLite that no step models, because its commits flush nothing. */
export const WITHOUT_MODEL = 'commit-wal-normal';

/** Returns the filesystems on which both the tool and the model were measured. */
export function compareStep(
  results: readonly FilesystemRounds[],
  step: string,
  statistic: Statistic,
): readonly Cell[] {
  return results
    .map(({ filesystem, isNative, real, model }) => ({
      filesystem,
      isNative,
      real: summarizeStep(real, step, statistic),
      model: summarizeStep(model, step, statistic),
    }))
    .filter((cell) => cell.real > 0 && cell.model > 0);
}
