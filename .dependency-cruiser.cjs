/** Allowed imports between folders. `npm run lint` enforces them; docs/architecture.md draws them. */
const TEXT = ['^src/text/', '^src/(errors|runtime|system-error|version)[.]ts$'];
const REPORT = ['^src/(report|warnings)/', '^src/machine/(filesystem|machine-schema)[.]ts$'];
/** Files shared by workers and the main thread. */
const WORKERS =
  '^workers/(protocol|random|latency-recorder|thread-io)[.]ts$|^workers/(phases|data|files|engine)/';

/** The paths that each folder may import. */
const FOLDERS = {
  text: ['^src/errors[.]ts$'],
  options: [...TEXT, '^workers/(engine|phases)/'],
  machine: [...TEXT, '^workers/engine/'],
  plan: [...TEXT, '^src/options/', '^src/machine/', '^src/(report|warnings)/', WORKERS],
  report: [...TEXT, '^src/machine/(filesystem|machine-schema)[.]ts$', '^src/options/', WORKERS],
  warnings: [...TEXT, ...REPORT, '^src/options/', WORKERS],
  scratch: [...TEXT, '^src/options/', '^src/machine/', '^src/plan/', '^src/(report|warnings)/', WORKERS],
  run: [
    ...TEXT,
    '^src/machine/',
    '^src/options/',
    '^src/plan/',
    '^src/(report|warnings)/',
    '^src/scratch/',
    WORKERS,
  ],
  hosts: [...TEXT, ...REPORT, '^src/machine/', '^src/options/', '^src/run/peer-group[.]ts$', '^src/scratch/'],
  presets: [...TEXT, '^src/options/'],
  checks: [...TEXT, ...REPORT, '^src/options/', '^workers/phases/'],
  read: [
    ...TEXT,
    ...REPORT,
    '^src/format/compat/bonnie-tests[.]ts$',
    '^src/sweep/point[.]ts$',
    '^workers/phases/',
  ],
  compare: [...TEXT, ...REPORT, '^src/options/option-catalogue[.]ts$'],
  sweep: [...TEXT, ...REPORT],
  format: [
    ...TEXT,
    ...REPORT,
    '^src/compare/',
    '^src/options/',
    '^src/plan/',
    '^src/presets/',
    '^src/rating/',
    '^src/sweep/',
    '^workers/phases/',
  ],
  rating: [...TEXT, '^src/report/', '^src/machine/(filesystem|machine-schema)[.]ts$'],
  zones: [...TEXT, '^src/options/', '^src/machine/', '^src/report/', '^src/run/', '^src/scratch/', WORKERS],
};

/** Folders that never call the system: the same input gives the same output. */
const PURE = '^src/(presets|plan|format|read|report|warnings|checks|compare|rating|sweep)/';

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-lost-imports', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-orphans',
      comment: 'A file that nothing imports is dead code.',
      severity: 'error',
      from: { orphan: true },
      to: {},
    },
    ...Object.entries(FOLDERS).map(([folder, allowed]) => ({
      name: `${folder}-imports`,
      severity: 'error',
      from: { path: `^src/${folder}/` },
      to: { path: '^(src|workers)/', pathNot: [`^src/${folder}/`, ...allowed] },
    })),
    {
      name: 'nothing-imports-cli',
      severity: 'error',
      from: { pathNot: '^src/cli/' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'jobs-in-the-cli',
      comment:
        'A run on one machine knows nothing of ranks: only commands join a job, and hand it to the run.',
      severity: 'error',
      from: { path: '^(src|workers)/', pathNot: '^src/(hosts|cli/commands)/' },
      to: { path: '^src/hosts/' },
    },
    {
      name: 'argv-at-the-bottom-of-cli',
      comment: 'Commands, compat and config import argv, never the reverse.',
      severity: 'error',
      from: { path: '^src/cli/argv/' },
      to: { path: '^src/cli/(compat|commands|completion|config|progress)/' },
    },
    {
      name: 'library-by-its-index',
      severity: 'error',
      from: { pathNot: '^src/(library/|index[.]ts$)' },
      to: { path: '^src/(library/|index[.]ts$)' },
    },
    {
      name: 'workers-alone',
      comment: 'A thread loads only workers and node: to start fast.',
      severity: 'error',
      from: { path: '^workers/' },
      to: { pathNot: '^workers/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'pure-folders',
      comment: 'Plans, reports, comparisons, sweeps and formats are pure.',
      severity: 'error',
      from: { path: PURE },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'commander-in-the-cli',
      severity: 'error',
      from: { pathNot: '^src/cli/' },
      to: { path: 'node_modules/commander' },
    },
    {
      name: 'zod-validates',
      severity: 'error',
      from: {
        path: '^(src|workers)/',
        pathNot: '^src/(options|machine|report|compare|read|sweep|hosts|cli)/',
      },
      to: { path: 'node_modules/zod' },
    },
    {
      name: 'systeminformation-in-one-file',
      comment: 'It is slow and may crash, so that file runs it in its own thread. Linux does not need it.',
      severity: 'error',
      from: { pathNot: '^src/machine/system-information[.]ts$' },
      to: { path: 'node_modules/systeminformation' },
    },
    {
      name: 'runtime-dependencies',
      severity: 'error',
      from: { path: '^(src|workers)/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    parser: 'tsc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js'],
      conditionNames: ['import', 'node'],
      exportsFields: ['exports'],
    },
  },
};
