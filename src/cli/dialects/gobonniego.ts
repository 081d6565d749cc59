import { type Command, Option } from 'commander';
import { GobonnieError, shown } from '../../errors.js';
import { type OptionName, optionCatalogue } from '../../options/catalogue.js';
import type { OptionRow } from '../../options/row.js';
import { version } from '../../version.js';
import { fromGo } from '../go-flags.js';
import { flagsOf, lex, quietCommand } from '../lexing.js';
import type { Narrate } from '../narration.js';
import type { Dialect, Request } from '../request.js';

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

interface GoDialect {
  readonly name: string;
  /** How it is called. */
  readonly usage: string;
  /** The format of its lines. */
  readonly text: string;
  readonly loadNarrate: () => Promise<Narrate>;
}

/** A front end with gobonniego's flags, and what gobonnie adds to them. */
export function goDialect(dialect: GoDialect): Dialect {
  return { name: dialect.name, read: (args) => requestOf(args, dialect) };
}

export const gobonniego = goDialect({
  name: 'gobonniego',
  usage: 'gobonnie',
  text: 'text',
  loadNarrate: async () => (await import('../narration.js')).narrate,
});

function requestOf(args: readonly string[], { usage, text, loadNarrate }: GoDialect): Request {
  const command = commandOf(usage);
  const said = lex(command, fromGo(args, flagsOf(command.options)), exampleOf);
  if (said !== null) return { type: 'say', text: said };
  const { json, verbose, quiet, dryRun, out, format = json ? 'json' : text, ...input } = command.opts();
  if (json && format !== 'json')
    throw new GobonnieError(
      'option-invalid',
      `--json and --format ${shown(format)} contradict each other`,
      'pass one of them',
    );
  return {
    type: 'benchmark',
    input,
    presentation: { json: format === 'json' || undefined, verbose, quiet, dryRun, out },
    formats: [format],
    loadNarrate,
  };
}

function commandOf(usage: string): Command {
  const command = quietCommand(usage)
    .usage('[options]')
    .description('Measures how fast a disk is: sequential write, sequential read and IOPS.');
  for (const [name, row] of Object.entries(optionCatalogue))
    command.addOption(optionOf(name as OptionName, row));
  return command
    .option('--json', "print one JSON document on stdout, with gobonniego's keys")
    .option('--format <NAME>', "print the result in another form: text, json, report, or one of the family's")
    .option('-v, --verbose', 'say more on stderr: the machine, what was moved and how long it took')
    .option('-q, --quiet', 'say nothing on stderr but errors')
    .option('--out <FILE>', 'write the full report to a file as well, after every run; repeatable', collect)
    .option('--dry-run', 'print what would be done, and touch nothing')
    .version(`gobonnie version ${version}`, '--version', 'print the version')
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

/** A value for an option that was given none. */
function exampleOf(flag: string): string {
  const row = Object.values(optionCatalogue).find(({ flags }) => flag === `--${flags.at(-1)}`);
  return row?.example ?? OUT_EXAMPLE;
}
