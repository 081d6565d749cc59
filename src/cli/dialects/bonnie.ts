import { Option } from 'commander';
import { GobonnieError, shown } from '../../errors.js';
import { MAX_SIZE_GIB } from '../../options/catalogue.js';
import { MAX_VOLUMES } from '../../options/family.js';
import { fromGo } from '../go-flags.js';
import { flagsOf, lex, quietCommand } from '../lexing.js';
import type { Dialect, Request } from '../request.js';
import { flagNames, inDialect } from '../wording.js';
import { wholeNumber } from './whole-number.js';

const MIB_PER_GIB = 1024;
const MOST_MIB = MAX_SIZE_GIB * MIB_PER_GIB;
const CHUNK_BYTES = 16_384;
const PHASES = ['putc', 'rewrite', 'write', 'getc', 'read', 'seeks'];

/** Bray's and Garloff's flags, one row each. */
const ROWS = [
  { flags: '-d, --dir <DIR>', help: 'where the scratch files go (default: .)' },
  { flags: '-s, --size <MB>', help: 'size of a file in MiB (default: 100)' },
  { flags: '-m, --label <NAME>', help: "the machine's label (default: the host's name)" },
  { flags: '-f, --form <FORM>', help: 'txt or html' },
  { flags: '--html', help: 'the same as -f html' },
  { flags: '-r, --random', help: 'random buffers, of which no two are alike' },
  { flags: '-y, --sync', help: 'sync after writing, within its time' },
  { flags: '-u, --unlocked', help: 'putc_unlocked and getc_unlocked' },
  { flags: '-p, --seekers <N>', help: 'how many seek at once (default: 3)' },
  { flags: '-S, --seeks <N>', help: 'how many seeks in all (default: 4000)' },
  { flags: '-v, --volumes <N>', help: 'how many files of that size (default: 1)' },
  { flags: '--o_direct', help: 'past the page cache, for all but the tests by byte' },
] as const;

/** gobonnie's messages name its own flags. */
const FLAG_NAMES = {
  '--dir': '-d',
  '--seeks': '-S',
  '--seekers': '-p',
  '--volumes': '-v',
  '--direct': '-o_direct',
  '--fsync': '-y',
  '--label': '-m',
  '--form': '-f',
};

const EXAMPLES = `
-html and -o_direct are written with one dash, too. As its ancestor, it leaves the page cache as it is: take a file
larger than the memory. By byte means what byte-wise code pays in Node.`;

/** Bonnie: Tim Bray's tests in his order, with Kurt Garloff's flags. */
export const bonnie: Dialect = {
  name: 'bonnie',

  read(args): Request {
    const command = quietCommand('gobonnie bonnie').usage('[options]');
    command.description("Bonnie's six tests on a file, by one thread, and its table.");
    const options = ROWS.map(({ flags, help }) => new Option(flags, help));
    for (const option of options) command.addOption(option);
    command.addHelpText('after', EXAMPLES);
    const said = inDialect({ ...FLAG_NAMES, '--size': '-s' }, () =>
      lex(command, fromGo(args, flagsOf(options))),
    );
    if (said !== null) return { type: 'say', text: said };
    const given = command.opts<Given>();
    const volumes = wholeNumber('-v', given.volumes, 1, 1, MAX_VOLUMES);
    return {
      type: 'benchmark',
      input: {
        dir: given.dir ?? '.',
        size: (wholeNumber('-s', given.size, 100, 1, Math.floor(MOST_MIB / volumes)) * volumes) / MIB_PER_GIB,
        label: given.label,
        unique: given.random ?? false,
        fsync: given.sync ?? false,
        byteMode: given.unlocked ? 'unlocked' : 'locked',
        seekers: wholeNumber('-p', given.seekers, 3, 1),
        seeks: wholeNumber('-S', given.seeks, 4000, 1),
        volumes,
        direct: given.o_direct ?? false,
        threads: 1,
        blockSize: CHUNK_BYTES,
        ioSize: CHUNK_BYTES,
        cache: 'keep',
        phases: PHASES,
      },
      presentation: {},
      needsDirectory: true,
      isAncestral: true,
      formats: [isHtml(given) ? 'bonnie-html' : 'bonnie'],
      loadNarrate: async () => {
        const { bonnieNarrate } = await import('../bonnie-narration.js');
        return bonnieNarrate(given.unlocked ?? false);
      },
      flagNames: flagNames({ ...FLAG_NAMES, '--size': { name: '-s', units: MIB_PER_GIB / volumes } }),
    };
  },
};

interface Given {
  readonly dir?: string;
  readonly size?: string;
  readonly label?: string;
  readonly form?: string;
  readonly html?: boolean;
  readonly random?: boolean;
  readonly sync?: boolean;
  readonly unlocked?: boolean;
  readonly seekers?: string;
  readonly seeks?: string;
  readonly volumes?: string;
  readonly o_direct?: boolean;
}

function isHtml({ form = 'txt', html = false }: Given): boolean {
  if (form !== 'txt' && form !== 'html') {
    throw new GobonnieError(
      'option-invalid',
      `-f ${shown(form)} is neither txt nor html`,
      'pass -f txt or -f html',
    );
  }
  return html || form === 'html';
}
