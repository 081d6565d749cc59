import { GobonnieError, shown } from '../../errors.js';
import { MAX_SIZE_GIB } from '../../options/catalogue.js';
import { GIB, KIB } from '../../units.js';
import { fromGetopt, type GetoptFlag } from '../getopt.js';
import { lex, quietCommand } from '../lexing.js';
import type { Dialect, Request } from '../request.js';

/** 512 MiB. */
const SIZE_KIB = 512 * KIB;
const LEAST_KIB = 4 * KIB;
const MOST_KIB = (MAX_SIZE_GIB * GIB) / KIB;

const FLAGS: readonly GetoptFlag[] = [
  { letter: 'd', name: 'dir', value: 'needed' },
  { letter: 's', name: 'size', value: 'needed' },
  { letter: 'm', name: 'label', value: 'needed' },
  { letter: 'q', name: 'quiet', value: 'none' },
  { letter: 'u', name: 'user', value: 'needed' },
  { letter: 'g', name: 'group', value: 'needed' },
  { letter: 'h', name: 'help', value: 'none' },
];

const NOTES = `
write and read are one-byte system calls, on a 64th of the size; putc and getc go through a buffer with a lock for each
byte, putcU and getcU through one without. The figures are K/sec: what byte-wise code pays in Node.`;

interface Given {
  readonly dir?: string;
  readonly size?: string;
  readonly label?: string;
  readonly quiet?: boolean;
  readonly user?: string;
  readonly group?: string;
}

/** getc_putc of the bonnie++ package: the ways to move single bytes, side by side. */
export const getcPutc: Dialect = {
  name: 'getc-putc',

  read(args): Request {
    const command = quietCommand('gobonnie getc-putc')
      .usage('[flags]')
      .description('Compares the ways to write and read a file byte by byte.')
      .option('-d, --dir <DIR>', 'where the scratch file goes (default: .)')
      .option('-s, --size <KiB>', `size of the file, m for MiB (default: ${SIZE_KIB})`)
      .option('-m, --label <NAME>', "the machine's name (default: the host's)")
      .option('-q, --quiet', 'say nothing on stderr')
      .option('-u, --user <USER[:GROUP]>', 'become that user first; as root it has to be said')
      .option('-g, --group <GROUP>', 'become that group first')
      .addHelpText('after', NOTES);
    const said = lex(command, fromGetopt(args, FLAGS));
    if (said !== null) return { type: 'say', text: said };
    const { dir = '.', size, label, quiet = false, user, group } = command.opts<Given>();
    const sizeKib = kibibytes(size);
    return {
      type: 'act',
      load: async () => {
        const { getcPutc } = await import('../commands/getc-putc.js');
        return (process, terminal) =>
          getcPutc({ dir, sizeBytes: sizeKib * KIB, label, quiet, user, group }, process, terminal);
      },
    };
  },
};

function kibibytes(given: string | undefined): number {
  if (given === undefined) return SIZE_KIB;
  const [, digits = Number.NaN, unit] = /^(\d+)(m?)$/i.exec(given) ?? [];
  const number = Number(digits) * (unit ? KIB : 1);
  if (number >= LEAST_KIB && number <= MOST_KIB) return number;
  throw new GobonnieError(
    'option-invalid',
    `-s ${shown(given)} is not a whole number of KiB from ${LEAST_KIB}, or of MiB with an m behind it`,
    `pass for example -s ${LEAST_KIB / KIB}m`,
  );
}
