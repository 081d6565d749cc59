import { existsSync, readFileSync, type StatsFs, statfsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Report } from '../../../src/report/schema/report.js';
import type { ExitResult } from '../../support/programs/program.js';
import { leftoverPaths, userFilesIn } from './directory-contents.js';
import type { FaultCase } from './fault-case.js';
import { openSandbox, type Sandbox } from './sandbox.js';
import { stopAtSyscall, untilStopped } from './stop-at-syscall.js';

/** What a row brought about. */
export interface Observation extends ExitResult {
  readonly sandbox: Sandbox;
  /** Lines of stderr that begin with `gobonnie: `. */
  readonly errorLines: readonly string[];
  /** The paths it left. */
  readonly leftovers: readonly string[];
  /** Files in `$DIR` that are not gobonnie's, before the run and after it. */
  readonly userFiles: { readonly before: object; readonly after: object };
  /** Whether anything was ever created in `$DIR`. */
  readonly touched: boolean;
  /** The filesystem at the moment of the fault. */
  readonly filesystemAtFault: StatsFs | null;
  /** What `--out $WORK/report.json` holds. */
  readonly report: Report | null;
}

/** Prepares the fault, runs the command, and collects what happened. */
export async function runFaultCase(faultCase: FaultCase): Promise<Observation> {
  const sandbox = openSandbox();
  const { dir, work, sh } = sandbox;
  if (faultCase.setup) sh(faultCase.setup);
  const mine = path.join(dir, 'mine');
  // Flushed, because the device may disappear.
  if (faultCase.guarantees.includes(2) && !existsSync(mine)) writeFileSync(mine, 'mine', { flush: true });
  const before = faultCase.guarantees.includes(2) ? userFilesIn(dir) : {};
  const changedMs = existsSync(dir) ? statSync(dir).mtimeMs : null;
  const { ended, filesystemAtFault } = await runCommand(faultCase, sandbox);
  if (faultCase.restore) sh(faultCase.restore);
  const out = path.join(work, 'report.json');
  return {
    ...ended,
    sandbox,
    errorLines: ended.stderr.split('\n').filter((line) => line.startsWith('gobonnie: ')),
    leftovers: leftoverPaths(dir),
    userFiles: { before, after: userFilesIn(dir) },
    touched: statSync(dir).mtimeMs !== changedMs,
    filesystemAtFault,
    report: existsSync(out) ? JSON.parse(readFileSync(out, 'utf8')) : null,
  };
}

async function runCommand({ command, trigger }: FaultCase, sandbox: Sandbox) {
  if (!trigger)
    return { ended: await sandbox.start(['sh', '-c', command]).exitResult, filesystemAtFault: null };
  const log = path.join(sandbox.work, 'calls');
  const program = sandbox.start([...stopAtSyscall(trigger.at, log), 'sh', '-c', `exec ${command}`]);
  await untilStopped(program, log);
  const filesystemAtFault = statfsSync(sandbox.dir);
  sandbox.sh(trigger.script);
  program.child.kill('SIGCONT');
  return { ended: await program.exitResult, filesystemAtFault };
}
