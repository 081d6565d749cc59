import { leftOut, refuseUnfit } from '../../format/fitness.js';
import { formatNamed, isJson } from '../../format/index.js';
import { planJson, planText } from '../../format/people/plan.js';
import { judge } from '../../options/judge.js';
import { plan } from '../../plan/plan.js';
import { colorAsked, formatsAsked, judgePresentation } from '../argv/presentation.js';
import { inDialect } from '../argv/wording.js';
import { withSettings } from '../config/settings.js';
import { OutFile } from '../files/out-file.js';
import type { CliProcess, Terminal } from '../output/terminal.js';
import { lookOf } from '../output/terminal-style.js';
import type { BenchmarkRequest } from '../request.js';
import { readStandards, refuseUnlikeBaseline } from '../standards.js';
import { measure } from './measuring.js';
import { refuseMissingDirectory } from './missing-directory.js';
import { surveyed } from './surveyed.js';

/** Measures and prints, in the words of the dialect; gives the exit code. */
export async function benchmark(
  request: BenchmarkRequest,
  process: CliProcess,
  terminal: Terminal,
): Promise<number> {
  try {
    return await withSettings(request, process, terminal, (asked) =>
      decideAndDo({ ...request, ...asked }, process, terminal, (line) => terminal.narrate(line)),
    );
  } catch (error) {
    throw request.flagNames ? inDialect(request.flagNames, error) : error;
  }
}

async function decideAndDo(
  request: BenchmarkRequest,
  process: CliProcess,
  terminal: Terminal,
  say: (line: string) => void,
): Promise<number> {
  const presentation = judgePresentation(request.presentation);
  const formats = formatsAsked(presentation, request.formats).map(formatNamed);
  const options = judge(request.input);
  for (const name of formats) refuseUnfit(name, options.phases);
  const standards = await readStandards(presentation, options.phases, process);
  const preparation = (await request.prepare?.(process, terminal)) ?? {};
  const machine = await surveyed(options, presentation, say);
  if (request.needsDirectory) refuseMissingDirectory(machine);
  const decided = plan(options, machine);
  refuseUnlikeBaseline(standards, decided);
  if (presentation.dryRun) {
    for (const file of presentation.out) await OutFile.judge(file);
    terminal.answer(formats.some(isJson) ? planJson(decided) : planText(decided));
    return 0;
  }

  if (!presentation.quiet)
    for (const line of formats.flatMap((name) => leftOut(name, options.phases))) say(line);
  return measure(decided, {
    request,
    presentation,
    look: lookOf(process.stderr, process, colorAsked(presentation)),
    formats,
    standards,
    preparation,
    process,
    terminal,
    say,
  });
}
