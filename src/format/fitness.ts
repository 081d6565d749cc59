import { GobonnieError } from '../errors.js';
import { flag, sentence } from '../text/sentence.js';
import type { Format } from './format.js';
import { type FormatName, formats } from './index.js';

/** Throws if the format shows none of the phases, or requires others; called before anything is measured. */
export function refuseUnfit(name: FormatName, phases: readonly string[]): void {
  const { needs = [], holds = phases }: Format = formats[name];
  if (!phases.some((phase) => holds.includes(phase))) {
    throw new GobonnieError(
      'option-invalid',
      sentence`${flag('format', name)} shows none of ${flag('phases', phases.join(','))}`,
      sentence`pass another ${flag('format')}, such as text or bonnie++`,
    );
  }
  const missing = needs.filter((phase) => !phases.includes(phase));
  if (missing.length === 0) return;
  throw new GobonnieError(
    'option-invalid',
    sentence`${flag('format', name)} needs the phases ${needs.join(', ')}, but ${flag('phases')} leaves out ${missing.join(', ')}`,
    sentence`add them to ${flag('phases')}, pass another ${flag('format')}, or ${flag('out')} FILE.json for the full report`,
  );
}

/** A line that names the phases that are measured but not shown. */
export function leftOut(name: FormatName, phases: readonly string[]): readonly string[] {
  const { holds = phases }: Format = formats[name];
  const hidden = phases.filter((phase) => !holds.includes(phase));
  return hidden.length === 0 ? [] : [`gobonnie: --format ${name} does not show ${hidden.join(', ')}`];
}
