import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ENTRY, type StartedProcess, startProcess } from '../programs/program.js';

export const SLURM_TOOLS = ['root', 'slurmctld', 'slurmd', 'sbatch', 'srun', 'unshare'];

const POLL_MS = 100;
const MAX_POLLS = 600;

export interface Cluster {
  /** Environment variables for a command. */
  readonly env: Readonly<Record<'SLURM_CONF', string>>;
  readonly srun: (flags: readonly string[], args: readonly string[]) => StartedProcess;
  /** Starts a batch job, and ends when the job ends. `place` is its working directory and PATH. */
  readonly sbatch: (args: readonly string[], place: { cwd: string; PATH: string }) => StartedProcess;
  readonly stop: () => Promise<void>;
}

/** Starts Slurm on this machine, with several named nodes. Slurm writes its files to `directory`. */
export async function startCluster(directory: string, nodes: readonly string[]): Promise<Cluster> {
  const ports = await findFreePorts(nodes.length + 1);
  const file = path.join(directory, 'slurm.conf');
  writeFileSync(file, buildConfiguration(directory, nodes, ports));
  writeFileSync(path.join(directory, 'cgroup.conf'), 'CgroupPlugin=cgroup/v1\n');
  const env = { ...process.env, SLURM_CONF: file };
  for (const name of ['state', ...nodes.map((node) => `spool.${node}`)])
    mkdirSync(path.join(directory, name));
  execFileSync('slurmctld', ['-f', file], { env, stdio: 'ignore' });
  for (const node of nodes) {
    const command = `hostname ${node}; exec slurmd -N ${node} -f ${file}`;
    spawn('unshare', ['--uts', 'sh', '-c', command], { env, stdio: 'ignore' });
  }
  const idleNodes = () =>
    execFileSync('sinfo', ['-h', '-N', '-o', '%t'], { env, encoding: 'utf8' }).match(/idle/g);
  await pollUntil(() => idleNodes()?.length === nodes.length);
  return {
    env: { SLURM_CONF: file },
    srun: (flags, args) => startProcess('srun', [...flags, process.execPath, ENTRY, ...args], { env }),
    sbatch: (args, { cwd, PATH }) =>
      startProcess('sbatch', ['--wait', ...args], { cwd, env: { ...env, PATH } }),
    async stop() {
      const pidFiles = ['ctld.pid', ...nodes.map((node) => `slurmd.${node}.pid`)];
      for (const name of pidFiles.map((file) => path.join(directory, file)))
        if (existsSync(name)) process.kill(Number(readFileSync(name, 'utf8')));
      await pollUntil(() => pidFiles.every((name) => !existsSync(path.join(directory, name))));
    },
  };
}

function buildConfiguration(
  directory: string,
  nodes: readonly string[],
  [port, ...nodePorts]: readonly number[],
) {
  const settings = {
    ClusterName: 'test',
    SlurmctldHost: 'localhost(127.0.0.1)',
    SlurmctldPort: port,
    AuthType: 'auth/none',
    CredType: 'cred/none',
    SlurmUser: 'root',
    SlurmdUser: 'root',
    StateSaveLocation: `${directory}/state`,
    SlurmdSpoolDir: `${directory}/spool.%n`,
    SlurmctldPidFile: `${directory}/ctld.pid`,
    SlurmdPidFile: `${directory}/slurmd.%n.pid`,
    SlurmctldLogFile: `${directory}/ctld.log`,
    SlurmdLogFile: `${directory}/slurmd.%n.log`,
    ProctrackType: 'proctrack/linuxproc',
    TaskPlugin: 'task/none',
    JobAcctGatherType: 'jobacct_gather/none',
    SchedulerType: 'sched/builtin',
    SelectType: 'select/cons_tres',
    SelectTypeParameters: 'CR_CPU',
    ReturnToService: 2,
    KillWait: 5,
  };
  return [
    ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
    ...nodes.map(
      (node, index) => `NodeName=${node} NodeAddr=127.0.0.1 Port=${nodePorts[index]} CPUs=2 State=UNKNOWN`,
    ),
    'PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4',
    '',
  ].join('\n');
}

async function pollUntil(condition: () => boolean): Promise<void> {
  for (let poll = 0; !condition(); poll++) {
    if (poll === MAX_POLLS) throw new Error('Slurm did not reach the expected state within a minute');
    await setTimeout(POLL_MS);
  }
}

/** Returns ports on which no program listens at the moment. */
async function findFreePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
