import { phases } from '../../../workers/phases/phase-catalogue.js';
import { optionCatalogue } from '../../options/option-catalogue.js';
import type { OptionRow } from '../../options/option-row.js';
import { findMissingPhase } from '../../plan/option-effects.js';
import { type Preset, presets } from '../../presets/preset-catalogue.js';
import { usedOptions } from '../../report/reported-options.js';
import type { Report } from '../../report/schema/report.js';
import { formatCommandLine } from '../../text/escape.js';
import { toFlag } from '../../text/message-template.js';

const PRESETS: Readonly<Record<string, Preset>> = presets;
/** The options of `quick` that may change a result. */
// biome-ignore format: a list of words
const QUICK_OPTIONS = ['size', 'runs', 'seconds', 'untilStable', 'seed', 'cache', 'unique', 'verify', 'compressible'];

/** Returns the command that repeats the measurement of a report. */
export function reproductionCommand(report: Report): string {
  const { steps, phases: names } = report.options;
  const stepNames = steps?.map(({ name }) => name).join();
  const [preset = '', source] = Object.entries(PRESETS).find(([, one]) => namesOf(one) === stepNames) ?? [];
  const { dir, ...used } = usedOptions(report);
  if (!source) {
    const measured = phases.filter(({ name }) => (steps?.map(({ phase }) => phase) ?? names).includes(name));
    const effective = Object.entries(used).filter(
      ([name]) => !findMissingPhase(name, measured, steps !== undefined),
    );
    return formatCommandLine(['npx', 'gobonnie', '--dir', String(dir), ...toFlags(effective)]);
  }
  const quick = Object.entries(used).filter(([name]) => QUICK_OPTIONS.includes(name));
  const flags = toFlags(quick, { size: 1, ...source.options });
  return formatCommandLine(['npx', 'gobonnie', 'quick', '--dir', String(dir), '--preset', preset, ...flags]);
}

/** The names of the steps of a preset. */
function namesOf({ options }: Preset): string {
  return (options.steps ?? []).map((step) => /(?<=name=)[^,]*/.exec(step)?.[0]).join();
}

/** Omits options with default values. */
function toFlags(
  options: readonly (readonly [string, unknown])[],
  defaults: Readonly<Record<string, unknown>> = {},
) {
  const rows: Readonly<Record<string, OptionRow>> = optionCatalogue;
  return options.flatMap(([name, value]) => {
    if (value === null || value === false || String(value) === String(defaults[name] ?? rows[name]?.default))
      return [];
    return value === true ? [toFlag(name)] : [toFlag(name), String(value)];
  });
}
