import { sanitize } from './escape.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters that XML forbids even as references: lone surrogates and two non-characters. */
const FORBIDDEN = /[\p{Cs}\uFFFE\uFFFF]/gu;

/** Escaped text or elements. Only this file creates values of this type, so names cannot become markup. */
export type Markup = string & { readonly markup: never };

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** Renders an element on one line. An element without children closes itself. */
export function tag(name: string, attributes: Attributes, ...children: readonly Markup[]): Markup {
  const texts = Object.entries(attributes).map(([key, value]) =>
    value === undefined ? '' : ` ${key}="${escapeMarkup(String(value))}"`,
  );
  const start = `<${name}${texts.join('')}`;
  return (children.length === 0 ? `${start}/>` : `${start}>${children.join('')}</${name}>`) as Markup;
}

/** Renders an element whose content is one or more lines of text. */
export function textElement(name: string, lines: readonly string[]): Markup {
  return tag(name, {}, lines.map(escapeMarkup).join('\n') as Markup);
}

export function escapeMarkup(text: string): Markup {
  return sanitize(text)
    .replace(FORBIDDEN, '?')
    .replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char) as Markup;
}
