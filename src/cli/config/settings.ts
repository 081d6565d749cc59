import { contradictionError, optionError } from '../../errors.js';
import { optionCatalogue } from '../../options/option-catalogue.js';
import type { OptionRow } from '../../options/option-row.js';
import type { OptionsInput } from '../../options/options-schema.js';
import { validateOptions } from '../../options/validate-options.js';
import { countMostRuns } from '../../plan/files.js';
import { findMissingPhase } from '../../plan/option-effects.js';
import { listPhases, type RequestedSteps, requestSteps } from '../../plan/requested-steps.js';
import { display } from '../../text/escape.js';
import { parseJsonObject } from '../../text/json.js';
import { flag, formatFlag, msg } from '../../text/message-template.js';
import { findNearest } from '../../text/suggest.js';
import {
  getOptionRow,
  type OptionRows,
  optionRows,
  pickBenchmarkOptions,
  type RawOptions,
  settingRows,
} from '../argv/cli-catalogue.js';
import { configSelectionSchema, validateCliOptions } from '../argv/cli-options.js';
import { parseBoolean } from '../argv/parse-argv.js';
import { createStallDetector } from '../interruption.js';
import { detectScreen, type Terminal } from '../output/terminal.js';
import { type ConfigFile, loadConfig, validateConfig } from './config-file.js';
import { explainOrigins, type OptionSource, toRawOptions } from './option-source.js';

/** A comparison is looked at after the first of these numbers of runs, and ends at the second. */
export const COMPARED = { runs: 5, maxRuns: 20 } as const satisfies OptionsInput;

export type Settings = Awaited<ReturnType<typeof readSettings>>;

/** The options of a command line, and what else may set them. */
export interface OptionSources {
  readonly rawOptions: RawOptions;
  /** The options that variables and config files may also set; by default none. */
  readonly configurable?: readonly string[] | undefined;
  readonly defaults?: OptionsInput;
  /** The rows of the command's options; by default the rows of a benchmark. */
  readonly rows?: OptionRows;
}

/** Reads and validates the options of a command. Errors name each option as the user wrote it. */
export async function readSettings(sources: OptionSources, terminal: Terminal) {
  const origins = await mergeOptions(sources, terminal);
  const rawOptions = toRawOptions(origins);
  try {
    const input = pickBenchmarkOptions(rawOptions);
    const isOpenEnded = input.runs === undefined && input.untilStable === undefined;
    const isCompared = isOpenEnded && (rawOptions.baseline !== undefined || sources.defaults === COMPARED);
    const ownDefaults = isCompared ? COMPARED : {};
    const valid = validateOptions({ ...sources.defaults, ...ownDefaults, ...input });
    // A command's own number of runs may exceed the maximum.
    const runs = input.runs === undefined ? Math.min(valid.runs, valid.maxRuns) : valid.runs;
    const options = { ...valid, runs };
    const cliOptions = validateCliOptions(rawOptions);
    rejectFlagWithoutEffect(origins, sources.rows ?? optionRows, requestSteps(options));
    return {
      options,
      cliOptions,
      /** True if the number of runs is not set, so a comparison may continue until it is decided. */
      isOpenEnded,
      /** The maximum number of runs. */
      mostRuns: isCompared ? options.maxRuns : countMostRuns(options),
      /** Every option that is set, with its origin, to name it in errors. */
      origins,
    };
  } catch (error) {
    throw explainOrigins(origins, error);
  }
}

/** A file or a variable may set such an option for the commands in which it has an effect. */
function rejectFlagWithoutEffect(settings: OptionSource, rows: OptionRows, requested: RequestedSteps): void {
  const { sharesData } = requested;
  for (const [name, { value, origin }] of settings) {
    const row = rows[name];
    if (!row || origin !== null || value === undefined || value === false) continue;
    const own = flag(name, value === true ? undefined : value);
    const { needs } = row;
    if (needs?.[0] !== undefined && !needs.some((one) => settings.has(one))) {
      const flags = needs.map((one) => formatFlag(flag(one, getOptionRow(one).example)));
      throw optionError(msg`${own} has no effect without ${flag(needs[0])}`, `add ${flags.join(' or ')}`);
    }
    const phase = findMissingPhase(name, listPhases(requested), sharesData);
    if (phase === null) continue;
    throw sharesData
      ? optionError(msg`${own} has no effect on the steps`, 'leave it out')
      : optionError(
          msg`${own} has no effect without a phase such as ${phase}`,
          msg`add that phase to ${flag('phases')}`,
        );
  }
}

/**
 * Returns the merged options. Flags win over variables, variables over the profile, the profile over the rest of its
 * file. Errors name each option as the user wrote it.
 */
export async function mergeOptions(
  { rawOptions, configurable = [] }: OptionSources,
  { process, log }: Terminal,
): Promise<OptionSource> {
  const flags: OptionSource = new Map(
    Object.entries(rawOptions).map(([name, value]) => [name, { value, origin: null }]),
  );
  if (configurable.length === 0) return flags;
  const pickConfigurable = (source: OptionSource) =>
    new Map([...source].filter(([name]) => configurable.includes(name)));
  const variables = pickConfigurable(readVariables(process.env));
  let origins: OptionSource = new Map([...variables, ...flags]);
  try {
    const { config, noConfig, profile } = configSelectionSchema.parse(toRawOptions(origins));
    if (noConfig && config !== undefined) throw contradictionError(flag('noConfig'), flag('config', config));
    if (noConfig && profile !== undefined)
      throw contradictionError(flag('noConfig'), flag('profile', profile));
    const stallDetector = createStallDetector(optionCatalogue.stallTimeout.default, log);
    const search = noConfig ? Promise.resolve({ document: null, ignored: [] }) : loadConfig(config);
    const { document, ignored } = await stallDetector.watch('the search for a config file', search);
    const file = document && validateConfig(document);
    const fileSources = [file?.options ?? new Map(), findProfile(profile, file, ignored)];
    origins = new Map([...fileSources.map(pickConfigurable), origins].flatMap((source) => [...source]));
    const notes = ignored.map(
      (path) =>
        `gobonnie: ignoring ${path}: other users may have written it; pass --config ${path} to use it anyway`,
    );
    notes.push(...unknownVariableLines(process.env));
    const { quiet, verbose, dryRun } = toRawOptions(origins);
    if (verbose || dryRun || (file && detectScreen(process.stderr, process)))
      notes.push(...sourceLines(file, profile, origins));
    if (!quiet) for (const note of notes) log(note);
    return origins;
  } catch (error) {
    throw explainOrigins(origins, error);
  }
}

/** Names the file, its profile and the variables that set options. Returns no line if there are only flags. */
function sourceLines(file: ConfigFile | null, profile: string | undefined, settings: OptionSource) {
  const sources: string[] = [];
  if (file) sources.push(file.file);
  if (profile !== undefined) sources.push(`its profile ${display(profile)}`);
  for (const name of Object.keys(settingRows)) {
    const origin = settings.get(name)?.origin;
    if (origin?.startsWith(VARIABLE_PREFIX)) sources.push(origin);
  }
  return sources.length === 0 ? [] : [`gobonnie: options from ${sources.join(', ')}`];
}

function findProfile(
  name: string | undefined,
  file: ConfigFile | null,
  [ignored]: readonly string[],
): OptionSource {
  if (name === undefined) return new Map();
  const options = file?.profiles.get(name);
  if (options) return options;
  const profileFlag = flag('profile', name);
  if (!file) {
    const hint =
      ignored === undefined
        ? 'create a gobonnie.config.json, or pass a file with --config'
        : `pass --config ${ignored}, which other users may have written`;
    throw optionError(msg`${profileFlag} needs a config file`, hint);
  }
  const names = [...file.profiles.keys()].map((name) => display(name));
  const hint = names.length === 0 ? 'it has no profiles' : `its profiles are ${names.join(', ')}`;
  throw optionError(msg`${profileFlag} is not in ${file.file}`, hint);
}

const VARIABLE_PREFIX = 'GOBONNIE_';
/** The only variable that is not an option. */
const DEBUG_VARIABLE = `${VARIABLE_PREFIX}DEBUG`;

const optionsByVariable = new Map(Object.keys(optionRows).map((name) => [toVariableName(name), name]));

/** Returns `GOBONNIE_IOPS_DURATION` for `iopsDuration`. */
export function toVariableName(name: string): string {
  return VARIABLE_PREFIX + name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** An empty variable counts as unset, because pipelines pass on variables that are not set. */
function readVariables(env: NodeJS.ProcessEnv): OptionSource {
  const variables = new Map<string, { value: unknown; origin: string }>();
  for (const [variable, name] of optionsByVariable) {
    const text = env[variable];
    if (text)
      variables.set(name, { value: parseVariable(text, variable, getOptionRow(name)), origin: variable });
  }
  return variables;
}

function unknownVariableLines(env: NodeJS.ProcessEnv): readonly string[] {
  const removePrefix = (variable: string) => variable.slice(VARIABLE_PREFIX.length);
  const known = [...optionsByVariable.keys(), DEBUG_VARIABLE].map(removePrefix);
  const ours = Object.keys(env).filter((variable) => variable.startsWith(VARIABLE_PREFIX));
  const unknown = ours.filter((variable) => !known.includes(removePrefix(variable)));
  return unknown.map((variable) => {
    const suggestion = findNearest(removePrefix(variable), known);
    const hint = suggestion
      ? `did you mean ${VARIABLE_PREFIX}${suggestion}?`
      : '--io-size is GOBONNIE_IO_SIZE';
    return `gobonnie: ignoring unknown variable ${display(variable)}; ${hint}`;
  });
}

/** Returns the value that a flag or a file would have. Returns other text unchanged: validation rejects it. */
function parseVariable(
  text: string,
  variable: string,
  { argument, repeatable, example }: OptionRow,
): unknown {
  if (argument === null) return parseBoolean(text) ?? text;
  if (!repeatable) return text;
  if (!text.startsWith('[')) return [text];
  const list = parseJsonObject(text);
  if (list) return list;
  throw optionError(
    `invalid ${variable}: ${display(text)} begins with [, but is not a JSON array`,
    // Examples are quoted for a shell.
    `for example, ${JSON.stringify([example?.replace(/^"|"$/g, '')])}`,
  );
}
