import type { Machine } from '../../machine/machine-schema.js';
import type { Options } from '../../options/options-schema.js';
import { display } from '../../text/escape.js';
import { type OptionRows, settingRows } from '../argv/option-rows.js';

/** The options that a command with its own list of steps sets itself. */
const STEP_OPTIONS: readonly string[] = [
  'phases',
  'steps',
  'threads',
  'blockSize',
  'ioSize',
  'mix',
  'iopsDuration',
  'direct',
  'fsync',
  'oneFile',
  'dataFiles',
  'stonewall',
  'seeks',
  'seekThreads',
  'byteSize',
  'byteMode',
  'fsyncPerWrite',
  'files',
  'fileKind',
  'fileSize',
  'fileMinSize',
  'fileBlockSize',
  'directories',
  'sharedDir',
];

/** The options of the benchmark that a command with its own list of steps also takes. */
export const stepRunOptions: OptionRows = Object.fromEntries(
  Object.entries(settingRows).filter(([name]) => !STEP_OPTIONS.includes(name)),
);

/** Without direct I/O, the page cache is dropped before reads, and writes are synced. */
export function useDirectIfPossible(
  options: Options,
  { target }: Machine,
  log: (line: string) => void,
): Options {
  const { steps } = options;
  const isDirect = (own: boolean | undefined) => own ?? options.direct;
  if (!steps?.some(({ direct }) => isDirect(direct)) || target.acceptsDirect !== false) return options;
  log(
    `gobonnie: ${display(target.directory)} accepts no direct I/O, so writes are synced, and the page cache is dropped before reads if possible`,
  );
  const buffered = steps.map((step) => ({
    ...step,
    direct: false,
    fsync: isDirect(step.direct) || (step.fsync ?? options.fsync),
  }));
  return { ...options, direct: false, steps: buffered };
}
