import { rejectJob } from '../../cluster/launcher.js';
import { GobonnieError, optionError } from '../../errors.js';
import { type ByteRate, getcPutcCsv, getcPutcTable } from '../../format/compat/getc-putc.js';
import { warningLineWithoutHint } from '../../format/human/sentences.js';
import { MAX_SIZE_GIB } from '../../options/option-catalogue.js';
import { validateOptions } from '../../options/validate-options.js';
import { plan } from '../../plan/plan.js';
import type { RunEvent } from '../../report/events/event-record.js';
import { execute } from '../../run/execute.js';
import { Watcher } from '../../scratch/watcher/watcher.js';
import { display } from '../../text/escape.js';
import { GIB, KIB } from '../../text/units.js';
import { version } from '../../version.js';
import { defineCommand } from '../argv/define-command.js';
import { translateError } from '../argv/dialect.js';
import { runPreflight } from '../commands/session.js';
import { EXIT_CODES, signalExitCode } from '../exit-codes.js';
import { createInterruption, stallLine } from '../interruption.js';
import type { Terminal } from '../output/terminal.js';
import { runAsUser } from './run-as-user.js';

const DEFAULT_SIZE_KIB = 512 * KIB;
const MIN_KIB = 4 * KIB;
const MAX_KIB = (MAX_SIZE_GIB * GIB) / KIB;

/** Replaces getc_putc of the bonnie++ package: compares the ways to transfer single bytes. */
export const getcPutc = defineCommand({
  name: 'gobonnie getc-putc',
  usage: '[flags]',
  description: 'Compares the ways to write and read a file byte by byte.',
  options: [
    { flags: '-d, --dir <DIR>', help: 'where the scratch file goes', defaultText: '.' },
    { flags: '-s, --size <KiB>', help: 'size of the file, m for MiB', defaultText: String(DEFAULT_SIZE_KIB) },
    { flags: '-m, --label <NAME>', help: "the machine's label", defaultText: "the host's name" },
    { flags: '-q, --quiet', help: 'write nothing to stderr' },
    { flags: '-u, --user <USER[:GROUP]>', help: 'run as this user (required for root; not on Windows)' },
    { flags: '-g, --group <GROUP>', help: 'run as this group' },
  ],
  examples: [
    { command: 'gobonnie getc-putc', comment: 'a file of 512 MiB, in this directory' },
    { command: 'gobonnie getc-putc -d /mnt/disk -s 64m', comment: 'faster, on another disk' },
  ],
  notes:
    'write and read are one-byte system calls, on a 64th of the size; putc and getc use a buffer that is locked for each ' +
    'byte; putcU and getcU use a buffer without a lock. The rates, in K/sec, show the cost of byte-wise code in Node.',
  request: (flags: Flags) => ({ type: 'command', run: (terminal) => compareVariants(flags, terminal) }),
});

type TextFlag = 'dir' | 'size' | 'label' | 'user' | 'group';
type Flags = Readonly<Partial<Record<TextFlag, string> & { quiet: boolean }>>;

const CHUNK_BYTES = 16_384;
/** getc_putc prints no rate for shorter tests. */
const MIN_RATED_SECONDS = 0.5;

/** System calls are so slow that they get only a 64th of the size. */
const VARIANTS = [
  { byteMode: 'syscall', share: 64, titles: { putc: 'write', getc: 'read' } },
  { byteMode: 'locked', share: 1, titles: { putc: 'putc', getc: 'getc' } },
  { byteMode: 'unlocked', share: 1, titles: { putc: 'putcU', getc: 'getcU' } },
] as const;

/** Measures the variants in turn and prints their rates side by side. Returns the exit code. */
async function compareVariants(flags: Flags, terminal: Terminal): Promise<number> {
  const sizeBytes = parseKibibytes(flags.size) * KIB;
  rejectJob(terminal.process.env, 'getc-putc');
  runAsUser('getc-putc', flags);
  const { log } = terminal;
  using interruption = createInterruption(terminal);
  const rates: ByteRate[] = [];
  let { label = '' } = flags;
  let exitCode: number = EXIT_CODES.success;
  for (const variant of VARIANTS) {
    const measuring = measureVariant(flags, sizeBytes, variant, interruption.signal, log);
    const result = await measuring.catch((error: unknown) => {
      const size = { name: '-s', units: (GIB / KIB) * variant.share };
      throw translateError({ names: { dir: '-d', label: '-m', size } }, error);
    });
    if (result.outcome.state === 'aborted') {
      log(`gobonnie: stopped by ${result.outcome.reason}; the temporary files are removed`);
      exitCode = signalExitCode(result.outcome.reason);
      break;
    }
    rates.push(...result.rates);
    label = result.label;
  }
  if (rates.length > 0) {
    terminal.print(getcPutcTable(version, label, rates));
    terminal.print(getcPutcCsv(label, rates));
  }
  return exitCode;
}

async function measureVariant(
  { dir = '.', label, quiet }: Flags,
  sizeBytes: number,
  { byteMode, share, titles }: (typeof VARIANTS)[number],
  signal: AbortSignal,
  log: (line: string) => void,
) {
  const options = validateOptions({
    dir,
    label,
    size: sizeBytes / share / GIB,
    blockSize: CHUNK_BYTES,
    ioSize: CHUNK_BYTES,
    threads: 1,
    cache: 'keep',
    phases: ['putc', 'getc'],
    byteMode,
  });
  const runPlan = plan(options, await runPreflight(options, { needsDirectory: true, signal }, log));
  const toTitle = (step: string) => (step === 'putc' ? titles.putc : titles.getc);
  const onEvent = (event: RunEvent) => {
    if (event.type === 'stall') log(stallLine(event));
    if (event.type === 'step-end' && !quiet) log(`${toTitle(event.measurement.step)}...done`);
  };
  using watcher = new Watcher();
  const { outcome, runs, warnings, label: usedLabel } = await execute(runPlan, { signal, onEvent }, watcher);
  if (outcome.state === 'failed')
    throw new GobonnieError('phase-failed', outcome.message, `see gobonnie explain ${outcome.code}`);
  // Warnings without a phase are the same for all variants, so only the first variant logs them.
  const ownWarnings = warnings.filter(({ step }) => step !== null || byteMode === VARIANTS[0].byteMode);
  for (const warning of quiet ? [] : ownWarnings) {
    const { step, message } = warning;
    log(warningLineWithoutHint(warning, step === null ? message : `${toTitle(step)}: ${message}`));
  }
  const rates = runs.flatMap(({ measurements }) =>
    measurements.map(({ step, seconds, bytesPerSecond }) => ({
      title: toTitle(step),
      bytesPerSecond: seconds < MIN_RATED_SECONDS ? null : bytesPerSecond,
    })),
  );
  return { outcome, label: usedLabel, rates };
}

function parseKibibytes(text: string | undefined): number {
  if (text === undefined) return DEFAULT_SIZE_KIB;
  const [, digits = Number.NaN, unit] = /^(\d+)(m?)$/i.exec(text) ?? [];
  const number = Number(digits) * (unit ? KIB : 1);
  if (number >= MIN_KIB && number <= MAX_KIB) return number;
  throw optionError(
    `invalid -s ${display(text)}: expected a whole number of KiB from ${MIN_KIB}, or of MiB from ${MIN_KIB / KIB}m`,
    `for example, -s ${MIN_KIB / KIB}m`,
  );
}
