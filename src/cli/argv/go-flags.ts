import type { Option } from 'commander';
import { optionError } from '../../errors.js';
import { display } from '../../text/escape.js';
import { addDashes } from './option.js';

const TRUE_WORDS = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const FALSE_WORDS = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);
const FLAG = /^--?(?<name>[^-=][^=]*)(?:=(?<value>.*))?$/s;

/**
 * Rewrites the syntax of Go's flag package for commander: `-size 0.5` and `-size=0.5` become `--size=0.5`, and
 * `-json=true` becomes `--json`. Switches move to the front, and their last value counts; `off` has the switches
 * that are turned off, which commander does not support. An unknown flag changes only its dashes.
 */
export function normalizeGoFlags(args: readonly string[], options: readonly Option[]) {
  const remaining: string[] = [];
  const switches = new Map<Option, boolean>();
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    if (arg === '--') {
      remaining.push(...args.slice(index));
      break;
    }
    const { name, value } = FLAG.exec(arg)?.groups ?? {};
    const option = options.find(({ short, long }) => name && [short, long].includes(addDashes(name)));
    if (!option) {
      remaining.push(name && name.length > 1 ? arg.replace(/^-+/, '--') : arg);
    } else if (option.required) {
      const flagValue = value ?? args[++index];
      remaining.push(flagValue === undefined ? `${option.long}` : `${option.long}=${flagValue}`);
    } else {
      switches.set(option, parseSwitch(`${option.long}`, value));
    }
  }
  const on = [...switches].filter(([, isOn]) => isOn).map(([{ long }]) => `${long}`);
  const off = [...switches].filter(([, isOn]) => !isOn).map(([option]) => [option.attributeName(), false]);
  return { args: [...on, ...remaining], off: Object.fromEntries(off) };
}

/** Returns the boolean that a word stands for; null if none. */
export function parseBoolean(word: string): boolean | null {
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : null;
}

function parseSwitch(flag: string, word = 'true'): boolean {
  const on = parseBoolean(word);
  if (on !== null) return on;
  throw optionError(`${flag}=${display(word)} is neither true nor false`, `pass ${flag} or ${flag}=false`);
}
