import { GobonnieError } from '../errors.js';
import { flag, sentence } from '../text/sentence.js';
import type { Format } from './format.js';
import { type FormatName, formats } from './index.js';

/** Before anything is measured that could then not be told. */
export function refuseUnfit(name: FormatName, phases: readonly string[]): void {
  const { needs = [], holds = phases }: Format = formats[name];
  if (!phases.some((phase) => holds.includes(phase))) {
    throw new GobonnieError(
      'option-invalid',
      sentence`${flag('format', name)} has no place for any of ${flag('phases', phases.join(','))}`,
      sentence`pass another ${flag('format')}, such as text or bonnie++`,
    );
  }
  const missing = needs.filter((phase) => !phases.includes(phase));
  if (missing.length === 0) return;
  throw new GobonnieError(
    'option-invalid',
    sentence`${flag('format', name)} needs the phases ${needs.join(', ')}, and ${flag('phases')} leaves out ${missing.join(', ')}`,
    sentence`take them into ${flag('phases')}, or pass another ${flag('format')}, or ${flag('out')} FILE.json for the full report`,
  );
}

/** What is measured, and not told. */
export function leftOut(name: FormatName, phases: readonly string[]): readonly string[] {
  const { holds = phases }: Format = formats[name];
  const untold = phases.filter((phase) => !holds.includes(phase));
  return untold.length === 0 ? [] : [`gobonnie: --format ${name} has no place for ${untold.join(', ')}`];
}
