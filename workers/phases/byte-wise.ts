import type { ByteStreamSetup } from '../files/byte-stream.js';
import type { SliceFile } from '../files/slice-file.js';
import type { Transfer } from '../protocol.js';
import type { PhaseContext } from './phase.js';

/** Where the byte-wise part of a slice ends. */
export function byteWiseEnd(
  { slice }: SliceFile,
  { byteWiseBytes }: Pick<Transfer, 'byteWiseBytes'>,
): number {
  return slice.offsetBytes + Math.min(byteWiseBytes, slice.lengthBytes);
}

export function streamSetup(
  { fd, slice }: SliceFile,
  { transfer, lock, progress, latency, flags }: PhaseContext,
): ByteStreamSetup {
  return {
    fd,
    positionBytes: slice.offsetBytes,
    lock: transfer.byteMode === 'locked' ? lock : null,
    progress,
    latency,
    flags,
  };
}
