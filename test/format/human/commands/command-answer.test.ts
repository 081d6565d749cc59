import { expect, test } from 'vitest';
import { toCommandSide } from '../../../../src/command/side.js';
import type { CommandRun, CommandSide } from '../../../../src/compare/comparison-schema.js';
import { compareInTurn } from '../../../../src/compare/winners.js';
import { describeCommand } from '../../../../src/format/human/commands/command-answer.js';
import { commandComparison, commandSide } from '../../../support/data/command-fixtures.js';

const DISK = [12.4, 12.5, 12.3, 12.4, 12.4];
const MEMORY = [10.7, 10.8, 10.6, 10.7, 10.7];
const NOISY = [9, 16, 11, 14, 12];

const inMemory = (seconds: readonly number[], counted: Partial<CommandRun> = {}) =>
  commandSide('/dev/shm', seconds, { isMemory: true, cpuSeconds: 10.5, ...counted });
const here = (seconds: readonly number[], counted: Partial<CommandSide & CommandRun> = {}) =>
  commandSide('/app', seconds, { cpuSeconds: 10.5, ...counted });

test.each<readonly [string, CommandSide, CommandSide, RegExp]>([
  [
    'a disk slower than memory',
    here(DISK, { ioWaitSeconds: 1.75 }),
    inMemory(MEMORY),
    /^12\.4 s \(12\.3 s to 12\.5 s in 5 runs\) in \/app, 10\.7 s \(.*\) in \/dev\/shm, which is memory: a faster disk can save at most 1\.7 s \(13\.7 %\): in \/app, waits for I\/O take 1\.65 s longer; the command takes 10\.5 s of CPU time\.$/,
  ],
  [
    'a disk whose filesystem computes longer, although the disk is hardly waited for',
    here(DISK, { cpuSeconds: 13.7, systemCpuSeconds: 3.3, ioWaitSeconds: 0.2 }),
    inMemory(MEMORY),
    /: \/dev\/shm saves 1\.7 s \(13\.7 %\), of which a faster disk would save hardly any: in \/app, the filesystem's calls compute 3\.1 s longer; the command takes 13\.7 s of CPU time on several CPUs\.$/,
  ],
  [
    'a disk and several causes, the longest first',
    here(DISK, { cpuSeconds: 12, systemCpuSeconds: 1, ioWaitSeconds: 0.5 }),
    inMemory(MEMORY),
    /: a faster disk can save at most 400 ms of the difference of 1\.7 s \(13\.7 %\): in \/app, the filesystem's calls compute 800 ms longer, the command itself computes 700 ms longer and waits for I\/O take 400 ms longer; /,
  ],
  [
    'a filesystem that another process serves',
    here(DISK, { ioWaitSeconds: 1.5, fileServer: 'process' }),
    inMemory(MEMORY),
    /: \/dev\/shm saves 1\.7 s \(13\.7 %\): in \/app, waits .*\. Another process serves \/app \(ext4\)\. Keep files that must be fast on a filesystem of the kernel\.$/,
  ],
  [
    'a disk that syncs, whose waits the kernel does not count as I/O',
    here(DISK),
    inMemory(MEMORY),
    /: \/dev\/shm saves 1\.7 s \(13\.7 %\): in \/app, other waits, such as for a sync, another process or a busy CPU, take 1\.7 s longer; /,
  ],
  [
    'a disk as fast as memory',
    here(DISK),
    inMemory(DISK),
    /: no difference of more than 0\.\d % found: the disk is not the reason; the command takes 10\.5 s/,
  ],
  [
    'waits in memory, which are for files elsewhere',
    here(DISK, { ioWaitSeconds: 2 }),
    inMemory(DISK, { ioWaitSeconds: 2 }),
    /: no difference of more than 0\.\d % found\. In \/dev\/shm, 2 s are waits for files outside the copy, which a faster disk may also shorten\./,
  ],
  [
    'waits for files elsewhere, and too much noise',
    here(NOISY, { ioWaitSeconds: 2 }),
    inMemory(NOISY.toReversed(), { ioWaitSeconds: 2 }),
    /: no difference found, but one of 10 % is possible: .*\. In \/dev\/shm, 2 s are waits for files outside the copy/,
  ],
  [
    'a disk faster than memory',
    here(MEMORY),
    inMemory(DISK),
    /: memory is slower than the disk here, so a faster disk saves nothing;/,
  ],
  [
    'two equal disks',
    here(DISK),
    commandSide('/other', DISK),
    /: no difference of more than 0\.\d % found\.$/,
  ],
  [
    'too much noise',
    here(NOISY),
    commandSide('/other', NOISY.toReversed()),
    /: no difference found, but one of 10 % is possible: /,
  ],
  [
    'a large difference that two runs cannot prove',
    here([0.139, 0.225], { name: 'npm ci' }),
    here([0.069, 0.081], { name: 'pnpm i' }),
    /: pnpm i was 57\.\d % faster, but this may be chance; too few runs: use --runs 5\.$/,
  ],
  [
    'memory after two runs, with the range of the table',
    here([1, 1.04]),
    inMemory([1.005, 1.01]),
    /: no difference of more than [1-9]\d(\.\d)? % found: too few runs: use --runs 5\.$/,
  ],
  [
    'single runs',
    here([12]),
    commandSide('/other', [6]),
    /^12 s in a single run in \/app, 6 s in a single run in \/other: a single run may differ by chance: use --runs 5\.$/,
  ],
  [
    'two commands in one directory',
    here(DISK, { name: 'npm ci' }),
    here(MEMORY, { name: 'pnpm i', cpuSeconds: 9 }),
    /^12\.4 s \(.*\) for npm ci, 10\.7 s \(.*\) for pnpm i: pnpm i saves 1\.7 s \(13\.7 %\): for npm ci, the command itself computes 1\.5 s longer and .*; npm ci takes 10\.5 s of CPU time\.$/,
  ],
  [
    'two long commands',
    here(DISK, { name: `npm ci ${'-'.repeat(30)}` }),
    here(MEMORY, { name: `pnpm i ${'-'.repeat(30)}` }),
    /-: the latter saves 1\.7 s \(13\.7 %\).*; the former takes 10\.5 s of CPU time\.$/,
  ],
  [
    'an unknown CPU time',
    commandSide('/app', DISK, { cpuSeconds: null }),
    inMemory(MEMORY),
    /: \/dev\/shm saves 1\.7 s \(13\.7 %\); the CPU time of the command is unknown or too short to be counted\.$/,
  ],
])('the answer about %s claims no more than was shown', (_, one, other, answer) => {
  const sides = [toCommandSide(one), toCommandSide(other)] as const;
  const { comparisons } = compareInTurn(sides, null, 'final');
  expect(describeCommand(comparisons, commandComparison([one, other]))[0]).toMatch(answer);
});

test('after an interruption, an open answer advises to let it run to its end', () => {
  const sides = [here(NOISY), commandSide('/other', NOISY.toReversed())] as const;
  const { comparisons } = compareInTurn(sides.map(toCommandSide), null, 'final');
  expect(describeCommand(comparisons, commandComparison([...sides]), true)[0]).toMatch(
    / possible: let it run to its end\.$/,
  );
});

test.each([
  [{ firstRunSeconds: 40 }, 'The first run, which does not count, took 40 s in /app'],
  [{ firstRunSeconds: 40, prepare: 'make clean' }, 'or --prepare does not undo all of their work'],
  [{ cache: { applied: 'evict', reason: null } }, "the page cache was emptied of the copy's files"],
  [{ cache: { applied: 'keep', reason: 'as requested' } }, 'the page cache was kept (as requested).'],
  [{ ioWaitOf: 'system' }, 'The waits for I/O and device rows count all programs'],
] as const)('after %j, a sentence says: %s', (facts, sentence) => {
  const side = { ...here(DISK), ...facts };
  const command = { ...commandComparison([side, here(DISK)]), ...facts };
  expect(describeCommand([], command).join('\n')).toContain(sentence);
});
