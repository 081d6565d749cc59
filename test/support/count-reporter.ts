import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

/**
 * Prints the counts on the last line, for programs that parse them. With SKIPPED_TESTS=FILE, writes to FILE the
 * arguments with which vitest runs only the skipped tests. A NUL byte ends each argument.
 */
export default class CountReporter implements Reporter {
  #namePattern: RegExp | undefined;

  onInit({ config }: Vitest): void {
    this.#namePattern = config.testNamePattern;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // Vitest also reports the tests that --testNamePattern excludes as skipped.
    const tests = modules
      .flatMap((module) => [...module.children.allTests()])
      .filter((test) => this.#namePattern?.test(nameForPattern(test)) ?? true);
    const inState = (state: string) => tests.filter((test) => test.result().state === state);
    const skipped = inState('skipped');
    const file = process.env.SKIPPED_TESTS;
    if (file)
      writeFileSync(
        file,
        argumentsFor(skipped)
          .map((argument) => `${argument}\0`)
          .join(''),
      );
    process.stdout.write(
      `${inState('passed').length} passed, ${inState('failed').length} failed, ${skipped.length} skipped\n`,
    );
  }
}

function argumentsFor(tests: readonly TestCase[]): readonly string[] {
  const names = new Set(tests.map((test) => nameForPattern(test).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')));
  const files = new Set(tests.map(({ module }) => module.relativeModuleId));
  return [`--testNamePattern=^(?:${[...names].join('|')})$`, ...files];
}

/** Returns the name that vitest matches against --testNamePattern: `fullName` has ` > ` between the parts. */
function nameForPattern({ name, parent }: TestCase): string {
  const names = [name];
  for (let suite = parent; suite.type === 'suite'; suite = suite.parent) names.unshift(suite.name);
  return names.join(' ');
}
