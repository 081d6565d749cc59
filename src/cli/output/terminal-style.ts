import { createPaint } from '../../format/writing/paint.js';
import type { Screen } from '../../format/writing/screen.js';
import { terminalColumns } from './live-line.js';
import type { CliProcess } from './terminal.js';

/** What a stream can show. */
export interface TerminalStyle {
  readonly color: boolean;
  /** Whether it can show more than ASCII. */
  readonly unicode: boolean;
  /** Whether it is a terminal with someone in front of it, where text can be redrawn. */
  readonly isLive: boolean;
}

type Environment = CliProcess['env'];
type ProcessInfo = Pick<NodeJS.Process, 'platform' | 'env'>;

/** A flag wins over the environment, and that over the kind of stream. */
export function detectTerminalStyle(
  stream: { readonly isTTY?: boolean },
  processInfo: ProcessInfo,
  requestedColor?: boolean,
): TerminalStyle {
  const { env } = processInfo;
  const isLive = stream.isTTY === true && !isDumb(processInfo) && !isCi(env);
  return {
    color: requestedColor ?? colorFromEnvironment(env) ?? isLive,
    unicode: isUnicode(processInfo),
    isLive,
  };
}

/** Null if it is no terminal. */
export function detectScreen(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  processInfo: ProcessInfo,
  requestedColor?: boolean,
): Screen | null {
  const { isLive, unicode, color } = detectTerminalStyle(stream, processInfo, requestedColor);
  return isLive ? { columns: terminalColumns(stream), unicode, paint: createPaint(color) } : null;
}

/** What FORCE_COLOR or else NO_COLOR says, read as Node reads them. Undefined if neither is set. */
function colorFromEnvironment({ FORCE_COLOR, NO_COLOR }: Environment): boolean | undefined {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return NO_COLOR ? false : undefined;
}

/** Whether the terminal ignores escape sequences. Windows sets no TERM and supports them. */
function isDumb({ platform, env: { TERM = '' } }: ProcessInfo): boolean {
  return TERM === 'dumb' || (TERM === '' && platform !== 'win32');
}

/** CI=false and CI=0 mean that it is not CI. */
function isCi({ CI = '' }: Environment): boolean {
  return !['', '0', 'false'].includes(CI);
}

/** By the first locale variable that is set. The Linux console lacks most characters, whatever the locale. */
function isUnicode({ platform, env: { LC_ALL, LC_CTYPE, LANG, TERM } }: ProcessInfo): boolean {
  if (platform === 'win32') return true;
  return TERM !== 'linux' && /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
}
