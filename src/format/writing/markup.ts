import { harmless } from '../../text/escape.js';

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** What XML has no place for, however it is written: halves of letters, and two that are none. */
const NO_LETTERS = /[\p{Cs}\uFFFE\uFFFF]/gu;

type Attributes = Readonly<Record<string, string | number | undefined>>;

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** An element on lines of its own, its children indented. Attributes without a value are left out. */
export function element(name: string, attributes: Attributes, children: readonly string[] = []): string {
  const start = `<${name}${attributesText(attributes)}`;
  if (children.length === 0) return `${start}/>\n`;
  // Lines of text never begin with a bracket: they stay as they are.
  return `${start}>\n${children.join('').replace(/^(?= *<)/gm, '  ')}</${name}>\n`;
}

/** One that holds text, line by line as it is given. */
export function textElement(name: string, attributes: Attributes, lines: readonly string[]): string {
  return `<${name}${attributesText(attributes)}>${lines.map(escapedMarkup).join('\n')}</${name}>\n`;
}

function attributesText(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${escapedMarkup(String(value))}"`))
    .join('');
}

/** Text that stays text, in HTML as well. */
export function escapedMarkup(text: string): string {
  return harmless(text)
    .replace(NO_LETTERS, '?')
    .replace(/[&<>"']/g, (char) => REFERENCES[char] ?? char);
}
