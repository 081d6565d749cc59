import { pluralize } from '../../../src/text/units.js';

/** Returns the titles of the phases whose results stdout shows as text. */
export function printedPhases(stdout: string): readonly string[] {
  return stdout.match(/^[A-Z][\w ]+(?=(?: MB\/s)?: \d[\d.]*$)/gm) ?? [];
}

/** Returns the printed phases or, for JSON, the number of runs. */
export function printedResults(stdout: string): readonly string[] {
  return stdout.startsWith('{')
    ? [pluralize(JSON.parse(stdout).results.length, 'complete run')]
    : printedPhases(stdout);
}
