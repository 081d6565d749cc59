import { shown } from './escape.js';

/** An option as a message names it, with the value that was given or that would do. */
export interface NamedOption {
  readonly option: string;
  readonly value?: unknown;
  /** Which way a number is rounded for a flag that counts in another unit. */
  readonly rounds: 'up' | 'down';
}

/** Text that names options. Whoever prints it knows what they are called there: flags, keys of a file, variables. */
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

/** The option by its name in the catalogue: `--io-size 512` unless it is called otherwise where it is printed. */
export function flag(option: string, value?: unknown): NamedOption {
  return { option, value, rounds: 'up' };
}

/** The same with the largest value that would do. */
export function atMost(option: string, value: number): NamedOption {
  return { option, value, rounds: 'down' };
}

export function optionsIn(text: Sentence): readonly NamedOption[] {
  return typeof text === 'string' ? [] : text.filter((part) => typeof part !== 'string');
}

/** With other words for the options, or for some of them. */
export function reworded(text: Sentence, word: (named: NamedOption) => string | NamedOption): Sentence {
  return typeof text === 'string' ? text : text.map((part) => (typeof part === 'string' ? part : word(part)));
}

/** In gobonnie's own flags, unless something else is called for. */
export function spelled(text: Sentence, spell: (named: NamedOption) => string = asFlag): string {
  if (typeof text === 'string') return text;
  return text.map((part) => (typeof part === 'string' ? part : spell(part))).join('');
}

export function asFlag({ option, value }: NamedOption): string {
  const name = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return value === undefined ? name : `${name} ${shown(value)}`;
}
