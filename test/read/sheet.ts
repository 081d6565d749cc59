import type { Score, Sheet } from '../../src/report/sheet.js';

/** A figure of which nothing else is known. */
export function scoreWith(facts: Partial<Score> = {}): Score {
  return {
    figure: 'bytes',
    perSecond: null,
    cpuPercent: null,
    latencyNs: null,
    amount: null,
    seconds: null,
    ...facts,
  };
}

/** Rates in KiB and %CPU, as a row has them. */
export function kib(rate: number, cpuPercent: number, latencyNs: number | null = null): Score {
  return scoreWith({ perSecond: rate * 1024, cpuPercent, latencyNs });
}

export function perSecond(rate: number, cpuPercent: number, latencyNs: number | null = null): Score {
  return scoreWith({ figure: 'operations', perSecond: rate, cpuPercent, latencyNs });
}

/** An empty sheet, but for the facts that matter to the test. */
export function sheetWith(facts: Partial<Sheet> = {}): Sheet {
  return {
    program: { name: 'gobonnie', version: '1.0.0' },
    label: 'host',
    startedAt: null,
    sizeBytes: null,
    volumes: 1,
    chunkBytes: null,
    concurrency: 1,
    seed: null,
    seeks: null,
    seekers: null,
    synced: false,
    unlocked: false,
    files: null,
    scores: {},
    ...facts,
  };
}

/** Every line as the reader takes it, to its answer. */
export function readLines<Answer>(read: (line: string) => Answer, text: string): readonly Answer[] {
  return text.split('\n').map(read);
}
