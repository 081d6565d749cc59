import { z } from 'zod';
import type { ProgramRates } from './benchmarked-program.js';

/** The part of gobonniego's JSON to compare. Gobonnie prints the same document. */
const document = z.object({
  results: z.tuple([
    z.object({
      write_megabytes_per_second: z.number().positive(),
      read_megabytes_per_second: z.number().positive(),
      iops: z.number().positive(),
    }),
  ]),
});

export function parseGobonniegoJson(stdout: string): ProgramRates {
  const [result] = document.parse(JSON.parse(stdout)).results;
  return {
    write: result.write_megabytes_per_second,
    read: result.read_megabytes_per_second,
    iops: result.iops,
  };
}
