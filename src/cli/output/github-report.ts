import { appendFile } from 'node:fs/promises';
import { findChanges, findWorstVerdict } from '../../compare/comparison.js';
import type { Comparison } from '../../compare/comparison-schema.js';
import { incomparableError } from '../../compare/differences.js';
import { formatErrorLine, type GobonnieError } from '../../errors.js';
import type { ComparisonDocument } from '../../format/human/commands/comparison-format.js';
import { inconclusiveLines } from '../../format/human/commands/conclusion.js';
import { comparisonSection } from '../../format/human/markdown.js';
import { actualText } from '../../format/human/sentences.js';
import { escapeMarkdown } from '../../format/human/table.js';
import { renderReport, reportFormats } from '../../format/index.js';
import type { Report } from '../../report/schema/report.js';
import { pathIndependentHint, systemReason } from '../../system-error.js';
import { display, sanitize } from '../../text/escape.js';
import { signedDecimal } from '../../text/units.js';
import { summarizeWarnings } from '../../warnings/summary.js';
import type { CliOptions } from '../argv/cli-options.js';
import { parseBoolean } from '../argv/parse-argv.js';
import type { Verdict } from '../pass-criteria.js';
import type { Terminal } from './terminal.js';

/** A message that GitHub shows on the job's page. */
export interface Annotation {
  readonly level: 'error' | 'warning';
  readonly title: string;
  readonly message: string;
}

/** The report on a run or a comparison: for the job's page, and the text of its summary. */
type GithubReport = { readonly annotations: readonly Annotation[]; readonly markdown: string };

/**
 * Reports to GitHub Actions if it runs this process, unless --no-github is passed or its variable is set, even for
 * commands that read no other variable. Prints annotations as commands for the runner, and appends the markdown to the
 * job summary, if the runner has one.
 */
export async function writeGithubReport(
  { annotations, markdown }: GithubReport,
  { noGithub }: Pick<CliOptions, 'noGithub'>,
  { process: { env }, log }: Pick<Terminal, 'process' | 'log'>,
): Promise<void> {
  const isDisabled = parseBoolean(env.GOBONNIE_NO_GITHUB ?? '') === true;
  if (noGithub || isDisabled || env.GITHUB_ACTIONS !== 'true') return;
  for (const { level, title, message } of annotations) {
    const properties = escapeData(`gobonnie: ${title}`).replaceAll(':', '%3A').replaceAll(',', '%2C');
    log(`::${level} title=${properties}::${escapeData(message)}`);
  }
  const summaryFile = env.GITHUB_STEP_SUMMARY;
  if (!summaryFile) return;
  try {
    await appendFile(summaryFile, `${markdown}\n`);
  } catch (error) {
    log(
      `gobonnie: GITHUB_STEP_SUMMARY=${display(summaryFile)} could not be written: ${systemReason(error)}; ` +
        (pathIndependentHint(error) ?? 'pass --no-github to skip it'),
    );
  }
}

/** Reports an error that no report contains. Searches for --no-github itself, because the options may be invalid. */
export async function writeGithubError(error: GobonnieError, terminal: Terminal): Promise<void> {
  const [, , ...args] = terminal.process.argv;
  // bonnie and bonnie++ have no --no-github.
  const isOriginal = /^bonnie(?:\+\+)?$/.test(String(args[0]));
  const noGithub = isOriginal || args.some((arg) => /^--?no-github(?:=true)?$/.test(arg));
  const markdown = `gobonnie: ${escapeMarkdown(sanitize(error.line))}`;
  await writeGithubReport({ annotations: [errorAnnotation(error)], markdown }, { noGithub }, terminal);
}

function errorAnnotation({ kind, line }: GobonnieError): Annotation {
  return { level: 'error', title: kind === 'usage' ? 'usage error' : 'failed', message: line };
}

export function githubReportForRun({ report, baseline }: Verdict): GithubReport {
  const annotations = reportAnnotations(report);
  const markdown = renderReport(reportFormats.markdown, report, baseline);
  if (!baseline) return { annotations, markdown };
  const { comparison, strict } = baseline;
  const verdicts =
    findWorstVerdict(comparison) === null
      ? [errorAnnotation(incomparableError(comparison))]
      : comparisonAnnotations(comparison, strict);
  return { annotations: [...annotations, ...verdicts], markdown };
}

export function githubReportForComparisons(document: ComparisonDocument, strict: boolean): GithubReport {
  return {
    annotations: document.comparisons.flatMap((one) => comparisonAnnotations(one, strict)),
    markdown: comparisonSection(document),
  };
}

export function reportAnnotations(report: Report): readonly Annotation[] {
  const { outcome, expectations = [] } = report;
  const annotations: Annotation[] = [];
  if (outcome.state === 'failed')
    annotations.push({ level: 'error', title: 'failed', message: formatErrorLine(outcome) });
  for (const expectation of expectations.filter(({ passed }) => !passed)) {
    const title = expectation.inconclusive ? 'expectation inconclusive' : 'expectation not met';
    const message = `${expectation.condition}: ${actualText(expectation)}`;
    annotations.push({ level: 'error', title, message });
  }
  for (const warning of summarizeWarnings(report))
    annotations.push({ level: 'warning', title: warning.code, message: formatErrorLine(warning) });
  return annotations;
}

/** An inconclusive result is a failure if `strict`. */
function comparisonAnnotations(comparison: Comparison, strict: boolean): readonly Annotation[] {
  const { before, after } = comparison;
  const annotations: Annotation[] = [];
  for (const { name, changePercent } of findChanges('regression', comparison)) {
    const message = `${name} ${signedDecimal(changePercent ?? 0)} % from ${before} to ${after}`;
    annotations.push({ level: 'error', title: 'regression', message });
  }
  for (const message of inconclusiveLines(comparison))
    annotations.push({ level: strict ? 'error' : 'warning', title: 'inconclusive', message });
  return annotations;
}

/** Escapes `%` like @actions/core. */
function escapeData(text: string): string {
  return sanitize(text).replaceAll('%', '%25');
}
