import { expect } from 'vitest';
import { getPhase } from '../../../workers/phases/phase-catalogue.js';
import type { Observation } from './run-fault.js';

interface Guarantee {
  /** A few words, for a cell of the table. */
  readonly summary: string;
  readonly sentence: string;
  /** Throws if the guarantee was broken. */
  readonly verify: (observation: Observation) => void;
}

const MIN_FREE_SHARE = 0.05;

export const GUARANTEES = {
  1: {
    summary: 'no unnamed leftovers',
    sentence: 'gobonnie leaves nothing behind. If it cannot remove something, a message names the path.',
    verify: ({ leftovers, errorLines }) => {
      for (const entry of leftovers) expect(errorLines.at(-1)).toContain(`${entry} could not be removed: `);
    },
  },
  2: {
    summary: 'your files untouched',
    sentence: 'It does not touch your files.',
    verify: ({ userFiles }) => expect(userFiles.after).toMatchObject(userFiles.before),
  },
  3: {
    summary: 'disk not filled',
    sentence:
      'It does not fill the disk: it first checks space and inodes, and keeps part of both free. If a quota, another program or another run leaves too little, the run stops and removes its files.',
    verify: ({ leftovers, touched, filesystemAtFault, exitCode }) => {
      expect(leftovers).toEqual([]);
      if (exitCode === 2) expect(touched).toBe(false);
      if (exitCode === 0)
        expect(Number(filesystemAtFault?.bavail) / Number(filesystemAtFault?.blocks)).toBeGreaterThanOrEqual(
          MIN_FREE_SHARE,
        );
    },
  },
  4: {
    summary: 'no false result',
    sentence:
      'It reports no false result: a phase has no result if an operation failed, moved too little data or could not be synced. Earlier phases keep their results.',
    verify: ({ stdout, errorLines, report }) => {
      const [, voided] = /^gobonnie: (\w+) (?:failed in|stopped:) /.exec(errorLines.at(-1) ?? '') ?? [];
      if (voided === undefined) return;
      expect(stdout).not.toContain(getPhase(voided).title);
      const last = report?.runs.at(-1)?.measurements ?? [];
      expect(last.map(({ step }) => step)).not.toContain(voided);
    },
  },
  5: {
    summary: 'no complete run lost',
    sentence:
      'It loses no complete run: `--json` and `--out` have it. After `kill -9`, only `--out` has it; [formats.md](formats.md) says how soon.',
    verify: ({ stdout, report }) => {
      const complete = report?.runs.filter(({ state }) => state === 'completed') ?? [];
      expect(complete).not.toEqual([]);
      expect(JSON.parse(stdout).results).toHaveLength(complete.length);
    },
  },
  6: {
    summary: 'one clear line',
    sentence:
      "Every failure is one line: the operation, the file and the offset, the system's error as text, and the next step. The exit code is 1 for a failure, and 2 if gobonnie rejects the run before it creates anything.",
    verify: ({ stderr, errorLines, exitCode }) => {
      expect(errorLines).toEqual([expect.stringMatching(/^gobonnie: .+; .+$/)]);
      expect(stderr.endsWith(`${errorLines.at(-1)}\n`)).toBe(true);
      expect([1, 2]).toContain(exitCode);
    },
  },
  7: {
    summary: 'no silent hang',
    sentence: 'It never hangs without a message.',
    verify: ({ signal, errorLines, stdout }) => {
      expect(signal).toBeNull();
      expect([...errorLines, stdout].join('')).not.toBe('');
    },
  },
  8: {
    summary: 'limit named',
    sentence: 'If it reaches a system limit, the message names the limit and the change to make.',
    verify: ({ errorLines }) => {
      expect(errorLines.at(-1)).toMatch(/(raise|pass (fewer|at most|a smaller|a directory|--cache)) /);
    },
  },
} as const satisfies Readonly<Record<number, Guarantee>>;

export type GuaranteeNumber = keyof typeof GUARANTEES;
