import { afterAll, expect } from 'vitest';

/** The promised number of cases. */
const MIN_CASES = 500;

/** Counts the cases that were tried and those that held, and prints both at the end. */
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

  /** Tries every case, and fails with a list of those that did not hold. */
  async run<Case>(
    cases: readonly Case[],
    describeCase: (one: Case) => string,
    findViolations: (one: Case) => Promise<readonly string[]>,
  ): Promise<void> {
    const failures: string[] = [];
    for (const one of cases) {
      const violations = await findViolations(one);
      this.#ran++;
      if (violations.length === 0) this.#passed++;
      else failures.push(`${describeCase(one)}: ${violations.join('; ')}`);
    }
    expect(failures, `seed ${this.#seed}`).toEqual([]);
  }

  assertMinimum(): void {
    expect(this.#ran, this.#line).toBeGreaterThanOrEqual(MIN_CASES);
  }

  get #line(): string {
    return `${this.#name}: ${this.#ran} ${this.#noun}, ${this.#passed} held`;
  }
}
