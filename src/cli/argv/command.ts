import { type Argument, Command, type Help, Option } from 'commander';
import { OPTION_GROUPS, type OptionGroup } from '../../options/row.js';
import type { Request } from '../request.js';
import { lex, type Spelling } from './lexing.js';
import { headingOf, type ValuedOption } from './option.js';
import type { RawOptions } from './option-rows.js';
import { type Example, exampleLines, TEXT_WIDTH, wrapped } from './wrapping.js';

/** What a command takes, what its help says, and what it makes of a command line. */
export interface CommandDescription {
  /** As it is called: `gobonnie clean`. */
  readonly name: string;
  /** What follows the name. */
  readonly usage: string;
  readonly description: string;
  readonly argument?: Argument;
  readonly options: readonly ValuedOption[];
  /** The heading in the help for --help and --version. */
  readonly lastGroup?: OptionGroup;
  /** How its flags may be written; GNU's way if it does not say. */
  readonly spelling?: Spelling;
  /** What `--version` prints, for a command that has it. */
  readonly version?: string;
  readonly examples: readonly Example[];
  readonly notes: string;
  /** A value for an option that was given none. */
  readonly exampleOf?: (flag: string) => string | undefined;
  /** Throws a GobonnieError if something is wrong. */
  request(given: RawOptions, args: readonly string[]): Request;
}

/** A command as dispatch and completion use it. */
export interface CliCommand {
  readonly spelling: Spelling;
  /** All that it takes, as commander knows it. A new one each time, as parsing changes it. */
  command(): Command;
  read(args: readonly string[], command?: Command): Request;
}

/** A command in the list that the help has; the rest of it is loaded when it is called. */
export interface CommandRow {
  readonly name: string;
  readonly summary: string;
  readonly group: 'Commands' | 'As its ancestors';
  readonly load: () => Promise<CliCommand>;
}

export function defineCommand(description: CommandDescription): CliCommand {
  const { spelling = 'gnu' } = description;
  const command = () => commandOf(description);
  return {
    spelling,
    command,
    read(args, parser = command()) {
      const lexed = lex(parser, args, spelling, description.exampleOf);
      return 'help' in lexed
        ? { type: 'say', text: lexed.help }
        : description.request(lexed.given, lexed.args);
    },
  };
}

function commandOf({ argument, options, lastGroup = 'Options', ...rest }: CommandDescription): Command {
  const command = new Command(rest.name)
    // It neither prints nor exits: `lex` does that.
    .configureOutput({ getOutHelpWidth: () => TEXT_WIDTH, writeErr: () => {} })
    .exitOverride()
    .allowExcessArguments(false)
    .helpCommand(false)
    .action(() => {})
    .usage(rest.usage)
    .description(wrapped(rest.description))
    .configureHelp(rest.spelling === 'getopt' ? { ...HELP_STYLE, optionTerm: letterTerm } : HELP_STYLE)
    .optionsGroup(headingOf(lastGroup))
    .addHelpOption(new Option('-h, --help', 'print this help'));
  if (argument) command.addArgument(argument);
  // commander lists the groups in the order of their first options.
  const placeOf = ({ group }: ValuedOption) => OPTION_GROUPS.indexOf(group);
  for (const option of options.toSorted((one, other) => placeOf(one) - placeOf(other)))
    command.addOption(option);
  if (rest.version) command.version(rest.version, '--version', 'print the version');
  return command.addHelpText(
    'after',
    `\nExamples:\n${exampleLines(rest.examples)}\n\n${wrapped(rest.notes)}`,
  );
}

/** No line is broken at it. */
const HARD_SPACE = '\u00a0';
/** A longer default is wrapped like the rest. */
const LONGEST_DEFAULT = 60;

const HELP_STYLE: Partial<Help> = {
  optionDescription: ({ description, defaultValueDescription }) =>
    defaultValueDescription === undefined
      ? description
      : `${description} ${defaultWords(defaultValueDescription)}`,
  boxWrap: (text, width) => wrapped(text, width).replaceAll(HARD_SPACE, ' '),
};

function defaultWords(text: string): string {
  const words = `(default: ${text})`;
  return words.length > LONGEST_DEFAULT ? words : words.replaceAll(' ', HARD_SPACE);
}

/** `-d <DIR>` of `-d, --dir <DIR>`: commander needs the name, getopt has the letter alone. */
function letterTerm({ flags, long }: Option): string {
  return long === '--help' ? flags : flags.replace(/, --[\w-]+/, '');
}
