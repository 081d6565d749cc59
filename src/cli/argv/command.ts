import { type Argument, Command, type Help, Option } from 'commander';
import { OPTION_GROUPS } from '../../options/row.js';
import type { Request } from '../request.js';
import type { Example } from './example.js';
import { lex, type Spelling } from './lexing.js';
import { type FlagsRow, headingOf, ValuedOption } from './option.js';
import type { RawOptions } from './option-rows.js';
import { exampleLines, textWidth, wrapped } from './wrapping.js';

/** A command: its flags, its help, and the request that a command line makes. */
export interface CommandDescription {
  /** As typed: `gobonnie clean`. */
  readonly name: string;
  /** What follows the name. */
  readonly usage: string;
  readonly description: string;
  readonly argument?: Argument;
  readonly options: readonly FlagsRow[];
  /** How its flags may be written; GNU's way by default. */
  readonly spelling?: Spelling;
  /** What `--version` prints, if the command has that flag. */
  readonly version?: string;
  readonly examples: readonly Example[];
  readonly notes: string;
  /** What to pass instead of an unknown flag, if its name is similar to none that is meant. */
  readonly instead?: Readonly<Record<string, string>>;
  /** Throws a GobonnieError if something is wrong. */
  request(given: RawOptions, args: readonly string[], command: Command): Request;
}

/** A command as dispatch and completion use it. */
export interface CliCommand {
  readonly spelling: Spelling;
  /** A new one each time, as parsing changes it. */
  command(): Command;
  read(args: readonly string[], command?: Command): Request;
}

/** A command as the help lists it. The rest is loaded when it is called. */
export interface CommandRow {
  readonly name: string;
  readonly summary: string;
  readonly group: 'Commands' | 'Compatibility';
  readonly load: () => Promise<CliCommand>;
}

export function defineCommand(description: CommandDescription): CliCommand {
  const { spelling = 'gnu', instead } = description;
  const command = () => commandOf(description);
  return {
    spelling,
    command,
    read(args, parser = command()) {
      const lexed = lex(parser, args, spelling, instead);
      return 'help' in lexed
        ? { type: 'say', text: lexed.help }
        : description.request(lexed.given, lexed.args, parser);
    },
  };
}

function commandOf({ argument, options, ...rest }: CommandDescription): Command {
  const placeOf = ({ group = 'Options' }: FlagsRow) => OPTION_GROUPS.indexOf(group);
  const isGrouped = options.some((row) => placeOf(row) > 0);
  const command = new Command(rest.name)
    // commander must neither print nor exit; `lex` reports its errors.
    .configureOutput({ getOutHelpWidth: textWidth, writeErr: () => {} })
    .exitOverride()
    .allowExcessArguments(false)
    .helpCommand(false)
    .action(() => {})
    .usage(rest.usage)
    .description(wrapped(rest.description))
    .configureHelp(rest.spelling === 'getopt' ? { ...HELP_STYLE, optionTerm: letterTerm } : HELP_STYLE)
    .optionsGroup(headingOf(isGrouped ? 'Other' : 'Options'))
    .addHelpOption(new Option('-h, --help', 'print this help'));
  if (argument) command.addArgument(argument);
  // commander lists the groups in the order of their first options.
  for (const row of options.toSorted((one, other) => placeOf(one) - placeOf(other)))
    command.addOption(new ValuedOption(row));
  if (rest.version) command.version(rest.version, '--version', 'print the version');
  return command.addHelpText(
    'after',
    `\nExamples:\n${exampleLines(rest.examples)}\n\n${wrapped(rest.notes)}`,
  );
}

/** Lines are not broken here. */
const HARD_SPACE = '\u00a0';
/** A longer default may be broken over lines. */
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

/** `-d <DIR>` from `-d, --dir <DIR>`: commander needs the long name, which getopt does not have. */
function letterTerm({ flags, long }: Option): string {
  return long === '--help' ? flags : flags.replace(/, --[\w-]+/, '');
}
