import { leftOut, refuseUnfit } from '../../format/fitness.js';
import { formatNamed, isJson } from '../../format/index.js';
import { judgeOptions } from '../../options/judge-options.js';
import { formatsAsked, judgePresentation } from '../argv/presentation.js';
import { inDialect } from '../argv/wording.js';
import { withSettings } from '../config/settings.js';
import { EXIT_CODES } from '../exit-codes.js';
import type { CliProcess, Terminal } from '../output/terminal.js';
import type { BenchmarkRequest } from '../request.js';
import { readStandards, refuseUnlikeBaseline } from '../standards.js';
import { measure } from './measuring.js';
import { planned, printPlans } from './planning.js';

/** Measures and prints, in the words of the dialect; gives the exit code. */
export async function benchmark(
  request: BenchmarkRequest,
  process: CliProcess,
  terminal: Terminal,
): Promise<number> {
  try {
    return await withSettings(request, process, terminal, (asked) =>
      judgeAndMeasure({ ...request, ...asked }, process, terminal),
    );
  } catch (error) {
    throw request.flagNames ? inDialect(request.flagNames, error) : error;
  }
}

async function judgeAndMeasure(
  request: BenchmarkRequest,
  process: CliProcess,
  terminal: Terminal,
): Promise<number> {
  const say = (line: string) => terminal.narrate(line);

  const presentation = judgePresentation(request.presentation);
  const { dryRun, quiet } = presentation;
  const formats = formatsAsked(presentation, request.formats).map(formatNamed);
  const options = judgeOptions(request.input);
  for (const name of formats) refuseUnfit(name, options.phases);
  const standards = await readStandards(presentation, options.phases, process);

  const preparation = (await request.prepare?.(process, terminal)) ?? {};
  const plan = await planned(options, { dryRun, needsDirectory: request.needsDirectory }, say);
  refuseUnlikeBaseline(standards, plan);
  if (dryRun) {
    await printPlans([plan], presentation, formats.some(isJson), terminal);
    return EXIT_CODES.done;
  }

  if (!quiet) for (const line of formats.flatMap((name) => leftOut(name, options.phases))) say(line);
  return measure(plan, { request, presentation, formats, standards }, preparation, process, terminal);
}
