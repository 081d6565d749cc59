import { DEFAULT_MAX_REGRESSION_PERCENT } from '../../compare/comparison.js';
import { optionCatalogue } from '../../options/option-catalogue.js';
import { inGroup, type OptionRow, pathOf, switchRow, wholeNumber } from '../../options/option-row.js';
import type { OptionsInput } from '../../options/options-schema.js';

const MAX_RANKS = 65_536;

/** Returns the help of --expect with a condition that the command accepts. */
export function expectRow(example: string, more = '') {
  return { help: `exit code 3 unless results meet ${example}${more}, for example; repeatable`, example };
}

/** How results are printed, written and evaluated. Plain data, like the benchmark's own options. */
export const cliOptionCatalogue = {
  ...inGroup('Output', {
    json: switchRow("print one JSON document on stdout, with gobonniego's keys"),
    format: {
      argument: 'NAME',
      values: { choices: async () => Object.keys((await import('../../format/index.js')).reportFormats) },
      help:
        'print the result in another format, such as report, markdown, csv, junit, html, chart or ndjson (events as they happen); ' +
        'docs/formats.md lists every format',
      expects: 'the name of a format',
      example: 'text',
    },
    verbose: {
      alias: 'v',
      ...switchRow(
        'print more on stderr: for each phase bytes, time, latency, CPU time and device share; in a log, also the machine',
      ),
    },
    quiet: {
      alias: 'q',
      ...switchRow('print only errors, failed conditions, and regressions or inconclusive results on stderr'),
    },
    out: {
      help:
        'also write FILE in the format of its extension, after every run: .json (the full report), .md, .csv, .xml (JUnit) or ' +
        'others that docs/formats.md lists; repeatable',
      ...pathOf('file', 'report.json'),
      repeatable: true,
    },
    dryRun: switchRow('print the plan without touching the disk'),
    color: {
      ...switchRow('colour the output'),
      defaultText: 'by FORCE_COLOR or NO_COLOR, otherwise only at a terminal',
    },
    noColor: switchRow('use no colours'),
  }),
  ...inGroup('CI and thresholds', {
    expect: {
      argument: 'CONDITION',
      expects: 'a condition',
      repeatable: true,
      ...expectRow('"write>=200MB/s"', ', "iops>=5000" or "read.p99<20ms"'),
    },
    baseline: {
      help: 'compare with an earlier report; exit code 3 if a result got worse',
      ...pathOf('file', 'before.json'),
    },
    maxRegression: {
      argument: 'PERCENT',
      help: 'how much worse than the baseline a result may be',
      needs: ['baseline'],
      defaultText: `${DEFAULT_MAX_REGRESSION_PERCENT}%`,
      expects: 'a percentage from 0 to 100',
      example: '5%',
    },
    force: {
      ...switchRow('compare even if the filesystem, the device or the options differ'),
      needs: ['baseline'],
    },
    strict: {
      ...switchRow('exit code 3 also if a comparison is inconclusive'),
      needs: ['baseline'],
    },
    allowCached: switchRow('accept results that were partly served from cache'),
    noGithub: switchRow('in GitHub Actions, write no annotations and no job summary'),
  }),
  ...inGroup('Multi-host', {
    rendezvous: {
      help: 'run as one job with the processes that use the same shared directory DIR (not needed under mpiexec or srun)',
      ...pathOf('directory', '/shared'),
    },
    ranks: {
      help: 'with --rendezvous, the number of processes in the job',
      needs: ['rendezvous'],
      ...wholeNumber({ min: 2, max: MAX_RANKS, example: '8' }),
    },
    rank: {
      help: 'with --rendezvous, the rank of this process, starting at 0',
      needs: ['rendezvous'],
      ...wholeNumber({ min: 0, max: MAX_RANKS - 1, example: '0' }),
      argument: 'I',
      defaultText: 'JOB_COMPLETION_INDEX, which Kubernetes sets in an indexed Job',
    },
  }),
} satisfies Readonly<Record<string, OptionRow>>;

/** The default config file, and the package.json key that can replace it. */
export const CONFIG_FILE = 'gobonnie.config.json';
export const PACKAGE_FILE = 'package.json';
export const PACKAGE_KEY = 'gobonnie';

export const configCatalogue = inGroup('CI and thresholds', {
  config: {
    help: 'read options from this file; variables such as GOBONNIE_SIZE override it',
    defaultText: `${CONFIG_FILE}, or "${PACKAGE_KEY}" in ${PACKAGE_FILE}, here or in a parent directory`,
    ...pathOf('file', CONFIG_FILE),
  },
  noConfig: switchRow('ignore config files'),
  profile: {
    argument: 'NAME',
    help: 'use this profile of the config file',
    expects: 'the name of a profile',
    example: 'ci',
  },
});

export type OptionRows = Readonly<Record<string, OptionRow>>;

/** The options that flags, variables and config files may set. */
export const settingRows: OptionRows = { ...optionCatalogue, ...cliOptionCatalogue };

/** All options, including those that select a config file or a profile, which a config file cannot set. */
export const optionRows: OptionRows = { ...settingRows, ...configCatalogue };

export function getOptionRow(name: string): OptionRow {
  const row = optionRows[name];
  if (!row) throw new Error(`there is no option ${name}`);
  return row;
}

/** Options by their names in the catalogues, before validation. */
export type RawOptions = Readonly<Record<string, unknown>>;

/** Picks the options of the benchmark itself, whose schema accepts no others. */
export function pickBenchmarkOptions(raw: RawOptions): OptionsInput {
  return Object.fromEntries(Object.entries(raw).filter(([name]) => Object.hasOwn(optionCatalogue, name)));
}
