import { version } from '../../version.js';
import { type CliCommand, type CommandDescription, defineCommand } from '../argv/command.js';
import { optionOf } from '../argv/option.js';
import { optionRows, settingRows, splitOptions } from '../argv/option-rows.js';
import type { Narrate } from '../output/narration.js';

const NOTES =
  'The page cache is emptied before the reads, so that they come from the disk: all of it as root, otherwise only ' +
  'that of the test files. If memory still served part of a figure, a warning says so.\n' +
  "Flags may also be written as gobonniego's: -size 0.5, -size=0.5, -json=true.";

interface GoDialect extends Pick<CommandDescription, 'name' | 'usage' | 'examples'> {
  /** The format of its lines. */
  readonly text: string;
  readonly loadNarrate: () => Promise<Narrate>;
  /** Whether options may also come from a config file and from variables. */
  readonly isConfigurable?: true;
}

/** gobonniego's flags, and what gobonnie adds to them. */
export function goDialect({ text, loadNarrate, isConfigurable, ...rest }: GoDialect): CliCommand {
  return defineCommand({
    ...rest,
    spelling: 'go',
    version: `gobonnie version ${version}`,
    description: 'Measures how fast a disk is: sequential write, sequential read and IOPS.',
    options: Object.entries(isConfigurable ? optionRows : settingRows).map(([name, row]) =>
      optionOf(name, row),
    ),
    notes: NOTES,
    request(given) {
      const { sources, ...asked } = splitOptions(given);
      return {
        type: 'benchmark',
        ...asked,
        ...(isConfigurable ? { sources } : {}),
        formats: [text],
        loadNarrate,
        isForPeople: isConfigurable,
      };
    },
  });
}

export const gobonniego = goDialect({
  name: 'gobonnie',
  usage: '[options]\n       gobonnie COMMAND --help',
  examples: [
    { command: 'gobonnie', does: "the system's temporary directory, twice the RAM" },
    { command: 'gobonnie --dir /mnt/disk --size 4', does: 'another disk, with a quicker answer' },
    { command: 'gobonnie --threads 64 --direct --io-size 4k', does: 'load a fast disk' },
    { command: 'gobonnie --runs 5 --out disk.json', does: 'confidence intervals, and a full report' },
    { command: 'gobonnie --json | jq .results', does: 'for programs' },
    { command: "gobonnie --size 1 --expect 'write>=200MB/s'", does: 'exit code 3 if it is slower' },
    { command: 'gobonnie --dry-run', does: 'what would be done' },
  ],
  text: 'text',
  loadNarrate: async () => (await import('../commands/loaded-together.js')).narrate,
  isConfigurable: true,
});
