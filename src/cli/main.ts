import { GobonnieError } from '../errors.js';
import { read } from './dialects/index.js';
import { type CliProcess, Terminal } from './terminal.js';

const EXIT_CODES = { failure: 1, usage: 2 } as const;

/** The command line: what was asked, the answer, the exit code. */
export async function main(process: CliProcess): Promise<void> {
  const terminal = new Terminal(process);
  try {
    const request = read(process.argv.slice(2));
    if (request.type === 'say') {
      terminal.answer(request.text);
      process.exitCode = 0;
    } else {
      // Loaded here, so that help and version come at once.
      const { benchmark } = await import('./commands/benchmark.js');
      process.exitCode = await benchmark(request, process, terminal);
    }
    await terminal.delivered();
  } catch (error) {
    terminal.narrate(complaint(error, Boolean(process.env.GOBONNIE_DEBUG)));
    process.exitCode = EXIT_CODES[error instanceof GobonnieError ? error.kind : 'failure'];
  }
}

/** One line for what gobonnie knows; a stack for its own bugs, and for those who look for them. */
function complaint(error: unknown, debug: boolean): string {
  if (!(error instanceof GobonnieError)) return `gobonnie: this is a bug: ${(error as Error).stack ?? error}`;
  return debug ? `gobonnie: ${error.line}\n${error.stack}` : `gobonnie: ${error.line}`;
}
