import { optionError } from '../../errors.js';
import type { OptionRow } from '../../options/option-row.js';
import { loadPresets } from '../../presets/load-presets.js';
import { type Preset, presets as quickPresets } from '../../presets/preset-catalogue.js';
import { flag, msg } from '../../text/message-template.js';
import { validateChoice } from '../../text/suggest.js';
import type { RawOptions } from '../argv/cli-catalogue.js';

type Presets = Readonly<Record<string, Preset>>;

/** The presets of each command. */
const PRESETS: Readonly<Record<string, Presets>> = { quick: quickPresets, load: loadPresets };

/** Returns the row of --preset. */
export function presetRow(presets: Presets, help: string): OptionRow {
  return {
    argument: 'NAME',
    values: { choices: Object.entries(presets).map(([word, { title }]) => ({ word, help: title })) },
    group: 'What to measure',
    help: `${help}: ${Object.keys(presets).join(', ')}`,
    expects: 'the name of a preset',
    example: 'etcd',
  };
}

/** Returns the notes on all presets for the help. */
export function presetNotes(presets: Presets): string {
  const lines = Object.entries(presets).map(
    ([name, { title, source, differs }]) => `- ${name} (${source.name}): ${title}. Differences: ${differs}.`,
  );
  return `Presets, and where they differ from the original:\n${lines.join('\n')}`;
}

/** Returns the options of a preset, and the flags with its conditions, which the command of a report repeats. */
export function choosePreset(presets: Presets, preset: unknown, flags: RawOptions) {
  rejectOtherCommand(presets, String(preset));
  const name = validateChoice(presets, String(preset), flag('preset', preset));
  const { options, expect = [] } = presets[name] as Preset;
  const conditions = new Set([expect, flags.expect ?? []].flat());
  return { rawOptions: { ...flags, expect: [...conditions] }, defaults: options };
}

/** Throws if only another command has the preset. */
function rejectOtherCommand(presets: Presets, preset: string): void {
  if (Object.hasOwn(presets, preset)) return;
  const [command] = Object.entries(PRESETS).find(([, all]) => Object.hasOwn(all, preset)) ?? [];
  if (command === undefined) return;
  throw optionError(
    msg`${flag('preset', preset)} is a preset of ${command}`,
    `type gobonnie ${command} --preset ${preset}`,
  );
}
