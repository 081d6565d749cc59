import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { makeDirectory } from '../../support/disks/directory.js';
import { createPath } from '../../support/programs/create-path.js';
import { type StartedProcess, startProcess } from '../../support/programs/program.js';
import { ROOT } from '../../support/root.js';
import { requireTools } from '../../support/tools.js';

const MANIFEST = parse(readFileSync(path.join(ROOT, 'docs/kubernetes/indexed-job.yaml'), 'utf8'));
const SMALL = '--size 0.01 --iops-duration 0.2 --threads 1 --cache keep --barrier-timeout 60'.split(' ');

/** The first Kubernetes version after indexed jobs became stable. */
const OLDEST = '1.26';
/** The newest Kubernetes version that the validator supports. */
const NEWEST = '1.37';

test.for([OLDEST, NEWEST])('the job is valid in Kubernetes %s', async (version, context) => {
  requireTools('kubernetes-validate')(context);
  const file = path.join(makeDirectory(), 'job.json');
  writeFileSync(file, JSON.stringify(MANIFEST));
  const args = ['--strict', '-k', version, file];
  const { stdout, exitCode } = await startProcess('kubernetes-validate', args).exitResult;
  expect(stdout).toMatch(/^INFO .* passed /m);
  expect(exitCode).toBe(0);
});

/** Returns the measurements in the job's report. */
function readMeasurements(directory: string): readonly { phase: string; ranks: readonly unknown[] }[] {
  const lines = readFileSync(path.join(directory, 'gobonnie.ndjson'), 'utf8').trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line));
  return events.filter(({ type }) => type === 'step-end').map(({ measurement }) => measurement);
}

/** Starts the processes of the job's pods, but with a small size and another directory. */
function startPods(directory: string, more: readonly string[]): readonly StartedProcess[] {
  const { completions, parallelism, template } = MANIFEST.spec;
  expect(parallelism).toBe(completions);
  const [container] = template.spec.containers;
  const words: readonly string[] = [...container.command, ...container.args];
  const [program = '', ...others] = words.map((text) => text.replaceAll('/shared', directory));
  return Array.from({ length: completions }, (_, index) => {
    const env = { ...process.env, PATH: createPath(), JOB_COMPLETION_INDEX: String(index) };
    return startProcess(program, [...others, ...SMALL, ...more], { env });
  });
}

test('the pods write one report, and leave no other files on the volume', async () => {
  const directory = makeDirectory();
  const pods = startPods(directory, []);
  const [first, ...others] = await Promise.all(pods.map(({ exitResult }) => exitResult));
  expect(first).toMatchObject({ exitCode: 0 });
  expect(first?.stdout).toMatch(/^ {2}4 ranks on 1 host, as timed:$/m);
  for (const { stdout, exitCode } of others) expect([stdout, exitCode]).toEqual(['', 0]);
  expect(readMeasurements(directory).map(({ ranks }) => ranks.length)).toEqual([4, 4, 4]);
  expect(readdirSync(directory)).toEqual(['gobonnie.ndjson']);
});

test('if the first pod is killed, the other pods exit and the report has the complete phases', async () => {
  const directory = makeDirectory();
  const [first, ...others] = startPods(directory, ['--iops-duration', '3', '--barrier-timeout', '15']);
  const report = path.join(directory, 'gobonnie.ndjson');
  const isAtIops = () => existsSync(report) && /"step-start".*"iops"/.test(readFileSync(report, 'utf8'));
  await vi.waitUntil(isAtIops, { timeout: 60_000 });
  first?.child.kill('SIGKILL');
  for (const { exitCode, stderr } of await Promise.all(others.map(({ exitResult }) => exitResult))) {
    expect(stderr).toContain('timed out after 15 s waiting for the other ranks');
    expect(exitCode).toBe(1);
  }
  expect(readMeasurements(directory).map(({ phase }) => phase)).toEqual(['write', 'read']);
  await vi.waitUntil(() => readdirSync(directory).join() === 'gobonnie.ndjson', { timeout: 60_000 });
});
