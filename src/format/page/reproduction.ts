import { phases } from '../../../workers/phases/phase-catalogue.js';
import { optionCatalogue } from '../../options/option-catalogue.js';
import type { OptionRow } from '../../options/option-row.js';
import type { OptionsInput } from '../../options/options-schema.js';
import { findMissingPhase } from '../../plan/option-effects.js';
import { loadPresets, mixedLoad } from '../../presets/load-presets.js';
import { type Preset, presets } from '../../presets/preset-catalogue.js';
import { usedOptions } from '../../report/reported-options.js';
import type { Report } from '../../report/schema/report.js';
import { formatCommandLine } from '../../text/escape.js';
import { toFlag } from '../../text/message-template.js';

type Command = Pick<Preset, 'options' | 'expect'> & { readonly words: readonly string[] };

/** The commands with steps of their own. */
const COMMANDS: readonly Command[] = [
  ...presetCommands('quick', presets),
  { words: ['load'], options: mixedLoad },
  ...presetCommands('load', loadPresets),
];
/** The options of these commands that may change a result. */
// biome-ignore format: a list of words
const RUN_OPTIONS = ['size', 'runs', 'seconds', 'untilStable', 'seed', 'cache', 'unique', 'verify', 'compressible'];

/** Returns the command that repeats the measurement of a report. */
export function reproductionCommand(report: Report): string {
  const { steps, phases: names } = report.options;
  const { dir, ...used } = usedOptions(report);
  const ownFlags = (options: readonly string[], defaults: OptionsInput) =>
    toFlags(
      Object.entries(used).filter(([name]) => options.includes(name)),
      defaults,
    );
  const inDirectory = ['--dir', String(dir)];
  const command = steps && COMMANDS.find(({ options }) => presetNames(options) === namesOf(steps));
  const expectFlags = (report.expectations ?? [])
    .filter(({ condition }) => !command?.expect?.includes(condition))
    .flatMap(({ condition }) => ['--expect', condition]);
  const line = (words: readonly string[]) => formatCommandLine(['npx', 'gobonnie', ...words, ...expectFlags]);
  if (command) {
    const [word = '', ...preset] = command.words;
    const flags = ownFlags(RUN_OPTIONS, { size: 1, ...command.options });
    return line([word, ...inDirectory, ...preset, ...flags]);
  }
  const [{ paths = [] } = {}] = steps ?? [];
  if (paths.length > 0 && namesOf(steps) === 'first-read,second-read')
    return line(['first-read', ...paths, ...ownFlags(['iopsDuration', 'seed'], {})]);
  if (report.command) {
    const { name, options } = report.command;
    const own = Object.entries(options).flatMap(([option, value]) => toWords(option, value));
    const runOptions = name === 'fill' ? RUN_OPTIONS.filter((one) => one !== 'verify') : RUN_OPTIONS;
    return line([name, ...inDirectory, ...own, ...ownFlags(runOptions, {})]);
  }
  const measured = phases.filter(({ name }) => (steps?.map(({ phase }) => phase) ?? names).includes(name));
  const effective = Object.keys(used).filter(
    (name) => !findMissingPhase(name, measured, steps !== undefined),
  );
  return line([...inDirectory, ...ownFlags(effective, {})]);
}

function namesOf(steps: readonly { readonly name: string }[] = []): string {
  return steps.map(({ name }) => name).join();
}

/** Returns the names of the steps of a preset, which all set one. */
function presetNames({ steps = [] }: Preset['options']): string {
  return steps.flatMap((step) => step.match(/(?<=name=)[^,+]*/g) ?? []).join();
}

function presetCommands(word: string, all: Readonly<Record<string, Preset>>): readonly Command[] {
  return Object.entries(all).map(([name, preset]) => ({ ...preset, words: [word, '--preset', name] }));
}

/** Omits options with default values. */
function toFlags(
  options: readonly (readonly [string, unknown])[],
  defaults: Readonly<Record<string, unknown>>,
) {
  const rows: Readonly<Record<string, OptionRow>> = optionCatalogue;
  return options.flatMap(([name, value]) => {
    if (value === null || value === false || String(value) === String(defaults[name] ?? rows[name]?.default))
      return [];
    return toWords(name, value);
  });
}

function toWords(name: string, value: unknown): readonly string[] {
  return value === true ? [toFlag(name)] : [toFlag(name), String(value)];
}
