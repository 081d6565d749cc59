import { shownJson } from '../../text/escape.js';

/** Where a text stops to be JSON, as editors count, and what is wrong there. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly words: string;
}

type Expected = keyof typeof WORDS;
type Bracket = '{' | '[';

/** What may stand at a place. */
const WORDS = {
  value: 'a value',
  'value or ]': 'a value or "]"',
  name: 'a name in double quotes',
  'name or }': 'a name in double quotes or "}"',
  ':': '":"',
  ', or }': '"," or "}"',
  ', or ]': '"," or "]"',
  end: 'the end',
} as const;

const BLANK = /[ \t\r\n]*/y;
const TEXT = /"[^"\\]*(?:\\.[^"\\]*)*"/sy;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const MARK = /[{}[\]:,]/y;
/** As much of what is none of them as is worth showing. */
const ODD = /[\w.+-]{1,20}|./suy;

/** Of a text that `JSON.parse` refuses: its own words tell the place only sometimes, and in each Node others. */
export function jsonFault(text: string): JsonFault {
  const open: Bracket[] = [];
  let expected: Expected = 'value';
  for (let at = 0; ; ) {
    at += matchAt(BLANK, text, at)?.length ?? 0;
    const token = matchAt(TEXT, text, at) ?? matchAt(SCALAR, text, at) ?? matchAt(MARK, text, at);
    if (text[at] === '"' && !isText(token ?? ''))
      return placed(text, at, 'a text begins there that has no end on its line, or a wrong "\\" in it');
    const next: Expected | null = token === null ? null : following(token, expected, open);
    if (token === null || next === null) {
      const found = matchAt(ODD, text, at);
      const words = found === null ? 'nothing follows' : `${shownJson(found)} stands there`;
      return placed(text, at, `${words} instead of ${WORDS[expected]}`);
    }
    at += token.length;
    expected = next;
  }
}

/** What may stand behind a token; null where the token itself may not stand. */
function following(token: string, expected: Expected, open: Bracket[]): Expected | null {
  switch (token) {
    case '{':
    case '[':
      if (!expected.startsWith('value')) return null;
      open.push(token);
      return token === '{' ? 'name or }' : 'value or ]';
    case '}':
    case ']':
      if (!expected.endsWith(token)) return null;
      open.pop();
      return behindValue(open);
    case ',':
      if (!expected.startsWith(',')) return null;
      return open.at(-1) === '{' ? 'name' : 'value';
    case ':':
      return expected === ':' ? 'value' : null;
    default:
      if (expected.startsWith('value')) return behindValue(open);
      return expected.startsWith('name') && token.startsWith('"') ? ':' : null;
  }
}

function behindValue(open: readonly Bracket[]): Expected {
  if (open.length === 0) return 'end';
  return open.at(-1) === '{' ? ', or }' : ', or ]';
}

function isText(token: string): boolean {
  try {
    JSON.parse(token);
    return true;
  } catch {
    return false;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

function placed(text: string, at: number, words: string): JsonFault {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1, words };
}
