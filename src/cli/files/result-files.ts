import { optionError } from '../../errors.js';
import { readResults } from '../../read/index.js';
import type { Results } from '../../report/results.js';
import type { CliProcess } from '../output/terminal.js';
import { readInputFile, readStream } from './input-file.js';

/** Results with the name of their file. */
export interface FileResults extends Results {
  readonly file: string;
}

const STDIN = '-';

export function rejectStdinTwice(files: readonly string[]): void {
  if (files.indexOf(STDIN) !== files.lastIndexOf(STDIN))
    throw optionError('- is given twice', 'stdin can be read only once');
}

/** Reads all results in a file, or from stdin for `-`. */
export async function readResultFile(file: string, process: CliProcess): Promise<readonly FileResults[]> {
  const { fileName, text } = await readNamedText(file, process);
  return readResults(text, fileName).map((results) => ({ ...results, file: fileName }));
}

/** Reads the text of a file, or of stdin for `-`, with its name for messages. */
export async function readNamedText(file: string, process: CliProcess) {
  const fileName = file === STDIN ? 'stdin' : file;
  const text = await (file === STDIN ? readStream(fileName, process.stdin ?? []) : readInputFile(file));
  return { fileName, text };
}
