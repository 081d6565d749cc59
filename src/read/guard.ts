import type * as z from 'zod';

const ORIGINAL_FILE_HINT = 'use the original, unedited file';

/** Why a file cannot be read; src/read/index.ts adds the file's name. */
export class ReadError extends Error {
  readonly hint: string;
  /** Counted from 1. Null for the whole file. */
  readonly line: number | null;

  constructor(reason: string, hint = ORIGINAL_FILE_HINT, line: number | null = null) {
    super(reason);
    this.hint = hint;
    this.line = line;
  }
}

/** Adds the line number to a ReadError that `read` throws. */
export function withLineNumber<Result>(line: number, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof ReadError ? new ReadError(error.message, error.hint, line) : error;
  }
}

/** Returns the lines of a text with their numbers. */
export function numberLines(text: string): readonly (readonly [line: string, number: number])[] {
  return text.split('\n').map((line, index) => [line, index + 1]);
}

/** Collecting every issue of a damaged file could exhaust memory. zod's types lack `abortEarly`. */
const STOP_AT_FIRST_ISSUE = { abortEarly: true, reportInput: false } as const;

/** Returns the document as parsed by its schema. Throws the first issue. */
export function validateDocument<Output>(schema: z.ZodType<Output>, document: object): Output {
  const result = schema.safeParse(document, STOP_AT_FIRST_ISSUE);
  if (result.success) return result.data;
  const [{ path, message } = { path: [], message: 'it does not match its schema' }] = result.error.issues;
  const location = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  throw new ReadError(
    `its ${location.replace(/^\./, '')} is invalid: ${message.replace(/^Invalid input: /, '')}`,
  );
}
