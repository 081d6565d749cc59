import { display } from './escape.js';

/** An option that a message names, with the value that was given or one that would work. */
export interface OptionRef {
  readonly option: string;
  readonly value?: unknown;
  /** Which way a number is rounded for a flag that counts in another unit. */
  readonly rounding: 'up' | 'down';
}

/** Text that names options. They are spelled when it is printed: as flags, keys of a config file or variables. */
export type MessageTemplate = string | readonly (string | OptionRef)[];

/** ``sentence`pass a smaller ${flag('size')} or another ${flag('dir')}` ``. */
export function msg(
  texts: TemplateStringsArray,
  ...parts: readonly (MessageTemplate | OptionRef | number)[]
): MessageTemplate {
  return texts
    .flatMap((text, at) => {
      const part = parts[at] ?? '';
      return [text, ...(Array.isArray(part) ? part : [typeof part === 'number' ? String(part) : part])];
    })
    .filter((part) => part !== '');
}

/** The option by its name in the catalogue, printed as `--io-size 512` unless spelled differently there. */
export function flag(option: string, value?: unknown): OptionRef {
  return { option, value, rounding: 'up' };
}

/** The same with the largest value that would work. */
export function flagAtMost(option: string, value: number): OptionRef {
  return { option, value, rounding: 'down' };
}

export function optionRefs(template: MessageTemplate): readonly OptionRef[] {
  return typeof template === 'string' ? [] : template.filter((part) => typeof part !== 'string');
}

export function mapOptionRefs(
  template: MessageTemplate,
  replace: (named: OptionRef) => string | OptionRef,
): MessageTemplate {
  return typeof template === 'string'
    ? template
    : template.map((part) => (typeof part === 'string' ? part : replace(part)));
}

/** As plain text, by default with gobonnie's own flags. */
export function renderMessage(
  template: MessageTemplate,
  format: (named: OptionRef) => string = formatFlag,
): string {
  if (typeof template === 'string') return template;
  return template.map((part) => (typeof part === 'string' ? part : format(part))).join('');
}

export function formatFlag({ option, value }: OptionRef): string {
  const name = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return value === undefined ? name : `${name} ${display(value)}`;
}
