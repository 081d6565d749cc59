import type { Command } from 'commander';
import { optionCatalogue } from '../../options/catalogue.js';
import { version } from '../../version.js';
import { fromGo } from '../go-flags.js';
import { flagsOf, lex, quietCommand } from '../lexing.js';
import type { Narrate } from '../narration.js';
import { presentationCatalogue } from '../presentation-catalogue.js';
import type { Dialect, Request } from '../request.js';
import { exampleOf, optionOf, split } from './option.js';

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
  const [input, presentation] = split(command.opts());
  return { type: 'benchmark', input, presentation, formats: [text], loadNarrate };
}

function commandOf(usage: string): Command {
  const command = quietCommand(usage)
    .usage('[options]')
    .description('Measures how fast a disk is: sequential write, sequential read and IOPS.');
  for (const [name, row] of Object.entries({ ...optionCatalogue, ...presentationCatalogue }))
    command.addOption(optionOf(name, row));
  return command
    .version(`gobonnie version ${version}`, '--version', 'print the version')
    .addHelpText('after', EXAMPLES);
}
