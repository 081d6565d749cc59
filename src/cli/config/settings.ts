import { GobonnieError } from '../../errors.js';
import { DEFAULTS } from '../../options/catalogue.js';
import { refusalOf } from '../../options/judge-options.js';
import { optionsSchema } from '../../options/schema.js';
import { shown } from '../../text/escape.js';
import { flag, sentence } from '../../text/sentence.js';
import { type ConfigName, configCatalogue, PACKAGE_KEY } from '../argv/cli-catalogue.js';
import { type RawOptions, type SplitOptions, settingRows, splitOptions } from '../argv/option-rows.js';
import { contradiction } from '../argv/presentation.js';
import { ofFile } from '../argv/wording.js';
import { stallWatch } from '../interruption.js';
import type { CliProcess, Terminal } from '../output/terminal.js';
import { type ConfigDocument, type ConfigFile, judgeDocument, readDocument } from './config-file.js';
import { errorNaming, type Layer, layerOf, merge, valuesIn } from './layers.js';
import { type Sources, sourcesSchema } from './schema.js';
import { type Distrusted, search } from './search.js';
import { layerOfVariables, unknownVariables, VARIABLES, variableOf } from './variables.js';

const SEARCH = { words: () => 'the search for a config file' };

/**
 * Calls `act` with the options of all sources: flags win over variables, those over the profile, and that over the rest of
 * its file. Errors name an option as it was written. A command without `sources` takes flags only.
 */
export async function withSettings<Result>(
  { input, presentation, sources, takes }: SplitOptions,
  process: CliProcess,
  terminal: Terminal,
  act: (options: SplitOptions) => Promise<Result>,
): Promise<Result> {
  if (!sources) return act({ input, presentation });
  let settings = layerOf({ ...input, ...presentation, ...sources }, null);
  try {
    settings = merge(only(takes, layerOfVariables(process.env)), settings);
    const asked = judgeSources(splitOptions(valuesIn(settings)).sources);
    const stalls = stallWatch(patienceSeconds(settings), (line) => terminal.narrate(line));
    const found = await stalls.over(SEARCH, configFileOf(asked));
    const layers = [
      found.file?.layer,
      asked.profile === undefined ? undefined : profileOf(asked.profile, found),
    ];
    const ofFile = layers.filter((layer) => layer !== undefined).map((layer) => only(takes, layer));
    settings = [...ofFile, settings].reduce(merge);
    const options = splitOptions(valuesIn(settings));
    const { quiet, verbose, dryRun } = options.presentation;
    const used = sourcesUsed(found.file, asked.profile, settings);
    const notes = [
      ...found.distrusted.map(distrustLine),
      ...unknownVariables(process.env),
      ...(used.length > 0 && (verbose || dryRun) ? [`gobonnie: options from ${used.join(', ')}`] : []),
    ];
    if (!quiet) for (const note of notes) terminal.narrate(note);
    return await act({ input: options.input, presentation: options.presentation });
  } catch (error) {
    throw errorNaming(settings, error);
  }
}

function only(names: readonly string[] | undefined, layer: Layer): Layer {
  return names ? new Map([...layer].filter(([name]) => names.includes(name))) : layer;
}

/** A wrong value is refused later, with all the others. */
function patienceSeconds(settings: Layer): number {
  const given = settings.get('stallTimeout')?.value;
  return optionsSchema.shape.stallTimeout.safeParse(given).data ?? DEFAULTS.stallTimeout;
}

function sourcesUsed(file: ConfigFile | null, profile: string | undefined, settings: Layer): string[] {
  const variables = Object.keys(settingRows).filter((name) => settings.get(name)?.origin === VARIABLES);
  return [
    ...(file ? [file.file] : []),
    ...(profile === undefined ? [] : [`its profile ${shown(profile)}`]),
    ...variables.map(variableOf),
  ];
}

function distrustLine({ file, reason }: Distrusted): string {
  return `gobonnie: ${file} is ignored: ${reason}; pass --config ${file} to use it anyway`;
}

function judgeSources(raw: RawOptions): Sources {
  const verdict = sourcesSchema.safeParse(raw);
  if (!verdict.success) {
    const name = verdict.error.issues[0]?.path[0] as ConfigName;
    throw refusalOf(name, configCatalogue[name], raw[name]);
  }
  const { config, noConfig, profile } = verdict.data;
  if (noConfig && config !== undefined) throw contradiction(flag('noConfig'), flag('config', config));
  if (noConfig && profile !== undefined) throw contradiction(flag('noConfig'), flag('profile', profile));
  return verdict.data;
}

/** The file that is used, and those that were found and ignored. */
interface Found {
  readonly file: ConfigFile | null;
  readonly distrusted: readonly Distrusted[];
}

async function configFileOf({ config, noConfig }: Sources): Promise<Found> {
  if (noConfig) return { file: null, distrusted: [] };
  if (config !== undefined) return { file: judgeDocument(await readNamed(config)), distrusted: [] };
  const { document, distrusted } = await search();
  return { file: document && judgeDocument(document), distrusted };
}

async function readNamed(config: string): Promise<ConfigDocument> {
  const document = await readDocument(config).catch((cause: unknown) => {
    if (!(cause instanceof GobonnieError) || cause.code !== 'unreadable') throw cause;
    const hint = 'pass the path of a config file that you may read';
    throw new GobonnieError('option-invalid', ofFile('config', config, cause), hint, { cause });
  });
  if (document) return document;
  throw new GobonnieError(
    'option-invalid',
    sentence`${flag('config', config)} has no key "${PACKAGE_KEY}"`,
    `write for example "${PACKAGE_KEY}": { "size": 0.5 } into it`,
  );
}

function profileOf(name: string, { file, distrusted }: Found): Layer {
  const layer = file?.profiles.get(name);
  if (layer) return layer;
  const [ignored] = distrusted;
  const named = flag('profile', name);
  if (file) {
    const names = [...file.profiles.keys()].map(shown);
    const hint = names.length === 0 ? 'it has no profiles' : `its profiles are ${names.join(', ')}`;
    throw new GobonnieError('option-invalid', sentence`${named} is not in ${file.file}`, hint);
  }
  if (ignored)
    throw new GobonnieError(
      'option-invalid',
      sentence`${named} is not looked up in ${ignored.file}: ${ignored.reason}`,
      `pass --config ${ignored.file} to use it anyway`,
    );
  throw new GobonnieError(
    'option-invalid',
    sentence`${named} needs a config file, and there is none`,
    'write a gobonnie.config.json, or name a file with --config',
  );
}
