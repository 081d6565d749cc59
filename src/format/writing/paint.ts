/** Colours of words by their meaning. */
export interface Paint {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly caution: (text: string) => string;
  readonly accent: (text: string) => string;
  readonly faint: (text: string) => string;
}

const unchanged = (text: string) => text;

export const PLAIN: Paint = {
  good: unchanged,
  bad: unchanged,
  caution: unchanged,
  accent: unchanged,
  faint: unchanged,
};

/** The 16 colours that a user sets in the terminal. */
const COLORED: Paint = {
  good: between(32, 39),
  bad: between(31, 39),
  caution: between(33, 39),
  accent: between(36, 39),
  faint: between(2, 22),
};

export function paintFor(color: boolean): Paint {
  return color ? COLORED : PLAIN;
}

/** The text without colours. */
export function unpainted(text: string): string {
  return text.replace(/\p{Cc}\[\d+m/gu, '');
}

/** The codes that switch a style on and off. */
function between(on: number, off: number): (text: string) => string {
  return (text) => `\u001b[${on}m${text}\u001b[${off}m`;
}
