import { GobonnieError } from '../../errors.js';
import { OPTION_DEFAULTS } from '../../options/catalogue.js';
import { invalidOptionError } from '../../options/judge-options.js';
import { optionsSchema } from '../../options/schema.js';
import { display } from '../../text/escape.js';
import { flag, msg } from '../../text/sentence.js';
import { type ConfigName, configCatalogue, PACKAGE_KEY } from '../argv/cli-catalogue.js';
import { type RawOptions, type SplitOptions, settingRows, splitOptions } from '../argv/option-rows.js';
import { contradiction } from '../argv/presentation.js';
import { ofFile } from '../argv/wording.js';
import { stallWatch } from '../interruption.js';
import type { CliProcess, Terminal } from '../output/terminal.js';
import { detectTerminalStyle } from '../output/terminal-style.js';
import { type ConfigDocument, type ConfigFile, judgeDocument, readDocument } from './config-file.js';
import { errorNaming, type Layer, layerOfFlags, merge, valuesIn } from './layers.js';
import { type Sources, sourcesSchema } from './schema.js';
import { type FoundConfig, search } from './search.js';
import { layerOfVariables, unknownVariables } from './variables.js';

const SEARCH = { description: () => 'the search for a config file' };

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
  const taken = (layer: Layer) =>
    takes ? new Map([...layer].filter(([name]) => takes.includes(name))) : layer;
  let settings = layerOfFlags({ ...input, ...presentation, ...sources });
  try {
    settings = merge(taken(layerOfVariables(process.env)), settings);
    const asked = judgeSources(splitOptions(valuesIn(settings)).sources);
    const stallDetector = stallWatch(patienceSeconds(settings), (line) => terminal.log(line));
    const { document, distrusted } = await stallDetector.watch(SEARCH, findConfig(asked));
    const file = document && judgeDocument(document);
    const layers = [
      ...(file ? [file.layer] : []),
      ...(asked.profile === undefined ? [] : [profileOf(asked.profile, file, distrusted)]),
    ];
    settings = [...layers.map(taken), settings].reduce(merge);
    const options = splitOptions(valuesIn(settings));
    const { quiet, verbose, dryRun } = options.presentation;
    const { isLive } = detectTerminalStyle(process.stderr, process);
    const isTold = verbose || dryRun || (file !== null && isLive);
    const used = isTold ? sourcesUsed(file, asked.profile, settings) : [];
    const notes = [
      ...distrusted.map((one) => `gobonnie: ${one.file} is ignored: ${one.reason}; ${useAnyway(one.file)}`),
      ...unknownVariables(process.env),
      ...(used.length > 0 ? [`gobonnie: options from ${used.join(', ')}`] : []),
    ];
    if (!quiet) for (const note of notes) terminal.log(note);
    return await act({ input: options.input, presentation: options.presentation });
  } catch (error) {
    throw errorNaming(settings, error);
  }
}

/** A wrong value is refused later, with all the others. */
function patienceSeconds(settings: Layer): number {
  const given = settings.get('stallTimeout')?.value;
  return optionsSchema.shape.stallTimeout.safeParse(given).data ?? OPTION_DEFAULTS.stallTimeout;
}

function sourcesUsed(file: ConfigFile | null, profile: string | undefined, settings: Layer): string[] {
  const origins = Object.keys(settingRows).map((name) => settings.get(name)?.origin);
  return [
    ...(file ? [file.file] : []),
    ...(profile === undefined ? [] : [`its profile ${display(profile)}`]),
    ...origins.flatMap((origin) => (origin?.file === null ? [origin.name] : [])),
  ];
}

function useAnyway(file: string): string {
  return `pass --config ${file} to use it anyway`;
}

function judgeSources(raw: RawOptions): Sources {
  const { data, error } = sourcesSchema.safeParse(raw);
  if (error) {
    const name = error.issues[0]?.path[0] as ConfigName;
    throw invalidOptionError(name, configCatalogue[name], raw[name]);
  }
  for (const name of configCatalogue.noConfig.excludes)
    if (data.noConfig && data[name] !== undefined)
      throw contradiction(flag('noConfig'), flag(name, data[name]));
  return data;
}

async function findConfig({ config, noConfig }: Sources): Promise<FoundConfig> {
  if (noConfig) return { document: null, distrusted: [] };
  return config === undefined ? search() : { document: await readNamed(config), distrusted: [] };
}

async function readNamed(config: string): Promise<ConfigDocument> {
  const document = await readDocument(config).catch((cause: unknown) => {
    if (!(cause instanceof GobonnieError) || cause.code !== 'input-unreadable') throw cause;
    const hint = 'pass the path of a config file that you may read';
    throw new GobonnieError('option-invalid', ofFile('config', config, cause), hint, { cause });
  });
  if (document) return document;
  throw new GobonnieError(
    'option-invalid',
    msg`${flag('config', config)} has no key "${PACKAGE_KEY}"`,
    `write for example "${PACKAGE_KEY}": { "size": 0.5 } into it`,
  );
}

function profileOf(name: string, file: ConfigFile | null, [ignored]: FoundConfig['distrusted']): Layer {
  const layer = file?.profiles.get(name);
  if (layer) return layer;
  const named = flag('profile', name);
  if (file) {
    const names = [...file.profiles.keys()].map(display);
    const hint = names.length === 0 ? 'it has no profiles' : `its profiles are ${names.join(', ')}`;
    throw new GobonnieError('option-invalid', msg`${named} is not in ${file.file}`, hint);
  }
  if (ignored) {
    const reason = msg`${named} is not looked up in ${ignored.file}: ${ignored.reason}`;
    throw new GobonnieError('option-invalid', reason, useAnyway(ignored.file));
  }
  throw new GobonnieError(
    'option-invalid',
    msg`${named} needs a config file, and none was found`,
    'write a gobonnie.config.json, or name a file with --config',
  );
}
