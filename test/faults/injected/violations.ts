import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Report } from '../../../src/report/schema/report.js';
import { MARKER_NAME } from '../../../src/scratch/marker.js';
import { getPhase } from '../../../workers/phases/phase-catalogue.js';
import type { FailedRun } from './fail-call.js';
import { type RunFiles, readText } from './run-files.js';
import { phaseSequence } from './scenario.js';
import { isOnReport, isRemoval, type Target } from './target.js';
import { findPathBelow, type TracedCall } from './traced-call.js';

const RATES = ['write_megabytes_per_second', 'read_megabytes_per_second', 'iops'];
const RESULT_LINE = /^([\w -]+?)(?: MB\/s)?: [\d.]+$/;
/** The summary line of several runs. */
const SUMMARY_LINE = / of \d+ runs: /;
const LOG_LINE = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d /;

/** The promises that were broken when this call failed. */
export function findViolations(failedRun: FailedRun, call: TracedCall): readonly string[] {
  const failed = findPathBelow(failedRun.files.home, call) ?? '';
  return [
    ...(failedRun.exitCode === 1 ? [] : [`it ended with ${failedRun.exitCode}`]),
    ...checkErrorLine(failedRun, failed),
    ...checkPrintedResults(failedRun),
    ...checkReport(failedRun),
    ...checkLeftovers(failedRun, failed),
  ];
}

/** One line says what failed, on which file, and why. */
function checkErrorLine({ target, error, files }: FailedRun, failed: string): readonly string[] {
  const lines = readText(files.stderr)
    .trimEnd()
    .split('\n')
    .filter((line) => !LOG_LINE.test(line));
  const [line = '', ...others] = lines;
  if (!line.startsWith('gobonnie: ') || others.length > 0) return [`it said ${JSON.stringify(lines)}`];
  const violations: string[] = [];
  const expected = expectedPath(failed, target, files);
  if (!line.includes(expected)) violations.push(`no word of ${expected} in: ${line}`);
  if (!line.includes(`(${error})`)) violations.push(`no word of ${error} in: ${line}`);
  if (isRemoval(target) && !line.includes(' could not be removed')) violations.push(`no removal in: ${line}`);
  return violations;
}

/** The path that the message must name for a call on `file`. */
function expectedPath(file: string, target: Target, { report }: RunFiles): string {
  if (isOnReport(target)) return report;
  const [scratch = file] = /^.*\/gobonnie-[^/]+/.exec(file) ?? [];
  if (isRemoval(target)) return scratch;
  // The user does not know a scratch directory that could not be created or marked.
  const isUnmade = (file === scratch && target.kind === 'mkdir') || file === path.join(scratch, MARKER_NAME);
  return isUnmade ? path.dirname(scratch) : file;
}

/** Only the figures of the phases before are printed. */
function checkPrintedResults({ target, files }: FailedRun): readonly string[] {
  const { scenario, figures } = target;
  const printed = readText(files.stdout);
  if (scenario.json) {
    const results: readonly Record<string, unknown>[] = JSON.parse(printed).results;
    const isWhole = results.every((result) => RATES.every((rate) => Number(result[rate]) > 0));
    const isRight = isWhole && results.length === Math.floor(figures / scenario.phases.length);
    return isRight ? [] : [`it printed ${printed}`];
  }
  const lines = printed.split('\n').filter((line) => line !== '' && !SUMMARY_LINE.test(line));
  const titles = lines.map((line) => RESULT_LINE.exec(line)?.[1] ?? line);
  const turns = phaseSequence(scenario).map((phase) => getPhase(phase).title);
  return areExpected(titles, turns, target) ? [] : [`it printed ${printed}`];
}

/** The report has the same figures. */
function checkReport({ target, files }: FailedRun): readonly string[] {
  if (!existsSync(files.report)) return [];
  const { runs } = JSON.parse(readText(files.report)) as Pick<Report, 'runs'>;
  const measured = runs.flatMap(({ measurements }) => measurements.map(({ phase }) => phase));
  return areExpected(measured, phaseSequence(target.scenario), target)
    ? []
    : [`the report has figures of ${measured}`];
}

/** A failure in the report file ends no phase, so more phases may have been measured by then. */
function areExpected(phases: readonly string[], expected: readonly string[], target: Target): boolean {
  const count = isOnReport(target) ? Math.max(phases.length, target.figures) : target.figures;
  return phases.join() === expected.slice(0, count).join();
}

/** Nothing is left except the file that could not be removed, its directories, and the marker with the owner. */
function checkLeftovers({ target, files }: FailedRun, failed: string): readonly string[] {
  const remaining = isRemoval(target) ? failed : '';
  const [scratch = ''] = /^.*\/gobonnie-[^/]+/.exec(remaining) ?? [];
  const marker = path.join(scratch, MARKER_NAME);
  const existing = [files.disk, path.dirname(files.report), files.report];
  return readdirSync(files.home, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(files.home, name))
    .filter((name) => ![...existing, marker].includes(name) && !`${remaining}/`.startsWith(`${name}/`))
    .map((name) => `it left ${name}`);
}
