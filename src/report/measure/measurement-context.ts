import type { Phase } from '../../../workers/phases/phase.js';
import type { MountedFilesystem } from '../../machine/filesystem.js';
import type { Measurement } from '../schema/measurement-schema.js';

/** Where and how a phase was measured. */
export interface MeasurementContext extends MountedFilesystem {
  readonly isMemory: boolean;
  readonly ioUnit: Phase['ioUnit'];
  readonly access: Phase['access'];
  readonly isDirect: boolean;
  /** Whether the clock stops only after what was written is synced. */
  readonly isSynced: boolean;
  readonly dataBytes: number;
  readonly memoryBytes: number;
  readonly platform: string;
  /** The value of --cache. */
  readonly requestedCache: string;
  /** The rate of this phase if the page cache serves it. Null if unknown. */
  readonly ceilingPerSecond: number | null;
}

/** Whether the clock stops only after the data that a phase wrote is synced: of small files --fsync syncs only the names. */
export function isDataSynced(ioUnit: Phase['ioUnit'], fsync: boolean, fsyncPerWrite: boolean): boolean {
  // --fsync-per-write leaves single bytes out.
  if (ioUnit === 'bytes') return fsync;
  return fsyncPerWrite || (fsync && ioUnit !== 'files');
}

/** True if it created, statted or deleted small files without moving data. */
export function isMetadataOnly(
  { readBytes, writtenBytes }: Pick<Measurement, 'readBytes' | 'writtenBytes'>,
  { ioUnit }: Pick<MeasurementContext, 'ioUnit'>,
): boolean {
  return ioUnit === 'files' && readBytes + writtenBytes === 0;
}

export function isReadPhase(
  measurement: Measurement,
  context: Pick<MeasurementContext, 'ioUnit' | 'access'>,
): boolean {
  return isMetadataOnly(measurement, context) ? context.access === 'uses' : measurement.readBytes > 0;
}
