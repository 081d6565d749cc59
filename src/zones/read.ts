import { elapsedSeconds } from '../report/measure/elapsed.js';
import { errorWithReason, SYSTEM_LOG } from '../system-error.js';
import { display } from '../text/escape.js';
import type { ZoneSource } from './source.js';
import type { Zone } from './zone.js';

/**
 * Reads from front to back and yields the time of each block. Reads a block in chunks as long as `memory`, and calls
 * `onChunk` after each chunk. An abort takes effect between two chunks; the unfinished block is not yielded.
 */
export async function* readZones(
  source: ZoneSource,
  blockBytes: number,
  memory: Uint8Array,
  signal: AbortSignal,
  onChunk: (bytes: number) => void = () => {},
): AsyncGenerator<Zone> {
  // A read past the end with O_DIRECT may fail instead of returning nothing.
  const sizeBytes = source.sizeBytes ?? Number.POSITIVE_INFINITY;
  for (let offsetBytes = 0; ; offsetBytes += blockBytes) {
    const startedNs = process.hrtime.bigint();
    const endBytes = offsetBytes + blockBytes;
    let position = offsetBytes;
    while (position < Math.min(endBytes, sizeBytes) && !signal.aborted) {
      const wantedBytes = Math.min(memory.length, endBytes - position);
      const bytesRead = await readChunk(source, memory, wantedBytes, position);
      if (bytesRead === 0) break;
      position += bytesRead;
      onChunk(bytesRead);
    }
    const elapsedNs = process.hrtime.bigint() - startedNs;
    if (signal.aborted) return;
    const bytes = position - offsetBytes;
    if (bytes > 0) yield { offsetBytes, bytes, seconds: elapsedSeconds(source.file, elapsedNs, bytes) };
    if (position < endBytes) return;
  }
}

async function readChunk({ handle, file }: ZoneSource, memory: Uint8Array, bytes: number, position: number) {
  try {
    return (await handle.read(memory, 0, bytes, position)).bytesRead;
  } catch (cause) {
    const message = `${display(file)} cannot be read at offset ${position}`;
    const hint = `check ${SYSTEM_LOG}; the disk may be failing`;
    throw errorWithReason('system-call-failed', message, cause, hint);
  }
}
