import { toGobonnieError } from '../system-error.js';
import { version } from '../version.js';
import { EXIT_CODES } from './exit-codes.js';
import { type CliProcess, Terminal } from './output/terminal.js';
import type { Request } from './request.js';
import { signalExitCode } from './signals.js';

/** Parses the command line, runs its command and sets the exit code. */
export async function main(process: CliProcess): Promise<void> {
  const terminal = new Terminal(process);
  let isParsed = false;
  try {
    const request = await parseRequest(process.argv.slice(2));
    isParsed = true;
    if (request.type === 'print') {
      terminal.print(request.text);
      process.exitCode = EXIT_CODES.success;
    } else if (request.type === 'command') {
      process.exitCode = await request.run(process, terminal);
    } else {
      // Loaded late to keep --help and --version fast.
      const { benchmark } = await import('./commands/lazy-bundle.js');
      process.exitCode = await benchmark(request, process, terminal);
    }
    await terminal.flushed();
  } catch (error) {
    // The reader, such as `| head -1`, needs no more: exit silently, like a program killed by SIGPIPE.
    if (terminal.isStdoutClosed) {
      process.exitCode = signalExitCode('SIGPIPE');
      return;
    }
    const expectedError = toGobonnieError(error as Error);
    const exitCode = EXIT_CODES[expectedError?.kind ?? 'failure'];
    process.exitCode = exitCode;
    const logError = () => {
      terminal.log(
        `gobonnie: ${expectedError ? expectedError.line : `internal error, please report it: ${(error as Error).stack}`}`,
      );
      if (expectedError && process.env.GOBONNIE_DEBUG) terminal.log(String((error as Error).stack));
    };
    // mpiexec or srun may have started other ranks, which must also end.
    if (isParsed || process.env.PMI_FD === undefined) return logError();
    const { abortJob } = await import('../cluster/abort-job.js');
    await abortJob(process.env, exitCode, logError);
  }
}

/** Handles --version without loading commander and the options. */
async function parseRequest(args: readonly string[]): Promise<Request> {
  const isVersion = args.length === 1 && /^--?version$/.test(String(args[0]));
  if (isVersion) return { type: 'print', text: `gobonnie version ${version}\n` };
  const { requestFrom } = await import('./dispatch.js');
  return requestFrom(args);
}
