import { DEFAULTS } from '../../options/catalogue.js';
import { optionsSchema } from '../../options/schema.js';
import { shown } from '../../text/escape.js';
import { type Asked, askedFor, type Given } from '../argv/asked.js';
import { settingRows } from '../argv/option-rows.js';
import { stallsBefore } from '../interruption.js';
import type { CliProcess, Terminal } from '../output/terminal.js';
import type { ConfigFile } from './config-file.js';
import { errorNaming, type Layer, type Origins, stacked } from './layer.js';
import type { Distrusted } from './search.js';
import { judgeSources, profileOf, readSource } from './sources.js';
import { layerOfVariables, unknownVariables, variableOf } from './variables.js';

const LOOK = { words: () => 'the search for a config file' };

interface Settled {
  readonly given: Given;
  readonly origins: Origins;
  /** Lines for stderr. */
  readonly notes: readonly string[];
  /** Names the sources other than flags; null if there are none. */
  readonly used: string | null;
}

/**
 * Merges the options of all sources for `act`: flags win over variables, those over the profile, and that over the rest of
 * its file. Errors name an option as it was written. A dialect without `sources` takes flags only.
 */
export async function withSettings<Result>(
  asked: Asked,
  process: CliProcess,
  terminal: Terminal,
  act: (asked: Asked) => Promise<Result>,
): Promise<Result> {
  if (!asked.sources) return act(asked);
  const { given, origins, notes, used } = await settle(asked, process.env, (line) => terminal.narrate(line));
  const { input, presentation } = askedFor(given);
  if (!presentation.quiet) {
    for (const note of notes) terminal.narrate(note);
    if (used !== null && (presentation.verbose || presentation.dryRun)) terminal.narrate(used);
  }
  try {
    return await act({ input, presentation });
  } catch (error) {
    throw errorNaming(origins, error);
  }
}

async function settle(
  { input, presentation, sources, takes }: Asked,
  env: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<Settled> {
  const flags: Layer = { given: { ...input, ...presentation, ...sources }, place: null };
  const variables = layerOfVariables(env);
  const spoken = stacked([variables, flags]);
  try {
    const sought = judgeSources(askedFor(spoken.given).sources);
    const source = await stallsBefore(patienceSeconds(spoken.given), say).over(LOOK, readSource(sought));
    const { file, distrusted } = source;
    const ofFile = file ? [file.layer] : [];
    const ofProfile = sought.profile === undefined ? [] : [profileOf(sought.profile, source)];
    const beside = [...ofFile, ...ofProfile, variables].map((layer) => withOnly(takes, layer));
    const { given, origins } = stacked([...beside, flags]);
    const inEffect = Object.keys(settingRows).filter((name) => origins.get(name)?.place === variables.place);
    return {
      given,
      origins,
      notes: [...distrusted.map(distrustLine), ...unknownVariables(env)],
      used: usedLine(file, sought.profile, inEffect),
    };
  } catch (error) {
    throw errorNaming(spoken.origins, error);
  }
}

function withOnly(names: readonly string[] | undefined, { given, place }: Layer): Layer {
  const taken = Object.entries(given).filter(([name]) => names?.includes(name) ?? true);
  return { given: Object.fromEntries(taken), place };
}

/** What is wrong with it is said later. */
function patienceSeconds({ stallTimeout }: Given): number {
  return optionsSchema.shape.stallTimeout.safeParse(stallTimeout).data ?? DEFAULTS.stallTimeout;
}

function distrustLine({ file, reason }: Distrusted): string {
  return `gobonnie: ${file} is ignored: ${reason}; pass --config ${file} to use it anyway`;
}

function usedLine(
  file: ConfigFile | null,
  profile: string | undefined,
  variables: readonly string[],
): string | null {
  const parts = [
    ...(file ? [file.file] : []),
    ...(profile === undefined ? [] : [`its profile ${shown(profile)}`]),
    ...variables.map(variableOf),
  ];
  return parts.length === 0 ? null : `gobonnie: options from ${parts.join(', ')}`;
}
