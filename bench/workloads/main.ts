/**
 * `npm run bench:workloads -- WORK`: compares the steps of `gobonnie dev` with npm, git, rm, tar and SQLite on several
 * filesystems, and prints Markdown. Needs root, to mount them. The first run downloads a project into the directory WORK.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { constants, cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../bench-row.js';
import { GOBONNIE_FILE } from '../programs/gobonnie.js';
import type { FilesystemRounds } from './comparison.js';
import { TEST_FILESYSTEMS } from './filesystems.js';
import { formatValidation } from './format-validation.js';
import { measure } from './measure.js';
import { prepareProject } from './project.js';

/** The mean of the model's packages. */
const FILES_PER_PACKAGE = 35;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    dir: { type: 'string', default: tmpdir() },
    program: { type: 'string', default: GOBONNIE_FILE },
    /** By default, as many packages of the model as have the project's number of files. */
    packages: { type: 'string' },
    /** Compares the fastest rounds instead of the medians: other programs only slow a round. */
    fastest: { type: 'boolean', default: false },
    /** Unpacks the project instead: npm takes most of the time of a round. */
    'without-npm': { type: 'boolean', default: false },
    /** Names of filesystems, separated by commas. */
    only: { type: 'string', default: TEST_FILESYSTEMS.map(({ name }) => name).join() },
  },
});
const [work] = positionals;
if (work === undefined) throw new Error('pass a directory for the project, such as /var/tmp/workloads');
const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    process.exitCode = 128 + constants.signals[name];
    interruption.abort(new Error(`interrupted by ${name}`));
  });
}

mkdirSync(work, { recursive: true });
const project = prepareProject(resolve(work));
const packages = Number(values.packages ?? Math.round(project.files / FILES_PER_PACKAGE));
const settings = {
  project,
  model: { program: resolve(values.program), packages },
  rounds: Number(values.rounds),
  withNpm: !values['without-npm'],
  directory: resolve(values.dir),
  signal: interruption.signal,
  log: (line: string) => process.stderr.write(`bench: ${line}\n`),
};
const results: FilesystemRounds[] = [];
try {
  for (const filesystem of TEST_FILESYSTEMS) {
    if (!values.only.split(',').includes(filesystem.name)) continue;
    results.push(await measure(filesystem, settings));
    writeFileSync(join(work, 'results.json'), JSON.stringify(results, null, 1));
  }
} catch (error) {
  process.exitCode ??= 1;
  settings.log(error instanceof Error ? error.message : String(error));
}
process.stdout.write(
  `${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}, ` +
    `${project.files} files, ${packages} packages of the model, ${values.fastest ? 'fastest' : 'medians'} of ${values.rounds} rounds\n\n` +
    `${formatValidation(results, values.fastest ? (seconds) => Math.min(...seconds) : median)}`,
);
