import type { FormatName } from '../../format/index.js';
import { version } from '../../version.js';
import { getOptionRow, optionRows, settingRows } from '../argv/cli-catalogue.js';
import { type CliCommand, type CommandDescription, defineCommand } from '../argv/define-command.js';
import { directoryArgument } from '../argv/directory-argument.js';
import { toFlagsRows, ValuedArgument } from '../argv/option.js';

interface GoCommand extends Pick<CommandDescription, 'name' | 'usage' | 'examples'> {
  readonly format: FormatName;
  /** True for gobonnie itself: options may also come from a config file and from variables, and writes are synced. */
  readonly isOwn?: true;
}

/** Defines a command with gobonniego's flags and gobonnie's own flags. */
function defineGoCommand({ format, isOwn, ...rest }: GoCommand): CliCommand {
  const rows = isOwn
    ? optionRows
    : {
        ...settingRows,
        size: {
          ...getOptionRow('size'),
          defaultText: 'twice the RAM; up to 8 GiB with --direct or -no-fsync=false; 1 GiB with --step',
        },
        noFsync: { ...getOptionRow('noFsync'), defaultText: 'on' },
      };
  return defineCommand({
    ...rest,
    version: `gobonnie version ${version}`,
    description: 'Measures how fast a disk is: sequential write, sequential read and IOPS.',
    options: toFlagsRows(rows),
    argument: new ValuedArgument('[DIR...]', 'existing directory to measure, like --dir DIR'),
    notes:
      'Where possible (Linux, or root on macOS), gobonnie removes the test files from the page cache before reads. Results that may include cached ' +
      'reads get a warning.\n' +
      "Flags may also be written like gobonniego's: -size 0.5, -size=0.5, -json=true.",
    request(flags, args, command) {
      return {
        type: 'benchmark',
        rawOptions: { ...flags, ...directoryArgument(flags, args, command) },
        configurable: isOwn && Object.keys(rows),
        ...(!isOwn && { defaults: { noFsync: true } }),
        formats: [format],
        isInteractive: isOwn,
      };
    },
  });
}

export const gobonnie = defineGoCommand({
  name: 'gobonnie',
  format: 'text',
  usage: '[COMMAND] [options] [DIR]',
  examples: [
    { command: 'gobonnie', comment: 'up to 8 GiB, or twice the RAM' },
    { command: 'gobonnie --dir /mnt/disk --size 4', comment: 'another disk, with less data' },
    { command: 'gobonnie --size 1 --json | jq .results', comment: 'for programs' },
    { command: 'gobonnie --size 4 --threads 64 --direct --io-size 4k', comment: 'load a fast disk' },
    {
      command: 'gobonnie --size 1 --runs 5 --out disk.json',
      comment: 'confidence intervals, and a full report',
    },
    { command: 'gobonnie --size 1 --expect "write>=200MB/s"', comment: 'exit code 3 if it is slower' },
    { command: 'gobonnie --dry-run', comment: 'prints the plan' },
  ],
  isOwn: true,
});

function defineAncestor(format: 'gobonniego' | 'bonniego'): CliCommand {
  const command = `gobonnie ${format} -dir /mnt/disk -size 4`;
  const examples = [{ command, comment: `with the flags of ${format}` }];
  return defineGoCommand({ name: `gobonnie ${format}`, format, usage: '[options] [DIR]', examples });
}

/** gobonniego, whose clock stops before the data is on the device. */
export const gobonniego = defineAncestor('gobonniego');
/** bonniego: gobonniego's earlier name, with MiB in its lines. */
export const bonniego = defineAncestor('bonniego');
