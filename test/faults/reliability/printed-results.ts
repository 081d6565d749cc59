import { pluralize } from '../../../src/text/units.js';

/** The phases whose figures stdout has as text. */
export function printedPhases(stdout: string): readonly string[] {
  return stdout.match(/^[A-Z][\w ]+(?=(?: MB\/s)?: \d[\d.]*$)/gm) ?? [];
}

/** What stdout has: figures, or the number of runs when it is JSON. */
export function printedResults(stdout: string): readonly string[] {
  return stdout.startsWith('{')
    ? [pluralize(JSON.parse(stdout).results.length, 'complete run')]
    : printedPhases(stdout);
}
