import { Command, CommanderError, Option } from 'commander';
import { GobonnieError } from '../../errors.js';
import { shown } from '../../text/escape.js';
import { flag, sentence } from '../../text/sentence.js';
import { nearest } from '../../text/suggest.js';
import type { Given } from './asked.js';
import type { GetoptFlag } from './getopt.js';
import { type Flag, respelled } from './go-flags.js';
import { TEXT_WIDTH } from './wrapping.js';

/** A commander that neither prints nor exits: `lex` gives what it had to say. */
export function quietCommand(name: string): Command {
  return new Command(name)
    .configureOutput({ getOutHelpWidth: () => TEXT_WIDTH, writeOut: () => {}, writeErr: () => {} })
    .exitOverride()
    .allowExcessArguments(false);
}

/** Every name of every option: Go takes them all with one dash or two. */
export function flagsOf(options: readonly Option[]): readonly Flag[] {
  return [...options, new Option('-h, --help')].flatMap((option) =>
    [option.short, option.long].flatMap((flag) =>
      flag && option.long
        ? [{ name: flag.replace(/^-+/, ''), spelling: option.long, takesValue: option.required }]
        : [],
    ),
  );
}

/** What getopt takes of the options: letters, and a value where commander has one in angles. */
export function lettersOf(options: readonly Option[]): readonly GetoptFlag[] {
  return [...options, new Option('-h, --help')].map(({ short, long, required, optional }) => ({
    letter: short?.slice(1) ?? '',
    name: long?.slice(2) ?? '',
    value: required ? 'needed' : optional ? 'attached' : 'none',
  }));
}

/** Parses in place. Gives the text of the help or the version where that was asked for, else null. */
export function lex(
  command: Command,
  args: readonly string[],
  exampleOf: (flag: string) => string | undefined = () => undefined,
): string | null {
  let said = '';
  command.configureOutput({
    writeOut: (text) => {
      said += text;
    },
  });
  try {
    command.parse(args, { from: 'user' });
    return null;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return said;
    throw refusal(error, command, exampleOf);
  }
}

/**
 * The same in Go's spellings. Gives the options, with the switches that are turned off: something else than the command
 * line may have turned them on.
 */
export function lexGo(
  command: Command,
  args: readonly string[],
  exampleOf: (flag: string) => string | undefined,
): string | Given {
  const { args: respelt, off } = respelled(args, flagsOf(command.options));
  const said = lex(command, respelt, exampleOf);
  if (said !== null) return said;
  const switches = command.options.filter(({ long }) => long && off.includes(long));
  return { ...command.opts(), ...Object.fromEntries(switches.map((one) => [one.attributeName(), false])) };
}

/** commander's words, in one line that says what to do. */
function refusal(
  { code, message }: CommanderError,
  command: Command,
  exampleOf: (flag: string) => string | undefined,
): GobonnieError {
  const help = `see ${command.name()} --help`;
  if (code === 'commander.excessArguments') {
    const [extra] = command.args.slice(command.registeredArguments.length);
    return noArgument(extra ?? '', command, help);
  }
  if (code === 'commander.optionMissingArgument') {
    const [, spelling = ''] = /'.*?(--?[\w-]+) </.exec(message) ?? [];
    const name = command.options.find(({ long }) => long === spelling)?.attributeName() ?? spelling;
    const example = exampleOf(spelling);
    return new GobonnieError(
      'option-invalid',
      sentence`${flag(name)} has no value`,
      example === undefined ? help : sentence`pass for example ${flag(name, example)}`,
    );
  }
  const [, problem = '', near] =
    /^error: (.*?)(?:\n\(Did you mean (?:one of )?(.*)\?\))?$/s.exec(message) ?? [];
  const named = problem.replace(/'(.*)'/s, (_, flag: string) => shown(flag));
  return new GobonnieError('option-unknown', named, near ? `did you mean ${near}?` : help);
}

function noArgument(extra: string, command: Command, help: string): GobonnieError {
  const names = command
    .createHelp()
    .visibleCommands(command)
    .map((known) => known.name());
  if (names.includes(extra))
    return new GobonnieError(
      'option-unknown',
      `the command ${extra} stands behind a flag`,
      `put it first: ${command.name()} ${extra}`,
    );
  const near = nearest(extra, names);
  return new GobonnieError(
    'option-unknown',
    `there is no command or argument ${shown(extra)}`,
    near === null ? help : `did you mean ${near}?`,
  );
}
