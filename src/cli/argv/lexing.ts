import { type Command, CommanderError, type Option } from 'commander';
import { GobonnieError } from '../../errors.js';
import { display } from '../../text/escape.js';
import { findNearest } from '../../text/suggest.js';
import { fromGetopt } from './getopt.js';
import { fromGo } from './go-flags.js';
import { ValuedOption } from './option.js';
import type { RawOptions } from './option-rows.js';

/** `-size 0.5` and `-json=true` as Go's flag package takes them; `-qb` and `-f20` as getopt does. */
export type Spelling = 'gnu' | 'go' | 'getopt';

/** The options and arguments of a command line, or the text of its help or version. */
export type Lexed =
  | { readonly given: RawOptions; readonly args: readonly string[] }
  | { readonly help: string };

/** Parses with `command`, which this changes. Throws a GobonnieError that says what to type. */
export function lex(
  command: Command,
  args: readonly string[],
  spelling: Spelling,
  instead: Readonly<Record<string, string>> = {},
): Lexed {
  const options = optionsOf(command);
  const { args: respelled, off } =
    spelling === 'go'
      ? fromGo(args, options)
      : { args: spelling === 'getopt' ? fromGetopt(args, options) : args, off: {} };
  let help = '';
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  try {
    command.parse(respelled, { from: 'user' });
    // A switch that is turned off counts as given, as a config file may have turned it on.
    return { given: { ...command.opts(), ...off }, args: command.args };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { help };
    const { code } = error;
    if (code === 'commander.optionMissingArgument') throw missingValue(command, args.at(-1) ?? '');
    if (code === 'commander.unknownOption') throw unknownOption(command, respelled, instead);
    if (code === 'commander.excessArguments')
      throw unknownArgument(command, command.args[command.registeredArguments.length] ?? '');
    throw error;
  }
}

/** All options of a command, --help among them. */
export function optionsOf(command: Command): readonly Option[] {
  return command.createHelp().visibleOptions(command);
}

/** Only the last word can lack a value: any other takes the next word. */
function missingValue(command: Command, last: string): GobonnieError {
  const isLong = /^--?\w\w/.test(last);
  const word = isLong ? last.replace(/^--?/, '--') : `-${last.at(-1)}`;
  const option = command.options.find(({ short, long }) => [short, long].includes(word));
  const flag = isLong ? (option?.long ?? word) : word;
  const example = option instanceof ValuedOption ? option.example : undefined;
  return new GobonnieError(
    'option-invalid',
    `${flag} has no value`,
    example === undefined ? helpHint(command) : `pass for example ${flag} ${example}`,
  );
}

function unknownOption(
  command: Command,
  args: readonly string[],
  instead: Readonly<Record<string, string>>,
): GobonnieError {
  const [flag = ''] = command.parseOptions([...args]).unknown;
  const hint = instead[flag.replace(/=.*$/s, '')];
  const known = optionsOf(command).map(({ long }) => long ?? '');
  const near = hint === undefined ? findNearest(flag, known) : null;
  return unknown(`unknown option ${display(flag)}`, near, hint ?? helpHint(command));
}

/** An argument that is none. The hint is for one that is similar to no command. */
export function unknownArgument(
  command: Command,
  given: string,
  noun = 'argument',
  hint = helpHint(command),
): GobonnieError {
  const names = command.commands.map((one) => one.name());
  return unknown(`there is no command or ${noun} ${display(given)}`, findNearest(given, names), hint);
}

function unknown(problem: string, near: string | null, hint: string): GobonnieError {
  return new GobonnieError('option-unknown', problem, near === null ? hint : `did you mean ${near}?`);
}

export function helpHint(command: Command): string {
  return `see ${command.name()} --help`;
}
