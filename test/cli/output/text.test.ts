import { expect, test } from 'vitest';
import { makeDirectory } from '../../support/disks/directory.js';
import { testOnLinux } from '../../support/linux.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { runGobonnie } from '../../support/programs/program.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';

const STAMP = String.raw`\d{4}/\d\d/\d\d \d\d:\d\d:\d\d`;
const RESULTS = [
  /^Sequential Write MB\/s: \d+\.\d\d$/,
  /^Sequential Read MB\/s: \d+\.\d\d$/,
  /^IOPS: \d+$/,
].map((line) => expect.stringMatching(line));

function linesOf(text: string): readonly string[] {
  return text.split('\n');
}

/** Returns the lines of stderr without warnings, which depend on the machine. */
function linesWithoutWarnings(stderr: string): readonly string[] {
  return linesOf(stderr).filter((line) => !new RegExp(`^${STAMP} warning: `).test(line));
}

function stamped(text: string) {
  return expect.stringMatching(new RegExp(`^${STAMP} ${text}$`));
}

testOnLinux('a run in memory warns exactly once that its results are not a disk’s speed', async () => {
  const dir = makeDirectory('/dev/shm');
  const { stderr } = await runGobonnie(['--dir', dir, '--runs', '2', ...SMALL_FLAGS]);
  // A busy machine causes more warnings.
  expect(linesOf(stderr).filter((line) => !/ \(gobonnie explain cpu-\w+\)$/.test(line))).toEqual([
    stamped('gobonnie starting\\. version: .*'),
    stamped(
      `warning: ${dir} is in memory \\(tmpfs\\), so the results do not show a disk's speed; ` +
        'use a directory on the disk to measure \\(gobonnie explain memory-filesystem\\)',
    ),
    '',
  ]);
});

test("-v adds gobonniego's lines to stderr, in gobonniego's order, and does not change stdout", async () => {
  const dir = makeDirectory();
  const args = ['-v', '--dir', dir, ...SMALL_FLAGS, '--iops-duration', '1'];
  const { stdout, stderr, exitCode } = await runGobonnie(args);
  expect(exitCode).toBe(0);
  expect(linesOf(stdout)).toEqual([...RESULTS, '']);
  // On a busy machine, the memory ceiling may be missing or partial: log-format.test.ts tests its line.
  const lines = linesWithoutWarnings(stderr).filter((line) => !line.includes(' Memory ceiling: '));
  // log-format.test.ts tests the rest of each line.
  expect(lines.map((line) => line.replace(new RegExp(`^${STAMP} (\\D+?)(?::| \\d).*$`), '$1'))).toEqual([
    'gobonnie starting. version',
    'Number of CPU cores',
    'Total system RAM (MiB)',
    'Bonnie working directory',
    'Written (MiB)',
    'Written (MB)',
    'Duration (seconds)',
    'Sequential Write',
    'Read (MiB)',
    'Read (MB)',
    'Duration (seconds)',
    'Sequential Read',
    'operations',
    'Duration (seconds)',
    'IOPS',
    '',
  ]);
});

test('-v names the engine, the threads and the depth of each step of a list', async () => {
  const step = 'random,name=a,threads=1,depth=4,engine=threads,seconds=0.1';
  const args = ['--dir', makeDirectory(), '--size', '1M', '--step', step];
  const line = 'gobonnie: a: engine threads, 4 threads, depth 1\n';
  expect((await runInProcess([...args, '-v'])).stderr).toContain(line);
  expect((await runInProcess(args)).stderr).not.toContain(line);
});
