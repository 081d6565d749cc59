import { type Command, CommanderError, type Option } from 'commander';
import { GobonnieError, optionError } from '../../errors.js';
import { display } from '../../text/escape.js';
import { toFlag } from '../../text/message-template.js';
import { fioHint, suggestionHint } from '../../text/suggest.js';
import { addDashes, ValuedOption } from './option.js';

/** For bonnie++'s -p and -y s, with which several processes wait for each other. */
export const JOB_HINT = 'docs/hosts.md shows how several processes measure together';
const FLAG_HINTS: Readonly<Record<string, string>> = {
  '-s': 'pass --size 4 for 4 GiB, or --size 500M',
  '-p': JOB_HINT,
  '--directory': 'pass --dir DIR',
  '--quick': 'type gobonnie quick, or pass --size 1 --iops-duration 5',
};

/**
 * Parses with `command` and mutates it. Returns the options and arguments, or the text to print for --help or
 * --version. Throws a GobonnieError whose hint shows what to type.
 */
export function parseArgv(command: Command, args: readonly string[], isGnuStyle: boolean) {
  const { args: gnuArgs, off } = isGnuStyle
    ? { args, off: {} }
    : normalizeGoFlags(args, listOptions(command));
  const help: string[] = [];
  command.configureOutput({ writeOut: (text) => help.push(text) });
  try {
    command.parse(gnuArgs, { from: 'user' });
    const flags = listOptions(command).map(({ long }) => long);
    // A flag without a value takes the next flag as its value.
    const flagWithoutValue = Object.entries(command.opts()).find(([, value]) => flags.includes(value));
    if (flagWithoutValue) throw missingValueError(command, toFlag(flagWithoutValue[0]));
    // Include switches that are turned off, because a config file may have turned them on.
    return { rawOptions: { ...command.opts(), ...off }, args: command.args };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { help: help.join('') };
    const { code } = error;
    if (code === 'commander.optionMissingArgument') throw missingValueError(command, args.at(-1) ?? '');
    if (code === 'commander.unknownOption') throw unknownFlagError(command, gnuArgs);
    if (code === 'commander.excessArguments') {
      const excess = command.args[command.registeredArguments.length];
      throw unknownArgumentError(command, command.args.find((one) => UNIT.test(one)) ?? excess ?? '');
    }
    throw error;
  }
}

export function listOptions(command: Command): readonly Option[] {
  return command.createHelp().visibleOptions(command);
}

function missingValueError(command: Command, last: string): GobonnieError {
  const flag = /^--?\w\w/.test(last) ? last.replace(/^--?/, '--') : `-${last.at(-1)}`;
  const option = command.options.find(({ short, long }) => [short, long].includes(flag));
  const example = option instanceof ValuedOption ? option.row.example : undefined;
  return optionError(
    `${flag} has no value`,
    example === undefined ? helpHint(command) : `for example, ${flag} ${example}`,
  );
}

/** Error for a flag that may belong to another command. */
export class UnknownFlagError extends GobonnieError {
  constructor(
    readonly flagName: string,
    typed: string,
    hint: string,
  ) {
    super('option-unknown', `unknown option ${display(typed)}`, hint);
  }
}

function unknownFlagError(command: Command, args: readonly string[]): GobonnieError {
  const [flag = ''] = command.parseOptions([...args]).unknown;
  const name = flag.replace(/=.*$/s, '');
  const known = listOptions(command).map(({ long }) => long ?? '');
  const hint = Object.hasOwn(FLAG_HINTS, name) ? FLAG_HINTS[name] : fioHint(name.slice(2));
  if (hint === undefined)
    return new UnknownFlagError(name, flag, suggestionHint(flag, known, helpHint(command)));
  const isUsable = hint.match(/--[\w-]+/g)?.every((named) => known.includes(named)) ?? true;
  return new GobonnieError(
    'option-unknown',
    `unknown option ${display(flag)}`,
    isUsable ? hint : helpHint(command),
  );
}

const UNIT = /^([kmgt](i?b)?|m?s)$/i;

function argumentHint(argument: string): string | null {
  if (UNIT.test(argument)) return `write a unit without a space before it, like 10${argument}`;
  return argument === 'zcav' ? 'gobonnie zones reads a disk like zcav' : null;
}

/** Returns the error for an unexpected argument. `hint` applies if no command has a similar name. */
export function unknownArgumentError(
  command: Command,
  argument: string,
  noun = 'argument',
  hint = helpHint(command),
): GobonnieError {
  const names = command.commands.map((subcommand) => subcommand.name());
  return new GobonnieError(
    'option-unknown',
    `there is no command or ${noun} ${display(argument)}`,
    argumentHint(argument) ?? suggestionHint(argument, names, hint),
  );
}

export function helpHint(command: Command): string {
  return `see ${command.name()} --help`;
}

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
    // The help distinguishes -h from --help.
    const isNamed = ({ short, long }: Option) =>
      name && name !== 'h' && [short, long].includes(addDashes(name));
    const option = options.find(isNamed);
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
