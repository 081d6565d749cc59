import { GobonnieError } from '../../errors.js';
import { MAX_SIZE_GIB } from '../../options/catalogue.js';
import { shown } from '../../text/escape.js';
import { GIB, KIB } from '../../text/units.js';
import { commandOf } from '../argv/face.js';
import { fromGetopt } from '../argv/getopt.js';
import { lettersOf, lex } from '../argv/lexing.js';
import { ValuedOption } from '../argv/option.js';
import type { Dialect, Request } from '../request.js';

/** 512 MiB. */
const SIZE_KIB = 512 * KIB;
const LEAST_KIB = 4 * KIB;
const MOST_KIB = (MAX_SIZE_GIB * GIB) / KIB;

/** Its flags, one row each. */
const ROWS = [
  { flags: '-d, --dir <DIR>', help: 'where the scratch file goes', defaultText: '.' },
  { flags: '-s, --size <KiB>', help: 'size of the file, m for MiB', defaultText: String(SIZE_KIB) },
  { flags: '-m, --label <NAME>', help: "the machine's name", defaultText: "the host's" },
  { flags: '-q, --quiet', help: 'say nothing on stderr' },
  { flags: '-u, --user <USER[:GROUP]>', help: 'run as this user (required for root)' },
  { flags: '-g, --group <GROUP>', help: 'run as this group' },
] as const;

const NOTES =
  'write and read are one-byte system calls, on a 64th of the size; putc and getc go through a buffer with a lock ' +
  'for each byte, putcU and getcU through one without. The figures are K/sec: what byte-wise code pays in Node.';

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
  summary: 'compare the ways to write and read byte by byte',
  group: 'As its ancestors',

  command: () =>
    commandOf({
      name: 'gobonnie getc-putc',
      usage: '[flags]',
      description: 'Compares the ways to write and read a file byte by byte.',
      options: ROWS.map((row) => new ValuedOption(row)),
      isByLetter: true,
      examples: [
        { command: 'gobonnie getc-putc', does: 'a file of 512 MiB, in this directory' },
        { command: 'gobonnie getc-putc -d /mnt/disk -s 64m', does: 'quicker, and elsewhere' },
      ],
      notes: NOTES,
    }),

  read(args): Request {
    const command = this.command();
    const said = lex(command, fromGetopt(args, lettersOf(command.options)));
    if (said !== null) return { type: 'say', text: said };
    const { dir = '.', size, label, quiet = false, user, group } = command.opts<Given>();
    const sizeKib = kibibytes(size);
    return {
      type: 'act',
      load: async () => {
        const { getcPutc } = await import('./getc-putc.js');
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
    `-s ${shown(given)} is not a whole number of KiB from ${LEAST_KIB}, or of MiB from ${LEAST_KIB / KIB} with an m behind it`,
    `pass for example -s ${LEAST_KIB / KIB}m`,
  );
}
