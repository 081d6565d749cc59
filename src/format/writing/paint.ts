/** How words are made to stand out. */
export interface Paint {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly caution: (text: string) => string;
  readonly accent: (text: string) => string;
  readonly faint: (text: string) => string;
}

const asItIs = (text: string) => text;

export const PLAIN: Paint = { good: asItIs, bad: asItIs, caution: asItIs, accent: asItIs, faint: asItIs };

/** The terminal's own colours, which its user has chosen. */
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

/** What is left to see where nothing is painted. */
export function unpainted(text: string): string {
  return text.replace(/\p{Cc}\[\d+m/gu, '');
}

/** The numbers that switch it on, and off again. */
function between(on: number, off: number): (text: string) => string {
  return (text) => `\u001b[${on}m${text}\u001b[${off}m`;
}
