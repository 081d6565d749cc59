import type { Format } from './format.js';

/** Everything that is known, for programs. Its schema is published. */
export const report: Format = {
  end: (everything) => `${JSON.stringify(everything)}\n`,
};
