import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeDirectory } from '../../support/disks/directory.js';
import { startProcess } from '../../support/programs/program.js';
import { ROOT } from '../../support/root.js';
import { requireTools } from '../../support/tools.js';
import { indexedJob, type MpiJob, mpiJob } from './manifests.js';

const MPI_JOB_SCHEMA = path.join(ROOT, 'test/docs/kubernetes/mpi-job.schema.json');
/** The first Kubernetes version after indexed jobs became stable. */
const OLDEST = '1.25';
/** The newest Kubernetes version that the validator supports. */
const NEWEST = '1.37';

beforeEach(requireTools('kubernetes-validate', 'jsonschema'));

/** Returns the errors of documents of Kubernetes' own kinds, or an empty string. */
async function kubernetesErrors(documents: readonly object[], version = NEWEST): Promise<string> {
  const args = ['--strict', '-k', version, ...documents.map(writeDocument)];
  const { stdout, exitCode } = await startProcess('kubernetes-validate', args).exitResult;
  const passed = stdout.match(/^INFO .* passed /gm) ?? [];
  return exitCode === 0 && passed.length === documents.length ? '' : stdout;
}

/** Returns the errors of a job of the MPI Operator and of its pods, or an empty string. */
async function operatorErrors(job: MpiJob): Promise<string> {
  const { stderr, exitCode } = await startProcess('jsonschema', ['-i', writeDocument(job), MPI_JOB_SCHEMA])
    .exitResult;
  if (exitCode !== 0) return stderr;
  const templates = Object.values(job.spec.mpiReplicaSpecs).map(({ template }) => template);
  const head = { apiVersion: 'v1', kind: 'PodTemplate', metadata: { name: 'pod' } };
  return kubernetesErrors(templates.map((template) => ({ ...head, template })));
}

function writeDocument(document: object): string {
  const file = path.join(makeDirectory(), 'document.json');
  writeFileSync(file, JSON.stringify(document));
  return file;
}

describe('docs/kubernetes/indexed-job.yaml', () => {
  test.each([OLDEST, NEWEST])('is valid in Kubernetes %s', async (version) => {
    expect(await kubernetesErrors([indexedJob()], version)).toBe('');
  });
});

describe('docs/kubernetes/mpi-job.yaml', () => {
  test('is valid for the MPI Operator, and its pods are valid in Kubernetes', async () => {
    expect(await operatorErrors(mpiJob())).toBe('');
  });

  test('is invalid with an unknown implementation of MPI', async () => {
    const text = JSON.stringify(mpiJob()).replace('"MPICH"', '"mpich"');
    expect(await operatorErrors(JSON.parse(text))).toContain("'mpich' is not one of");
  });
});
