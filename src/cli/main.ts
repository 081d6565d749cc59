import { knownError } from '../system-error.js';
import { read } from './dispatch.js';
import { EXIT_CODES } from './exit-codes.js';
import { type CliProcess, Terminal } from './output/terminal.js';

/** The command line: what was asked, the answer, the exit code. */
export async function main(process: CliProcess): Promise<void> {
  const terminal = new Terminal(process);
  try {
    const request = read(process.argv.slice(2));
    if (request.type === 'say') {
      terminal.answer(request.text);
      process.exitCode = EXIT_CODES.done;
    } else if (request.type === 'act') {
      const act = await request.load();
      process.exitCode = await act(process, terminal);
    } else {
      // Loaded here, so that help and version come at once.
      const { benchmark } = await import('./commands/benchmark.js');
      process.exitCode = await benchmark(request, process, terminal);
    }
    await terminal.delivered();
  } catch (error) {
    const known = knownError(error as Error);
    terminal.narrate(`gobonnie: ${known ? known.line : `this is a bug: ${(error as Error).stack}`}`);
    if (known && process.env.GOBONNIE_DEBUG) terminal.narrate(String((error as Error).stack));
    process.exitCode = EXIT_CODES[known?.kind ?? 'failure'];
  }
}
