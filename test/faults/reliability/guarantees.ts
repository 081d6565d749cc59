import { expect } from 'vitest';
import { getPhase } from '../../../workers/phases/phase-catalogue.js';
import type { FaultCase } from './fault-case.js';
import { printedPhases } from './printed-results.js';
import type { Observation } from './run-fault-case.js';

interface Guarantee {
  /** A few words, for a cell of the table. */
  readonly summary: string;
  readonly sentence: string;
  /** Throws if it was broken. */
  readonly verify: (observation: Observation, faultCase: FaultCase) => void;
}

const MIN_FREE_SHARE = 0.05;

export const GUARANTEES = {
  1: {
    summary: 'nothing left, or named',
    sentence: 'Nothing is left behind. If something cannot be removed, a message names its path.',
    verify: ({ leftovers, errorLines }) => {
      for (const entry of leftovers) expect(errorLines.at(-1)).toContain(`${entry} could not be removed: `);
    },
  },
  2: {
    summary: "no user's file touched",
    sentence: 'No file of the user is touched.',
    verify: ({ userFiles }) => expect(userFiles.after).toMatchObject(userFiles.before),
  },
  3: {
    summary: 'the disk is not filled',
    sentence:
      'The disk is not filled: space and inodes are checked first, including what your other runs have yet to write, and part of both stays free. If a quota or another program leaves too little, the run ends and its files are removed.',
    verify: ({ leftovers, touched, filesystemAtFault }, { exitCode }) => {
      expect(leftovers).toEqual([]);
      if (exitCode === 2) expect(touched).toBe(false);
      if (exitCode === 0)
        expect(Number(filesystemAtFault?.bavail) / Number(filesystemAtFault?.blocks)).toBeGreaterThanOrEqual(
          MIN_FREE_SHARE,
        );
    },
  },
  4: {
    summary: 'no false figure',
    sentence:
      'No figure is false: a phase in which an operation failed, moved too little or could not be synced has none. Earlier phases keep theirs.',
    verify: ({ stdout, errorLines, report }) => {
      const voided = findVoidedPhase(errorLines.at(-1) ?? '');
      if (voided === null) return;
      expect(printedPhases(stdout)).not.toContain(getPhase(voided).title);
      const last = report?.runs.at(-1)?.measurements ?? [];
      expect(last.map(({ phase }) => phase)).not.toContain(voided);
    },
  },
  5: {
    summary: 'no complete run lost',
    sentence:
      'No complete run is lost: it is in `--json` and in `--out`. After `kill -9` it is in `--out` alone; [formats.md](formats.md) says how soon.',
    verify: ({ stdout, report }) => {
      const complete = report?.runs.filter(({ state }) => state === 'completed') ?? [];
      expect(complete).not.toEqual([]);
      expect(JSON.parse(stdout).results).toHaveLength(complete.length);
    },
  },
  6: {
    summary: 'one clear line',
    sentence:
      "Every failure is one line: what was being done, the file and the offset, the system's reason in words, and what to do. The exit code is 1 for a failure, and 2 for what was refused before anything was created.",
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
    summary: 'the limit is named',
    sentence: 'When it meets a limit of the system, it says which one and what to change.',
    verify: ({ errorLines }) => {
      expect(errorLines.at(-1)).toMatch(/(raise|pass (fewer|at most|a smaller|a directory|--cache)) /);
    },
  },
} as const satisfies Readonly<Record<number, Guarantee>>;

export type GuaranteeNumber = keyof typeof GUARANTEES;

/** The phase that an error is about. A failed sync voids the write. */
function findVoidedPhase(errorLine: string): string | null {
  const [, failed] = /^gobonnie: (\w+) (?:failed in|stopped:) /.exec(errorLine) ?? [];
  return failed ?? (errorLine.includes(' could not be synced ') ? 'write' : null);
}
