import { rejectLostErrors } from '../permission-model.js';
import { toGobonnieError } from '../system-error.js';
import { version } from '../version.js';
import { EXIT_CODES } from './exit-codes.js';
import { type CliProcess, Terminal } from './output/terminal.js';
import type { Request } from './request.js';
import { signalExitCode } from './signals.js';

/** Reads the command line, does what it asks, and sets the exit code. */
export async function main(process: CliProcess): Promise<void> {
  const terminal = new Terminal(process);
  let isParsed = false;
  try {
    const request = await parseRequest(process.argv.slice(2));
    isParsed = true;
    if (request.type !== 'print') rejectLostErrors();
    if (request.type === 'print') {
      terminal.print(request.text);
      process.exitCode = EXIT_CODES.success;
    } else if (request.type === 'command') {
      process.exitCode = await request.run(process, terminal);
    } else {
      // Loaded only now, so that help and version come at once.
      const { benchmark } = await import('./commands/lazy-bundle.js');
      process.exitCode = await benchmark(request, process, terminal);
    }
    await terminal.flushed();
  } catch (error) {
    // `| head -1` has what it wants: no message, and the exit code of a program that SIGPIPE ended.
    if (terminal.isStdoutClosed) {
      process.exitCode = signalExitCode('SIGPIPE');
      return;
    }
    const known = toGobonnieError(error as Error);
    const exitCode = EXIT_CODES[known?.kind ?? 'failure'];
    process.exitCode = exitCode;
    const logError = () => {
      terminal.log(
        `gobonnie: ${known ? known.line : `internal error, please report it: ${(error as Error).stack}`}`,
      );
      if (known && process.env.GOBONNIE_DEBUG) terminal.log(String((error as Error).stack));
    };
    if (isParsed || !isLaunched(process)) return logError();
    const { abortJob } = await import('../communicator/abort-job.js');
    await abortJob(process.env, exitCode, logError);
  }
}

/** By mpiexec or srun, perhaps together with others. */
function isLaunched({ env }: CliProcess): boolean {
  return env.PMI_FD !== undefined || env.PMI_PORT !== undefined;
}

/** The version does not wait for commander and all options to load. */
async function parseRequest(args: readonly string[]): Promise<Request> {
  const isVersion = args.length === 1 && /^--?version$/.test(String(args[0]));
  if (isVersion) return { type: 'print', text: `gobonnie version ${version}\n` };
  const { requestFrom } = await import('./dispatch.js');
  return requestFrom(args);
}
