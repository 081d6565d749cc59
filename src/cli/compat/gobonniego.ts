import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { GobonnieError } from '../../errors.js';
import { display } from '../../text/escape.js';
import { version } from '../../version.js';
import { type CliCommand, type CommandDescription, defineCommand } from '../argv/define-command.js';
import { toFlagsRow, ValuedArgument } from '../argv/option.js';
import { FLAG_HINTS, optionRows, type RawOptions, settingRows, splitOptions } from '../argv/option-rows.js';
import { helpHint, unknownArgumentError } from '../argv/parse-argv.js';
import type { LogFormatter } from '../output/log-format.js';

const NOTES =
  'Before the reads the page cache is emptied if it can be, so that they come from the disk: on Linux, and on macOS ' +
  'as root. If memory may have served part of a figure, a warning says so.\n' +
  "Flags may also be written as gobonniego's: -size 0.5, -size=0.5, -json=true.";

interface GoCommand extends Pick<CommandDescription, 'name' | 'usage' | 'examples'> {
  /** The format of its lines. */
  readonly format: string;
  readonly loadLogFormatter: () => Promise<LogFormatter>;
  /** Whether options may also come from a config file and from variables. */
  readonly isConfigurable?: true;
}

/** gobonniego's flags, and what gobonnie adds to them. */
export function defineGoCommand({
  format,
  loadLogFormatter,
  isConfigurable,
  ...rest
}: GoCommand): CliCommand {
  return defineCommand({
    ...rest,
    flagStyle: 'go',
    version: `gobonnie version ${version}`,
    description: 'Measures how fast a disk is: sequential write, sequential read and IOPS.',
    options: Object.entries(isConfigurable ? optionRows : settingRows).map(([name, row]) =>
      toFlagsRow(name, row),
    ),
    argument: new ValuedArgument('[DIR...]', 'an existing directory, the same as --dir DIR'),
    flagHints: FLAG_HINTS,
    notes: NOTES,
    request(flags, args, command) {
      const { configSelection: sources, ...options } = splitOptions({
        ...flags,
        ...directoryArgument(flags, args, command),
      });
      return {
        type: 'benchmark',
        ...options,
        ...(isConfigurable ? { configSelection: sources } : {}),
        formats: [format],
        loadLogFormatter,
        isInteractive: isConfigurable,
      };
    },
  });
}

/** `gobonnie /mnt/disk` means `--dir /mnt/disk`. A missing directory may be a mistyped command, so it is not created. */
function directoryArgument(
  { dir }: RawOptions,
  args: readonly string[],
  command: Command,
): { readonly dir?: string } {
  const stray = args.find((argument) => !isDirectory(argument));
  if (stray !== undefined) {
    const hint = `pass --dir DIR to create one, or ${helpHint(command)}`;
    throw unknownArgumentError(command, stray, 'directory', hint);
  }
  const directories = [...(dir === undefined ? [] : [String(dir)]), ...args];
  if (directories.length > 1)
    throw new GobonnieError(
      'option-invalid',
      `${directories.map(display).join(' and ')} are ${directories.length} directories`,
      'pass one of them, or compare them with gobonnie ab',
    );
  return args[0] === undefined ? {} : { dir: args[0] };
}

/** A path that cannot be looked up counts: what checks --dir says why. */
function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return true;
  }
}

export const gobonniego = defineGoCommand({
  name: 'gobonnie',
  usage: '[options] [DIR]\n       gobonnie COMMAND --help',
  examples: [
    { command: 'gobonnie', comment: 'writes twice the RAM' },
    { command: 'gobonnie --dir /mnt/disk --size 4', comment: 'another disk, with a quicker answer' },
    { command: 'gobonnie --size 4 --threads 64 --direct --io-size 4k', comment: 'load a fast disk' },
    {
      command: 'gobonnie --size 1 --runs 5 --out disk.json',
      comment: 'confidence intervals, and a full report',
    },
    { command: 'gobonnie --size 1 --json | jq .results', comment: 'for programs' },
    { command: 'gobonnie --size 1 --expect "write>=200MB/s"', comment: 'exit code 3 if it is slower' },
    { command: 'gobonnie --dry-run', comment: 'what would be done' },
  ],
  format: 'text',
  loadLogFormatter: async () => (await import('../commands/lazy-bundle.js')).formatLog,
  isConfigurable: true,
});
