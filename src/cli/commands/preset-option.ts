import type { OptionRow } from '../../options/option-row.js';
import type { Preset } from '../../presets/preset-catalogue.js';
import { flag } from '../../text/message-template.js';
import { validateChoice } from '../../text/suggest.js';
import type { RawOptions } from '../argv/cli-catalogue.js';

type Presets = Readonly<Record<string, Preset>>;

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
  const name = validateChoice(presets, String(preset), flag('preset', preset));
  const { options, expect = [] } = presets[name] as Preset;
  const conditions = new Set([expect, flags.expect ?? []].flat());
  return { rawOptions: { ...flags, expect: [...conditions] }, defaults: options };
}
