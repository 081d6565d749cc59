import { withCpuLoad } from '../harness/cpu-load.js';
import type { StepSeconds } from './agreement.js';
import type { FilesystemRounds } from './comparison.js';
import { type TestFilesystem, withFilesystem } from './filesystems.js';
import { type Model, runModel } from './model.js';
import type { Project } from './project.js';
import { copyInputs, runRealTools } from './real-tools.js';

export interface Settings {
  readonly project: Project;
  readonly model: Model;
  readonly rounds: number;
  /** False to unpack the project instead of installing it. */
  readonly withNpm: boolean;
  /** The parent directory of images and mount points. */
  readonly directory: string;
  readonly signal: AbortSignal;
  log(line: string): void;
}

/** Runs the real tools and the model in turns, in new directories. Each round starts with the other. */
export function measure(filesystem: TestFilesystem, settings: Settings): Promise<FilesystemRounds> {
  const { project, model, rounds, withNpm, directory, signal, log } = settings;
  const { name, isNative } = filesystem;
  return withFilesystem(filesystem, directory, async (mountPoint) => {
    const inputs = copyInputs(project, mountPoint);
    const results = { real: [] as StepSeconds[], model: [] as StepSeconds[] };
    const turns = [
      { kind: 'real', run: () => runRealTools(inputs, withNpm, mountPoint, signal) },
      { kind: 'model', run: () => runModel(model, mountPoint, signal) },
    ] as const;
    for (let round = 0; round < rounds; round++) {
      for (const { kind, run } of round % 2 === 0 ? turns : turns.toReversed()) {
        const { result, otherCpuShare } = await withCpuLoad(run);
        results[kind].push(result);
        const steps = Object.entries(result).map(([step, seconds]) => `${step} ${seconds.toFixed(3)}`);
        const others = `${(100 * (otherCpuShare ?? 0)).toFixed(0)} %`;
        log(
          `${name}, ${kind}, round ${round + 1}: ${steps.join(', ')}; other processes used ${others} of the CPUs`,
        );
      }
    }
    return { filesystem: name, isNative, ...results };
  });
}
