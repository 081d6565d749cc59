import { GobonnieError } from '../../errors.js';
import { shown } from '../../text/escape.js';

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

/** A command line in the words of commander, which knows no switch that is turned off. */
export interface Respelled {
  readonly args: readonly string[];
  /** The spellings of those that are: `--json` for `-json=false`. */
  readonly off: readonly string[];
}

/**
 * Puts Go's spellings into those that commander lexes: `-size 0.5` and `-size=0.5` become `--size=0.5`, `-json=true`
 * becomes `--json`, and `--json=false` takes an earlier `--json` back. What is no known flag stays as it is, but for
 * its dashes.
 */
export function respelled(args: readonly string[], flags: readonly Flag[]): Respelled {
  const lexed: string[] = [];
  const off = new Set<string>();
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    const { name, value } = FLAG.exec(arg)?.groups ?? {};
    if (arg === '--') return { args: [...lexed, ...args.slice(at)], off: [...off] };
    const flag = flags.find((known) => known.name === name);
    if (!flag) {
      lexed.push(name !== undefined && name.length > 1 ? arg.replace(/^-+/, '--') : arg);
    } else if (flag.takesValue) {
      const given = value ?? args[++at];
      lexed.push(given === undefined ? flag.spelling : `${flag.spelling}=${given}`);
    } else if (isOn(flag.spelling, value)) {
      lexed.push(flag.spelling);
      off.delete(flag.spelling);
    } else {
      remove(lexed, flag.spelling);
      off.add(flag.spelling);
    }
  }
  return { args: lexed, off: [...off] };
}

/** The same where nothing but the command line could have turned a switch on. */
export function fromGo(args: readonly string[], flags: readonly Flag[]): readonly string[] {
  return respelled(args, flags).args;
}

/** Whether a word turns a switch on or off; null for one that does neither. */
export function switchedBy(word: string): boolean | null {
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : null;
}

function isOn(flag: string, word = 'true'): boolean {
  const on = switchedBy(word);
  if (on !== null) return on;
  throw new GobonnieError(
    'option-invalid',
    `${flag}=${shown(word)} is neither true nor false`,
    `pass ${flag} or ${flag}=false`,
  );
}

function remove(list: string[], word: string): void {
  for (let at = list.indexOf(word); at >= 0; at = list.indexOf(word)) list.splice(at, 1);
}
