import { zonesCatalogue } from '../../options/zones-catalogue.js';
import { defineCommand } from '../argv/command.js';
import { optionOf, ValuedArgument } from '../argv/option.js';

const NOTES =
  'Prints a line for each block as it is read: where it begins, how fast it was read and how long that took. FILE is ' +
  'opened for reading only, and read with direct I/O if possible; a warning says if memory answered. A part of a block ' +
  'at the end is read but not plotted. A successor to zcav: the outer tracks of a hard disk are faster than the inner ' +
  'ones.';

/** zcav's job: how fast a disk is from its front to its back. */
export const zones = defineCommand({
  name: 'gobonnie zones',
  usage: '[options] FILE',
  description: 'Reads a file or a block device from front to back, to plot how fast each part of it is.',
  argument: new ValuedArgument('[FILE]', 'a file, or a block device like /dev/sda'),
  options: Object.entries(zonesCatalogue).map(([name, row]) => optionOf(name, row)),
  examples: [
    { command: 'gobonnie zones /dev/sda > sda.zones', does: 'the whole disk, in blocks of 512 MiB' },
    { command: 'gobonnie zones --block 64 --loops 3 image.raw', does: 'a file, three times' },
    { command: `gnuplot -p -e 'plot "sda.zones" with lines'`, does: 'plots it' },
  ],
  notes: NOTES,
  exampleOf,
  request: (given, [file]) => ({
    type: 'act',
    async act(process, terminal) {
      const { zones } = await import('./loaded-together.js');
      return zones({ file, ...given }, process, terminal);
    },
  }),
});

/** A value for an option that was given none. */
function exampleOf(flag: string): string | undefined {
  return Object.values(zonesCatalogue).find(({ flags }) => flag === `--${flags.at(-1)}`)?.example;
}
