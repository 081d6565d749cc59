import { GobonnieError } from '../errors.js';
import type { Zone } from '../report/zones.js';
import { systemReason } from '../system-error.js';
import { shown } from '../text/escape.js';
import { NS_PER_SECOND } from '../text/units.js';
import type { Source } from './source.js';

/**
 * Reads front to back, block by block; `memory` takes one chunk after the other, each of which is told
 * as it comes. A signal ends it between two chunks, and the block that was begun is not told.
 */
export async function* readZones(
  source: Source,
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

/** How much of the block there was. */
async function readBlock(
  source: Source,
  offsetBytes: number,
  blockBytes: number,
  memory: Uint8Array,
  signal: AbortSignal,
  onChunk: (bytes: number) => void,
): Promise<number> {
  // Behind the end O_DIRECT may find fault with the offset instead of saying that nothing is there.
  const endBytes = Math.min(offsetBytes + blockBytes, source.sizeBytes ?? Number.POSITIVE_INFINITY);
  let position = offsetBytes;
  while (position < endBytes && !signal.aborted) {
    const wanted = Math.min(memory.length, offsetBytes + blockBytes - position);
    const got = await readChunk(source, memory, wanted, position);
    if (got === 0) break;
    position += got;
    onChunk(got);
  }
  return position - offsetBytes;
}

async function readChunk(
  { handle, file }: Source,
  memory: Uint8Array,
  bytes: number,
  position: number,
): Promise<number> {
  try {
    return (await handle.read(memory, 0, bytes, position)).bytesRead;
  } catch (cause) {
    throw new GobonnieError(
      'system-failed',
      `${shown(file)} could not be read at offset ${position}: ${systemReason(cause)}`,
      'look at the system log (dmesg): a disk that cannot be read may be failing',
      { cause },
    );
  }
}
