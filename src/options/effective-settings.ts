import { isToolDataset } from '../../workers/phases/phase.js';
import { getPhase } from '../../workers/phases/phase-catalogue.js';

const COMMON_SETTINGS = ['phase', 'name', 'pause', 'seconds'];
const DATA_SETTINGS = ['threads', 'depth', 'engine', 'direct', 'fsync', 'interval', 'size', 'beside'];

/** Returns the settings of a step of this phase that have an effect. `mix` is the share of reads if the phase has none. */
export function effectiveSettings(phase: string, mix: number): readonly string[] {
  return [...COMMON_SETTINGS, ...phaseSettings(phase, mix)];
}

function phaseSettings(phase: string, mix: number): readonly string[] {
  const { dataset, ioUnit, readPercent = mix } = getPhase(phase);
  if (dataset === 'existing') return ['paths', 'blockSize'];
  if (ioUnit === 'tool-calls') return [];
  if (isToolDataset(dataset)) return ['ioSize', 'direct'];
  const unitSettings = ioUnit === 'random-blocks' ? ['ioSize', 'mix'] : ['blockSize'];
  const writeSettings = readPercent === 100 ? [] : ['syncPerWrite'];
  return [...DATA_SETTINGS, ...unitSettings, ...writeSettings];
}
