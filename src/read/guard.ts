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

/** Yields the lines of a text with their numbers; there may be millions. */
export function* numberedLines(text: string): Generator<readonly [line: string, number: number]> {
  let number = 1;
  for (let start = 0; start < text.length; number++) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    yield [text.slice(start, end), number];
    start = end + 1;
  }
}

/** Maximum per file. Even a short line becomes kilobytes in memory. */
const MAX_RESULTS = 50_000;

export function rejectTooManyResults(count: number): void {
  if (count > MAX_RESULTS)
    throw new ReadError(`it holds more than ${MAX_RESULTS} results`, 'split it into several files');
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

/** Far deeper than any report, and about the deepest that JSON.stringify can write. */
const MAX_DEPTH = 1000;
/** As many as in the largest report. Empty brackets take twenty times their length in memory. */
const MAX_VALUES = 8_000_000;

/** JSON.parse builds the whole document, so reject text that would take far more memory than its length. */
export function rejectOversized(text: string): void {
  let depth = 0;
  let values = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (isQuoted) {
      if (char === '\\') at++;
      else if (char === '"') isQuoted = false;
      continue;
    }
    switch (char) {
      case '"':
        isQuoted = true;
        break;
      case '{':
      case '[':
        depth++;
        values++;
        break;
      case '}':
      case ']':
        depth--;
        break;
      case ',':
      case ':':
        values++;
        break;
    }
    if (depth > MAX_DEPTH) throw new ReadError(`it is nested more than ${MAX_DEPTH} levels deep`);
    if (values > MAX_VALUES) throw new ReadError(`it holds more than ${MAX_VALUES} values`);
  }
}
