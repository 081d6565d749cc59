import { pickBenchmarkOptions } from '../../../src/cli/argv/cli-catalogue.js';
import { validateCliOptions } from '../../../src/cli/argv/cli-options.js';
import { requestFrom } from '../../../src/cli/dispatch.js';
import { validateOptions } from '../../../src/options/validate-options.js';

/** Matches a gobonnie command line up to a pipe or other shell syntax. */
const CALL = /(?<![/\w])gobonnie((?: (?:'[^']*'|"[^"]*"|[^\s|&;<>()'"]+))*)(?![\w.])/g;

/** Returns the arguments of each call of gobonnie in a line of a shell. */
export function findCalls(line: string): readonly (readonly string[])[] {
  return Array.from(line.matchAll(CALL), ([, words = '']) =>
    (words.match(/'[^']*'|"[^"]*"|[^\s'"]+/g) ?? []).map((word) => word.replaceAll(/['"]/g, '')),
  );
}

/** Checks that gobonnie accepts an example, without running it. */
export async function expectAccepted(example: string): Promise<void> {
  for (const words of findCalls(example)) {
    const request = await requestFrom(words);
    if (request.type !== 'benchmark') continue;
    validateOptions(pickBenchmarkOptions(request.rawOptions));
    validateCliOptions(request.rawOptions);
  }
}
