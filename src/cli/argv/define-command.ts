import { type Argument, Command, type Help, Option } from 'commander';
import { OPTION_GROUPS } from '../../options/option-row.js';
import type { Request } from '../request.js';
import type { Example } from './example.js';
import { type FlagsRow, groupHeading, ValuedOption } from './option.js';
import type { RawOptions } from './option-rows.js';
import { type FlagStyle, parseArgv } from './parse-argv.js';
import { exampleLines, proseWidth, wrapText } from './wrap-text.js';

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
  readonly flagStyle?: FlagStyle;
  /** What `--version` prints, if the command has that flag. */
  readonly version?: string;
  readonly examples: readonly Example[];
  readonly notes: string;
  /** What to pass instead of an unknown flag, if its name is similar to none that is meant. */
  readonly flagHints?: Readonly<Record<string, string>>;
  /** Throws a GobonnieError if something is wrong. */
  request(rawOptions: RawOptions, args: readonly string[], command: Command): Request;
}

/** A command as dispatch and completion use it. */
export interface CliCommand {
  readonly flagStyle: FlagStyle;
  /** Returns a new command each time, because parsing changes it. */
  command(): Command;
  parse(args: readonly string[], command?: Command): Request;
}

/** A command as the help lists it. The rest is loaded when it is called. */
export interface CommandRow {
  readonly name: string;
  readonly summary: string;
  readonly group: 'Commands' | 'Compatibility';
  readonly load: () => Promise<CliCommand>;
}

export function defineCommand(description: CommandDescription): CliCommand {
  const { flagStyle: spelling = 'gnu', flagHints: instead } = description;
  const command = () => buildCommand(description);
  return {
    flagStyle: spelling,
    command,
    parse(args, parser = command()) {
      const parsed = parseArgv(parser, args, spelling, instead);
      return 'help' in parsed
        ? { type: 'print', text: parsed.help }
        : description.request(parsed.rawOptions, parsed.args, parser);
    },
  };
}

function buildCommand({ argument, options, ...rest }: CommandDescription): Command {
  const groupIndex = ({ group = 'Options' }: FlagsRow) => OPTION_GROUPS.indexOf(group);
  const isGrouped = options.some((row) => groupIndex(row) > 0);
  const command = new Command(rest.name)
    // commander must neither print nor exit; `parseArgv` reports its errors.
    .configureOutput({ getOutHelpWidth: proseWidth, writeErr: () => {} })
    .exitOverride()
    .allowExcessArguments(false)
    .helpCommand(false)
    .action(() => {})
    .usage(rest.usage)
    .description(wrapText(rest.description))
    .configureHelp(rest.flagStyle === 'getopt' ? { ...HELP_STYLE, optionTerm: shortFlagTerm } : HELP_STYLE)
    .optionsGroup(groupHeading(isGrouped ? 'Other' : 'Options'))
    .addHelpOption(new Option('-h, --help', 'print this help'));
  if (argument) command.addArgument(argument);
  // commander lists the groups in the order of their first options.
  for (const row of options.toSorted((one, other) => groupIndex(one) - groupIndex(other)))
    command.addOption(new ValuedOption(row));
  if (rest.version) command.version(rest.version, '--version', 'print the version');
  return command.addHelpText(
    'after',
    `\nExamples:\n${exampleLines(rest.examples)}\n\n${wrapText(rest.notes)}`,
  );
}

/** Lines are not broken here. */
const NO_BREAK_SPACE = '\u00a0';
/** A longer default may be broken over lines. */
const MAX_UNBROKEN_DEFAULT = 60;

const HELP_STYLE: Partial<Help> = {
  optionDescription: ({ description, defaultValueDescription }) =>
    defaultValueDescription === undefined
      ? description
      : `${description} ${formatDefault(defaultValueDescription)}`,
  boxWrap: (text, width) => wrapText(text, width).replaceAll(NO_BREAK_SPACE, ' '),
};

function formatDefault(text: string): string {
  const formatted = `(default: ${text})`;
  return formatted.length > MAX_UNBROKEN_DEFAULT ? formatted : formatted.replaceAll(' ', NO_BREAK_SPACE);
}

/** `-d <DIR>` from `-d, --dir <DIR>`: commander needs the long name, which getopt does not have. */
function shortFlagTerm({ flags, long }: Option): string {
  return long === '--help' ? flags : flags.replace(/, --[\w-]+/, '');
}
