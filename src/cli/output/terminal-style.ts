import { createPaint, type Paint } from '../../format/human/paint.js';
import type { Screen } from '../../format/human/screen.js';
import { terminalColumns } from './live-line.js';
import type { CliProcess } from './terminal.js';

/** Capabilities of a stream. */
export interface TerminalStyle {
  readonly paint: Paint;
  /** True if it can show characters beyond ASCII. */
  readonly unicode: boolean;
  /** True for an interactive terminal, where text can be redrawn. */
  readonly isLive: boolean;
}

type Environment = CliProcess['env'];
type ProcessInfo = Pick<NodeJS.Process, 'platform' | 'env'>;

/** Detects the style. For color, a flag takes precedence over the environment, and the environment over the stream. */
export function detectTerminalStyle(
  stream: { readonly isTTY?: boolean },
  processInfo: ProcessInfo,
  requestedColor?: boolean,
): TerminalStyle {
  const { env } = processInfo;
  const isLive = stream.isTTY === true && !isDumb(processInfo) && !isCi(env);
  return {
    paint: createPaint(requestedColor ?? colorFromEnvironment(env) ?? isLive),
    unicode: isUnicode(processInfo),
    isLive,
  };
}

/** Returns null if the stream is not a terminal. */
export function detectScreen(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  processInfo: ProcessInfo,
  requestedColor?: boolean,
): Screen | null {
  const style = detectTerminalStyle(stream, processInfo, requestedColor);
  return style.isLive ? { ...style, columns: terminalColumns(stream) } : null;
}

/** Reads FORCE_COLOR, otherwise NO_COLOR, like Node. Undefined if neither is set. */
function colorFromEnvironment({ FORCE_COLOR, NO_COLOR }: Environment): boolean | undefined {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return NO_COLOR ? false : undefined;
}

/** True if the terminal does not support escape sequences. Windows sets no TERM but supports them. */
function isDumb({ platform, env: { TERM = '' } }: ProcessInfo): boolean {
  return TERM === 'dumb' || (TERM === '' && platform !== 'win32');
}

/** False for CI=false and CI=0. */
function isCi({ CI = '' }: Environment): boolean {
  return !['', '0', 'false'].includes(CI);
}

/** Checks the first locale variable that is set. The Linux console lacks most characters, whatever the locale. */
function isUnicode({ platform, env: { LC_ALL, LC_CTYPE, LANG, TERM } }: ProcessInfo): boolean {
  if (platform === 'win32') return true;
  return TERM !== 'linux' && /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
}
