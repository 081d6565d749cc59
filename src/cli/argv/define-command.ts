import { type Argument, Command, Help, Option } from 'commander';
import { contradictionError, optionError } from '../../errors.js';
import { OPTION_GROUPS } from '../../options/option-row.js';
import { flag } from '../../text/message-template.js';
import { wrapText } from '../../text/wrap.js';
import type { Request } from '../request.js';
import type { RawOptions } from './cli-catalogue.js';
import { arrangeHelp, type Example, proseWidth } from './help-layout.js';
import { type FlagsRow, NO_BREAK_SPACE, toBriefRow, ValuedOption } from './option.js';
import { parseArgv } from './parse-argv.js';

/** A command: its flags, its help, and the request that it builds from a command line. */
export interface CommandDescription {
  /** The command as typed: `gobonnie clean`. */
  readonly name: string;
  /** By default `[options]`, and the argument if there is one. */
  readonly usage?: string;
  readonly description: string;
  readonly argument?: Argument | undefined;
  readonly options: readonly FlagsRow[];
  /** True for flags such as `-qb`. By default the flags of Go: `-size 0.5` and `-json=true`. */
  readonly isGnuStyle?: true;
  /** True if the argument may begin with a dash, like a flag of another program. */
  readonly takesAnyFlag?: true;
  /** True if a command of the user may follow `--`. */
  readonly takesCommand?: true;
  /** The output of `--version`, if the command has that flag. */
  readonly version?: string | undefined;
  readonly examples: readonly Example[];
  readonly notes: string;
  /** `words` are what follows `--`, if a command may. Throws a GobonnieError if the command line is invalid. */
  request(
    rawOptions: RawOptions,
    args: readonly string[],
    command: Command,
    words: readonly string[],
  ): Request;
}

/** -h prints at most one screen. */
const MAX_BRIEF_LINES = 40;
const BRIEF_EXAMPLES = 3;

export type CliCommand = ReturnType<typeof defineCommand>;

/** A command in the list of the help. `load` imports the rest on demand. */
export interface CommandRow {
  readonly name: string;
  readonly summary: string;
  readonly group: 'Commands' | 'More';
  readonly load: () => Promise<CliCommand>;
}

export function defineCommand(description: CommandDescription) {
  // A new command each time, because parsing mutates it.
  const command = () => buildCommand(description);
  return {
    command,
    parse(args: readonly string[], parser = command()): Request {
      const end = description.takesCommand ? args.indexOf('--') : -1;
      const own = end === -1 ? args : args.slice(0, end);
      const words = end === -1 ? [] : args.slice(end + 1);
      if (end !== -1 && words.length === 0)
        throw optionError('there is no command after --', 'for example, -- npm ci');
      const parsed = parseArgv(parser, own, description.isGnuStyle === true);
      if ('help' in parsed) {
        const isBrief = parser.args.includes('-h') && parsed.help.split('\n').length > MAX_BRIEF_LINES + 1;
        return { type: 'print', text: isBrief ? briefHelp(description, parser) : parsed.help };
      }
      rejectConflicts(parser, parsed.rawOptions);
      return description.request(parsed.rawOptions, parsed.args, parser, words);
    },
  };
}

/** Returns a help with the most important options and examples. */
function briefHelp(description: CommandDescription, full: Command): string {
  const { name, options, examples } = description;
  const briefOptions = sortByGroup(options).filter(({ isBrief }) => isBrief);
  const program = full.commands.length > 0 ? '; gobonnie COMMAND -h describes a command.' : '.';
  const command = buildCommand({
    ...description,
    usage: full.usage(),
    argument: undefined,
    version: undefined,
    options: briefOptions.length > 0 ? briefOptions.map(toBriefRow) : options,
    examples: examples.slice(0, BRIEF_EXAMPLES),
    notes: `${name} --help lists all options${program}`,
  });
  for (const subcommand of full.commands) command.addCommand(subcommand);
  // The last group has only its names.
  const text = command.helpInformation();
  return text.replace(/\n\nMore:(?:\n .*)*/, (group) =>
    group.slice(1).replaceAll(/\n {2}(\S+)(?:.|\n {3})*/g, ' $1'),
  );
}

function rejectConflicts({ options }: Command, flags: RawOptions): void {
  for (const option of options) {
    const name = option.attributeName();
    if (!(option instanceof ValuedOption) || !flags[name]) continue;
    const other = option.row.conflicts?.find((conflict) => flags[conflict]);
    if (other !== undefined) throw contradictionError(flagAsTyped(name, flags), flagAsTyped(other, flags));
  }
}

function flagAsTyped(name: string, flags: RawOptions) {
  const value = flags[name];
  return flag(name, typeof value === 'string' ? value : undefined);
}

function sortByGroup(options: readonly FlagsRow[]): readonly FlagsRow[] {
  const groupIndex = ({ group = 'Options' }: FlagsRow) => OPTION_GROUPS.indexOf(group);
  return options.toSorted((a, b) => groupIndex(a) - groupIndex(b));
}

function buildCommand({ argument, options, ...rest }: CommandDescription): Command {
  const isGrouped = options.some(({ group = 'Options' }) => group !== 'Options');
  const command = new Command(rest.name)
    // Keep commander from printing and exiting; `parseArgv` reports its errors.
    .configureOutput({ getOutHelpWidth: proseWidth, writeErr: () => {} })
    .exitOverride()
    .allowExcessArguments(false)
    .allowUnknownOption(rest.takesAnyFlag === true)
    .helpCommand(false)
    .action(() => {})
    .description(rest.description)
    .configureHelp({
      boxWrap: (text, width) => wrapText(text, width).replaceAll(NO_BREAK_SPACE, ' '),
      formatHelp: (one, helper) => arrangeHelp(Help.prototype.formatHelp.call(helper, one, helper), rest),
    })
    .optionsGroup(isGrouped ? 'Other:' : 'Options:')
    .addHelpOption(new Option('-h, --help', 'print this help'));
  if (rest.usage) command.usage(rest.usage);
  if (argument) command.addArgument(argument);
  // commander orders the groups by their first options.
  for (const row of sortByGroup(options)) command.addOption(new ValuedOption(row));
  if (rest.version) command.version(rest.version, '-V, --version', 'print the version');
  return command;
}
