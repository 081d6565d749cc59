import { GobonnieError, shown } from '../errors.js';

/** What has to be known of a flag to lex it as Go's flag package does. */
export interface Flag {
  /** Without its dashes: `json`, `v`. */
  readonly name: string;
  /** As commander is told of it: `--json`, `--verbose`. */
  readonly spelling: string;
  readonly takesValue: boolean;
}

const TRUE_WORDS = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const FALSE_WORDS = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);
const FLAG = /^--?(?<name>[^-=][^=]*)(?:=(?<value>.*))?$/s;

/**
 * Puts Go's spellings into those that commander lexes: `-size 0.5` and `-size=0.5` become `--size=0.5`, `-json=true`
 * becomes `--json`, and `--json=false` takes an earlier `--json` back. What is no known flag stays as it is, but for
 * its dashes.
 */
export function fromGo(args: readonly string[], flags: readonly Flag[]): string[] {
  const lexed: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    const { name, value } = FLAG.exec(arg)?.groups ?? {};
    if (arg === '--') return [...lexed, ...args.slice(at)];
    const flag = flags.find((known) => known.name === name);
    if (!flag) {
      lexed.push(name !== undefined && name.length > 1 ? arg.replace(/^-+/, '--') : arg);
    } else if (flag.takesValue) {
      const given = value ?? args[++at];
      lexed.push(given === undefined ? flag.spelling : `${flag.spelling}=${given}`);
    } else if (isOn(flag.spelling, value)) {
      lexed.push(flag.spelling);
    } else {
      remove(lexed, flag.spelling);
    }
  }
  return lexed;
}

function isOn(flag: string, word = 'true'): boolean {
  if (TRUE_WORDS.has(word)) return true;
  if (FALSE_WORDS.has(word)) return false;
  throw new GobonnieError(
    'option-invalid',
    `${flag}=${shown(word)} is neither true nor false`,
    `pass ${flag} or ${flag}=false`,
  );
}

function remove(list: string[], word: string): void {
  for (let at = list.indexOf(word); at >= 0; at = list.indexOf(word)) list.splice(at, 1);
}
