import { display } from './escape.js';
import { formatGibibytes } from './units.js';

/** An option named in a message, with the user's value or a value that would work. */
export interface OptionRef {
  readonly option: string;
  readonly value?: unknown;
  /** Direction in which to round the value for a flag with a different unit. */
  readonly rounding: 'up' | 'down';
}

/** Text with option names, which are rendered as flags, config file keys or environment variables when printed. */
export type MessageTemplate = string | readonly (string | OptionRef)[];

/** Creates a template: ``msg`pass a smaller ${flag('size')} or another ${flag('dir')}` ``. */
export function msg(
  texts: TemplateStringsArray,
  ...parts: readonly (MessageTemplate | OptionRef | number)[]
): MessageTemplate {
  const all = texts.flatMap((text, at) => [text, parts[at] ?? '']).flat();
  return all.map((part) => (typeof part === 'number' ? String(part) : part)).filter((part) => part !== '');
}

/** Refers to an option by its catalogue name. Prints as `--io-size 512` unless the dialect spells it differently. */
export function flag(option: string, value?: unknown): OptionRef {
  return { option, value, rounding: 'up' };
}

/** Refers to an option with the largest value that would work. */
export function flagAtMost(option: string, value: number): OptionRef {
  return { option, value, rounding: 'down' };
}

export function mapOptionRefs<Replacement extends string | OptionRef>(
  template: MessageTemplate,
  replace: (ref: OptionRef) => Replacement,
): readonly (string | Replacement)[] {
  return [template].flat().map((part) => (typeof part === 'string' ? part : replace(part)));
}

/** Renders plain text with gobonnie's own flags. */
export function renderMessage(template: MessageTemplate): string {
  return mapOptionRefs(template, formatFlag).join('');
}

export function formatFlag({ option, value }: OptionRef): string {
  // The flag takes one step at a time.
  const name = toFlag(option === 'steps' ? 'step' : option);
  if (value === undefined) return name;
  const isSize = option === 'size' && typeof value === 'number';
  return `${name} ${display(isSize ? formatGibibytes(value) : value)}`;
}

export function toFlag(option: string): string {
  return `--${toKebabCase(option)}`;
}

/** Returns `io-size` for `ioSize`. */
export function toKebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns `ioSize` for `io-size`. */
export function toCamelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
