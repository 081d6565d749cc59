import { readFile } from 'node:fs/promises';

/** Returns the text of a small file of the kernel. Null if it does not exist or is not readable. */
export async function readAttribute(file: string): Promise<string | null> {
  return readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => null,
  );
}
