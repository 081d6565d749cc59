import { type Argument, Command, type Help, type Option } from 'commander';
import { OPTION_GROUPS, type OptionGroup } from '../../options/row.js';
import { COMMAND_GROUPS, type Dialect } from '../request.js';
import { quietCommand } from './lexing.js';
import { headingOf, type ValuedOption } from './option.js';
import { type Example, exampleLines, wrapped } from './wrapping.js';

/** What a command tells of itself. All of them tell it alike. */
export interface Face {
  /** As it is called: `gobonnie clean`. */
  readonly name: string;
  /** What follows the name. */
  readonly usage: string;
  readonly description: string;
  readonly argument?: Argument;
  readonly options: readonly ValuedOption[];
  /** Where the help, and what else stands at the end, is listed. */
  readonly lastGroup?: OptionGroup;
  /** What is taken by its letter alone, as getopt does. */
  readonly isByLetter?: true;
  readonly examples: readonly Example[];
  readonly notes: string;
}

/** A new one each time, as parsing changes it. */
export function commandOf({ argument, options, lastGroup = 'Options', ...face }: Face): Command {
  const command = quietCommand(face.name)
    .usage(face.usage)
    .description(wrapped(face.description))
    .configureHelp(face.isByLetter ? { ...LOOK, optionTerm: letterTerm } : LOOK)
    .optionsGroup(headingOf(lastGroup))
    .helpOption('-h, --help', 'print this help');
  if (argument) command.addArgument(argument);
  // commander lists the groups as they come.
  const placeOf = ({ group }: ValuedOption) => OPTION_GROUPS.indexOf(group);
  for (const option of options.toSorted((one, other) => placeOf(one) - placeOf(other)))
    command.addOption(option);
  return command.addHelpText(
    'after',
    `\nExamples:\n${exampleLines(face.examples)}\n\n${wrapped(face.notes)}`,
  );
}

/** The same, with a list of the others, which are called by their names. */
export function listing(command: Command, dialects: readonly Dialect[]): Command {
  const listed = COMMAND_GROUPS.flatMap((group) => dialects.filter((dialect) => dialect.group === group)).map(
    ({ name, summary, group }) => new Command(name).summary(summary).helpGroup(`${group}:`),
  );
  return command.configureHelp({
    ...LOOK,
    visibleCommands: () => listed,
    subcommandTerm: (one) => one.name(),
  });
}

/** What no line ends at. */
const HARD_SPACE = '\u00a0';
/** A longer default is wrapped as the rest is. */
const LONGEST_DEFAULT = 60;

const LOOK: Partial<Help> = {
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

/** `-d <DIR>` of `-d, --dir <DIR>`, which commander needs for a name. */
function letterTerm({ flags, long }: Option): string {
  return long === '--help' ? flags : flags.replace(/, --[\w-]+/, '');
}
