import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** What one program start came to: the figures of each of its runs, by name. */
export type Recording = readonly Readonly<Record<string, number>>[];

/** The same plan on the same machine, again and again. */
export interface Noise {
  readonly machine: string;
  readonly plan: readonly string[];
  /** In the order in which they were made. */
  readonly recordings: readonly Recording[];
}

export const NOISE_FILE = fileURLToPath(new URL('tmpfs-noise.json', import.meta.url));

export function readNoise(file = NOISE_FILE): Noise {
  return JSON.parse(readFileSync(path.resolve(file), 'utf8')) as Noise;
}
