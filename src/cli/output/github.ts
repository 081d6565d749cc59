import { appendFile } from 'node:fs/promises';
import { type Comparison, changesWith } from '../../compare/comparison.js';
import { inOneLine } from '../../errors.js';
import { formats, renderReport } from '../../format/index.js';
import { comparisonFormats } from '../../format/people/comparison.js';
import { signed } from '../../format/people/percentages.js';
import { actualText } from '../../format/people/sentences.js';
import type { Report } from '../../report/schema/report.js';
import { hintBeyondPath, systemReason } from '../../system-error.js';
import { harmless, shown } from '../../text/escape.js';
import type { Presentation } from '../argv/presentation.js';
import type { CliProcess } from './terminal.js';

/** A message that GitHub shows on the page of the job. */
export interface Annotation {
  readonly level: 'error' | 'warning';
  readonly title: string;
  readonly message: string;
}

/** What the page of a job shows of a run or a comparison. */
export interface JobReport {
  readonly annotations: readonly Annotation[];
  /** For the job's summary. */
  readonly markdown: string;
}

/**
 * Tells GitHub Actions, if it runs this process, unless --no-github is passed. Annotations are printed as commands for
 * the runner; the markdown is added to the job's summary, which the oldest runners do not have.
 */
export async function tellJob(
  { annotations, markdown }: JobReport,
  { env }: Pick<CliProcess, 'env'>,
  { noGithub }: Pick<Presentation, 'noGithub'>,
  say: (line: string) => void,
): Promise<void> {
  if (noGithub || env.GITHUB_ACTIONS !== 'true') return;
  for (const annotation of annotations) say(annotationLine(annotation));
  const summaryFile = env.GITHUB_STEP_SUMMARY;
  if (!summaryFile) return;
  try {
    await appendFile(summaryFile, `${markdown}\n`);
  } catch (error) {
    say(
      `gobonnie: GITHUB_STEP_SUMMARY=${shown(summaryFile)} could not be written: ${systemReason(error)}; ` +
        (hintBeyondPath(error) ?? 'pass --no-github to write none'),
    );
  }
}

export function jobReportOfRun(report: Report, comparison: Comparison | null): JobReport {
  const comparisons = comparison === null ? [] : [comparison];
  return {
    annotations: [...annotationsOf(report), ...comparisons.flatMap(annotationsOfComparison)],
    markdown: [
      renderReport(formats.markdown, report),
      ...comparisons.map((one) => comparisonFormats.markdown([one])),
    ].join('\n'),
  };
}

export function jobReportOfComparisons(comparisons: readonly Comparison[]): JobReport {
  return {
    annotations: comparisons.flatMap(annotationsOfComparison),
    markdown: `### gobonnie compare\n\n${comparisonFormats.markdown(comparisons)}`,
  };
}

export function annotationsOf({ outcome, warnings, expectations = [] }: Report): readonly Annotation[] {
  return [
    ...(outcome.state === 'failed' ? [error('failed', inOneLine(outcome))] : []),
    ...expectations
      .filter(({ passed }) => !passed)
      .map((verdict) =>
        error(
          verdict.inconclusive ? 'expectation cannot be judged' : 'expectation not met',
          `${verdict.condition}: ${actualText(verdict)}`,
        ),
      ),
    ...warnings.map(
      (warning): Annotation => ({ level: 'warning', title: warning.code, message: inOneLine(warning) }),
    ),
  ];
}

function annotationsOfComparison(comparison: Comparison): readonly Annotation[] {
  return changesWith('regression', comparison).map(({ name, changePercent }) =>
    error(
      'regression',
      `${name} ${signed(changePercent ?? 0)} from ${comparison.before} to ${comparison.after}`,
    ),
  );
}

function error(title: string, message: string): Annotation {
  return { level: 'error', title, message };
}

/** As @actions/core writes it: in one line, with `%` as an escape. */
function annotationLine({ level, title, message }: Annotation): string {
  const properties = escaped(`gobonnie: ${title}`).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${level} title=${properties}::${escaped(message)}`;
}

function escaped(text: string): string {
  return harmless(text).replaceAll('%', '%25');
}
