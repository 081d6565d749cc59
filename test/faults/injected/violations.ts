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

/** Returns the guarantees that the program broke when this call failed. */
export function findViolations(failedRun: FailedRun, call: TracedCall): readonly string[] {
  const failed = findPathBelow(failedRun.files.home, call) ?? '';
  return [
    ...checkExitCode(failedRun),
    ...checkErrorLine(failedRun, failed),
    ...checkPrintedResults(failedRun),
    ...checkReport(failedRun),
    ...checkLeftovers(failedRun, failed),
  ];
}

function checkExitCode({ exitCode }: FailedRun): readonly string[] {
  return exitCode === 1 ? [] : [`exit code ${exitCode}`];
}

/** The only message names the failed operation, the file and the error. */
function checkErrorLine({ target, error, files }: FailedRun, failed: string): readonly string[] {
  const lines = readText(files.stderr)
    .trimEnd()
    .split('\n')
    .filter((line) => !LOG_LINE.test(line));
  const [line = '', ...others] = lines;
  if (!line.startsWith('gobonnie: ') || others.length > 0) return [`stderr: ${JSON.stringify(lines)}`];
  const violations: string[] = [];
  const expected = expectedPath(failed, target, files);
  if (!line.includes(expected)) violations.push(`${expected} missing in: ${line}`);
  if (!line.includes(`(${error})`)) violations.push(`${error} missing in: ${line}`);
  if (isRemoval(target) && !line.includes(' could not be removed'))
    violations.push(`removal missing in: ${line}`);
  return violations;
}

/** Returns the path that the message must name for a call on `file`. */
function expectedPath(file: string, target: Target, { report }: RunFiles): string {
  if (isOnReport(target)) return report;
  const [scratch = file] = /^.*\/gobonnie-[^/]+/.exec(file) ?? [];
  if (isRemoval(target)) return scratch;
  // For a scratch directory that could not be created or marked, the message names --dir.
  const isSetup = (file === scratch && target.kind === 'mkdir') || file === path.join(scratch, MARKER_NAME);
  return isSetup ? path.dirname(scratch) : file;
}

/** The program prints only the results of the earlier phases. */
function checkPrintedResults({ target, files }: FailedRun): readonly string[] {
  const { scenario, resultCount } = target;
  const printed = readText(files.stdout);
  if (scenario.json) {
    const results: readonly Record<string, unknown>[] = JSON.parse(printed).results;
    const isWhole = results.every((result) => RATES.every((rate) => Number(result[rate]) > 0));
    const isRight = isWhole && results.length === Math.floor(resultCount / scenario.phases.length);
    return isRight ? [] : [`printed: ${printed}`];
  }
  const lines = printed.split('\n').filter((line) => line !== '' && !SUMMARY_LINE.test(line));
  const titles = lines.map((line) => RESULT_LINE.exec(line)?.[1] ?? line);
  const expected = phaseSequence(scenario).map((phase) => getPhase(phase).title);
  return areExpected(titles, expected, target) ? [] : [`printed: ${printed}`];
}

/** The report has the same results. */
function checkReport({ target, files }: FailedRun): readonly string[] {
  if (!existsSync(files.report)) return [];
  const { runs } = JSON.parse(readText(files.report)) as Pick<Report, 'runs'>;
  const measured = runs.flatMap(({ measurements }) => measurements.map(({ phase }) => phase));
  return areExpected(measured, phaseSequence(target.scenario), target)
    ? []
    : [`the report has results of ${measured}`];
}

/** A failed call on the report file does not stop the current phase, so more phases may have results. */
function areExpected(phases: readonly string[], expected: readonly string[], target: Target): boolean {
  const count = isOnReport(target) ? Math.max(phases.length, target.resultCount) : target.resultCount;
  return phases.join() === expected.slice(0, count).join();
}

/** Nothing remains except the file that could not be removed, its directories and the marker. */
function checkLeftovers({ target, files }: FailedRun, failed: string): readonly string[] {
  const remaining = isRemoval(target) ? failed : '';
  const [scratch = ''] = /^.*\/gobonnie-[^/]+/.exec(remaining) ?? [];
  const marker = path.join(scratch, MARKER_NAME);
  const existing = [files.disk, path.dirname(files.report), files.report];
  return readdirSync(files.home, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(files.home, name))
    .filter((name) => ![...existing, marker].includes(name) && !`${remaining}/`.startsWith(`${name}/`))
    .map((name) => `leftover: ${name}`);
}
