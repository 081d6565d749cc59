import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../support/root.js';

const DIRECTORY = path.join(ROOT, 'docs/kubernetes');

interface PodTemplate {
  readonly spec: {
    readonly containers: readonly [
      {
        readonly command: readonly string[];
        readonly args?: readonly string[];
        readonly env?: readonly { readonly name: string; readonly value: string }[];
      },
    ];
  };
}

interface IndexedJob {
  readonly spec: {
    readonly completions: number;
    readonly parallelism: number;
    readonly template: PodTemplate;
  };
}

export interface MpiJob {
  readonly spec: {
    readonly slotsPerWorker: number;
    readonly mpiReplicaSpecs: Readonly<
      Record<'Launcher' | 'Worker', { readonly replicas: number; readonly template: PodTemplate }>
    >;
  };
}

export const indexedJob = (): IndexedJob => parse(readManifest('indexed-job.yaml'));
export const mpiJob = (): MpiJob => parse(readManifest('mpi-job.yaml'));

function readManifest(name: string): string {
  return readFileSync(path.join(DIRECTORY, name), 'utf8');
}

/** Returns the command of a pod's first container, with a small size and another directory. */
export function containerCommand({ spec }: PodTemplate, directory: string): readonly string[] {
  const [{ command, args = [] }] = spec.containers;
  const small = (text: string) =>
    text.replaceAll('/shared', directory).replaceAll('--size 1 ', '--size 0.01 ');
  return [...command, ...args].map(small);
}
