import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { optionError } from '../../errors.js';
import { readResults } from '../../read/index.js';
import type { Results } from '../../report/results.js';
import { errorWithReason, pathIndependentHint } from '../../system-error.js';
import { display } from '../../text/escape.js';
import { formatBytes, MIB } from '../../text/units.js';
import type { CliProcess } from '../output/terminal.js';

const STDIN = '-';
const MAX_INPUT_BYTES = 64 * MIB;
/** The first bytes of UTF-16, the encoding of redirected output in Windows PowerShell. */
const UTF_16 = Buffer.of(0xff, 0xfe);

type Chunks = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array>;

/** The path of an open pipe, which shells pass for `<(command)`. Opening it does not wait for a writer. */
const OPEN_PIPE = /^\/dev\/(?:fd\/\d+|stdin)$/;

/** Reads a regular file, or an open pipe, as text. */
export function readInputFile(filePath: string, maxBytes = MAX_INPUT_BYTES): Promise<string> {
  return describeErrors(filePath, async () => {
    // Check before opening, because opening a device may have side effects.
    const stats = await stat(filePath);
    const isPipe = stats.isFIFO() && OPEN_PIPE.test(filePath);
    if (!stats.isFile() && !isPipe) throw new Error('it is not a regular file');
    return readText(createReadStream(filePath), maxBytes);
  });
}

async function readText(stream: Chunks, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Uint8Array);
    sizeBytes += bytes.length;
    if (sizeBytes > maxBytes) throw new Error(`it is larger than ${formatBytes(maxBytes)}`);
    chunks.push(bytes);
  }
  const bytes = Buffer.concat(chunks);
  const isUtf16 = bytes.subarray(0, UTF_16.length).equals(UTF_16);
  // Leaves out the byte order mark that some editors write.
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes);
}

async function describeErrors(name: string, read: () => Promise<string>): Promise<string> {
  try {
    return await read();
  } catch (cause) {
    const hint = pathIndependentHint(cause) ?? 'check the path';
    throw errorWithReason('input-unreadable', `${display(name)} cannot be read`, cause, hint);
  }
}

export interface NamedResults extends Results {
  readonly name: string;
}

export function rejectStdinTwice(files: readonly string[]): void {
  if (files.indexOf(STDIN) !== files.lastIndexOf(STDIN))
    throw optionError('- is given twice', 'stdin can be read only once');
}

/** Reads all results in a file, or from stdin for `-`. */
export async function readResultFile(file: string, process: CliProcess): Promise<readonly NamedResults[]> {
  return nameResults(await readNamedText(file, process));
}

export function nameResults({ name, text }: { readonly name: string; readonly text: string }) {
  return readResults(text, name).map((results): NamedResults => ({ ...results, name }));
}

/** Reads the text of a file, or of stdin for `-`, with its name for messages. */
export async function readNamedText(file: string, process: CliProcess) {
  if (file !== STDIN) return { name: file, text: await readInputFile(file) };
  const readStdin = () => readText(process.stdin ?? [], MAX_INPUT_BYTES);
  return { name: 'stdin', text: await describeErrors('stdin', readStdin) };
}
