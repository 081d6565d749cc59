import { isToolDataset } from '../../workers/phases/phase.js';
import { getPhase } from '../../workers/phases/phase-catalogue.js';

const COMMON_SETTINGS = ['name', 'pause', 'seconds'];
// biome-ignore format: a list of words
const DATA_SETTINGS = [
  'threads', 'depth', 'engine', 'direct', 'fsync', 'syncPerWrite', 'interval', 'size', 'beside',
];

/** Returns the settings of a step of this phase that have an effect. */
export function effectiveSettings(phase: string): readonly string[] {
  return ['phase', ...COMMON_SETTINGS, ...phaseSettings(phase)];
}

function phaseSettings(phase: string): readonly string[] {
  const { dataset, ioUnit } = getPhase(phase);
  if (dataset === 'existing') return ['paths', 'blockSize'];
  if (ioUnit === 'tool-calls') return [];
  if (isToolDataset(dataset)) return ['ioSize', 'direct'];
  const unitSettings = ioUnit === 'random-blocks' ? ['ioSize', 'mix'] : ['blockSize'];
  return [...DATA_SETTINGS, ...unitSettings];
}
