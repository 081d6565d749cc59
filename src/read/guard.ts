const WHOLE_FILE = 'take the file as it was written';

/** Why something cannot be read. Whoever reads the file adds its name. */
export class Misreading extends Error {
  readonly hint: string;
  /** From 1; null if it is about the whole file. */
  readonly line: number | null;

  constructor(reason: string, hint = WHOLE_FILE, line: number | null = null) {
    super(reason);
    this.hint = hint;
    this.line = line;
  }
}

/** What `read` throws names the line. */
export function atLine<Result>(line: number, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof Misreading ? new Misreading(error.message, error.hint, line) : error;
  }
}

/** The lines of a text with their numbers, one at a time: there may be millions. */
export function* linesOf(text: string): Generator<readonly [line: string, number: number]> {
  let number = 1;
  for (let start = 0; start < text.length; number++) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    yield [text.slice(start, end), number];
    start = end + 1;
  }
}

/** In one file. Each takes kilobytes, however short its text is. */
const MOST_RESULTS = 50_000;

export function refuseMany(count: number): void {
  if (count > MOST_RESULTS)
    throw new Misreading(`it holds more than ${MOST_RESULTS} results`, 'give it in several files');
}

interface Schema<Output> {
  safeParse(
    document: unknown,
    how: typeof FIRST_ISSUE,
  ):
    | { readonly success: true; readonly data: Output }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Collecting every issue of a damaged file could exhaust memory. zod's own types do not show `abortEarly`. */
const FIRST_ISSUE = { abortEarly: true, reportInput: false } as const;

/** The document as its schema takes it; throws with the first issue. */
export function validated<Output>(schema: Schema<Output>, document: object): Output {
  const result = schema.safeParse(document, FIRST_ISSUE);
  if (result.success) return result.data;
  const [{ path, message } = { path: [], message: 'it is not valid' }] = result.error.issues;
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  throw new Misreading(
    `its ${place.replace(/^\./, '')} is wrong: ${message.replace(/^Invalid input: /, '')}`,
  );
}

/** Far deeper than any report, and about as deep as can be written again. */
const DEEPEST = 1000;
/** As many figures as the largest file holds. Empty brackets would take twenty times their length in memory. */
const MOST_VALUES = 8_000_000;

/** JSON is parsed as a whole, so what would take far more memory than its length suggests is refused before. */
export function refuseSprawl(text: string): void {
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
    if (depth > DEEPEST) throw new Misreading(`it is nested more than ${DEEPEST} deep`);
    if (values > MOST_VALUES) throw new Misreading(`it holds more than ${MOST_VALUES} values`);
  }
}
