import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { makeDirectory } from '../../support/disks/directory.js';
import { HYDRA } from '../../support/launchers/hydra.js';
import { createPath } from '../../support/programs/create-path.js';
import { type StartedProcess, startProcess } from '../../support/programs/program.js';
import { requireTools } from '../../support/tools.js';
import { containerCommand, indexedJob, mpiJob } from './manifests.js';

const SMALL = ['--iops-duration', '0.2', '--threads', '1', '--cache', 'keep', '--barrier-timeout', '60'];

/** Returns the measurements in the job's report. */
function readMeasurements(directory: string): readonly { phase: string; ranks: readonly unknown[] }[] {
  const lines = readFileSync(path.join(directory, 'gobonnie.ndjson'), 'utf8').trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line));
  return events.filter(({ type }) => type === 'step-end').map(({ measurement }) => measurement);
}

describe('indexed-job.yaml', () => {
  /** Starts the processes of the job's pods, but with another directory. */
  function startPods(directory: string, more: readonly string[]): readonly StartedProcess[] {
    const { completions, parallelism, template } = indexedJob().spec;
    expect(parallelism).toBe(completions);
    const [program = '', ...args] = containerCommand(template, directory);
    return Array.from({ length: completions }, (_, index) => {
      const env = { ...process.env, PATH: createPath(), JOB_COMPLETION_INDEX: String(index) };
      return startProcess(program, [...args, ...SMALL, ...more], { env });
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
});

describe('mpi-job.yaml', () => {
  beforeEach(requireTools('root', HYDRA, 'unshare'));

  test('the launcher waits for the names of all pods, and writes one report', async () => {
    const { slotsPerWorker, mpiReplicaSpecs } = mpiJob().spec;
    const { Launcher, Worker } = mpiReplicaSpecs;
    const directory = makeDirectory();
    const operator = makeDirectory();
    const hostfile = path.join(operator, 'hostfile');
    const calls = path.join(operator, 'calls');
    const hosts = Array.from({ length: Worker.replicas }, (_, index) => `gobonnie-worker-${index}`);
    const domain = 'gobonnie.default.svc';
    writeFileSync(hostfile, hosts.map((host) => `${host}.${domain}:${slotsPerWorker}\n`).join(''));
    const PATH = createPath({
      mpiexec: `exec ${HYDRA} "$@"`,
      // The first look-up of each name fails.
      getent: `echo "$2" >>'${calls}'; test "$(grep -cx "$2" '${calls}')" -gt 1`,
      // A worker's host is this host with another name.
      ssh: `[ "$2 $3" = '-o ConnectionAttempts=10' ] || exit 9; shift 3
exec unshare --uts sh -c 'hostname "\${1%%.*}"; shift; exec sh -c "$*"' sh "$@"`,
    });
    const [{ env = [] }] = Launcher.template.spec.containers;
    const containerEnv = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    const [program = '', ...args] = containerCommand(Launcher.template, directory);
    const script = (args.at(-1) ?? '').replace('/etc/mpi/hostfile', hostfile).trimEnd();
    const { stdout, stderr, exitCode } = await startProcess(
      program,
      [...args.slice(0, -1), `${script} ${SMALL.join(' ')}`],
      {
        env: {
          ...process.env,
          ...containerEnv,
          PATH,
          HYDRA_HOST_FILE: hostfile,
          HOSTNAME: 'gobonnie-launcher',
        },
      },
    ).exitResult;
    expect(exitCode, stderr).toBe(0);
    expect(stdout).toMatch(/^ {2}4 ranks on 4 hosts, as timed:$/m);
    for (const host of hosts) expect(stdout).toContain(host);
    const lookups = [...hosts, 'gobonnie-launcher'].map((host) => `${host}.${domain}`);
    expect(readFileSync(calls, 'utf8').split('\n')).toEqual(expect.arrayContaining(lookups));
    expect(readMeasurements(directory).map(({ ranks }) => ranks.length)).toEqual([4, 4, 4]);
    expect(readdirSync(directory)).toEqual(['gobonnie.ndjson']);
  });
});
