import { afterAll, expect } from 'vitest';

/** The promised number of cases. */
const LEAST = 500;

/** Counts the cases that were tried and those that held, and prints both at the end. */
export class Tally {
  readonly #name: string;
  readonly #noun: string;
  readonly #seed: number;
  #ran = 0;
  #held = 0;

  constructor(name: string, noun: string, seed: number) {
    this.#name = name;
    this.#noun = noun;
    this.#seed = seed;
    afterAll(() => {
      process.stdout.write(`${this.#line}\n`);
    });
  }

  /** Tries every case, and fails with a list of those that did not hold. */
  async hold<Case>(
    cases: readonly Case[],
    nameOf: (one: Case) => string,
    faultsOf: (one: Case) => Promise<readonly string[]>,
  ): Promise<void> {
    const broken: string[] = [];
    for (const one of cases) {
      const faults = await faultsOf(one);
      this.#ran++;
      if (faults.length === 0) this.#held++;
      else broken.push(`${nameOf(one)}: ${faults.join('; ')}`);
    }
    expect(broken, `seed ${this.#seed}`).toEqual([]);
  }

  enough(): void {
    expect(this.#ran, this.#line).toBeGreaterThanOrEqual(LEAST);
  }

  get #line(): string {
    return `${this.#name}: ${this.#ran} ${this.#noun}, ${this.#held} held`;
  }
}
