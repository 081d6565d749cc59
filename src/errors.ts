import { type MessageTemplate, msg, type OptionRef, renderMessage } from './text/message-template.js';

/** `usage`: gobonnie rejected the request before it created any file. `failure`: the benchmark failed. */
const ERROR_KINDS = {
  'option-invalid': 'usage',
  'option-unknown': 'usage',
  'directory-unusable': 'usage',
  'size-too-large': 'usage',
  'size-too-small': 'usage',
  'memory-too-small': 'usage',
  'runtime-unsupported': 'usage',
  'scratch-failed': 'failure',
  'cleanup-failed': 'failure',
  'threads-failed': 'failure',
  'phase-failed': 'failure',
  'low-disk-space': 'failure',
  'clock-failed': 'failure',
  'data-corrupt': 'failure',
  'false-capacity': 'failure',
  'sync-failed': 'failure',
  'copy-failed': 'failure',
  'command-failed': 'failure',
  'cache-failed': 'failure',
  'output-failed': 'failure',
  'input-unreadable': 'failure',
  'communication-failed': 'failure',
  'rank-failed': 'failure',
  'system-call-failed': 'failure',
} as const;

export type ErrorCode = keyof typeof ERROR_KINDS;
export type ErrorKind = (typeof ERROR_KINDS)[ErrorCode];

export const ERROR_CODES = Object.keys(ERROR_KINDS) as readonly ErrorCode[];

/** An expected error: the problem, and a hint on how to fix it. */
export class GobonnieError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  /** Message and hint on one line. Not a getter, because Bun gives every error a property of this name. */
  readonly line: string;
  readonly #templates: { readonly message: MessageTemplate; readonly hint: MessageTemplate };

  constructor(code: ErrorCode, message: string, hint: string, options?: ErrorOptions);
  /** @internal */
  constructor(code: ErrorCode, message: MessageTemplate, hint: MessageTemplate, options?: ErrorOptions);
  constructor(code: ErrorCode, message: MessageTemplate, hint: MessageTemplate, options?: ErrorOptions) {
    super(renderMessage(message), options);
    this.name = 'GobonnieError';
    this.code = code;
    this.hint = renderMessage(hint);
    this.line = formatErrorLine(this);
    this.#templates = { message, hint };
  }

  /** @internal Message and hint for a dialect with different flag names. */
  get templates(): { readonly message: MessageTemplate; readonly hint: MessageTemplate } {
    return this.#templates;
  }

  get kind(): ErrorKind {
    return ERROR_KINDS[this.code];
  }
}

export function formatErrorLine({ message, hint }: Pick<GobonnieError, 'message' | 'hint'>): string {
  return `${message}; ${hint}`;
}

export function optionError(message: MessageTemplate, hint: MessageTemplate, options?: ErrorOptions) {
  return new GobonnieError('option-invalid', message, hint, options);
}

export function contradictionError(first: OptionRef, second: OptionRef | string): GobonnieError {
  return optionError(msg`${first} and ${second} contradict each other`, 'use only one of them');
}
