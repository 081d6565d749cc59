import { Command, CommanderError, Option } from 'commander';
import { GobonnieError, shown } from '../../errors.js';
import { type OptionName, type OptionRow, optionCatalogue } from '../../options/catalogue.js';
import { version } from '../../version.js';
import { type Flag, fromGo } from '../go-flags.js';
import type { Dialect, Request } from '../request.js';

const HELP_WIDTH = 100;

const OUT_EXAMPLE = 'report.json';

const EXAMPLES = `
Examples:
  gobonnie                              the system's temporary directory, twice the memory
  gobonnie --dir /mnt/disk --size 4     another disk, and a quicker answer
  gobonnie --json | jq .results         for programs
  gobonnie --dry-run                    what would be done

The page cache is emptied before the reads, so that they come from the disk and not from memory:
all of it as root, else that of the test's own files. A warning says where memory served them.
Flags may be written as gobonniego's, too: -size 0.5, -size=0.5, -json=true.`;

/** gobonniego's flags, and what gobonnie adds to them. */
export const gobonniego: Dialect = {
  name: 'gobonniego',

  read(args): Request {
    const said: string[] = [];
    const command = commandOf(said);
    try {
      command.parse(fromGo(args, flagsOf(command)), { from: 'user' });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      if (error.exitCode === 0) return { type: 'say', text: said.join('') };
      throw refusal(error, command.args);
    }
    const { json, verbose, quiet, dryRun, out, ...input } = command.opts();
    return {
      type: 'benchmark',
      input,
      presentation: { json, verbose, quiet, dryRun, out },
      format: json ? 'json' : 'text',
      loadNarrate,
    };
  },
};

const loadNarrate = async () => (await import('../narration.js')).narrate;

function commandOf(said: string[]): Command {
  const command = new Command('gobonnie')
    .usage('[options]')
    .description('Measures how fast a disk is: sequential write, sequential read and IOPS.')
    .configureOutput({
      writeOut: (text) => said.push(text),
      writeErr: () => {},
      getOutHelpWidth: () => HELP_WIDTH,
    })
    .exitOverride()
    .allowExcessArguments(false);
  for (const [name, row] of Object.entries(optionCatalogue))
    command.addOption(optionOf(name as OptionName, row));
  return command
    .option('--json', "print one JSON document on stdout, with gobonniego's keys")
    .option('-v, --verbose', 'say more on stderr: the machine, what was moved and how long it took')
    .option('-q, --quiet', 'say nothing on stderr but errors')
    .option('--out <FILE>', 'write the full report to a file as well, after every run; repeatable', collect)
    .option('--dry-run', 'print what would be done, and touch nothing')
    .version(`gobonnie version ${version}`, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', EXAMPLES);
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function optionOf(name: OptionName, { flags, argument, help, defaultText }: OptionRow): Option {
  const spelled = flags.map((flag) => (flag.length === 1 ? `-${flag}` : `--${flag}`)).join(', ');
  const option = new Option(
    argument === null ? spelled : `${spelled} <${argument}>`,
    defaultText === null ? help : `${help} (default: ${defaultText})`,
  );
  if (option.attributeName() !== name)
    throw new Error(`--${flags.at(-1)} is called ${name} in the catalogue`);
  return option;
}

/** Every name of every option: Go takes them all with one dash or two. */
function flagsOf(command: Command): readonly Flag[] {
  return [...command.options, new Option('-h, --help')].flatMap((option) =>
    [option.short, option.long].flatMap((flag) =>
      flag && option.long
        ? [{ name: flag.replace(/^-+/, ''), spelling: option.long, takesValue: option.required }]
        : [],
    ),
  );
}

/** commander's words, in one line that says what to do. */
function refusal({ code, message }: CommanderError, args: readonly string[]): GobonnieError {
  if (code === 'commander.excessArguments') {
    return new GobonnieError(
      'option-unknown',
      `there is no command or argument ${shown(args[0])}`,
      'see gobonnie --help',
    );
  }
  if (code === 'commander.optionMissingArgument') {
    const [, flag = ''] = /(--[\w-]+) </.exec(message) ?? [];
    const row = Object.values(optionCatalogue).find(({ flags }) => flag === `--${flags.at(-1)}`);
    return new GobonnieError(
      'option-invalid',
      `${flag} has no value`,
      `pass for example ${flag} ${row?.example ?? OUT_EXAMPLE}`,
    );
  }
  const [, problem = '', near] =
    /^error: (.*?)(?:\n\(Did you mean (?:one of )?(.*)\?\))?$/s.exec(message) ?? [];
  const named = problem.replace(/'(.*)'/s, (_, flag: string) => shown(flag));
  return new GobonnieError('option-unknown', named, near ? `did you mean ${near}?` : 'see gobonnie --help');
}
