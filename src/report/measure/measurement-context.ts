import type { Phase } from '../../../workers/phases/phase.js';
import type { MountedFilesystem } from '../../machine/filesystem.js';
import type { Measurement } from '../schema/measurement-schema.js';

export interface MeasurementContext extends MountedFilesystem {
  readonly isMemory: boolean;
  readonly ioUnit: Phase['ioUnit'];
  readonly access: Phase['access'];
  readonly isDirect: boolean;
  /** True if the clock stops only after the written data is synced. */
  readonly isSynced: boolean;
  readonly dataBytes: number;
  readonly memoryBytes: number;
  readonly platform: string;
  readonly requestedCache: string;
  readonly hasStonewall: boolean;
  /** The rate of this phase if the page cache serves it. Null if unknown. */
  readonly ceilingPerSecond: number | null;
}

/** True if the clock stops only after the written data is synced. For small files, --fsync syncs only the names. */
export function isDataSynced(ioUnit: Phase['ioUnit'], fsync: boolean, fsyncPerWrite: boolean): boolean {
  // --fsync-per-write does not apply to single bytes.
  if (ioUnit === 'bytes') return fsync;
  return fsyncPerWrite || (fsync && ioUnit !== 'files');
}

/** True if the phase created, statted or deleted small files without moving data. */
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
