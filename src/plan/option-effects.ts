import { isTreeDataset, type Phase, supportsDirect } from '../../workers/phases/phase.js';
import { getPhase, phases } from '../../workers/phases/phase-catalogue.js';
import { type OptionName, optionCatalogue } from '../options/option-catalogue.js';

/** The phases in which options have an effect. The other options have an effect in every phase. */
// biome-ignore format: a table
const EFFECTS: readonly (readonly [options: readonly OptionName[], (phase: Phase, isStep: boolean) => boolean])[] = [
  [['size', 'sharedFile', 'dataFiles'], ({ dataset }) => dataset === 'data'],
  [['verify'], ({ dataset, readPercent }) => dataset === 'data' && readPercent !== 0],
  [['oneFile'], ({ dataset }, isStep) => dataset === 'data' && !isStep],
  [['engine', 'direct'], supportsDirect],
  [['threads', 'blockSize', 'noFsync', 'fsyncPerWrite', 'unique', 'compressible'], ({ runBy }) => typeof runBy !== 'function'],
  [['cache'], ({ coldCache }) => coldCache],
  // The duration of any step.
  [['iopsDuration'], ({ ioUnit }, isStep) => isStep || ioUnit === 'random-blocks'],
  [['mix'], ({ ioUnit }) => ioUnit === 'random-blocks'],
  [['ioSize'], ({ ioUnit, runBy }) => ioUnit === 'random-blocks' || runBy === 'seek-threads'],
  [['seeks', 'seekThreads'], ({ runBy }) => runBy === 'seek-threads'],
  [['stonewall'], ({ ioUnit, duration }) => ioUnit !== 'random-blocks' && !duration],
  [['byteSize'], ({ ioUnit }) => ioUnit === 'bytes'],
  [['files', 'fileKind', 'fileSize', 'fileMinSize', 'fileBlockSize', 'directories', 'sharedDir'], ({ dataset }) => isTreeDataset(dataset)],
  [['packages'], ({ ioUnit, duration }) => ioUnit === 'tool-calls' && !duration],
];

/** Returns a phase in which the option has an effect, if it has none in the planned phases. Otherwise null. */
export function findMissingPhase(option: string, planned: readonly Phase[], isStep: boolean): string | null {
  const [, hasEffect] = EFFECTS.find(([options]) => options.some((one) => one === option)) ?? [];
  if (!hasEffect || planned.some((phase) => hasEffect(phase, isStep))) return null;
  const common = optionCatalogue.phases.default.map(getPhase);
  return [...common, ...phases].find((phase) => hasEffect(phase, false))?.name ?? null;
}
