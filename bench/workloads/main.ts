/**
 * `npm run bench:workloads -- WORK`: compares the steps of `gobonnie dev` with npm, git, rm, tar and SQLite on several
 * filesystems, and prints Markdown. Needs root, to mount them. WORK is a directory for the project to install, which the
 * first run downloads.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { constants, cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { withCpuLoad } from '../harness/cpu-load.js';
import { GOBONNIE_FILE } from '../programs/gobonnie.js';
import type { StepSeconds } from './agreement.js';
import type { FilesystemRounds } from './comparison.js';
import { TEST_FILESYSTEMS, type TestFilesystem, withFilesystem } from './filesystems.js';
import { formatValidation } from './format-validation.js';
import { runModel } from './model.js';
import { prepareProject } from './project.js';
import { copyInputs, runRealTools } from './real-tools.js';

/** The model's packages have 35 files on average. */
const FILES_PER_PACKAGE = 35;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    /** Parent directory of the images and mount points. */
    dir: { type: 'string', default: tmpdir() },
    program: { type: 'string', default: GOBONNIE_FILE },
    packages: { type: 'string' },
    /** Names of filesystems, separated by commas. */
    only: { type: 'string' },
  },
});
const log = (line: string) => process.stderr.write(`bench: ${line}\n`);
const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    process.exitCode = 128 + constants.signals[name];
    interruption.abort(new Error(`interrupted by ${name}`));
  });
}

const work = resolve(positionals[0] ?? join(values.dir, 'gobonnie-workloads'));
mkdirSync(work, { recursive: true });
const project = prepareProject(work);
const model = {
  program: resolve(values.program),
  packages: Number(values.packages ?? Math.round(project.files / FILES_PER_PACKAGE)),
};
const results: FilesystemRounds[] = [];
try {
  const names = values.only?.split(',');
  for (const filesystem of TEST_FILESYSTEMS.filter(({ name }) => names?.includes(name) ?? true)) {
    results.push(await measure(filesystem));
    writeFileSync(join(work, 'results.json'), JSON.stringify(results, null, 1));
  }
} catch (error) {
  process.exitCode ??= 1;
  log(error instanceof Error ? error.message : String(error));
}
process.stdout.write(
  `${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}\n` +
    `${project.files} files, ${model.packages} packages of the model, medians of ${values.rounds} rounds\n\n`,
);
if (results.length > 0) process.stdout.write(formatValidation(results));

/** Runs the real tools and the model in turns, each round with another first, in new directories. */
function measure({ name, isNative, ...rest }: TestFilesystem): Promise<FilesystemRounds> {
  const { signal } = interruption;
  return withFilesystem({ name, isNative, ...rest }, resolve(values.dir), async (mountPoint) => {
    const inputs = copyInputs(project, mountPoint);
    const rounds = { real: [] as StepSeconds[], model: [] as StepSeconds[] };
    const turns = [
      { kind: 'real', run: () => runRealTools(inputs, mountPoint, signal) },
      { kind: 'model', run: () => runModel(model, mountPoint, signal) },
    ] as const;
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const { kind, run } of round % 2 === 0 ? turns : turns.toReversed()) {
        const { result, otherCpuShare } = await withCpuLoad(run);
        rounds[kind].push(result);
        const steps = Object.entries(result).map(([step, seconds]) => `${step} ${seconds.toFixed(3)}`);
        const others = ((otherCpuShare ?? 0) * 100).toFixed(0);
        log(
          `${name}, ${kind}, round ${round + 1}: ${steps.join(', ')}; other processes used ${others} % of the CPUs`,
        );
      }
    }
    return { filesystem: name, isNative, ...rounds };
  });
}
