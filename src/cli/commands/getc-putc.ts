import { GobonnieError } from '../../errors.js';
import { type ByteRate, getcPutcCsv, getcPutcTable } from '../../format/getc-putc.js';
import { inspect } from '../../machine.js';
import { judge } from '../../options/judge.js';
import { plan } from '../../plan.js';
import type { RunEvent } from '../../report/event.js';
import type { Measurement, Report } from '../../report/report.js';
import { execute } from '../../run/run.js';
import { Watcher } from '../../run/watcher.js';
import { GIB, KIB } from '../../units.js';
import { version } from '../../version.js';
import { becomeAsked } from '../identity.js';
import { catchSignals, signalExitCode } from '../signals.js';
import type { CliProcess, Terminal } from '../terminal.js';
import { errorInWordsOf, flagNames } from '../wording.js';
import { refuseMissingDirectory } from './missing-directory.js';

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
  becomeAsked('getc-putc', { user, group });
  const abort = new AbortController();
  const release = catchSignals(process, (name) => abort.abort(name));
  const rates: ByteRate[] = [];
  let label = asked.label;
  try {
    for (const way of WAYS) {
      const report = await measure(asked, way, abort.signal, terminal).catch((error: unknown) => {
        throw errorInWordsOf(
          flagNames({
            '--dir': '-d',
            '--label': '-m',
            '--size': { name: '-s', units: (GIB / KIB) * way.share },
          }),
          error,
        );
      });
      if (report.outcome.state === 'aborted') {
        terminal.narrate(`gobonnie: stopped by ${report.outcome.reason}; the temporary files are removed`);
        return signalExitCode(report.outcome.reason);
      }
      rates.push(...ratesOf(report, way.titles));
      label ??= report.label;
    }
  } finally {
    release();
  }
  terminal.answer(getcPutcTable(version, label ?? '', rates));
  terminal.answer(getcPutcCsv(label ?? '', rates));
  return 0;
}

async function measure(
  { dir, sizeBytes, label, quiet }: Asked,
  { byteMode, share, titles }: (typeof WAYS)[number],
  signal: AbortSignal,
  terminal: Terminal,
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
  const machine = await inspect(dir);
  refuseMissingDirectory(machine);
  const decided = plan(options, machine);
  const onEvent = (event: RunEvent) => {
    if (event.type === 'phase-end' && !quiet)
      terminal.narrate(`${titleOf(event.measurement, titles)}...done`);
  };
  const report = await Watcher.during((watcher) => execute(decided, { signal, onEvent }, watcher));
  const { outcome } = report;
  if (outcome.state === 'failed') throw new GobonnieError('phase-failed', outcome.message, outcome.hint);
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
