import { phases } from '../../../workers/phases/catalogue.js';
import { readable, type Screen } from '../../format/people/screen.js';
import { widthOf } from '../../format/writing/width.js';
import type { Plan } from '../../plan/plan.js';
import { secondsAt, writtenBytesOf } from '../../plan/work.js';
import { showAmount } from '../../report/amount.js';
import type { RunEvent } from '../../report/events/event.js';
import type { Measurement, Report, Warning } from '../../report/schema/report.js';
import { sum } from '../../report/statistics/statistics.js';
import { isUrgent } from '../../report/warning-catalogue.js';
import { harmless, shown } from '../../text/escape.js';
import { counted, MB, MS_PER_SECOND, showBytes, showNs, showSeconds } from '../../text/units.js';
import { version } from '../../version.js';
import type { Messages, Verbosity } from './narration.js';

const GAP = '   ';
const PERCENT = 100;
const INDENT = '  ';
/** A usual SSD, to say how long a run may take. */
const USUAL_BYTES_PER_SECOND = 500 * MB;
const LONG_SECONDS = 60;
const QUICK_GIB = 1;

interface PeopleOptions {
  readonly plan: Plan;
  readonly screen: Screen;
  readonly verbosity: Verbosity;
  /** Whether the table is printed on the same screen: it needs a headline and an end. */
  readonly showsTable: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The files of --out. */
  readonly out: readonly string[];
}

/** Messages for the people in front of a terminal. */
export function peopleMessages({ plan, screen, verbosity, showsTable, env, out }: PeopleOptions): Messages {
  const startMs = performance.now();
  if (verbosity === 'quiet') return { during: () => [], after: () => [], last: () => [] };
  const linesFor = (event: RunEvent) => {
    if (event.type === 'start' && showsTable) return headlines(plan, screen);
    if (event.type === 'warning') return warningLines([event.warning], screen);
    if (event.type === 'phase-end' && verbosity === 'verbose') return phaseBlock(event.measurement, screen);
    if (event.type === 'end' && verbosity === 'verbose') return ceilingLines(event.report, screen);
    return [];
  };
  return {
    during: (event) => linesFor(event).map((line) => readable(line, screen)),
    after: ({ warnings }) => {
      const lines = warningLines(notYetTold(warnings), screen);
      return showsTable && lines.length > 0 ? ['', ...lines] : lines;
    },
    last: (report) =>
      showsTable
        ? closingLines(
            report,
            { seconds: (performance.now() - startMs) / MS_PER_SECOND, call: callOf(env), out },
            screen,
          )
        : [],
  };
}

/** The warnings of one of several directories, below its name. */
export function warningsIn({ warnings, target }: Report, screen: Screen): readonly string[] {
  const lines = warningLines(notYetTold(warnings), screen);
  return lines.length === 0 ? [] : ['', `${INDENT}${shown(target.directory)}`, ...lines];
}

/** The others were printed at once. */
function notYetTold(warnings: readonly Warning[]): readonly Warning[] {
  return warnings.filter((warning) => !isUrgent(warning));
}

/** How the program was called: behind npx or in an npm script it is not on the path. */
function callOf({ npm_command: command }: PeopleOptions['env']): string {
  return command === undefined ? 'gobonnie' : 'npx gobonnie';
}

/** What is measured, where and how; and before a long run, how much of it there will be. */
function headlines(plan: Plan, { columns }: Screen): readonly string[] {
  const { options, machine, directory, totalBytes, threads, transfer } = plan;
  const { target } = machine;
  const disk = [target.filesystem, target.device && `on ${shown(target.device)}`].filter(Boolean).join(' ');
  const where = target.exists
    ? `${shown(directory)}: ${disk}`
    : `made ${shown(directory)} on ${shown(target.mount)} (${disk})`;
  const size = totalBytes > 0 ? [showBytes(totalBytes)] : [];
  const how = [
    ...size,
    counted(threads, 'thread'),
    transfer.direct ? 'direct' : 'buffered',
    ...cacheText(plan),
  ];
  const random = plan.phases.includes('iops') ? [`iops: ${showBytes(transfer.ioSizeBytes)}, 90 % reads`] : [];
  const parts = [`gobonnie ${version}`, where, how.join(', '), ...random];
  return [
    ...joined(parts, columns, INDENT),
    ...(options.runs > 1 || secondsAt(USUAL_BYTES_PER_SECOND, plan) > LONG_SECONDS
      ? hung(INDENT, amountText(plan), columns)
      : []),
    '',
  ];
}

function cacheText({ options, machine, transfer }: Plan): readonly string[] {
  if (transfer.direct || machine.target.isMemory) return [];
  return [options.cache === 'keep' ? 'cache kept' : 'cache emptied before reads'];
}

/** `writes 20 GiB in 5 runs, about 4 min at 500 MB/s; --size 1 is quicker`. */
function amountText(plan: Plan): string {
  const { runs, size } = plan.options;
  const inRuns = runs > 1 ? ` in ${runs} runs` : '';
  const quicker = size && size > QUICK_GIB ? `; --size ${QUICK_GIB} is quicker` : '';
  const time = showSeconds(runs * secondsAt(USUAL_BYTES_PER_SECOND, plan));
  return `writes ${showBytes(runs * writtenBytesOf(plan))}${inRuns}, about ${time} at 500 MB/s${quicker}`;
}

/** One line for each, its code at the end, and below it how to look the codes up. */
function warningLines(warnings: readonly Warning[], screen: Screen): readonly string[] {
  const width = Math.max(0, ...warnings.map(({ phase }) => (phase ?? '').length));
  return warnings.flatMap(({ code, phase, message }) => {
    const head = `${INDENT}${screen.paint.caution('!')} ${(phase ?? '').padEnd(width)}${width > 0 ? GAP : ''}`;
    const title = phases.find(({ name }) => name === phase)?.title;
    const untitled = title === undefined ? message : message.replace(`${title}: `, '');
    return hung(head, `${harmless(untitled)}   ${screen.paint.faint(code)}`, screen.columns);
  });
}

/** `18 s, 1.1 GB written, all removed.` */
function closingLines(
  { runs, warnings }: Report,
  {
    seconds,
    call,
    out,
  }: { readonly seconds: number; readonly call: string; readonly out: readonly string[] },
  { columns }: Screen,
): readonly string[] {
  const bytes = sum(runs.flatMap(({ measurements }) => measurements.map((one) => one.writtenBytes)));
  const [first] = warnings;
  const parts = [
    `${showSeconds(seconds)}, ${showBytes(bytes)} written, all removed.`,
    ...(out.length > 0 ? [`Wrote ${out.map(shown).join(', ')}.`] : []),
    ...(first ? [`What "!" means: ${call} explain ${first.code}`] : []),
  ];
  return ['', ...joined(parts, columns, INDENT, INDENT)];
}

/** What -v adds for each phase. */
function phaseBlock(measurement: Measurement, { columns }: Screen): readonly string[] {
  const { phase, bytes, operations, seconds, device, latencyNs, cpu } = measurement;
  const percentiles = latencyNs
    ? (['p50', 'p90', 'p99', 'p999', 'max'] as const).map((name) => `${name} ${showNs(latencyNs[name])}`)
    : ['not recorded'];
  const share = device.share === null ? 'unknown' : `${(device.share * PERCENT).toFixed(1)} %`;
  const reason = device.reason === null ? '' : ` (${device.reason})`;
  const rows = [
    ['moved', `${showBytes(bytes)} in ${counted(operations, 'operation')}, ${showSeconds(seconds)}`],
    ['device', `served ${share} of it${reason}`],
    ['latency', percentiles.join(', ')],
    ['CPU', `${cpu.percent.toFixed(0)} %`],
  ] as const;
  return [
    `${INDENT}${phase}`,
    ...rows.flatMap(([name, text]) => hung(`    ${name.padEnd(10)}`, text, columns)),
  ];
}

/** What -v adds at the end: the rates of memory, to compare the others with. */
function ceilingLines({ memoryCeiling }: Report, { columns }: Screen): readonly string[] {
  if (!memoryCeiling) return [];
  const { bytesPerSecond, operationsPerSecond } = memoryCeiling;
  const rates = [
    bytesPerSecond === null ? [] : `read ${showAmount(bytesPerSecond, 'bytesPerSecond')}`,
    operationsPerSecond === null ? [] : `iops ${showAmount(operationsPerSecond, 'operationsPerSecond')}`,
  ];
  return hung(`${INDENT}memory ceiling: `, rates.flat().join(', '), columns);
}

/** A line that is too long for the terminal, continued below itself. */
export function folded(line: string, screen: Screen): readonly string[] {
  return hung('', readable(line, screen), screen.columns, INDENT);
}

/** A text behind a head, and below it where that ends. */
function hung(
  head: string,
  text: string,
  columns: number,
  indent = ' '.repeat(widthOf(head)),
): readonly string[] {
  const lines = filled(text, columns - indent.length);
  return lines.map((line, at) => (at === 0 ? head : indent) + line);
}

/** Parts on as few lines as fit, broken between parts, or else between words. */
function joined(parts: readonly string[], columns: number, indent: string, start = ''): readonly string[] {
  const lines: string[] = [start];
  for (const part of parts) {
    const last = lines.at(-1) ?? '';
    const isEmpty = last.trim() === '';
    const longer = isEmpty ? last + part : last + GAP + part;
    if (widthOf(longer) < columns) lines[lines.length - 1] = longer;
    else {
      const more = filled(part, columns - indent.length).map((line) => indent + line);
      if (isEmpty) lines.splice(-1, 1, ...more);
      else lines.push(...more);
    }
  }
  return lines;
}

/** Words on as few lines as fit. Wider gaps within a line stay. */
function filled(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/(?<! ) /)) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(`${last} ${word}`) < columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word.trimStart());
  }
  return lines;
}
