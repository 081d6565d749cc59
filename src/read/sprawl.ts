import { Misreading, WHOLE } from './misreading.js';

/** No report comes near it, and what is deeper cannot be written again. */
const DEEPEST = 1000;
/** As many figures as the largest file holds. Empty brackets would take twenty times their length. */
const MOST_PARTS = 8_000_000;

/** JSON is parsed as a whole: what would take far more memory than its length promises is refused before. */
export function refuseSprawl(text: string): void {
  let depth = 0;
  let parts = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (isQuoted) {
      if (char === '\\') at++;
      else if (char === '"') isQuoted = false;
      continue;
    }
    switch (char) {
      case '"':
        isQuoted = true;
        break;
      case '{':
      case '[':
        depth++;
        parts++;
        break;
      case '}':
      case ']':
        depth--;
        break;
      case ',':
      case ':':
        parts++;
        break;
    }
    if (depth > DEEPEST) throw sprawling(`is nested more than ${DEEPEST} deep`);
    if (parts > MOST_PARTS) throw sprawling(`holds more than ${MOST_PARTS} values`);
  }
}

function sprawling(what: string): Misreading {
  return new Misreading(`it ${what}`, WHOLE);
}
