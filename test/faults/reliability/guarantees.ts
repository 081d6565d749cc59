import { expect } from 'vitest';
import { getPhase } from '../../../workers/phases/phase-catalogue.js';
import type { Observation } from './run-fault.js';

interface Guarantee {
  readonly sentence: string;
  /** Headings of the faults to which it applies; all of them if undefined. */
  readonly headings?: readonly string[];
  /** Throws if the guarantee was broken. */
  readonly verify: (observation: Observation) => void;
}

const MIN_FREE_SHARE = 0.05;

/** The exit code of a program that SIGPIPE ended, because its output has no reader: it has nobody to tell. */
const NO_READER = 141;

export const GUARANTEES: readonly Guarantee[] = [
  {
    sentence: 'gobonnie leaves nothing behind. If it cannot remove something, a message names the path.',
    verify: ({ leftovers, errorLines }) => {
      for (const entry of leftovers) expect(errorLines.at(-1)).toContain(`${entry} could not be removed: `);
    },
  },
  {
    sentence: 'It does not touch your files.',
    verify: ({ userFiles }) => expect(userFiles.after).toMatchObject(userFiles.before),
  },
  {
    sentence:
      'It does not fill the disk: it first checks space and inodes, and keeps part of both free. If a quota, another program or another run leaves too little, the run stops and removes its files.',
    headings: ['Space'],
    verify: ({ leftovers, touched, filesystemAtFault, exitCode }) => {
      expect(leftovers).toEqual([]);
      if (exitCode === 2) expect(touched).toBe(false);
      if (exitCode === 0)
        expect(Number(filesystemAtFault?.bavail) / Number(filesystemAtFault?.blocks)).toBeGreaterThanOrEqual(
          MIN_FREE_SHARE,
        );
    },
  },
  {
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
  {
    sentence:
      'It loses no complete run: `--json` and `--out` have it. After `kill -9`, only `--out` has it; [formats.md](formats.md) says how soon.',
    verify: ({ stdout, report }) => {
      if (report === null) return;
      const complete = report.runs.filter(({ state }) => state === 'completed');
      expect(complete).not.toEqual([]);
      expect(JSON.parse(stdout).results).toHaveLength(complete.length);
    },
  },
  {
    sentence:
      "Every failure is one line: the operation, the file and the offset, the system's error as text, and the next step. The exit code is 1 for a failure, and 2 if gobonnie rejects the run before it creates anything.",
    verify: ({ stderr, errorLines, exitCode }) => {
      if (exitCode === 0 || exitCode === NO_READER) return;
      expect(errorLines).toEqual([expect.stringMatching(/^gobonnie: .+; .+$/)]);
      expect(stderr.endsWith(`${errorLines.at(-1)}\n`)).toBe(true);
      expect([1, 2]).toContain(exitCode);
    },
  },
  {
    sentence: 'It never hangs without a message.',
    verify: ({ signal, exitCode, errorLines, stdout }) => {
      expect(signal).toBeNull();
      if (exitCode === NO_READER) return;
      expect([...errorLines, stdout].join('')).not.toBe('');
    },
  },
  {
    sentence: 'If it reaches a system limit, the message names the limit and the change to make.',
    headings: ['Limits'],
    verify: ({ errorLines }) => {
      expect(errorLines.at(-1)).toMatch(/(raise|pass (fewer|at most|a smaller|a directory|--cache)) /);
    },
  },
];
