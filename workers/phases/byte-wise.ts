import type { ByteStreamSetup } from '../files/byte-stream.js';
import type { SliceFile } from '../files/slice-file.js';
import type { Manner } from '../protocol.js';
import type { Station } from './phase.js';

/** Where the byte-wise part of a slice ends: no later than the slice. */
export function byteWiseEnd({ slice }: SliceFile, { byteWiseBytes }: Manner): number {
  return slice.offsetBytes + Math.min(byteWiseBytes, slice.lengthBytes);
}

/** What a stream takes of the file and the station. */
export function streamSetup(
  { fd, slice }: SliceFile,
  { manner, lock, progress, latency, flags }: Station,
): ByteStreamSetup {
  return {
    fd,
    positionBytes: slice.offsetBytes,
    lock: manner.byteMode === 'locked' ? lock : null,
    progress,
    latency,
    flags,
  };
}
