import { sanitize } from '../../text/escape.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters that XML forbids even as references: lone surrogates and two non-characters. */
const FORBIDDEN = /[\p{Cs}\uFFFE\uFFFF]/gu;

/** Text that a page takes as it is. Only this file makes it, so that no name becomes markup. */
export type Markup = string & { readonly markup: never };

type Attributes = Readonly<Record<string, string | number | undefined>>;

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** An element on lines of its own, its children indented. Attributes without a value are left out. */
export function element(name: string, attributes: Attributes, children: readonly string[] = []): string {
  const start = `<${name}${attributesText(attributes)}`;
  if (children.length === 0) return `${start}/>\n`;
  // Indents elements only: in text, brackets are escaped.
  return `${start}>\n${children.join('').replace(/^(?= *<)/gm, '  ')}</${name}>\n`;
}

/** An element that holds lines of text. */
export function textElement(name: string, attributes: Attributes, lines: readonly string[]): string {
  return `<${name}${attributesText(attributes)}>${lines.map(escapeMarkup).join('\n')}</${name}>\n`;
}

/** An element of a page, on one line. Its children are markup; without any it is closed at once. */
export function tag(name: string, attributes: Attributes, ...children: readonly Markup[]): Markup {
  const start = `<${name}${attributesText(attributes)}`;
  return (children.length === 0 ? `${start}/>` : `${start}>${children.join('')}</${name}>`) as Markup;
}

function attributesText(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${escapeMarkup(String(value))}"`))
    .join('');
}

/** Text for XML and HTML. */
export function escapeMarkup(text: string): Markup {
  return sanitize(text)
    .replace(FORBIDDEN, '?')
    .replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char) as Markup;
}
