import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { Report } from '../../../src/report/schema/report.js';
import { ROOT } from '../../support/root.js';

/** A real, intact file of results. */
export interface Sample {
  readonly name: string;
  readonly isJson: boolean;
  readonly text: string;
  /** Returns true if a report still matches the published schema and has results. */
  readonly isWhole?: (document: unknown) => boolean;
}

const reportSchema = z.fromJSONSchema(JSON.parse(readText('schema/gobonnie-1.schema.json')));
/** Results of every phase, recorded once so that a test run repeats the same damage. */
export const REPORT: Sample = {
  name: 'a report',
  isJson: true,
  text: readText('test/faults/damage/recorded/report.json'),
  isWhole: (document) =>
    reportSchema.safeParse(document).success &&
    (document as Pick<Report, 'runs'>).runs.some(({ measurements }) => measurements.length > 0),
};

/** Output of the ancestors on real machines. */
export const SAMPLES: readonly Sample[] = [
  REPORT,
  {
    name: "gobonniego's document",
    isJson: true,
    text: readText('test/faults/damage/recorded/document.json'),
  },
  {
    name: 'CSV of 1.98',
    isJson: false,
    text: '1.98,2.00a,goldhost,2,7,64M,16k,8192,5,1961,99,330783,83,1388382,65,3189,99,900000,50,616.9,2,16,1000,10,3,4k,489,99,+++++,+++,1695,97,509,98,+++++,+++,1700,96,4474us,864us,38us,735ms,30us,101s,158us,44us,236us,520us,2us,37us\n',
  },
  {
    name: "Bray's table",
    isJson: false,
    text: `\
              -------Sequential Output-------- ---Sequential Input-- --Random--
              -Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --Seeks---
Machine    MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU  /sec %CPU
TEST5     256  3618 99.2  11135 16.0  5981 10.8  3005 88.8 18268 17.8 185.4  2.9
`,
  },
];

function readText(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}
