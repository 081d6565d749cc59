import { GobonnieError } from '../../errors.js';
import { OPTION_DEFAULTS } from '../../options/option-catalogue.js';
import { optionsSchema } from '../../options/options-schema.js';
import { invalidOptionError } from '../../options/validate-options.js';
import { display } from '../../text/escape.js';
import { flag, msg } from '../../text/message-template.js';
import { type ConfigName, configCatalogue, PACKAGE_KEY } from '../argv/cli-catalogue.js';
import { contradictionError } from '../argv/cli-options.js';
import { fileOptionMessage } from '../argv/dialect.js';
import { type RawOptions, type SplitOptions, settingRows, splitOptions } from '../argv/option-rows.js';
import { createStallDetector } from '../interruption.js';
import type { CliProcess, Terminal } from '../output/terminal.js';
import { detectTerminalStyle } from '../output/terminal-style.js';
import { type ConfigDocument, type ConfigFile, readConfigDocument, validateConfig } from './config-file.js';
import { type ConfigSelection, configSelectionSchema } from './config-schema.js';
import { addOriginsToError, type Layer, layerFromFlags, mergeLayers, toRawOptions } from './layers.js';
import { type FoundConfig, searchConfig } from './search.js';
import { layerFromVariables, unknownVariableLines } from './variables.js';

const SEARCH = { description: () => 'the search for a config file' };

/** The merged options of a command. */
export interface Settings extends SplitOptions {
  /** Every option that is set, with its origin, to name it in errors. */
  readonly origins: Layer;
}

/**
 * Returns the merged options. Flags win over variables, variables over the profile, the profile over the rest of its
 * file. Errors name each option as the user wrote it. A command without `configSelection` uses only flags.
 */
export async function resolveSettings(
  { input, cliOptions, configSelection, configurable }: SplitOptions,
  process: CliProcess,
  terminal: Terminal,
): Promise<Settings> {
  if (!configSelection) return { input, cliOptions, origins: new Map() };
  const keepConfigurable = (layer: Layer) =>
    configurable ? new Map([...layer].filter(([name]) => configurable.includes(name))) : layer;
  let origins = layerFromFlags({ ...input, ...cliOptions, ...configSelection });
  try {
    origins = mergeLayers(keepConfigurable(layerFromVariables(process.env)), origins);
    const selection = validateConfigSelection(splitOptions(toRawOptions(origins)).configSelection);
    const stallDetector = createStallDetector(stallTimeoutSeconds(origins), (line) => terminal.log(line));
    const { document, ignored } = await stallDetector.watch(SEARCH, loadConfig(selection));
    const file = document && validateConfig(document);
    const layers: Layer[] = [];
    if (file) layers.push(file.layer);
    if (selection.profile !== undefined) layers.push(findProfile(selection.profile, file, ignored));
    origins = [...layers.map(keepConfigurable), origins].reduce(mergeLayers);
    const options = splitOptions(toRawOptions(origins));
    const { quiet, verbose, dryRun } = options.cliOptions;
    const { isLive } = detectTerminalStyle(process.stderr, process);
    const printsSources = verbose || dryRun || (file !== null && isLive);
    const usedSources = printsSources ? listUsedSources(file, selection.profile, origins) : [];
    const notes = ignored.map(
      (config) => `gobonnie: ignoring ${config.file}: ${config.reason}; ${useAnywayHint(config.file)}`,
    );
    notes.push(...unknownVariableLines(process.env));
    if (usedSources.length > 0) notes.push(`gobonnie: options from ${usedSources.join(', ')}`);
    if (!quiet) for (const note of notes) terminal.log(note);
    return { input: options.input, cliOptions: options.cliOptions, origins };
  } catch (error) {
    throw addOriginsToError(origins, error);
  }
}

/** Returns the default for an invalid value: the full validation rejects it later. */
function stallTimeoutSeconds(settings: Layer): number {
  const rawValue = settings.get('stallTimeout')?.value;
  return optionsSchema.shape.stallTimeout.safeParse(rawValue).data ?? OPTION_DEFAULTS.stallTimeout;
}

function listUsedSources(file: ConfigFile | null, profile: string | undefined, settings: Layer): string[] {
  const sources: string[] = [];
  if (file) sources.push(file.file);
  if (profile !== undefined) sources.push(`its profile ${display(profile)}`);
  for (const name of Object.keys(settingRows)) {
    const origin = settings.get(name)?.origin;
    if (origin?.file === null) sources.push(origin.name);
  }
  return sources;
}

function useAnywayHint(file: string): string {
  return `pass --config ${file} to use it anyway`;
}

function validateConfigSelection(raw: RawOptions): ConfigSelection {
  const { data, error } = configSelectionSchema.safeParse(raw);
  if (error) {
    const name = error.issues[0]?.path[0] as ConfigName;
    throw invalidOptionError(name, configCatalogue[name], raw[name]);
  }
  for (const name of configCatalogue.noConfig.excludes)
    if (data.noConfig && data[name] !== undefined)
      throw contradictionError(flag('noConfig'), flag(name, data[name]));
  return data;
}

async function loadConfig({ config, noConfig }: ConfigSelection): Promise<FoundConfig> {
  if (noConfig) return { document: null, ignored: [] };
  return config === undefined ? searchConfig() : { document: await readSelectedConfig(config), ignored: [] };
}

async function readSelectedConfig(config: string): Promise<ConfigDocument> {
  const document = await readConfigDocument(config).catch((cause: unknown) => {
    if (!(cause instanceof GobonnieError) || cause.code !== 'input-unreadable') throw cause;
    const hint = 'pass the path of a readable config file';
    throw new GobonnieError('option-invalid', fileOptionMessage('config', config, cause), hint, { cause });
  });
  if (document) return document;
  throw new GobonnieError(
    'option-invalid',
    msg`${flag('config', config)} has no key "${PACKAGE_KEY}"`,
    `add, for example, "${PACKAGE_KEY}": { "size": 0.5 }`,
  );
}

function findProfile(name: string, file: ConfigFile | null, [ignored]: FoundConfig['ignored']): Layer {
  const layer = file?.profiles.get(name);
  if (layer) return layer;
  const profileFlag = flag('profile', name);
  if (file) {
    const names = [...file.profiles.keys()].map(display);
    const hint = names.length === 0 ? 'it has no profiles' : `its profiles are ${names.join(', ')}`;
    throw new GobonnieError('option-invalid', msg`${profileFlag} is not in ${file.file}`, hint);
  }
  if (ignored) {
    const reason = msg`${profileFlag} is not read from ${ignored.file}: ${ignored.reason}`;
    throw new GobonnieError('option-invalid', reason, useAnywayHint(ignored.file));
  }
  throw new GobonnieError(
    'option-invalid',
    msg`${profileFlag} needs a config file, and none was found`,
    'create a gobonnie.config.json, or pass a file with --config',
  );
}
