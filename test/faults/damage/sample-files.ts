import { readFileSync, unlinkSync } from 'node:fs';
import { type FormatName, reportFormats } from '../../../src/format/index.js';
import { ALL_PHASES } from '../../support/data/all-phases.js';
import { runGobonnie } from '../../support/programs/program.js';

/** A real, intact results file. */
export interface SampleFile {
  readonly name: string;
  readonly kind: 'report' | 'document' | 'row' | 'table';
  readonly text: string;
  /** Formats that can represent the results. */
  readonly formats: readonly FormatName[];
}

export const FORMATS = Object.keys(reportFormats) as FormatName[];
const DOCUMENTS = exclude(FORMATS, 'report', 'ndjson', 'csv-series');
const ROWS = exclude(DOCUMENTS, 'json');
/** Bonnie's tables cannot show results of only the small-file phases. */
const FILES = exclude(ROWS, 'bonnie', 'bonnie-bray', 'bonnie-html');

function exclude(names: readonly FormatName[], ...excluded: readonly FormatName[]): readonly FormatName[] {
  return names.filter((name) => !excluded.includes(name));
}

const QUICK = '+++++,+++,'.repeat(4);

/** Output of the ancestors on real machines. */
const COMPAT_FILES: readonly (Omit<SampleFile, 'formats'> & Partial<SampleFile>)[] = [
  {
    name: 'CSV of 1.03',
    kind: 'row',
    text: 'access1,1G:32k,10564,96,18951,24,6687,7,10030,88,15949,6,153.8,0,16:1000:10/5,489,99,+++++,+++,1012,+++,509,98,+++++,+++,1695,97\n',
  },
  {
    name: 'CSV of 1.96',
    kind: 'row',
    formats: FILES,
    text: `1.96,1.96,fslab3,1,1374655110${','.repeat(14)}60,32,32,,,1702,14,2025,12,1332,4,1873,16,2047,13,1266,3,,,,,,,3874ms,6645ms,8659ms,505ms,7257ms,9627ms\n`,
  },
  {
    name: 'CSV of 1.97',
    kind: 'row',
    text: `1.97,1.97,cc3550,1,1517338312,8G,,864,99,77866,7,72051,8,2947,99,235458,14,9676,125,16,,,,,${QUICK}1873,16,2047,13,14345us,2216ms,749ms,4939us,131ms,1748us,2205us,881us,689us,668us,23us,981us\n`,
  },
  {
    name: 'CSV of 1.98',
    kind: 'row',
    text: '1.98,2.00a,goldhost,2,7,64M,16k,8192,5,1961,99,330783,83,1388382,65,3189,99,900000,50,616.9,2,16,1000,10,3,4k,489,99,+++++,+++,1695,97,509,98,+++++,+++,1700,96,4474us,864us,38us,735ms,30us,101s,158us,44us,236us,520us,2us,37us\n',
  },
  {
    name: "Bray's table",
    kind: 'table',
    text: `\
              -------Sequential Output-------- ---Sequential Input-- --Random--
              -Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --Seeks---
Machine    MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU  /sec %CPU
TEST5     256  3618 99.2  11135 16.0  5981 10.8  3005 88.8 18268 17.8 185.4  2.9
`,
  },
  {
    name: "Garloff's table",
    kind: 'table',
    text: `\
              ---Sequential Output (nosync)--- ---Sequential Input-- --Rnd Seek-
              -Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --04k (03)-
Machine    MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU   /sec %CPU
gum07. 3*1024  8701 93.2 26069 14.6 10337 12.2  7950 81.5 23695 11.2  122.1  1.5
`,
  },
];

/** Returns a report and a document of runs of every phase. */
function gobonnieFiles(report: string, document: string): readonly SampleFile[] {
  return [
    { name: 'report', kind: 'report', text: report, formats: FORMATS },
    { name: "gobonniego's document", kind: 'document', text: document, formats: DOCUMENTS },
  ];
}

/**
 * Recorded files, because the damage must be the same in every test run. When the report changes, record the files
 * that `measureSampleFiles` returns.
 */
export const SAMPLE_FILES: readonly SampleFile[] = [
  ...gobonnieFiles(readRecorded('report.json'), readRecorded('document.json')),
  ...COMPAT_FILES.map((file) => ({ formats: ROWS, ...file })),
];

function readRecorded(name: string): string {
  return readFileSync(new URL(`recorded/${name}`, import.meta.url), 'utf8');
}

/** Measures the same files with the current program. */
export async function measureSampleFiles(): Promise<readonly SampleFile[]> {
  const file = 'report.json';
  const { stdout, stderr, exitCode } = await runGobonnie([
    ...'--dir . --size 0.001 --iops-duration 0.02 --threads 2 --runs 2 --seeks 50 --files 20 --json --quiet'.split(
      ' ',
    ),
    ...['--phases', ALL_PHASES.join(','), '--label', 'gold host', '--out', file],
  ]);
  if (exitCode !== 0) throw new Error(stderr);
  const report = readFileSync(file, 'utf8');
  unlinkSync(file);
  return gobonnieFiles(report, stdout);
}
