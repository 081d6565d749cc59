import type { Communicator } from '../../../src/hosts/communicator.js';

/** Returns communicators for the ranks of a job within this process. */
export function inMemoryCommunicators(size: number): readonly Communicator[] {
  const texts = new Map<string, string>();
  let waiting: (() => void)[] = [];
  return Array.from({ length: size }, (_, rank) => ({
    rank,
    size,
    hasImmediateGet: true,
    async put(name: string, text: string) {
      texts.set(`${rank}.${name}`, text);
    },
    async get(from: number, name: string) {
      const text = texts.get(`${from}.${name}`);
      if (text === undefined) throw new Error(`${name} of ${from} is missing`);
      return text;
    },
    barrier: (signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        waiting.push(resolve);
        if (waiting.length < size) return;
        for (const resume of waiting) resume();
        waiting = [];
      }),
    leave: async () => {},
    abort: async () => {},
  }));
}
