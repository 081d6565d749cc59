import { shown } from './escape.js';

/** An option that a message names, with the value that was given or one that would work. */
export interface NamedOption {
  readonly option: string;
  readonly value?: unknown;
  /** Which way a number is rounded for a flag that counts in another unit. */
  readonly rounds: 'up' | 'down';
}

/** Text that names options. They are spelled when it is printed: as flags, keys of a config file or variables. */
export type Sentence = string | readonly (string | NamedOption)[];

/** ``sentence`pass a smaller ${flag('size')} or another ${flag('dir')}` ``. */
export function sentence(
  texts: TemplateStringsArray,
  ...parts: readonly (Sentence | NamedOption | number)[]
): Sentence {
  return texts
    .flatMap((text, at) => {
      const part = parts[at] ?? '';
      return [text, ...(Array.isArray(part) ? part : [typeof part === 'number' ? String(part) : part])];
    })
    .filter((part) => part !== '');
}

/** The option by its name in the catalogue, printed as `--io-size 512` unless spelled differently there. */
export function flag(option: string, value?: unknown): NamedOption {
  return { option, value, rounds: 'up' };
}

/** The same with the largest value that would work. */
export function atMost(option: string, value: number): NamedOption {
  return { option, value, rounds: 'down' };
}

export function optionsIn(text: Sentence): readonly NamedOption[] {
  return typeof text === 'string' ? [] : text.filter((part) => typeof part !== 'string');
}

export function reworded(text: Sentence, word: (named: NamedOption) => string | NamedOption): Sentence {
  return typeof text === 'string' ? text : text.map((part) => (typeof part === 'string' ? part : word(part)));
}

/** As plain text, by default with gobonnie's own flags. */
export function spelled(text: Sentence, spell: (named: NamedOption) => string = asFlag): string {
  if (typeof text === 'string') return text;
  return text.map((part) => (typeof part === 'string' ? part : spell(part))).join('');
}

export function asFlag({ option, value }: NamedOption): string {
  const name = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return value === undefined ? name : `${name} ${shown(value)}`;
}
