import { compareSubjects } from '../../compare/comparison.js';
import { pairCount, standingsOf } from '../../compare/standings.js';
import { subjectOf } from '../../compare/subject.js';
import type { Format } from '../../format/format.js';
import { formats, renderReports } from '../../format/index.js';
import { planJson, planText } from '../../format/people/plan.js';
import { type Standings, standingsFormats, standingsFormatsIn } from '../../format/people/standings.js';
import { paintFor } from '../../format/writing/paint.js';
import { judge } from '../../options/judge.js';
import type { Options, OptionsInput } from '../../options/schema.js';
import { type Plan, plan } from '../../plan/plan.js';
import type { RunEvent } from '../../report/events/event.js';
import { resultsOfReport } from '../../report/results-of-report.js';
import { isComplete } from '../../report/schema/complete.js';
import type { Report, Warning } from '../../report/schema/report.js';
import { alternate } from '../../run/alternate.js';
import { Watcher } from '../../scratch/watcher.js';
import { chosen } from '../../text/choice.js';
import { shown } from '../../text/escape.js';
import { flag } from '../../text/sentence.js';
import { GIB } from '../../text/units.js';
import { colorAsked, formatsAsked, judgePresentation, type Presentation } from '../argv/presentation.js';
import { type FlagNames, inDialect } from '../argv/wording.js';
import { OutFile } from '../files/out-file.js';
import { ReportFiles } from '../files/report-files.js';
import { Interruption, stallLine } from '../interruption.js';
import { type Annotation, annotationsOf, jobOf, tellJob } from '../output/github.js';
import type { Narrate } from '../output/narration.js';
import type { CliProcess, Terminal } from '../output/terminal.js';
import { type Look, lookOf } from '../output/terminal-style.js';
import { isUrgent, warningLines } from '../output/warnings.js';
import { Progress } from '../progress/progress.js';
import { runOf } from '../progress/state.js';
import { abLines } from './ab-narration.js';
import { conclude, NO_REPORT_FILE, NO_STDOUT } from './measuring.js';
import { surveyed } from './surveyed.js';

/** They are arguments here. */
const FLAG_NAMES: FlagNames = { names: { dir: 'DIR' }, hasOthers: true };

/** Enough to tell a winner from noise. */
const RUNS = 5;

interface Alternation {
  readonly directories: readonly string[];
  readonly input: OptionsInput;
  readonly presentation: object;
}

/** Measures several directories in turn and tells which is the better one at what; gives the exit code. */
export async function ab(alternation: Alternation, process: CliProcess, terminal: Terminal): Promise<number> {
  try {
    return await measureInTurn(alternation, process, terminal);
  } catch (error) {
    throw inDialect(FLAG_NAMES, error);
  }
}

async function measureInTurn(
  { directories, input, presentation: given }: Alternation,
  process: CliProcess,
  terminal: Terminal,
): Promise<number> {
  const presentation = judgePresentation(given);
  const { out, dryRun, quiet } = presentation;
  const [asked = 'text'] = formatsAsked(presentation);
  const form = chosen(standingsFormats, asked, flag('format', asked), 'ab');
  const plans = await alikePlans(directories, judge({ runs: RUNS, ...input }), presentation, terminal);
  if (dryRun) {
    for (const file of out) await OutFile.judge(file);
    for (const one of plans) terminal.answer(form === 'json' ? planJson(one) : planText(one));
    return 0;
  }
  return Watcher.during(async (watcher) => {
    const onTemporary = (temporary: string) => watcher.expect({ temporary });
    const files = await ReportFiles.open(out, onTemporary, { grow: false });
    const say = (line: string) => terminal.narrate(line);
    const look = lookOf(process.stderr, process, colorAsked(presentation));
    const { color } = lookOf(process.stdout, process, colorAsked(presentation));
    const progress = look.isLive && !quiet ? new Progress(terminal, look) : null;
    const interruption = new Interruption(process, say);
    interruption.onLeave = () => progress?.hide();
    terminal.onFailure = () => interruption.abort(NO_STDOUT);
    files.onFailure = () => interruption.abort(NO_REPORT_FILE);
    const { signal } = interruption;
    const onEvent = tellerOf(plans, presentation, progress, say);
    const onRound = (reports: readonly Report[]) => files.update((format) => renderReports(format, reports));
    try {
      const reports = await alternate(plans, { signal, onEvent, onRound }, watcher);
      const standing = standingOf(reports, plans);
      if (standing) terminal.answer(standingsFormatsIn(paintFor(color))[form](...standing));
      const heading = standing ? `### gobonnie ab\n\n${standingsFormats.markdown(...standing)}` : '';
      files.write((format) => renderHeaded(format, heading, reports));
      if (!quiet) for (const line of warningsOf(reports, plans, look)) say(line);
      const exitCode = conclude(wholeOf(reports), say);
      const job = jobOf(process, presentation);
      if (job) await tellJob(job, { annotations: annotationsOfAll(reports, plans), markdown: heading }, say);
      await Promise.all([terminal.delivered(), files.written()]);
      return exitCode;
    } finally {
      progress?.hide();
      interruption.end();
      await files.close();
    }
  });
}

/** Where people read it, who is better at what comes first. */
function renderHeaded(format: Format, heading: string, reports: readonly Report[]): string {
  const sections = renderReports(format, reports);
  return heading && format === formats.markdown ? `${heading}\n${sections}` : sections;
}

/** What is said of an event, and of which directory. */
function tellerOf(
  plans: readonly Plan[],
  presentation: Presentation,
  progress: Progress | null,
  say: (line: string) => void,
): (event: RunEvent, index: number) => void {
  const runs = plans.map(() => 0);
  /** Of a watcher that is gone every run tells anew. */
  const told = new Set<string>();
  return (event, index) => {
    const one = plans[index];
    if (!one) return;
    if (event.type === 'start') runs[index] = (runs[index] ?? 0) + 1;
    progress?.take(event, { subject: one.directory, run: runOf(one.options, runs[index] ?? 0) });
    if (event.type === 'stall') say(stallLine(event));
    // The others are told when all figures are.
    if (presentation.quiet || (event.type === 'warning' && !isNewsNow(event.warning, told))) return;
    for (const line of abLines(event, one.directory, presentation)) say(line);
  };
}

/** The same for every directory: as much as fits into each of them. */
async function alikePlans(
  directories: readonly string[],
  options: Options,
  presentation: Presentation,
  terminal: Terminal,
): Promise<readonly Plan[]> {
  const plans: Plan[] = [];
  for (const dir of directories) {
    const here = { ...options, dir };
    plans.push(plan(here, await surveyed(here, presentation, (line) => terminal.narrate(line))));
  }
  const leastBytes = Math.min(...plans.map(({ totalBytes }) => totalBytes));
  return plans.map((one) =>
    one.totalBytes === leastBytes ? one : plan({ ...one.options, size: leastBytes / GIB }, one.machine),
  );
}

/** Whether it is to be told at once, and for the first time. */
function isNewsNow(warning: Warning, told: Set<string>): boolean {
  const isNews = isUrgent(warning) && !told.has(warning.code);
  told.add(warning.code);
  return isNews;
}

/** Of each directory. */
function warningsOf(reports: readonly Report[], plans: readonly Plan[], { color }: Look): readonly string[] {
  return reports.flatMap(({ warnings }, index) => {
    const { directory = '' } = plans[index] ?? {};
    const narrate: Narrate = (event) => abLines(event, directory, { verbose: false });
    const untold = warnings.filter((warning) => !isUrgent(warning));
    return warningLines(untold, narrate, 'normal', paintFor(color));
  });
}

/** How all of it ended, and the runs of all: what has failed tells more than what was stopped by it. */
function wholeOf(reports: readonly Report[]): Pick<Report, 'outcome' | 'runs'> {
  const outcomes = reports.map(({ outcome }) => outcome);
  const outcome =
    outcomes.find(({ state }) => state === 'failed') ?? outcomes.find(({ state }) => state !== 'completed');
  return { outcome: outcome ?? { state: 'completed' }, runs: reports.flatMap(({ runs }) => runs) };
}

function annotationsOfAll(reports: readonly Report[], plans: readonly Plan[]): readonly Annotation[] {
  return reports.flatMap((report, index) =>
    annotationsOf(report).map((one) => ({
      ...one,
      message: `${shown(plans[index]?.directory)}: ${one.message}`,
    })),
  );
}

/** Of the rounds in which all were measured. Null where there is none: there is nothing to be told. */
function standingOf(reports: readonly Report[], plans: readonly Plan[]): Standings | null {
  const rounds = Math.min(...reports.map((report) => completeRuns(report).length));
  if (rounds === 0) return null;
  const [first, ...others] = reports.map((report, index) =>
    subjectOf(plans[index]?.directory ?? '', [
      resultsOfReport({ ...report, runs: completeRuns(report).slice(0, rounds) }),
    ]),
  );
  if (!first) return null;
  const manner = {
    method: 'paired',
    maxRegressionPercent: null,
    comparisons: pairCount(reports.length),
  } as const;
  return [others.map((other) => compareSubjects(first, other, manner)), standingsOf([first, ...others])];
}

function completeRuns({ runs }: Report): Report['runs'] {
  return runs.filter(isComplete);
}
