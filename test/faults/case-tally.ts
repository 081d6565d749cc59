import { afterAll, expect } from 'vitest';

/** Fewer cases fail the test. */
const MIN_CASES = 500;

/** Counts the cases that ran and the cases that passed, and prints both counts at the end. */
export class CaseTally {
  readonly #name: string;
  readonly #noun: string;
  readonly #seed: number;
  #ran = 0;
  #passed = 0;

  constructor(name: string, noun: string, seed: number) {
    this.#name = name;
    this.#noun = noun;
    this.#seed = seed;
    afterAll(() => {
      process.stdout.write(`${this.#line}\n`);
    });
  }

  /** Runs every case; fails with a list of the cases that did not pass. */
  async run<Case>(
    cases: readonly Case[],
    describeCase: (testCase: Case) => string,
    findViolations: (testCase: Case) => Promise<readonly string[]>,
  ): Promise<void> {
    const failures: string[] = [];
    for (const testCase of cases) {
      const violations = await findViolations(testCase);
      this.#ran++;
      if (violations.length === 0) this.#passed++;
      else failures.push(`${describeCase(testCase)}: ${violations.join('; ')}`);
    }
    expect(failures, `seed ${this.#seed}`).toEqual([]);
  }

  assertMinimum(): void {
    expect(this.#ran, this.#line).toBeGreaterThanOrEqual(MIN_CASES);
  }

  get #line(): string {
    return `${this.#name}: ${this.#ran} ${this.#noun}, ${this.#passed} passed`;
  }
}
