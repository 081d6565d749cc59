import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Report } from '../../../src/report/schema/report.js';
import { MARKER_NAME } from '../../../src/scratch/marker.js';
import { getPhase } from '../../../workers/phases/catalogue.js';
import { type Call, pathBelow } from './call.js';
import { turnsOf } from './course.js';
import type { Broken } from './fault.js';
import { contentOf, type Site } from './site.js';
import { isOfReport, isRemoval, type Target } from './target.js';

const RATES = ['write_megabytes_per_second', 'read_megabytes_per_second', 'iops'];
const FIGURE = /^([\w -]+?)(?: MB\/s)?: [\d.]+$/;
/** The summary line of several runs. */
const TOGETHER = / of \d+ runs: /;
const NARRATION = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d /;

/** The promises that were broken when this call failed. */
export function complaintsOf(broken: Broken, call: Call): readonly string[] {
  const failed = pathBelow(broken.site.home, call) ?? '';
  return [
    ...(broken.exitCode === 1 ? [] : [`it ended with ${broken.exitCode}`]),
    ...aboutLine(broken, failed),
    ...aboutFigures(broken),
    ...aboutReport(broken),
    ...aboutLeftovers(broken, failed),
  ];
}

/** One line says what failed, on which file, and why. */
function aboutLine({ target, error, site }: Broken, failed: string): readonly string[] {
  const said = contentOf(site.stderr)
    .trimEnd()
    .split('\n')
    .filter((line) => !NARRATION.test(line));
  const [line = '', ...others] = said;
  if (!line.startsWith('gobonnie: ') || others.length > 0) return [`it said ${JSON.stringify(said)}`];
  const complaints: string[] = [];
  const place = placeOf(failed, target, site);
  if (!line.includes(place)) complaints.push(`no word of ${place} in: ${line}`);
  if (!line.includes(`(${error})`)) complaints.push(`no word of ${error} in: ${line}`);
  if (isRemoval(target) && !line.includes(' could not be removed')) complaints.push(`no removal in: ${line}`);
  return complaints;
}

/** The path that the message must name for a call on `file`. */
function placeOf(file: string, target: Target, { report }: Site): string {
  if (isOfReport(target)) return report;
  const [scratch = file] = /^.*\/gobonnie-[^/]+/.exec(file) ?? [];
  if (isRemoval(target)) return scratch;
  // The user does not know a scratch directory that could not be created or marked.
  const isUnmade = (file === scratch && target.kind === 'mkdir') || file === path.join(scratch, MARKER_NAME);
  return isUnmade ? path.dirname(scratch) : file;
}

/** Only the figures of the phases before are printed. */
function aboutFigures({ target, site }: Broken): readonly string[] {
  const { course, figures } = target;
  const printed = contentOf(site.stdout);
  if (course.json) {
    const results: readonly Record<string, unknown>[] = JSON.parse(printed).results;
    const isWhole = results.every((result) => RATES.every((rate) => Number(result[rate]) > 0));
    const isRight = isWhole && results.length === Math.floor(figures / course.phases.length);
    return isRight ? [] : [`it printed ${printed}`];
  }
  const lines = printed.split('\n').filter((line) => line !== '' && !TOGETHER.test(line));
  const titles = lines.map((line) => FIGURE.exec(line)?.[1] ?? line);
  const turns = turnsOf(course).map((phase) => getPhase(phase).title);
  return areRight(titles, turns, target) ? [] : [`it printed ${printed}`];
}

/** The report has the same figures. */
function aboutReport({ target, site }: Broken): readonly string[] {
  if (!existsSync(site.report)) return [];
  const { runs } = JSON.parse(contentOf(site.report)) as Pick<Report, 'runs'>;
  const measured = runs.flatMap(({ measurements }) => measurements.map(({ phase }) => phase));
  return areRight(measured, turnsOf(target.course), target) ? [] : [`the report has figures of ${measured}`];
}

/** A failure in the report file ends no phase, so more phases may have been measured by then. */
function areRight(told: readonly string[], turns: readonly string[], target: Target): boolean {
  const count = isOfReport(target) ? Math.max(told.length, target.figures) : target.figures;
  return told.join() === turns.slice(0, count).join();
}

/** Nothing is left except the file that could not be removed, its directories, and the marker with the owner. */
function aboutLeftovers({ target, site }: Broken, failed: string): readonly string[] {
  const stays = isRemoval(target) ? failed : '';
  const [scratch = ''] = /^.*\/gobonnie-[^/]+/.exec(stays) ?? [];
  const marker = path.join(scratch, MARKER_NAME);
  const given = [site.disk, path.dirname(site.report), site.report];
  return readdirSync(site.home, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(site.home, name))
    .filter((name) => ![...given, marker].includes(name) && !`${stays}/`.startsWith(`${name}/`))
    .map((name) => `it left ${name}`);
}
