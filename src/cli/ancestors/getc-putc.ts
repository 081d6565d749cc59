import { GobonnieError } from '../../errors.js';
import { type ByteRate, getcPutcCsv, getcPutcTable } from '../../format/ancestors/getc-putc.js';
import { judge } from '../../options/judge.js';
import { plan } from '../../plan/plan.js';
import type { RunEvent } from '../../report/events/event.js';
import type { Measurement, Report } from '../../report/schema/report.js';
import { execute } from '../../run/run.js';
import { Watcher } from '../../scratch/watcher.js';
import { GIB, KIB } from '../../text/units.js';
import { version } from '../../version.js';
import { inDialect } from '../argv/wording.js';
import { refuseMissingDirectory } from '../commands/missing-directory.js';
import { surveyed } from '../commands/surveyed.js';
import { EXIT_CODES } from '../exit-codes.js';
import { Interruption, stallLine } from '../interruption.js';
import type { CliProcess, Terminal } from '../output/terminal.js';
import { signalExitCode } from '../signals.js';
import { runAsUser } from './run-as-user.js';

interface Asked {
  readonly dir: string;
  readonly sizeBytes: number;
  readonly label: string | undefined;
  readonly quiet: boolean;
  readonly user: string | undefined;
  readonly group: string | undefined;
}

const CHUNK_BYTES = 16_384;
/** A system call for each byte takes so much longer. */
const SYSCALL_SHARE = 64;
/** The clock of getc_putc tells no less, and its readers know the mark for it. */
const LEAST_SECONDS = 0.5;

const WAYS = [
  { byteMode: 'syscall', share: SYSCALL_SHARE, titles: { putc: 'write', getc: 'read' } },
  { byteMode: 'locked', share: 1, titles: { putc: 'putc', getc: 'getc' } },
  { byteMode: 'unlocked', share: 1, titles: { putc: 'putcU', getc: 'getcU' } },
] as const;

/** Measures one way after the other and prints them side by side; gives the exit code. */
export async function getcPutc(asked: Asked, process: CliProcess, terminal: Terminal): Promise<number> {
  const { user, group } = asked;
  runAsUser('getc-putc', { user, group });
  const say = (line: string) => terminal.narrate(line);
  const interruption = new Interruption(process, say);
  const rates: ByteRate[] = [];
  let label = asked.label;
  let exitCode: number = EXIT_CODES.done;
  try {
    for (const way of WAYS) {
      const report = await measure(asked, way, interruption.signal, say).catch((error: unknown) => {
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
  { dir, sizeBytes, label, quiet }: Asked,
  { byteMode, share, titles }: (typeof WAYS)[number],
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Report> {
  const options = judge({
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
  const machine = await surveyed(options, { dryRun: false }, say, signal);
  refuseMissingDirectory(machine);
  const decided = plan(options, machine);
  const onEvent = (event: RunEvent) => {
    if (event.type === 'stall') say(stallLine(event));
    if (event.type === 'phase-end' && !quiet) say(`${titleOf(event.measurement, titles)}...done`);
  };
  const report = await Watcher.during((watcher) => execute(decided, { signal, onEvent }, watcher));
  const { outcome } = report;
  if (outcome.state === 'failed')
    throw new GobonnieError('phase-failed', outcome.message, `see gobonnie explain ${outcome.code}`);
  return report;
}

type Titles = (typeof WAYS)[number]['titles'];

function titleOf({ phase }: Pick<Measurement, 'phase'>, titles: Titles): string {
  return phase === 'putc' ? titles.putc : titles.getc;
}

function ratesOf({ runs }: Report, titles: Titles): readonly ByteRate[] {
  return runs.flatMap(({ measurements }) =>
    measurements.map(({ phase, seconds, bytesPerSecond }) => ({
      title: titleOf({ phase }, titles),
      bytesPerSecond: seconds < LEAST_SECONDS ? null : bytesPerSecond,
    })),
  );
}
