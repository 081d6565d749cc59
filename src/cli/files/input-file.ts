import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { GobonnieError } from '../../errors.js';
import { pathIndependentHint, systemReason } from '../../system-error.js';
import { display } from '../../text/escape.js';
import { formatBytes, MIB } from '../../text/units.js';

const MAX_INPUT_BYTES = 64 * MIB;

/** Reads a regular file as text. */
export async function readInputFile(filePath: string, maxBytes = MAX_INPUT_BYTES): Promise<string> {
  // Check before opening, because opening a device may have side effects.
  const stats = await wrapErrors(filePath, stat(filePath));
  if (!stats.isFile()) throw inputError(filePath, 'it is not a regular file');
  return readStream(filePath, createReadStream(filePath), maxBytes);
}

export async function readStream(
  filePath: string,
  stream: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array>,
  maxBytes = MAX_INPUT_BYTES,
): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  const read = async () => {
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk as Uint8Array);
      sizeBytes += bytes.length;
      if (sizeBytes > maxBytes) throw inputError(filePath, `it is larger than ${formatBytes(maxBytes)}`);
      chunks.push(bytes);
    }
  };
  await wrapErrors(filePath, read());
  return decodeText(Buffer.concat(chunks));
}

/** The first bytes of UTF-16, the encoding of redirected output in Windows PowerShell. */
const UTF_16 = Buffer.of(0xff, 0xfe);

function decodeText(bytes: Buffer): string {
  return bytes.subarray(0, UTF_16.length).equals(UTF_16)
    ? bytes.toString('utf16le', UTF_16.length)
    : bytes.toString();
}

async function wrapErrors<Result>(filePath: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof GobonnieError) throw error;
    throw inputError(filePath, systemReason(error), error);
  }
}

function inputError(filePath: string, reason: string, cause?: unknown): GobonnieError {
  return new GobonnieError(
    'input-unreadable',
    `${display(filePath)} cannot be read: ${reason}`,
    pathIndependentHint(cause) ?? 'pass a result file that you may read',
    { cause },
  );
}
