import path from 'node:path';
import * as z from 'zod';
import { optionError } from '../../errors.js';
import { warningLine } from '../../format/human/sentences.js';
import { rejectJob } from '../../hosts/launcher.js';
import { findLowerCache, formatDeviceNumber, readBlockDevice } from '../../machine/block-device.js';
import { directIoReachesDevice, whyIoIsUnaccounted } from '../../machine/filesystem.js';
import { inspectMachine } from '../../machine/machine.js';
import { fromText, inBounds } from '../../options/field-schemas.js';
import { optionCatalogue } from '../../options/option-catalogue.js';
import { inGroup, wholeNumber } from '../../options/option-row.js';
import { parseOptions } from '../../options/validate-options.js';
import { isServedByDevice } from '../../report/rate.js';
import type { Warning } from '../../report/schema/report.js';
import { sum } from '../../report/statistics/statistics.js';
import { cacheMethodsFor } from '../../run/cache/cache-method.js';
import { diffCounters, readCounters } from '../../run/kernel/counters.js';
import { allocateIoMemory } from '../../run/worker-pool/io-memory.js';
import { display } from '../../text/escape.js';
import { formatBytes, GIB, MIB, parseSize, pluralize, SIZE_PATTERN } from '../../text/units.js';
import { createWarning, type ServedShare } from '../../warnings/warning-catalogue.js';
import { readZones } from '../../zones/read.js';
import { openSource, type ZoneSource, zonesTarget } from '../../zones/source.js';
import { averageZones, loopLine, loopSummary, ZONES_HEADER, type Zone, zoneLine } from '../../zones/zone.js';
import { defineCommand } from '../argv/define-command.js';
import { toFlagsRows, ValuedArgument } from '../argv/option.js';
import { EXIT_CODES, signalExitCode } from '../exit-codes.js';
import { createInterruption, createStallDetector } from '../interruption.js';
import { detectScreen, type Terminal } from '../output/terminal.js';
import { showReadProgress } from '../progress/progress.js';

const TARGET = zonesTarget(process.platform);
/** A block is read in pieces of this size. */
const CHUNK_BYTES = MIB;
const MAX_BLOCK_BYTES = 1024 * GIB;

/** The defaults are zcav's. The schema has the same bounds. */
const ZONES_OPTIONS = inGroup('Options', {
  block: {
    alias: 'b',
    argument: 'MiB',
    help: 'size of a block (one line of output), like 64 or 1g',
    default: 512 * MIB,
    defaultText: '512',
    expects: `a whole number of MiB from 1 to ${MAX_BLOCK_BYTES / MIB}, or a size like 64m or 1g`,
    example: '64',
  },
  loops: {
    alias: 'c',
    help: 'number of passes over FILE; with several, each line is the mean of the passes without the fastest and slowest third',
    ...wholeNumber({ min: 1, default: 1, example: '3' }),
  },
});

/** A bare number is in MiB, as in zcav. */
const fromMebibytes = fromText(SIZE_PATTERN, (text) => parseSize(text, MIB));
const fromDigits = fromText(/^\d+$/, Number);
const blockBytes = z.int().min(CHUNK_BYTES).max(MAX_BLOCK_BYTES).multipleOf(CHUNK_BYTES);

export const zonesSchema = z.object({
  block: fromMebibytes(blockBytes.default(ZONES_OPTIONS.block.default)),
  loops: fromDigits(inBounds(ZONES_OPTIONS.loops).default(ZONES_OPTIONS.loops.default)),
});

type ZonesOptions = z.output<typeof zonesSchema>;

/** Replaces zcav: measures the speed of a disk from front to back. */
export const zones = defineCommand({
  name: 'gobonnie zones',
  usage: '[options] FILE',
  // Accepts zcav's -b64.
  isGnuStyle: true,
  description: `Reads a ${TARGET.noun} from front to back, to plot the speed of each part.`,
  argument: new ValuedArgument('[FILE]', `a ${TARGET.noun}, for example ${TARGET.example}`),
  options: toFlagsRows(ZONES_OPTIONS),
  examples: [
    { command: 'gobonnie zones /dev/sda > sda.zones', comment: 'the whole disk, in blocks of 512 MiB' },
    { command: 'gobonnie zones --block 64 --loops 3 image.raw', comment: 'a file, three times' },
    { command: `gnuplot -p -e 'plot "sda.zones" with lines'`, comment: 'plots the result' },
  ],
  notes:
    'Prints a line for each block after reading it: its offset, rate and duration. gobonnie opens FILE only for reading, ' +
    'and uses direct I/O if possible; a warning reports cached reads. A partial block at the end gets only a comment line. ' +
    'Like zcav, it shows that the outer tracks of a hard disk are faster than the inner tracks.',
  request(rawOptions, [file]) {
    if (!file) throw optionError('zones needs a FILE', `pass a ${TARGET.noun}, such as ${TARGET.example}`);
    const options = parseOptions(zonesSchema, ZONES_OPTIONS, rawOptions);
    return { type: 'command', run: (terminal) => measureZones(file, options, terminal) };
  },
});

/** Reads the zones, printing each one, then the means. Returns the exit code. */
async function measureZones(file: string, options: ZonesOptions, terminal: Terminal): Promise<number> {
  const { process, log } = terminal;
  rejectJob(process.env, 'zones');
  const warn = (warning: Warning) => log(`gobonnie: ${warningLine(warning)}`);
  const stallSeconds = optionCatalogue.stallTimeout.default;
  const source = await createStallDetector(stallSeconds, log).watch(
    `the opening of ${display(file)}`,
    openSource(file, options.block),
  );
  await using _handle = source.handle;
  const stderrScreen = detectScreen(process.stderr, process);
  const totalBytes = source.sizeBytes && source.sizeBytes * options.loops;
  let readBytes = 0;
  const sampleBytes = () => readBytes;
  if (stderrScreen && totalBytes !== null) showReadProgress(terminal, stderrScreen, totalBytes, sampleBytes);
  using interruption = createInterruption(terminal);
  const { signal } = interruption;
  if (!source.direct)
    warn(createWarning('direct-io-unavailable', { file: source.file, platform: process.platform }));

  const before = readCounters([]);
  const onChunk = (bytes: number) => {
    readBytes += bytes;
  };
  const waitingFor = () => `the read of ${display(source.file)} after ${formatBytes(readBytes)}`;
  const loops: Zone[][] = [];
  terminal.print(ZONES_HEADER);
  const failure = await createStallDetector(stallSeconds, log, signal)
    .watch(waitingFor, readLoops(source, options, loops, terminal, onChunk, signal), sampleBytes)
    .catch((error: Error) => error);
  const fetchedBytes = diffCounters(before, readCounters([])).io?.readBytes ?? null;
  terminal.endLiveLine();
  if (options.loops > 1) {
    const lines = averageZones(loops).map((zone) => zoneLine(zone, options.block));
    terminal.print(`#loops: ${loops.length}\n${lines.join('')}`);
  }
  if (failure) throw failure;
  const served = await detectCachedReads(source, loops.flat(), fetchedBytes);
  if (served) warn(createWarning('not-read-from-device', { file: source.file, served }));
  await terminal.flushed();
  if (!signal.aborted) return EXIT_CODES.success;
  log(`gobonnie: stopped by ${signal.reason} after ${pluralize(loops.flat().length, 'block')}`);
  return signalExitCode(String(signal.reason));
}

/** Reads and prints all loops. Adds each block to `loops` at once, so an abort or an error loses none. */
async function readLoops(
  source: ZoneSource,
  { block: blockBytes, loops: loopCount }: ZonesOptions,
  loops: Zone[][],
  terminal: Terminal,
  onChunk: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const memory = new Uint8Array(allocateIoMemory(CHUNK_BYTES));
  const formatZone = loopCount > 1 ? loopLine : zoneLine;
  while (loops.length < loopCount && !signal.aborted) {
    const loop: Zone[] = [];
    loops.push(loop);
    if (loopCount > 1) terminal.print(`# Loop ${loops.length} of ${loopCount}:\n`);
    await evict(source);
    for await (const zone of readZones(source, blockBytes, memory, signal, onChunk)) {
      loop.push(zone);
      terminal.print(formatZone(zone, blockBytes));
    }
    if (!signal.aborted) terminal.print(loopSummary(sumBytes(loop), sum(loop.map(({ seconds }) => seconds))));
  }
}

/** Evicts the file from the page cache: some filesystems accept O_DIRECT and still serve cached reads. */
async function evict({ path: file }: ZoneSource): Promise<void> {
  const evictors = cacheMethodsFor('evict', { platform: process.platform, isRoot: false });
  for (const evictor of evictors) await evictor.empty([file]).catch(() => {});
}

/** Returns the device's share of the bytes. Null if nothing was read, or no cached read was detected. */
async function detectCachedReads(
  { isDevice, rdev, path: file, direct }: ZoneSource,
  blocks: readonly Zone[],
  fetchedBytes: number | null,
): Promise<ServedShare | null> {
  if (blocks.length === 0) return null;
  const target = isDevice
    ? { filesystem: null, ...(await findLowerCache(await readBlockDevice(formatDeviceNumber(rdev)))) }
    : (await inspectMachine(path.dirname(file))).target;
  if (target.isMemory) return 'memory';
  const reason = whyIoIsUnaccounted(target);
  if (reason !== null) return { share: null, reason, loopDevice: target.lowerCache?.loopDevice ?? null };
  if (fetchedBytes !== null) {
    const share = fetchedBytes / sumBytes(blocks);
    return isServedByDevice(share) ? null : { share };
  }
  const unknown = (reason: string) => ({ share: null, reason, loopDevice: null });
  if (process.platform === 'linux') return unknown('/proc/self/io cannot be read');
  // Other systems have no counter, and reads without direct I/O there already have a warning.
  return !direct || isDevice || directIoReachesDevice(target) ? null : unknown('its filesystem is unknown');
}

function sumBytes(blocks: readonly Zone[]): number {
  return sum(blocks.map(({ bytes }) => bytes));
}
