import { counted } from '../../../src/text/units.js';

/** The phases whose figures stdout gives as text. */
export function figuresIn(stdout: string): readonly string[] {
  return stdout.match(/^[A-Z][\w ]+(?=(?: MB\/s)?: \d[\d.]*$)/gm) ?? [];
}

/** What stdout gave: figures, or in JSON the runs. */
export function toldBy(stdout: string): readonly string[] {
  return stdout.startsWith('{')
    ? [counted(JSON.parse(stdout).results.length, 'complete run')]
    : figuresIn(stdout);
}
