import type * as z from 'zod';
import { GobonnieError } from '../errors.js';
import { display } from '../text/escape.js';

const ORIGINAL_FILE_HINT = 'use the original, unedited file';

/** Why a file cannot be read; `withFileName` adds the file's name. */
export class ReadError extends Error {
  readonly hint: string;
  /** Counted from 1. Null for the whole file. */
  line: number | null = null;

  constructor(reason: string, hint = ORIGINAL_FILE_HINT) {
    super(reason);
    this.hint = hint;
  }
}

/** Adds the name to a ReadError that `read` throws. */
export function withFileName<Result>(name: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    const location = error.line === null ? '' : `, line ${error.line}`;
    const message = `${display(name)}${location} cannot be read: ${error.message}`;
    throw new GobonnieError('input-unreadable', message, error.hint, { cause: error });
  }
}

/** Returns the results of `read` for all lines, without nulls. Adds the line number to a ReadError that it throws. */
export function readLines<Result>(text: string, read: (line: string) => Result | null): readonly Result[] {
  const results: Result[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    try {
      const result = read(line);
      if (result !== null) results.push(result);
    } catch (error) {
      if (error instanceof ReadError) error.line = index + 1;
      throw error;
    }
  }
  return results;
}

/** Collecting every issue of a damaged file could exhaust memory. zod's types lack `abortEarly`. */
const STOP_AT_FIRST_ISSUE = { abortEarly: true, reportInput: false } as const;

export function checkSchema({ schema }: { readonly schema?: unknown }, expected: string): void {
  if (schema !== expected)
    throw new ReadError(
      `its schema is ${display(schema)}, not ${expected}`,
      'read it with the version of gobonnie that wrote it',
    );
}

/** Returns the document itself, because zod's copy would lack fields of later versions. Throws the first issue. */
export function validateDocument<Output>(schema: z.ZodType<Output>, document: object): Output {
  const result = schema.safeParse(document, STOP_AT_FIRST_ISSUE);
  if (result.success) return document as Output;
  const [{ path, message } = { path: [], message: 'it does not match its schema' }] = result.error.issues;
  const location = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  throw new ReadError(
    `its ${location.replace(/^\./, '')} is invalid: ${message.replace(/^Invalid input: /, '')}`,
  );
}
