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

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Renders an element on its own lines, with indented children. Omits attributes without a value. */
export function element(name: string, attributes: Attributes, children: readonly string[] = []): string {
  const start = `<${name}${attributesText(attributes)}`;
  if (children.length === 0) return `${start}/>\n`;
  // Indents only elements: brackets in text are escaped.
  return `${start}>\n${children.join('').replace(/^(?= *<)/gm, '  ')}</${name}>\n`;
}

export function textElement(name: string, attributes: Attributes, lines: readonly string[]): string {
  return `<${name}${attributesText(attributes)}>${lines.map(escapeMarkup).join('\n')}</${name}>\n`;
}

/** Renders an element of a page on one line. An element without children closes itself. */
export function tag(name: string, attributes: Attributes, ...children: readonly Markup[]): Markup {
  const start = `<${name}${attributesText(attributes)}`;
  return (children.length === 0 ? `${start}/>` : `${start}>${children.join('')}</${name}>`) as Markup;
}

function attributesText(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${escapeMarkup(String(value))}"`))
    .join('');
}

export function escapeMarkup(text: string): Markup {
  return sanitize(text)
    .replace(FORBIDDEN, '?')
    .replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char) as Markup;
}
