import os from 'node:os';
import { EXIT_CODES } from '../exit-codes.js';
import { type SignalName, signalExitCode } from '../signals.js';
import type { Explanation } from './explanation.js';

const SHOW_EXIT_CODE = {
  command: 'gobonnie --size 4 --json; echo $?',
  comment: 'print the exit code of the run',
};

const outcomes: Readonly<Record<keyof typeof EXIT_CODES, Explanation>> = {
  success: {
    title: 'success',
    cause: 'gobonnie measured and printed everything, and all conditions were met.',
    impact:
      'Warnings do not change the exit code, although a complete result can be misleading. They are in the report and, without -q, on stderr.',
    remedy: 'Programs can read the warnings from the report.',
    examples: [
      { command: 'jq -e ".warnings == []" report.json', comment: 'check for warnings (--out report.json)' },
    ],
  },
  failure: {
    title: 'the command failed',
    cause:
      'Something failed: an I/O error, a full disk, corrupt data, a system limit, an unreadable result file, a file that could not be removed, or stdout. The last line on stderr has the reason and a remedy.',
    impact:
      'The phase that failed has no result. gobonnie still prints the completed runs. It removes the temporary files, and names any that it could not remove.',
    remedy: 'Do what the message suggests. GOBONNIE_DEBUG=1 adds the place in the code.',
    examples: [
      SHOW_EXIT_CODE,
      { command: 'GOBONNIE_DEBUG=1 gobonnie --size 1', comment: 'print the stack of the error' },
    ],
  },
  usage: {
    title: 'gobonnie rejected the command',
    cause:
      'An option is invalid, contradicts another option, or is not possible here: the size does not fit, or the directory is not writable. The message on stderr names the option, its value and a remedy. gobonnie compare also exits with this code if the results are not comparable, and so does a run with a --baseline that is not comparable.',
    impact:
      'gobonnie measured nothing and wrote nothing to the disk. The exception is a run with a --baseline that is not comparable: its results are complete and printed, but there is no verdict.',
    remedy: 'Correct the command. --dry-run prints the plan without touching the disk.',
    examples: [
      { command: 'gobonnie --help', comment: 'list the options and their defaults' },
      { command: 'gobonnie --size 4 --dry-run', comment: 'print the plan' },
    ],
  },
  unmet: {
    title: 'a condition was not met, or a result got worse',
    cause:
      'A result does not meet an --expect condition, or it got worse by more than --max-regression since the --baseline (in gobonnie compare, since the first report). Lines on stderr, or the printed table, show the result and the difference.',
    impact: 'Nothing failed: the results are complete and printed. The exit code lets a pipeline stop here.',
    remedy:
      'Check the warnings first: a busy machine is more likely than a slower disk. Several runs can distinguish a real change from noise.',
    examples: [
      {
        command: 'gobonnie --size 1 --runs 5 --expect "write>=200MB/s"',
        comment: 'check the mean of five runs',
      },
      { command: 'gobonnie compare before.json after.json', comment: 'compare two reports' },
    ],
  },
  bonniePlusPlusSignal: {
    title: 'a signal stopped gobonnie bonnie++',
    cause: 'Like bonnie++, gobonnie bonnie++ exits with this code after Ctrl-C and SIGTERM.',
    impact: 'gobonnie prints the completed runs and removes the temporary files.',
    remedy: "Run it again. All other commands exit with the signal's own exit code.",
    examples: [SHOW_EXIT_CODE],
  },
};

const SIGNALS: Readonly<Record<SignalName | 'SIGPIPE', string>> = {
  SIGINT: 'You pressed Ctrl-C, or another process sent SIGINT.',
  SIGTERM: 'The process received SIGTERM, which kill, timeout and service managers send.',
  SIGPIPE: 'The program that reads stdout exited, as head does after its lines. gobonnie prints no message.',
  SIGHUP: 'The process received SIGHUP: the terminal was closed, or its connection was lost.',
};

/** The explanations of all exit codes. */
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
      'The run ended cleanly: the completed runs are printed and in the --out files, and the temporary files are removed.',
    remedy:
      'For a shorter run, pass a smaller --size and --iops-duration. A second signal ends gobonnie immediately, without waiting for the disk.',
    examples: [{ command: 'gobonnie --size 1 --iops-duration 5', comment: 'a shorter run' }],
  };
}
