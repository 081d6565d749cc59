import { expect } from 'vitest';
import { getPhase } from '../../../workers/phases/catalogue.js';
import { figuresIn } from './answer.js';
import type { Row } from './row.js';
import type { Seen } from './trial.js';

interface Promised {
  /** A few words, for a cell of the table. */
  readonly words: string;
  readonly sentence: string;
  /** Throws if it was broken. */
  readonly prove: (seen: Seen, row: Row) => void;
}

const LEAST_FREE_SHARE = 0.05;

export const PROMISES = {
  1: {
    words: 'nothing left, or named',
    sentence: 'Nothing is left behind. If something cannot be removed, a message names its path.',
    prove: ({ left, complaints }) => {
      for (const entry of left) expect(complaints.at(-1)).toContain(`${entry} could not be removed: `);
    },
  },
  2: {
    words: "no user's file touched",
    sentence: 'No file of the user is touched.',
    prove: ({ theirs }) => expect(theirs.after).toMatchObject(theirs.before),
  },
  3: {
    words: 'the disk is not filled',
    sentence:
      'The disk is not filled: space and inodes are checked first, including what your other runs have yet to write, and part of both stays free. If a quota or another program leaves too little, the run ends and its files are removed.',
    prove: ({ left, touched, fullest }, { exitCode }) => {
      expect(left).toEqual([]);
      if (exitCode === 2) expect(touched).toBe(false);
      if (exitCode === 0)
        expect(Number(fullest?.bavail) / Number(fullest?.blocks)).toBeGreaterThanOrEqual(LEAST_FREE_SHARE);
    },
  },
  4: {
    words: 'no false figure',
    sentence:
      'No figure is false: a phase in which an operation failed, moved too little or could not be synced has none. Earlier phases keep theirs.',
    prove: ({ stdout, complaints, report }) => {
      const voided = voidedBy(complaints.at(-1) ?? '');
      if (voided === null) return;
      expect(figuresIn(stdout)).not.toContain(getPhase(voided).title);
      const last = report?.runs.at(-1)?.measurements ?? [];
      expect(last.map(({ phase }) => phase)).not.toContain(voided);
    },
  },
  5: {
    words: 'no complete run lost',
    sentence:
      'No complete run is lost: it is in `--json` and in `--out`. After `kill -9` it is in `--out` alone; [formats.md](formats.md) says how soon.',
    prove: ({ stdout, report }) => {
      const complete = report?.runs.filter(({ state }) => state === 'completed') ?? [];
      expect(complete).not.toEqual([]);
      expect(JSON.parse(stdout).results).toHaveLength(complete.length);
    },
  },
  6: {
    words: 'one clear line',
    sentence:
      "Every failure is one line: what was being done, the file and the offset, the system's reason in words, and what to do. The exit code is 1 for a failure, and 2 for what was refused before anything was created.",
    prove: ({ stderr, complaints, exitCode }) => {
      expect(complaints).toEqual([expect.stringMatching(/^gobonnie: .+; .+$/)]);
      expect(stderr.endsWith(`${complaints.at(-1)}\n`)).toBe(true);
      expect([1, 2]).toContain(exitCode);
    },
  },
  7: {
    words: 'no silent hang',
    sentence: 'It never hangs without a message.',
    prove: ({ signal, complaints, stdout }) => {
      expect(signal).toBeNull();
      expect([...complaints, stdout].join('')).not.toBe('');
    },
  },
  8: {
    words: 'the limit is named',
    sentence: 'When it meets a limit of the system, it says which one and what to change.',
    prove: ({ complaints }) => {
      expect(complaints.at(-1)).toMatch(/(raise|pass (fewer|at most|a smaller|a directory|--cache)) /);
    },
  },
} as const satisfies Readonly<Record<number, Promised>>;

export type PromiseNumber = keyof typeof PROMISES;

/** The phase that an error is about. A failed sync voids the write. */
function voidedBy(complaint: string): string | null {
  const [, failed] = /^gobonnie: (\w+) (?:failed in|stopped:) /.exec(complaint) ?? [];
  return failed ?? (complaint.includes(' could not be synced ') ? 'write' : null);
}
