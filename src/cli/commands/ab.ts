import { GobonnieError } from '../../errors.js';
import { reportFormats, renderReports } from '../../format/index.js';
import { winnerFormats, createWinnerFormats } from '../../format/people/standings.js';
import type { TableStyle } from '../../format/people/table.js';
import type { Paint } from '../../format/writing/paint.js';
import { refuseJob } from '../../meeting/joined.js';
import { optionCatalogue } from '../../options/catalogue.js';
import { validateOptions } from '../../options/judge-options.js';
import type { Options } from '../../options/schema.js';
import { type Plan, plan } from '../../plan/plan.js';
import type { RunEvent } from '../../report/events/event.js';
import type { Report } from '../../report/schema/report.js';
import { isUrgent } from '../../report/warning-catalogue.js';
import { runInterleaved } from '../../run/alternate.js';
import { emptyReport } from '../../run/empty-report.js';
import { validateChoice } from '../../text/choice.js';
import { display } from '../../text/escape.js';
import { flag } from '../../text/sentence.js';
import { GIB } from '../../text/units.js';
import { configCatalogue, presentationCatalogue } from '../argv/cli-catalogue.js';
import { defineCommand } from '../argv/command.js';
import { optionOf, ValuedArgument } from '../argv/option.js';
import { FLAG_HINTS, type OptionRows, type SplitOptions, splitOptions } from '../argv/option-rows.js';
import { colorAsked, formatsAsked, judgePresentation, type Presentation } from '../argv/presentation.js';
import { type FlagNames, inDialect } from '../argv/wording.js';
import { withSettings } from '../config/settings.js';
import { EXIT_CODES } from '../exit-codes.js';
import { stallLine } from '../interruption.js';
import { ALL_METRICS_OPTION, comparisonText } from '../output/compared.js';
import { logLines, formatLogTime, type LogFormatter, logWarningLines } from '../output/narration.js';
import { directoryWarningLines } from '../output/people.js';
import type { CliProcess, Terminal } from '../output/terminal.js';
import { detectScreen } from '../output/terminal-style.js';
import { initialRunCounter } from '../progress/state.js';
import { annotationsOfAll, runLine, sharedDeviceLines, standingsIn, wholeOf } from './ab-results.js';
import { planned, printPlans } from './planning.js';
import { inSession, type Measured, type Session } from './session.js';

/** Here the directories are arguments. */
const FLAG_NAMES: FlagNames = { names: { dir: 'DIR' }, hasOthers: true };

/** Enough to tell a winner from noise. */
const RUNS = 5;

const NOTES =
  'The directories must exist. Every one is measured once, then again in the opposite order, and so on, so that a noisy host ' +
  "affects all of them alike. A winner is named only if Student's paired t-test is 95 % sure of it, for all figures " +
  'together.';

const { dir, runs, ...others } = optionCatalogue;
const { json, format, verbose, quiet, out, dryRun, allowCached, noGithub, color, noColor } =
  presentationCatalogue;

/** They mean what they mean to a benchmark, and may come from where its options come from. */
const ALIKE: OptionRows = {
  runs: { ...runs, defaultText: `${RUNS}` },
  ...others,
  ...{ verbose, quiet, dryRun, color, allowCached, noGithub, noColor },
};

/** What several directories have of their own. */
const OWN: OptionRows = {
  json: { ...json, help: 'the same as --format json' },
  format: {
    ...format,
    help: 'output format: text, json or markdown',
    defaultText: 'text',
    values: { choices: Object.keys(winnerFormats) },
  },
  all: ALL_METRICS_OPTION,
  out: {
    ...out,
    help:
      'also write FILE, in the format of its extension, such as .json (a list of full reports, one per directory) or ' +
      '.md (the conclusion first); repeatable',
  },
};

/** Several directories, measured in turn and compared. */
export const ab = defineCommand({
  name: 'gobonnie ab',
  usage: '[options] DIR_A DIR_B...',
  description: 'Measures several directories in turn, run by run, and finds which is faster at what.',
  argument: new ValuedArgument('[DIR...]', 'the directories'),
  options: Object.entries({ ...ALIKE, ...OWN, ...configCatalogue }).map(([name, row]) => optionOf(name, row)),
  spelling: 'go',
  instead: FLAG_HINTS,
  examples: [
    { command: 'gobonnie ab /mnt/volume /var/tmp --size 1', does: 'a volume against the overlay' },
    { command: 'gobonnie ab /mnt/ssd /mnt/hdd /dev/shm --size 0.5', does: 'any number of directories' },
    { command: 'gobonnie ab . . --size 1', does: 'how much two identical ones differ' },
  ],
  notes: NOTES,
  request(given, directories) {
    if (directories.length < 2)
      throw new GobonnieError(
        'option-invalid',
        'ab needs two or more directories',
        'type gobonnie ab and the paths of two directories',
      );
    const asked = { ...splitOptions(given), takes: Object.keys({ ...ALIKE, ...configCatalogue }) };
    return {
      type: 'act',
      act: (process, terminal) =>
        withSettings(asked, process, terminal, async ({ input, presentation }) => {
          try {
            refuseJob(process.env, 'ab');
            return await judgeAndMeasure(
              { directories, all: given.all === true, input, presentation },
              process,
              terminal,
            );
          } catch (error) {
            throw inDialect(FLAG_NAMES, error);
          }
        }),
    };
  },
});

interface Asked extends SplitOptions {
  readonly directories: readonly string[];
  /** Whether the table has all figures. */
  readonly all: boolean;
}

async function judgeAndMeasure(
  { directories, all, ...asked }: Asked,
  process: CliProcess,
  terminal: Terminal,
): Promise<number> {
  const presentation = judgePresentation(asked.presentation);
  const screen = detectScreen(process.stderr, process, colorAsked(presentation));
  const say = (line: string) => terminal.log(line);

  const [format = 'text'] = formatsAsked(presentation);
  const form = validateChoice(winnerFormats, format, flag('format', format), 'ab');
  const options = validateOptions({ runs: RUNS, ...asked.input });

  const plans = await alikePlans(directories, options, presentation, say);
  if (!presentation.quiet)
    for (const line of sharedDeviceLines(plans.map(({ machine }) => machine.target))) say(line);
  if (presentation.dryRun) {
    await printPlans(plans, presentation, form === 'json', terminal);
    return EXIT_CODES.done;
  }

  async function measure({ watcher, files, progress, paint, signal }: Session): Promise<Measured> {
    const onEvent = listenerOf(plans, presentation, progress, say);
    const onRound = (reports: readonly Report[]) => files.update((format) => renderReports(format, reports));
    const reports = await runInterleaved(plans, { signal, onEvent, onRound }, watcher);
    const standings = standingsIn(reports, presentation.allowCached);
    if (standings) {
      const render = (style: Partial<TableStyle>) => createWinnerFormats(style)[form](...standings);
      terminal.print(comparisonText(form, render, process, presentation, all));
    }
    const markdown = standings ? createWinnerFormats({ all }).markdown(...standings) : '';
    const heading = markdown && `### gobonnie ab\n\n${markdown}`;
    files.write((format) => {
      const sections = renderReports(format, reports, standings?.[0]);
      // For people, who is faster comes first.
      return heading && format === reportFormats.markdown ? `${heading}\n${sections}` : sections;
    });
    return {
      ...wholeOf(reports),
      lines: reports.flatMap((report) => {
        if (presentation.quiet) return [];
        return screen ? directoryWarningLines(report, screen) : warningsOf(report, paint);
      }),
      jobReport: { annotations: annotationsOfAll(reports), markdown: heading },
      exitCode: EXIT_CODES.done,
    };
  }
  return inSession({ presentation, showsEvents: false, growsFiles: false }, process, terminal, measure);
}

/** All of one size: the largest that fits in each directory. */
async function alikePlans(
  directories: readonly string[],
  options: Options,
  { dryRun }: Presentation,
  say: (line: string) => void,
): Promise<readonly Plan[]> {
  const plans: Plan[] = [];
  for (const dir of directories)
    plans.push(await planned({ ...options, dir }, { dryRun, needsDirectory: true }, say));
  const leastBytes = Math.min(...plans.map(({ totalBytes }) => totalBytes));
  return plans.map((one) =>
    one.totalBytes === leastBytes ? one : plan({ ...one.options, size: leastBytes / GIB }, one.machine),
  );
}

/** Shows progress and says what happens in which directory. */
function listenerOf(
  plans: readonly Plan[],
  { quiet, verbose }: Presentation,
  progress: Session['progress'],
  say: (line: string) => void,
): (event: RunEvent, index: number) => void {
  const runs = plans.map(() => 0);
  /** Every run warns again that the watcher is gone. */
  const said = new Set<string>();
  const isNews = (event: RunEvent) => {
    if (event.type !== 'warning') return true;
    const { code } = event.warning;
    // The others are said after the last run.
    if (!isUrgent(event.warning) || said.has(code)) return false;
    said.add(code);
    return true;
  };
  return (event, index) => {
    const one = plans[index];
    if (!one) return;
    if (event.type === 'start') runs[index] = (runs[index] ?? 0) + 1;
    progress?.handle(event, { directory: one.directory, run: initialRunCounter(emptyReport(one).options, runs[index] ?? 0) });
    if (event.type === 'stall') say(stallLine(event));
    if (!quiet && isNews(event)) for (const line of linesIn(one.machine.target, event, verbose)) say(line);
  };
}

type Where = Pick<Report['target'], 'directory' | 'isMemory'>;

function linesIn(target: Where, event: RunEvent, isVerbose: boolean): readonly string[] {
  const lines = linesFor(target, event, isVerbose);
  return lines.map((line) => `${formatLogTime(new Date())} ${display(target.directory)}: ${line}`);
}

function linesFor(target: Where, event: RunEvent, isVerbose: boolean): readonly string[] {
  if (event.type === 'run-end') return [runLine(event.result, target)];
  return isVerbose || event.type === 'warning' ? logLines(event, 'verbose') : [];
}

function warningsOf({ warnings, target }: Report, paint: Paint): readonly string[] {
  const formatLog: LogFormatter = (event) => linesIn(target, event, false);
  return logWarningLines(warnings, formatLog, 'normal', paint);
}
