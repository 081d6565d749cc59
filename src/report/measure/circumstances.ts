import type { Phase } from '../../../workers/phases/phase.js';
import type { MountedFilesystem } from '../../machine/filesystem.js';

/** Where and how a phase was measured. */
export interface Circumstances extends MountedFilesystem {
  readonly isMemory: boolean;
  readonly moves: Phase['moves'];
  readonly isDirect: boolean;
  /** Whether the clock stops only after what was written is synced. */
  readonly isSynced: boolean;
  readonly dataBytes: number;
  readonly memoryBytes: number;
  readonly platform: string;
  /** What --cache asked for. */
  readonly cacheAsked: string;
  /** The rate of this phase if memory serves it. Null if unknown. */
  readonly ceilingPerSecond: number | null;
}
