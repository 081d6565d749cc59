import { constants, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { GobonnieError } from '../../errors.js';
import { pathIndependentHint, systemReason } from '../../system-error.js';
import { display } from '../../text/escape.js';
import { MIB, formatBytes } from '../../text/units.js';

const MOST_BYTES = 64 * MIB;

/** The text of a regular file. */
export async function readInputFile(given: string, mostBytes = MOST_BYTES): Promise<string> {
  // Opening a device may already do something.
  mustBeFile(given, await attempted(given, stat(given)), mostBytes);
  // If it has become a FIFO in between, opening must not block.
  const file = await attempted(given, open(given, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)));
  try {
    mustBeFile(given, await file.stat(), mostBytes);
    return await readStream(given, file.createReadStream({ autoClose: false }), mostBytes);
  } finally {
    await file.close();
  }
}

export async function readStream(
  given: string,
  stream: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array>,
  mostBytes = MOST_BYTES,
): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  const read = async () => {
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk as Uint8Array);
      sizeBytes += bytes.length;
      if (sizeBytes > mostBytes) throw tooLarge(given, mostBytes);
      chunks.push(bytes);
    }
  };
  await attempted(given, read());
  return textOf(Buffer.concat(chunks));
}

/** Windows PowerShell redirects as UTF-16, which begins with these bytes. */
const UTF_16 = Buffer.of(0xff, 0xfe);

function textOf(bytes: Buffer): string {
  return bytes.subarray(0, UTF_16.length).equals(UTF_16)
    ? bytes.toString('utf16le', UTF_16.length)
    : bytes.toString();
}

function mustBeFile(given: string, found: Stats, mostBytes: number): void {
  if (!found.isFile()) throw refusal(given, 'it is not a regular file');
  if (found.size > mostBytes) throw tooLarge(given, mostBytes);
}

function tooLarge(given: string, mostBytes: number): GobonnieError {
  return refusal(given, `it is larger than ${formatBytes(mostBytes)}`);
}

async function attempted<Result>(given: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof GobonnieError) throw error;
    throw refusal(given, systemReason(error), error);
  }
}

function refusal(given: string, reason: string, cause?: unknown): GobonnieError {
  return new GobonnieError(
    'input-unreadable',
    `${display(given)} cannot be read: ${reason}`,
    pathIndependentHint(cause) ?? 'pass a result file that you may read',
    { cause },
  );
}
