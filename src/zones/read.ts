import { GobonnieError } from '../errors.js';
import type { Zone } from '../report/zone-means.js';
import { SYSTEM_LOG, systemReason } from '../system-error.js';
import { display } from '../text/escape.js';
import { NS_PER_SECOND } from '../text/units.js';
import type { ZoneSource } from './source.js';

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
  for (let offsetBytes = 0; ; offsetBytes += blockBytes) {
    const startedNs = process.hrtime.bigint();
    const bytes = await readBlock(source, offsetBytes, blockBytes, memory, signal, onChunk);
    const seconds = Number(process.hrtime.bigint() - startedNs) / NS_PER_SECOND;
    if (signal.aborted) return;
    if (bytes > 0) yield { offsetBytes, bytes, seconds };
    if (bytes < blockBytes) return;
  }
}

async function readBlock(
  source: ZoneSource,
  offsetBytes: number,
  blockBytes: number,
  memory: Uint8Array,
  signal: AbortSignal,
  onChunk: (bytes: number) => void,
): Promise<number> {
  // A read past the end with O_DIRECT may fail instead of returning nothing.
  const endBytes = Math.min(offsetBytes + blockBytes, source.sizeBytes ?? Number.POSITIVE_INFINITY);
  let position = offsetBytes;
  while (position < endBytes && !signal.aborted) {
    const wanted = Math.min(memory.length, offsetBytes + blockBytes - position);
    const bytesRead = await readChunk(source, memory, wanted, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    onChunk(bytesRead);
  }
  return position - offsetBytes;
}

async function readChunk(
  { handle, file }: ZoneSource,
  memory: Uint8Array,
  bytes: number,
  position: number,
): Promise<number> {
  try {
    return (await handle.read(memory, 0, bytes, position)).bytesRead;
  } catch (cause) {
    throw new GobonnieError(
      'system-call-failed',
      `${display(file)} cannot be read at offset ${position}: ${systemReason(cause)}`,
      `check ${SYSTEM_LOG}; the disk may be failing`,
      { cause },
    );
  }
}
