import { type Sentence, spelled } from './text/sentence.js';

/** `usage`: the request was refused before anything was created. `failure`: the benchmark failed. */
const kinds = {
  'option-invalid': 'usage',
  'option-unknown': 'usage',
  'directory-unusable': 'usage',
  'size-too-large': 'usage',
  'size-too-small': 'usage',
  'memory-too-small': 'usage',
  'scratch-failed': 'failure',
  'cleanup-failed': 'failure',
  'threads-failed': 'failure',
  'phase-failed': 'failure',
  'low-disk-space': 'failure',
  'data-corrupt': 'failure',
  'sync-failed': 'failure',
  'cache-failed': 'failure',
  'output-failed': 'failure',
  'input-unreadable': 'failure',
  'communication-failed': 'failure',
  'rank-failed': 'failure',
  'system-call-failed': 'failure',
} as const;

export type ErrorCode = keyof typeof kinds;
export type ErrorKind = (typeof kinds)[ErrorCode];

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(kinds, code);
}

export function kindOf(code: ErrorCode): ErrorKind {
  return kinds[code];
}

/** An expected error: what is wrong, and what to do about it. */
export class GobonnieError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly #sentences: { readonly message: Sentence; readonly hint: Sentence };

  constructor(code: ErrorCode, message: Sentence, hint: Sentence, options?: ErrorOptions) {
    super(spelled(message), options);
    this.name = 'GobonnieError';
    this.code = code;
    this.hint = spelled(hint);
    this.#sentences = { message, hint };
  }

  /** For a caller that names the options differently from gobonnie's flags. */
  get sentences(): { readonly message: Sentence; readonly hint: Sentence } {
    return this.#sentences;
  }

  get kind(): ErrorKind {
    return kindOf(this.code);
  }

  /** The one line that a user sees. */
  get line(): string {
    return inOneLine(this);
  }
}

/** What is wrong, then what to do. */
export function inOneLine({ message, hint }: Pick<GobonnieError, 'message' | 'hint'>): string {
  return `${message}; ${hint}`;
}
