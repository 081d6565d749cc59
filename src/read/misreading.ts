/** What helps where a file was damaged. */
export const WHOLE = 'take the file as it was written';

/** Why something cannot be read. Who reads the file adds its name. */
export class Misreading extends Error {
  readonly hint: string;
  /** From 1; null where it is about the whole. */
  readonly line: number | null;

  constructor(reason: string, hint: string, line: number | null = null) {
    super(reason);
    this.hint = hint;
    this.line = line;
  }
}

/** Does it for the line; what it throws names the line. */
export function atLine<Result>(line: number, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof Misreading ? new Misreading(error.message, error.hint, line) : error;
  }
}
