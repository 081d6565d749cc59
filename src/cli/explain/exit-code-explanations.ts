import os from 'node:os';
import { EXIT_CODES } from '../exit-codes.js';
import { type SignalName, signalExitCode } from '../signals.js';
import type { Explanation } from './explanation.js';

const LAST_EXIT_CODE = {
  command: 'gobonnie --size 4 --json; echo $?',
  comment: 'the exit code of the last command',
};

const outcomes: Readonly<Record<keyof typeof EXIT_CODES, Explanation>> = {
  success: {
    title: 'done',
    cause: 'Everything was measured and printed, and every expectation was met.',
    impact:
      'Warnings do not change the exit code: a figure can be complete and still be misleading. They are on stderr, unless -q is given, and in the report.',
    remedy: 'A program can read the warnings from the report.',
    examples: [{ command: 'jq -e ".warnings == []" report.json', comment: 'of --out report.json' }],
  },
  failure: {
    title: 'the benchmark failed',
    cause:
      'Something failed: an I/O error, a full disk, data that came back changed, a limit of the system, a file of results that cannot be read, something that cannot be removed, or stdout that cannot be written. The last line on stderr says what, where and what to do.',
    impact:
      'The phase in which it failed has no figure. The complete runs before it are still printed, and the temporary files are removed; what could not be removed is named.',
    remedy: 'Do what the line says. GOBONNIE_DEBUG=1 adds where in the code it came from.',
    examples: [
      LAST_EXIT_CODE,
      { command: 'GOBONNIE_DEBUG=1 gobonnie --size 1', comment: 'with the stack of the error' },
    ],
  },
  usage: {
    title: 'the command was refused',
    cause:
      'An option is wrong, contradicts another, or is not possible here: the size does not fit, the directory cannot be written to. The line on stderr names the option, the value and what to type instead. gobonnie compare also exits with it if the results cannot be compared, and so does a run if its --baseline turns out not to be comparable.',
    impact:
      'Nothing was measured, and nothing was written to the disk. The exception is a run with such a --baseline: its figures are complete and printed, but there is no verdict.',
    remedy: 'Correct the command. --dry-run prints what would be done, and touches nothing.',
    examples: [
      { command: 'gobonnie --help', comment: 'all options, with their defaults' },
      { command: 'gobonnie --size 4 --dry-run', comment: 'what would be done' },
    ],
  },
  unmet: {
    title: 'an expectation was not met, or a figure got worse',
    cause:
      'A figure does not meet an --expect, or it is worse by more than --max-regression than in the --baseline or, in gobonnie compare, than before. Lines on stderr, or the printed table, say which figure and by how much.',
    impact: 'Nothing failed: the figures are complete and printed. The exit code lets a pipeline stop here.',
    remedy:
      'Look at the warnings first: a busy machine is likelier than a slower disk. With several runs, a real change can be told from noise.',
    examples: [
      { command: 'gobonnie --size 1 --runs 5 --expect "write>=200MB/s"', comment: 'the mean of five runs' },
      { command: 'gobonnie compare before.json after.json', comment: 'every rate of your two reports' },
    ],
  },
  bonniePlusPlusSignal: {
    title: 'gobonnie bonnie++ was stopped by a signal',
    cause: 'Like bonnie++, gobonnie bonnie++ exits with this after Ctrl-C and after SIGTERM.',
    impact: 'The complete runs are printed, and the temporary files are removed.',
    remedy: 'Run it again. Everywhere else the exit code is that of the signal.',
    examples: [LAST_EXIT_CODE],
  },
};

const SIGNALS: Readonly<Record<SignalName | 'SIGPIPE', string>> = {
  SIGINT: 'Ctrl-C was pressed, or another process sent SIGINT.',
  SIGTERM: 'The process received SIGTERM, which kill, timeout and service managers send.',
  SIGPIPE: 'The program that reads stdout ended, as head does when it has its lines. No message is printed.',
  SIGHUP: 'The process received SIGHUP: the terminal was closed, or the connection to it was lost.',
};

/** Every code that gobonnie exits with. */
export const exitCodeExplanations: Readonly<Record<string, Explanation>> = {
  ...Object.fromEntries(
    Object.entries(EXIT_CODES).map(([name, code]) => [code, outcomes[name as keyof typeof EXIT_CODES]]),
  ),
  ...Object.fromEntries(
    Object.entries(SIGNALS)
      // Windows has no SIGPIPE.
      .filter(([name]) => name in os.constants.signals)
      .map(([name, cause]) => [signalExitCode(name), explainSignal(name, cause)]),
  ),
};

function explainSignal(name: string, cause: string): Explanation {
  return {
    title: `stopped by ${name}`,
    cause,
    impact:
      'The run ended cleanly: the complete runs are printed and in the files of --out, and the temporary files are removed.',
    remedy:
      'To measure for less time, pass a smaller --size and --iops-duration. A second signal quits at once, without waiting for the disk.',
    examples: [{ command: 'gobonnie --size 1 --iops-duration 5', comment: 'quicker' }],
  };
}
