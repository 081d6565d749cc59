import { zonesCatalogue } from '../../options/zones-catalogue.js';
import { commandOf } from '../argv/face.js';
import { lex } from '../argv/lexing.js';
import { optionOf, ValuedArgument } from '../argv/option.js';
import type { Dialect, Request } from '../request.js';

const NOTES =
  'A line for each block, as it is read: where it begins, how fast it came and how long it took. FILE is opened for ' +
  'reading only, and read past the page cache where it can be; a warning says where memory answered. What is less ' +
  'than a block at the end is read, but not plotted. Heir of zcav: the outer tracks of a hard disk are faster than ' +
  'the inner ones.';

/** zcav's job: how fast a disk is from its front to its back. */
export const zones: Dialect = {
  name: 'zones',
  summary: 'read a disk from front to back, for gnuplot to draw its zones',
  group: 'Commands',

  command: () =>
    commandOf({
      name: 'gobonnie zones',
      usage: '[options] FILE',
      description:
        'Reads a file or a block device front to back, for gnuplot to draw how fast each part of it is.',
      argument: new ValuedArgument('[FILE]', 'a file, or a block device like /dev/sda'),
      options: Object.entries(zonesCatalogue).map(([name, row]) => optionOf(name, row)),
      examples: [
        { command: 'gobonnie zones /dev/sda > sda.zones', does: 'the whole disk, in blocks of 512 MiB' },
        { command: 'gobonnie zones --block 64 --loops 3 image.raw', does: 'a file, three times over' },
        { command: `gnuplot -p -e 'plot "sda.zones" with lines'`, does: 'draws it' },
      ],
      notes: NOTES,
    }),

  read(args): Request {
    const command = this.command();
    const said = lex(command, args, exampleOf);
    if (said !== null) return { type: 'say', text: said };
    const input = { file: command.args[0], ...command.opts<{ block?: string; loops?: string }>() };
    return {
      type: 'act',
      load: async () => {
        const { zones: act } = await import('./zones.js');
        return (process, terminal) => act(input, process, terminal);
      },
    };
  },
};

/** A value for an option that was given none. */
function exampleOf(flag: string): string | undefined {
  return Object.values(zonesCatalogue).find(({ flags }) => flag === `--${flags.at(-1)}`)?.example;
}
