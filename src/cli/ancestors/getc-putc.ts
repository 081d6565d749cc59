import { GobonnieError } from '../../errors.js';
import { type ByteRate, getcPutcCsv, getcPutcTable } from '../../format/ancestors/getc-putc.js';
import { warningLineWithoutHint } from '../../format/people/sentences.js';
import { refuseJob } from '../../meeting/joined.js';
import { MAX_SIZE_GIB } from '../../options/catalogue.js';
import { judgeOptions } from '../../options/judge-options.js';
import type { RunEvent } from '../../report/events/event.js';
import type { Measurement, Report, Warning } from '../../report/schema/report.js';
import { execute } from '../../run/run.js';
import { Watcher } from '../../scratch/watcher/watcher.js';
import { shown } from '../../text/escape.js';
import { GIB, KIB } from '../../text/units.js';
import { version } from '../../version.js';
import { defineCommand } from '../argv/command.js';
import { inDialect } from '../argv/wording.js';
import { planned } from '../commands/planning.js';
import { EXIT_CODES } from '../exit-codes.js';
import { Interruption, stallLine } from '../interruption.js';
import type { CliProcess, Terminal } from '../output/terminal.js';
import { signalExitCode } from '../signals.js';
import { invalid } from './flag-values.js';
import { runAsUser } from './run-as-user.js';

/** 512 MiB. */
const SIZE_KIB = 512 * KIB;
const LEAST_KIB = 4 * KIB;
const MOST_KIB = (MAX_SIZE_GIB * GIB) / KIB;

const FLAGS = [
  { flags: '-d, --dir <DIR>', help: 'where the scratch file goes', defaultText: '.' },
  { flags: '-s, --size <KiB>', help: 'size of the file, m for MiB', defaultText: String(SIZE_KIB) },
  { flags: '-m, --label <NAME>', help: "the machine's name", defaultText: "the host's" },
  { flags: '-q, --quiet', help: 'write nothing to stderr' },
  { flags: '-u, --user <USER[:GROUP]>', help: 'run as this user (required for root; not on Windows)' },
  { flags: '-g, --group <GROUP>', help: 'run as this group' },
] as const;

const NOTES =
  'write and read are one-byte system calls, on a 64th of the size; putc and getc use a buffer that is locked for each ' +
  'byte, putcU and getcU one without a lock. The figures, in K/sec, show what byte-wise code costs in Node.';

/** getc_putc of the bonnie++ package: the ways to move single bytes, side by side. */
export const getcPutc = defineCommand({
  name: 'gobonnie getc-putc',
  usage: '[flags]',
  description: 'Compares the ways to write and read a file byte by byte.',
  options: FLAGS,
  spelling: 'getopt',
  examples: [
    { command: 'gobonnie getc-putc', does: 'a file of 512 MiB, in this directory' },
    { command: 'gobonnie getc-putc -d /mnt/disk -s 64m', does: 'quicker, on another disk' },
  ],
  notes: NOTES,
  request(given: Flags) {
    const sizeBytes = kibibytes(given.size) * KIB;
    return {
      type: 'act',
      act: (process, terminal) => compareWays({ ...given, sizeBytes }, process, terminal),
    };
  },
});

interface Flags {
  readonly dir?: string;
  readonly size?: string;
  readonly label?: string;
  readonly quiet?: boolean;
  readonly user?: string;
  readonly group?: string;
}

type Settings = Flags & { readonly sizeBytes: number };

const CHUNK_BYTES = 16_384;
/** System calls are so slow that they get only part of the size. */
const SYSCALL_SHARE = 64;
/** getc_putc prints no rate for anything shorter. */
const LEAST_SECONDS = 0.5;

const WAYS = [
  { byteMode: 'syscall', share: SYSCALL_SHARE, titles: { putc: 'write', getc: 'read' } },
  { byteMode: 'locked', share: 1, titles: { putc: 'putc', getc: 'getc' } },
  { byteMode: 'unlocked', share: 1, titles: { putc: 'putcU', getc: 'getcU' } },
] as const;

/** Measures one way after the other and prints them side by side; returns the exit code. */
async function compareWays(settings: Settings, process: CliProcess, terminal: Terminal): Promise<number> {
  refuseJob(process.env, 'getc-putc');
  const { user, group } = settings;
  runAsUser('getc-putc', { user, group });
  const say = (line: string) => terminal.narrate(line);
  const interruption = new Interruption(process, terminal);
  const rates: ByteRate[] = [];
  let { label } = settings;
  let exitCode: number = EXIT_CODES.done;
  try {
    for (const way of WAYS) {
      const report = await measure(settings, way, interruption.signal, say).catch((error: unknown) => {
        const size = { name: '-s', units: (GIB / KIB) * way.share };
        throw inDialect({ names: { dir: '-d', label: '-m', size } }, error);
      });
      if (report.outcome.state === 'aborted') {
        say(`gobonnie: stopped by ${report.outcome.reason}; the temporary files are removed`);
        exitCode = signalExitCode(report.outcome.reason);
        break;
      }
      rates.push(...ratesOf(report, way.titles));
      label ??= report.label;
    }
  } finally {
    interruption.end();
  }
  if (rates.length > 0) {
    terminal.answer(getcPutcTable(version, label ?? '', rates));
    terminal.answer(getcPutcCsv(label ?? '', rates));
  }
  return exitCode;
}

async function measure(
  { dir = '.', sizeBytes, label, quiet }: Settings,
  { byteMode, share, titles }: (typeof WAYS)[number],
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Report> {
  const options = judgeOptions({
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
  const plan = await planned(options, { needsDirectory: true, signal }, say);
  const onEvent = (event: RunEvent) => {
    if (event.type === 'stall') say(stallLine(event));
    if (event.type === 'phase-end' && !quiet) say(`${titleOf(event.measurement, titles)}...done`);
  };
  const report = await Watcher.during((watcher) => execute(plan, { signal, onEvent }, watcher));
  const { outcome } = report;
  if (outcome.state === 'failed')
    throw new GobonnieError('phase-failed', outcome.message, `see gobonnie explain ${outcome.code}`);
  // The ways have in common what is not about a phase.
  const own = report.warnings.filter(({ phase }) => phase !== null || byteMode === WAYS[0].byteMode);
  if (!quiet) for (const warning of own) say(warningLineWithoutHint(named(warning, titles)));
  return report;
}

type Titles = (typeof WAYS)[number]['titles'];

function titleOf({ phase }: Pick<Measurement, 'phase'>, titles: Titles): string {
  return phase === 'putc' ? titles.putc : titles.getc;
}

/** A warning about a phase begins with its title: here with that of the way. */
function named(warning: Warning, titles: Titles): Warning {
  const { phase, message } = warning;
  return phase === null
    ? warning
    : { ...warning, message: titleOf({ phase }, titles) + message.slice(message.indexOf(':')) };
}

function ratesOf({ runs }: Report, titles: Titles): readonly ByteRate[] {
  return runs.flatMap(({ measurements }) =>
    measurements.map(({ phase, seconds, bytesPerSecond }) => ({
      title: titleOf({ phase }, titles),
      bytesPerSecond: seconds < LEAST_SECONDS ? null : bytesPerSecond,
    })),
  );
}

function kibibytes(given: string | undefined): number {
  if (given === undefined) return SIZE_KIB;
  const [, digits = Number.NaN, unit] = /^(\d+)(m?)$/i.exec(given) ?? [];
  const number = Number(digits) * (unit ? KIB : 1);
  if (number >= LEAST_KIB && number <= MOST_KIB) return number;
  throw invalid(
    `-s ${shown(given)} is not a whole number of KiB from ${LEAST_KIB}, or of MiB from ${LEAST_KIB / KIB}m`,
    `pass for example -s ${LEAST_KIB / KIB}m`,
  );
}
