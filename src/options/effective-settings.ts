import { isToolDataset } from '../../workers/phases/phase.js';
import { getPhase } from '../../workers/phases/phase-catalogue.js';

/** Returns the settings of a step of this phase that have an effect. `mix` is the share of reads if the phase has none. */
export function effectiveSettings(phase: string, mix: number): readonly string[] {
  const { dataset, ioUnit, readPercent = mix } = getPhase(phase);
  const settings = ['phase', 'name', 'pause', 'seconds'];
  if (dataset === 'existing') return [...settings, 'paths', 'blockSize'];
  if (ioUnit === 'tool-calls') return settings;
  if (isToolDataset(dataset)) return [...settings, 'ioSize', 'direct'];
  settings.push('threads', 'depth', 'engine', 'direct', 'fsync', 'interval', 'size', 'beside');
  settings.push(...(ioUnit === 'random-blocks' ? ['ioSize', 'mix'] : ['blockSize']));
  if (readPercent < 100) settings.push('syncPerWrite');
  return settings;
}
