import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The rates of each run of one program start, by phase. */
export type Recording = readonly Readonly<Record<string, number>>[];

/** Many recordings of the same plan on the same machine. */
export interface Noise {
  readonly machine: string;
  readonly plan: readonly string[];
  /** In the order of recording. */
  readonly recordings: readonly Recording[];
}

export const NOISE_FILE = fileURLToPath(new URL('tmpfs-noise.json', import.meta.url));

export function readNoise(file = NOISE_FILE): Noise {
  return JSON.parse(readFileSync(path.resolve(file), 'utf8')) as Noise;
}
