import type { Command } from 'commander';
import { version } from '../../version.js';
import { askedFor } from '../asked.js';
import { lexGo, quietCommand } from '../lexing.js';
import type { Narrate } from '../narration.js';
import { optionRows, settingRows } from '../option-rows.js';
import type { Dialect, Request } from '../request.js';
import { exampleOf, optionOf } from './option.js';

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
  /** Whether options may come from a file and from variables, too. */
  readonly isConfigurable?: true;
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
  isConfigurable: true,
});

function requestOf(args: readonly string[], dialect: GoDialect): Request {
  const { text, loadNarrate, isConfigurable } = dialect;
  const command = commandOf(dialect);
  const lexed = lexGo(command, args, exampleOf);
  if (typeof lexed === 'string') return { type: 'say', text: lexed };
  const { sources, ...asked } = askedFor(lexed);
  return {
    type: 'benchmark',
    ...asked,
    ...(isConfigurable ? { sources } : {}),
    formats: [text],
    loadNarrate,
  };
}

function commandOf({ usage, isConfigurable }: GoDialect): Command {
  const command = quietCommand(usage)
    .usage('[options]')
    .description('Measures how fast a disk is: sequential write, sequential read and IOPS.');
  for (const [name, row] of Object.entries(isConfigurable ? optionRows : settingRows))
    command.addOption(optionOf(name, row));
  return command
    .version(`gobonnie version ${version}`, '--version', 'print the version')
    .addHelpText('after', EXAMPLES);
}
