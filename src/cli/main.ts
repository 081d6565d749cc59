import { rejectDeno } from '../runtime.js';
import { toGobonnieError } from '../system-error.js';
import { EXIT_CODES, signalExitCode } from './exit-codes.js';
import { type CliProcess, Terminal } from './output/terminal.js';
import type { Request } from './request.js';

export async function main(process: CliProcess): Promise<void> {
  const terminal = new Terminal(process);
  try {
    rejectDeno();
    const request = await parseRequest(process);
    if (request.type === 'print') {
      terminal.print(request.text);
      process.exitCode = EXIT_CODES.success;
    } else if (request.type === 'command') {
      process.exitCode = await request.run(terminal);
    } else {
      // Loaded late to keep --help and --version fast.
      const { benchmark } = await import('./commands/lazy-bundle.js');
      process.exitCode = await benchmark(request, terminal);
    }
    await terminal.flushed();
  } catch (error) {
    // The reader, such as `| head -1`, needs no more: exit silently, like a program killed by SIGPIPE.
    if (terminal.isStdoutClosed) {
      process.exitCode = signalExitCode('SIGPIPE');
      return;
    }
    const expectedError = toGobonnieError(error as Error);
    process.exitCode = EXIT_CODES[expectedError?.kind ?? 'failure'];
    terminal.log(
      `gobonnie: ${expectedError ? expectedError.line : `internal error, please report it: ${(error as Error).stack}`}`,
    );
    if (expectedError && process.env.GITHUB_ACTIONS === 'true') {
      const { writeGithubError } = await import('./commands/lazy-bundle.js');
      await writeGithubError(expectedError, terminal);
    }
    if (expectedError && process.env.GOBONNIE_DEBUG) terminal.log(String((error as Error).stack));
  }
}

async function parseRequest({ argv, env }: CliProcess): Promise<Request> {
  const { requestFrom } = await import('./dispatch.js');
  try {
    return await requestFrom(argv.slice(2));
  } catch (error) {
    if (env.PMI_FD === undefined) throw error;
    // The ranks that the launcher started with this process would wait for it.
    const { failLaunchedJob } = await import('./commands/lazy-bundle.js');
    return { type: 'command', run: (terminal) => failLaunchedJob(error, terminal) };
  }
}
