import type { CliProcess } from './terminal.js';

/** What can be shown on a stream, settled before anything is. */
export interface TerminalStyle {
  readonly color: boolean;
  /** Whether more than ASCII is sure to be understood. */
  readonly unicode: boolean;
  /** Whether somebody looks on, and what was printed can be drawn over. */
  readonly isLive: boolean;
}

type Environment = CliProcess['env'];
type Place = Pick<NodeJS.Process, 'platform' | 'env'>;

/** A flag counts before the environment, and that before what the stream is. */
export function terminalStyleOf(
  stream: { readonly isTTY?: boolean },
  place: Place,
  asked?: boolean,
): TerminalStyle {
  const { env } = place;
  const isLive = stream.isTTY === true && !isDumb(place) && !isCi(env);
  return { color: asked ?? wished(env) ?? isLive, unicode: isUnicode(place), isLive };
}

/** By FORCE_COLOR or else NO_COLOR, as Node reads the two. Undefined where neither says anything. */
function wished({ FORCE_COLOR, NO_COLOR }: Environment): boolean | undefined {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return NO_COLOR ? false : undefined;
}

/** One that obeys no escape. Windows names none, and has but one kind. */
function isDumb({ platform, env: { TERM = '' } }: Place): boolean {
  return TERM === 'dumb' || (TERM === '' && platform !== 'win32');
}

/** Some say CI=false. */
function isCi({ CI = '' }: Environment): boolean {
  return !['', '0', 'false'].includes(CI);
}

/** By the locale, whose first setting counts; the console of Linux lacks most characters whatever it says. */
function isUnicode({ platform, env: { LC_ALL, LC_CTYPE, LANG, TERM } }: Place): boolean {
  if (platform === 'win32') return true;
  return TERM !== 'linux' && /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
}
