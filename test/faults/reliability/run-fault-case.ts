import { existsSync, readFileSync, type StatsFs, statfsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Report } from '../../../src/report/schema/report.js';
import type { ExitResult } from '../../support/programs/program.js';
import { leftoverPaths, userFilesIn } from './directory-contents.js';
import type { FaultCase } from './fault-case.js';
import { openSandbox, type Sandbox } from './sandbox.js';
import { stopAtSyscall, untilStopped } from './stop-at-syscall.js';

/** The outcome of a case. */
export interface Observation extends ExitResult {
  readonly sandbox: Sandbox;
  /** Lines of stderr that begin with `gobonnie: `. */
  readonly errorLines: readonly string[];
  /** Paths that gobonnie left behind. */
  readonly leftovers: readonly string[];
  /** Files in `$DIR` that are not gobonnie's, before the run and after it. */
  readonly userFiles: { readonly before: object; readonly after: object };
  /** True if anything was created in `$DIR`, even for a short time. */
  readonly touched: boolean;
  /** The filesystem when the fault was injected; null without a trigger. */
  readonly filesystemAtFault: StatsFs | null;
  /** The report in `$WORK/report.json`, or null. */
  readonly report: Report | null;
}

/** Prepares the fault, runs the command and collects the outcome. */
export async function runFaultCase(faultCase: FaultCase): Promise<Observation> {
  const sandbox = openSandbox();
  const { dir, work, sh } = sandbox;
  if (faultCase.setup) sh(faultCase.setup);
  const mine = path.join(dir, 'mine');
  // Flushes the file, because the device may disappear.
  if (faultCase.guarantees.includes(2) && !existsSync(mine)) writeFileSync(mine, 'mine', { flush: true });
  const before = faultCase.guarantees.includes(2) ? userFilesIn(dir) : {};
  const changedMs = existsSync(dir) ? statSync(dir).mtimeMs : null;
  const { result, filesystemAtFault } = await runCommand(faultCase, sandbox);
  if (faultCase.restore) sh(faultCase.restore);
  const out = path.join(work, 'report.json');
  return {
    ...result,
    sandbox,
    errorLines: result.stderr.split('\n').filter((line) => line.startsWith('gobonnie: ')),
    leftovers: leftoverPaths(dir),
    userFiles: { before, after: userFilesIn(dir) },
    touched: statSync(dir).mtimeMs !== changedMs,
    filesystemAtFault,
    report: existsSync(out) ? JSON.parse(readFileSync(out, 'utf8')) : null,
  };
}

async function runCommand({ command, trigger }: FaultCase, sandbox: Sandbox) {
  if (!trigger)
    return { result: await sandbox.start(['sh', '-c', command]).exitResult, filesystemAtFault: null };
  const log = path.join(sandbox.work, 'calls');
  const program = sandbox.start([...stopAtSyscall(trigger.at, log), 'sh', '-c', `exec ${command}`]);
  await untilStopped(program, log);
  const filesystemAtFault = statfsSync(sandbox.dir);
  sandbox.sh(trigger.script);
  program.child.kill('SIGCONT');
  return { result: await program.exitResult, filesystemAtFault };
}
