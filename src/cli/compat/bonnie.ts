import { MAX_DATA_FILES_PER_THREAD, MAX_SIZE_GIB } from '../../options/option-catalogue.js';
import type { OptionsInput } from '../../options/options-schema.js';
import { display } from '../../text/escape.js';
import { validateChoice } from '../../text/suggest.js';
import { defineCommand } from '../argv/define-command.js';
import { parseWholeNumber } from './flag-values.js';

const MIB_PER_GIB = 1024;
const MAX_MIB = MAX_SIZE_GIB * MIB_PER_GIB;
const CHUNK_BYTES = 16_384;

const DEFAULTS = { dir: '.', sizeMib: 100, seekThreads: 3, seeks: 4000, dataFiles: 1, form: 'txt' } as const;
/** The format of each form. */
const FORMS = { txt: 'bonnie', html: 'bonnie-html' };

/** Bonnie: Tim Bray's tests in his order, with Kurt Garloff's flags. */
export const bonnie = defineCommand({
  name: 'gobonnie bonnie',
  description: "Runs Bonnie's six tests on a file in one thread, and prints Bonnie's table.",
  options: [
    { flags: '-d, --dir <DIR>', help: 'where the scratch files go', defaultText: DEFAULTS.dir },
    { flags: '-s, --size <MB>', help: 'size of a file in MiB', defaultText: String(DEFAULTS.sizeMib) },
    {
      flags: '-v, --data-files <N>',
      help: 'number of files of that size',
      defaultText: String(DEFAULTS.dataFiles),
    },
    { flags: '-r, --random', help: 'random data, different in every buffer' },
    { flags: '-y, --sync', help: 'sync after writing, as part of the measured time' },
    {
      flags: '-p, --seek-threads <N>',
      help: 'number of threads that seek',
      defaultText: String(DEFAULTS.seekThreads),
    },
    { flags: '-S, --seeks <N>', help: 'total number of seeks', defaultText: String(DEFAULTS.seeks) },
    { flags: '--o_direct', help: 'bypass the page cache, except in the per-byte tests (not on macOS)' },
    { flags: '-m, --label <NAME>', help: "the machine's label", defaultText: "the host's name" },
    {
      flags: '-f, --form <FORM>',
      help: Object.keys(FORMS).join(' or '),
      defaultText: DEFAULTS.form,
      values: { choices: Object.keys(FORMS) },
    },
    { flags: '--html', help: 'the same as -f html' },
  ],
  examples: [
    { command: 'gobonnie bonnie -d /mnt/disk -s 1024 -y', comment: 'a file of 1 GiB, synced' },
    { command: 'gobonnie bonnie -s 1024 -html > bonnie.html', comment: 'a page' },
  ],
  notes:
    '--html and --o_direct also work with one dash. Like Bonnie, this command does not drop the page cache: use a file ' +
    'larger than the RAM. The per-byte tests show the cost of byte-wise code in Node.',
  request(flags: BonnieFlags) {
    const dataFiles = parseWholeNumber(
      '-v',
      flags.dataFiles,
      DEFAULTS.dataFiles,
      1,
      MAX_DATA_FILES_PER_THREAD,
    );
    const sizeMib = parseWholeNumber('-s', flags.size, DEFAULTS.sizeMib, 1, Math.floor(MAX_MIB / dataFiles));
    const form = validateChoice(FORMS, flags.form ?? DEFAULTS.form, `-f ${display(flags.form)}`);
    return {
      type: 'benchmark',
      rawOptions: {
        dir: flags.dir ?? DEFAULTS.dir,
        size: (sizeMib * dataFiles) / MIB_PER_GIB,
        label: flags.label,
        unique: flags.random ?? false,
        noFsync: !flags.sync,
        seekThreads: parseWholeNumber('-p', flags.seekThreads, DEFAULTS.seekThreads, 1),
        seeks: parseWholeNumber('-S', flags.seeks, DEFAULTS.seeks, 1),
        dataFiles,
        direct: flags.o_direct ?? false,
        threads: 1,
        blockSize: CHUNK_BYTES,
        ioSize: CHUNK_BYTES,
        cache: 'keep',
        phases: ['putc', 'rewrite', 'write', 'getc', 'read', 'seeks'],
      } satisfies OptionsInput,
      isCompat: true,
      rows: {},
      formats: [FORMS[flags.html ? 'html' : form]],
      logFormat: 'bonnie',
      flagNames: {
        dir: '-d',
        size: { name: '-s', units: MIB_PER_GIB / dataFiles },
        seeks: '-S',
        seekThreads: '-p',
        dataFiles: '-v',
        direct: '-o_direct',
        label: '-m',
      },
    };
  },
});

type TextFlag = 'dir' | 'size' | 'label' | 'form' | 'seekThreads' | 'seeks' | 'dataFiles';
type Switch = 'html' | 'random' | 'sync' | 'o_direct';
type BonnieFlags = Readonly<Partial<Record<TextFlag, string> & Record<Switch, boolean>>>;
