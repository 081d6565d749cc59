import { type Cell, medianSeconds, type StepSeconds } from './agreement.js';

/** All rounds of the real tools and of the model on one filesystem. */
export interface FilesystemRounds {
  readonly filesystem: string;
  readonly isNative: boolean;
  readonly real: readonly StepSeconds[];
  readonly model: readonly StepSeconds[];
}

/** A step of the model, the real tool that it models, and the goal for their agreement. */
export interface Workload {
  readonly step: string;
  readonly tool: string;
  /** The largest error allowed on the filesystems with a goal. Null without a goal for the ratio. */
  readonly goal: number | null;
  /** True for a filesystem with a goal. */
  hasGoal(cell: Cell): boolean;
}

/** Below it, a status is mostly the start of git. */
const SHORT_STATUS_SECONDS = 0.2;

const everywhere = () => true;
const onNative = ({ isNative }: Cell) => isNative;
const ifLong = ({ real }: Cell) => real > SHORT_STATUS_SECONDS;

// biome-ignore format: a row per workload
export const WORKLOADS: readonly Workload[] = [
  { step: 'install', tool: '`npm ci`, warm cache', goal: null, hasGoal: everywhere },
  { step: 'flush', tool: '`sync` after `npm ci`', goal: null, hasGoal: everywhere },
  { step: 'status', tool: '`git status`', goal: 1.5, hasGoal: ifLong },
  { step: 'status-cold', tool: '`git status`, cold', goal: 1.5, hasGoal: ifLong },
  { step: 'clean', tool: '`rm -rf`', goal: 1.5, hasGoal: everywhere },
  { step: 'restore', tool: '`tar x`', goal: 1.5, hasGoal: everywhere },
  { step: 'commit-journal', tool: 'SQLite, rollback journal', goal: 1.25, hasGoal: onNative },
  { step: 'commit-wal', tool: 'SQLite, WAL, synchronous=FULL', goal: 1.25, hasGoal: onNative },
];

/** The real tool has this mode, but no step models it: it flushes nothing. */
export const WITHOUT_MODEL = { step: 'commit-wal-normal', tool: 'SQLite, WAL, synchronous=NORMAL' } as const;

/** Returns the filesystems on which both the tool and the model were measured. */
export function compareStep(results: readonly FilesystemRounds[], step: string): readonly Cell[] {
  return results
    .map(({ filesystem, isNative, real, model }) => ({
      filesystem,
      isNative,
      real: medianSeconds(real, step),
      model: medianSeconds(model, step),
    }))
    .filter((cell) => cell.real > 0 && cell.model > 0);
}
