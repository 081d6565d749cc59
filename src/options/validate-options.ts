import type * as z from 'zod';
import { getPhase } from '../../workers/phases/phase-catalogue.js';
import { contradictionError, GobonnieError, optionError } from '../errors.js';
import { display } from '../text/escape.js';
import { flag, msg, type OptionRef, toCamelCase, toKebabCase } from '../text/message-template.js';
import { fioHint, suggestionHint } from '../text/suggest.js';
import { effectiveSettings } from './effective-settings.js';
import { type OptionName, optionCatalogue } from './option-catalogue.js';
import type { OptionRow } from './option-row.js';
import {
  BESIDE_SETTINGS,
  type Options,
  type OptionsInput,
  optionsSchema,
  STEP_SETTINGS,
  type StepInput,
  SYNC_METHODS,
  splitBeside,
  splitSteps,
} from './options-schema.js';

/** Returns the complete options. Throws a GobonnieError for the first invalid option. */
export function validateOptions(input: OptionsInput): Options {
  const parsed = optionsSchema.safeParse(input);
  if (parsed.success) {
    rejectContradictions(parsed.data, input);
    return parsed.data;
  }
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys' && issue.path.length === 0)
    throw unknownOptionError(issue.keys[0] ?? '');
  const name = issue?.path[0];
  if (typeof name !== 'string')
    throw optionError('the options are not an object', 'for example, { size: 0.5 }');
  if (name === 'fileMinSize' && issue?.code === 'custom')
    throw optionError(
      msg`${flag('fileMinSize', input.fileMinSize)} is more than ${flag('fileSize', input.fileSize ?? optionCatalogue.fileSize.default)}`,
      msg`pass a larger ${flag('fileSize')} or a smaller ${flag('fileMinSize')}`,
    );
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  if (name === 'steps') throw stepError(issue?.path.slice(1) ?? [], unknown, input.steps);
  throw invalidOptionError(name, optionCatalogue[name as OptionName], input[name as OptionName]);
}

function rejectContradictions(
  { steps, depth: runDepth, mix: runMix }: Options,
  { phases }: OptionsInput,
): void {
  if (!steps) return;
  if (phases !== undefined && phases.length > 0)
    throw contradictionError(flag('steps'), flag('phases', phases));
  const newStep = steps.find(({ phase }) => phase === 'write-new');
  if (newStep && steps.some(({ phase }) => phase !== 'write-new'))
    throw optionError(
      msg`${flag('steps')}: ${newStep.name} replaces the data that the other steps use`,
      'pass only steps of write-new',
    );
  rejectFirstRead(steps);
  if (steps[0]?.phase === 'fill' && steps.some(({ beside }) => beside !== undefined))
    throw optionError(
      msg`${flag('steps')}: no step can run beside one on filled data`,
      'leave out fill, or --beside',
    );
  const lateFill = steps.slice(1).find(({ phase }) => phase === 'fill');
  if (lateFill)
    throw optionError(
      msg`${flag('steps')}: ${lateFill.name} creates the data of the other steps`,
      'put fill first, and only once',
    );
  for (const step of steps) {
    const { name, phase, interval, seconds, size, depth = runDepth, mix = runMix } = step;
    if (phase === 'fill' && (seconds ?? size) !== undefined)
      throw optionError(
        msg`${flag('steps')}: ${name} ends when all its data is written, not after a time or a size of its own`,
        msg`pass ${flag('size')} for the run`,
      );
    if (interval !== undefined && depth > 1)
      throw optionError(
        msg`${flag('steps')}: with an interval, each thread of ${name} has one operation in flight, not ${depth}`,
        'pass threads instead of a depth',
      );
    const effective = effectiveSettings(phase, mix);
    const other = Object.keys(step).find((setting) => !effective.includes(setting));
    if (other !== undefined)
      throw optionError(
        msg`${flag('steps')}: ${toKebabCase(other)} has no effect on ${name}`,
        'leave it out',
      );
  }
  const names = steps.map(({ name }) => name);
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined)
    throw optionError(
      msg`two values of ${flag('steps')} are called ${repeated}`,
      `give one of them another name, such as name=${repeated}-2`,
    );
}

/** Rejects other steps beside steps that read existing files, which have no data of their own. */
function rejectFirstRead(steps: NonNullable<Options['steps']>): void {
  if (steps.every(({ phase }) => getPhase(phase).dataset !== 'existing')) return;
  const [first, ...others] = steps;
  const isFirst = first?.phase === 'first-read';
  let problem: string | null = null;
  if (isFirst && first.paths === undefined) problem = 'first-read needs paths';
  else if (others.some(({ phase, paths }) => phase === 'second-read' && paths !== undefined))
    problem = 'second-read reads the paths of first-read, so it takes none';
  else if (!isFirst || others.some(({ phase }) => phase !== 'second-read'))
    problem = 'first-read must be the first step, and only second-read can follow it';
  if (problem === null) return;
  throw optionError(
    msg`${flag('steps')}: ${problem}`,
    msg`for example, ${flag('steps', 'first-read,paths=/srv second-read')}`,
  );
}

const TIME = 'a time such as 30 or 500ms';
const BESIDE_EXPECTS = 'read, write, rewrite or random with settings, as objects in a program';
/** The expected values of settings that are not options. */
const SETTINGS: Readonly<Record<string, string>> = {
  name: 'a word of letters, digits, dots and dashes',
  paths: 'files or directories, separated by colons',
  direct: 'true or false, or the word alone',
  fsync: 'true or false, for a sync at the end; sync-per-write=fsync syncs after each write',
  syncPerWrite: `one of ${SYNC_METHODS.join(', ')}`,
  interval: `${TIME}, from 1ms to 1 hour`,
  pause: TIME,
  seconds: `${TIME}, above 0`,
  beside: BESIDE_EXPECTS,
};

function settingExpects(key: string): string {
  return SETTINGS[key] ?? optionCatalogue[key as OptionName].expects ?? '';
}

/** Names the step as it was written, and the part of it that is wrong. The path begins with the index of the step. */
export function stepError(
  [index, ...keys]: readonly PropertyKey[],
  unknown: string | undefined,
  steps: unknown,
): GobonnieError {
  const [, besideIndex] = keys;
  const isBeside = keys[0] === 'beside' && besideIndex !== undefined;
  let step: unknown = index === undefined ? steps : splitSteps(steps)[Number(index)];
  if (isBeside) {
    const all = typeof step === 'string' ? splitBeside(step).slice(1) : (step as StepInput).beside;
    step = all?.[Number(besideIndex)];
  }
  const text = typeof step === 'string' ? step : JSON.stringify(step);
  const own = isBeside ? flag('beside', text) : flag('steps', text);
  if (unknown !== undefined) return unknownSettingError(own, unknown, isBeside, typeof step === 'string');
  const key = isBeside ? keys[2] : keys[0];
  const isSetting = key !== undefined && key !== 'phase';
  const problem = isSetting ? ` (${toKebabCase(String(key))})` : '';
  const { expects: stepExpects, example } = optionCatalogue.steps;
  const expects = isSetting ? settingExpects(String(key)) : isBeside ? BESIDE_EXPECTS : stepExpects;
  const hint = isSetting ? undefined : fioHint(/^[\w-]*/.exec(text)?.[0] ?? '');
  return optionError(
    msg`invalid ${own}${problem}: expected ${expects}`,
    hint ?? msg`for example, ${isBeside ? flag('beside', 'write,block-size=1m') : flag('steps', example)}`,
  );
}

/** An object has its settings in camelCase. */
function unknownSettingError(step: OptionRef, key: string, isBeside: boolean, isText: boolean) {
  const name = isText ? toKebabCase(key) : key;
  const setting = toKebabCase(key);
  if (isBeside && STEP_SETTINGS.includes(setting) && !BESIDE_SETTINGS.includes(setting))
    return optionError(msg`${step}: a step beside another has no ${name} of its own`, 'leave it out');
  const settings = isBeside ? BESIDE_SETTINGS : STEP_SETTINGS;
  const names = isText ? settings : settings.map(toCamelCase);
  const fio = isText ? fioHint(name) : undefined;
  const hint = fio ?? suggestionHint(name, names, 'docs/quick-and-sweep.md lists the settings');
  return optionError(msg`${step}: ${display(name)} is not a setting of a step`, hint);
}

/** Validates options by a schema and their rows. Throws a GobonnieError for the first invalid option. */
export function parseOptions<Schema extends z.ZodType>(
  schema: Schema,
  rows: Readonly<Record<string, OptionRow>>,
  raw: Readonly<Record<string, unknown>>,
) {
  const { data, error } = schema.safeParse(raw);
  if (!error) return data;
  const name = String(error.issues[0]?.path[0]);
  throw invalidOptionError(name, rows[name] as OptionRow, raw[name]);
}

/** Words the error like the help. zod's messages name one bound only, and no unit, suffix such as `64k` or example. */
export function invalidOptionError(name: string, row: OptionRow, value: unknown): GobonnieError {
  const message = msg`invalid ${flag(name, value)}: expected ${row.expects}`;
  return optionError(message, msg`for example, ${flag(name, row.example)}`);
}

/** The remedies for options that only commands have. */
const LIBRARY_HINTS = new Map([
  ['expect', 'pass the report to check()'],
  ['baseline', 'pass two reports to compare()'],
  ['preset', 'pass steps'],
]);

function unknownOptionError(name: string): GobonnieError {
  const names = Object.keys(optionCatalogue);
  return new GobonnieError(
    'option-unknown',
    `there is no option ${display(name)}`,
    LIBRARY_HINTS.get(name) ?? suggestionHint(name, names, `the options are ${names.join(', ')}`),
  );
}
