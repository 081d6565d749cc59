import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { makeDirectory } from '../support/disks/directory.js';
import { FUSE_TOOLS, mountFuse } from '../support/disks/fuse.js';
import { HYDRA } from '../support/launchers/hydra.js';
import { ENTRY, type StartedProcess, startProcess } from '../support/programs/program.js';
import { readReportFile } from '../support/programs/read-report-file.js';
import { requireTools } from '../support/tools.js';

/** All phases; --verify checks each block and each name. */
const ALL = (
  '--size 0.01 --threads 1 --iops-duration 0.2 --cache keep --verify ' +
  '--phases write,rewrite,read,iops,create,stat,delete --files 20'
).split(' ');

/** Replaces ssh: starts Hydra's proxy under the host name. */
const SSH = `#!/bin/sh
while [ "\${1#-}" != "$1" ]; do shift; done
host=$1; shift
exec unshare --uts sh -c 'hostname "$0"; exec sh -c "$1"' "$host" "$*"
`;

/** Starts two ranks on each of two hosts. Each host has a proxy. */
function startOnTwoHosts(args: readonly string[]): StartedProcess {
  const ssh = path.join(makeDirectory(), 'ssh');
  writeFileSync(ssh, SSH);
  chmodSync(ssh, 0o755);
  const hosts = ['-localhost', '127.0.0.1', '-launcher', 'ssh', '-launcher-exec', ssh, '-hosts', 'h1,h2'];
  return startProcess(HYDRA, [...hosts, '-ppn', '2', '-n', '4', process.execPath, ENTRY, ...args]);
}

/** Returns the largest process ID of the ranks below this process. */
function lastRank(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? [];
  const isRank = readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(process.execPath);
  return isRank ? pid : Math.max(0, ...children.map(Number).map(lastRank));
}

beforeEach(requireTools(...FUSE_TOOLS, HYDRA, 'unshare'));

describe('four ranks on two hosts, in a FUSE directory', () => {
  test.each([[[]], [['--shared-file', '--shared-dir']], [['--read-own-files']]])(
    'write one report and leave no files: %j',
    async (flags) => {
      const { dir } = await mountFuse();
      const out = path.join(makeDirectory(), 'job.json');
      const { stderr, exitCode } = await startOnTwoHosts(['--dir', dir, '--out', out, ...ALL, ...flags])
        .exitResult;
      expect(exitCode, stderr).toBe(0);
      const report = readReportFile(out);
      expect(report.job).toMatchObject({
        readSource: flags[0] === '--read-own-files' ? 'own-requested' : 'next-host',
        hosts: [
          { name: 'h1', ranks: 2 },
          { name: 'h2', ranks: 2 },
        ],
      });
      const counts = report.runs[0]?.measurements.map(({ ranks = [] }) => ranks.length);
      expect(counts).toEqual([4, 4, 4, 4, 4, 4, 4]);
      expect(readdirSync(dir)).toEqual([]);
    },
  );

  test('leave no files when one rank is killed while another rank reads its files', async () => {
    const { dir } = await mountFuse();
    const out = path.join(makeDirectory(), 'job.json');
    const endless = ['--size', '0.01', '--threads', '1', '--iops-duration', '600', '--cache', 'keep'];
    const { child, exitResult } = startOnTwoHosts(['--dir', dir, '--out', out, ...endless]);
    const isReading = () => existsSync(out) && readReportFile(out).runs[0]?.measurements.length === 2;
    await vi.waitUntil(isReading, { timeout: 100_000, interval: 50 });
    process.kill(lastRank(child.pid ?? 0), 'SIGKILL');
    expect((await exitResult).exitCode).not.toBe(0);
    await vi.waitUntil(() => readdirSync(dir).length === 0, { timeout: 60_000, interval: 50 });
  });
});
