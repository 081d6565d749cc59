import { describe, expect, test } from 'vitest';
import { bonnieLogFormatter } from '../../../src/cli/compat/bonnie-log-format.js';
import { formatBonniePlusPlusLog } from '../../../src/cli/compat/bonnie-plus-plus-log-format.js';
import type { RunPlan } from '../../../src/plan/plan.js';
import type { RunEvent } from '../../../src/report/events/event.js';
import { GIB, KIB, MIB } from '../../../src/text/units.js';
import {
  machineWith,
  measurementWith,
  planWith,
  reportWith,
  runWith,
  startWith,
} from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { startProcess } from '../../support/programs/program.js';
import { requireTools } from '../../support/tools.js';

const machine = machineWith({ memoryLimitBytes: 100 * MIB });
const startEvent = (plan: RunPlan) => startWith(plan, '/scratch/gobonnie-x');
const START = startEvent(planWith({ size: (100 * MIB) / GIB, threads: 1 }, machine));
const WARNING: RunEvent = {
  type: 'warning',
  warning: { code: 'size-reduced', phase: null, message: 'it does not fit', hint: 'pass a smaller --size' },
};

function phaseEnd(phase: string, kibPerSecond = 0, percent = 0, threads = 1): RunEvent {
  const { cpu } = measurementWith();
  const overrides = { phase, threads, bytesPerSecond: kibPerSecond * KIB, cpu: { ...cpu, percent } };
  return { type: 'phase-end', run: 1, measurement: measurementWith(overrides) };
}

describe.each([
  ['Bonnie', bonnieLogFormatter(false)],
  ['bonnie++', formatBonniePlusPlusLog],
])('%s', (_, formatLog) => {
  const EVENTS = [START, WARNING, phaseEnd('putc', 21_846, 98)];

  test("prints a warning without its hint, which names gobonnie's flags", () => {
    expect(formatLog(WARNING, 'normal')).toEqual([
      'warning: it does not fit (gobonnie explain size-reduced)',
    ]);
  });

  test('prints the same lines for verbose, because it has no -v', () => {
    const lines = EVENTS.flatMap((event) => formatLog(event, 'verbose'));
    expect(lines.length).toBeGreaterThanOrEqual(2);
    expect(lines).toEqual(EVENTS.flatMap((event) => formatLog(event, 'normal')));
  });

  test('prints nothing for quiet', () => {
    expect(EVENTS.flatMap((event) => formatLog(event, 'quiet'))).toEqual([]);
  });

  test.each<RunEvent>([
    { type: 'run-start', run: 1 },
    { type: 'phase-start', run: 1, phase: 'write', goal: { unit: 'bytes', amount: 1 } },
    { type: 'run-end', run: 1, result: runWith(), report: reportWith() },
    { type: 'end', report: reportWith() },
  ])('has no line for $type', (event) => {
    expect(formatLog(event, 'normal')).toEqual([]);
  });
});

describe('Bonnie', () => {
  const formatLog = bonnieLogFormatter(false);

  test.each([1, 3])('first prints the name, the size and the number of %i files', (dataFiles) => {
    const plan = planWith({ size: (dataFiles * 100 * MIB) / GIB, threads: 1, dataFiles }, machine);
    expect(formatLog(startEvent(plan), 'normal')).toEqual([
      `Bonnie: File '/scratch/gobonnie-x/bonnie.0', size: 104857600, volumes: ${dataFiles}`,
    ]);
  });

  test('warns about a file smaller than the RAM, but not about one as large as the RAM or direct I/O', () => {
    const large = machineWith({ memoryLimitBytes: 101 * MIB });
    const plan = planWith({ size: (100 * MIB) / GIB, threads: 1 }, large);
    const [, ...warnings] = formatLog(startEvent(plan), 'normal');
    expect(warnings).toEqual([
      'warning: 100 MiB of data is less than the RAM (101 MiB): ' +
        "the results may show the page cache's speed, not the disk's; pass a larger -s, or -o_direct (gobonnie explain size-below-memory)",
    ]);
    const same = planWith({ size: (101 * MIB) / GIB, threads: 1 }, large);
    expect(formatLog(startEvent(same), 'normal')).toHaveLength(1);
    const direct = planWith({ size: (100 * MIB) / GIB, threads: 1, direct: true }, large);
    expect(formatLog(startEvent(direct), 'normal')).toHaveLength(1);
  });

  test.each([
    ['/tmp/\u001b[31m', '"/tmp/\\u001b[31m/bonnie.0"'],
    ["/tmp/Bo's disk", `"/tmp/Bo's disk/bonnie.0"`],
  ])('escapes control characters and quotes in a directory name: %j', (scratchDirectory, file) => {
    expect(formatLog(startWith(planWith(), scratchDirectory), 'normal').join()).toContain(
      `File ${file}, size`,
    );
  });

  test('prints the end of each phase in columns', () => {
    const lines = [
      phaseEnd('putc', 21_846, 98),
      phaseEnd('rewrite', 11_099, 3.1),
      phaseEnd('write', 58_316, 14),
      phaseEnd('getc', 9854, 100),
      phaseEnd('read', 167_240, 2),
    ].flatMap((event) => formatLog(event, 'normal'));
    expect(lines).toEqual([
      'Writing with putc()...         done:  21846 kB/s  98.0 %CPU',
      'Rewriting...                   done:  11099 kB/s   3.1 %CPU',
      'Writing intelligently...       done:  58316 kB/s  14.0 %CPU',
      'Reading with getc()...         done:   9854 kB/s 100.0 %CPU',
      'Reading intelligently...       done: 167240 kB/s   2.0 %CPU',
    ]);
  });

  test('prints the names of the unlocked calls', () => {
    const events = [
      phaseEnd('putc', 10_328, 10.5),
      phaseEnd('getc', 10_436, 14.3),
      phaseEnd('write', 10_319, 3.8),
    ];
    expect(events.flatMap((event) => bonnieLogFormatter(true)(event, 'normal'))).toEqual([
      'Writing with putc_unlocked()...done:  10328 kB/s  10.5 %CPU',
      'Reading with getc_unlocked()...done:  10436 kB/s  14.3 %CPU',
      'Writing intelligently...       done:  10319 kB/s   3.8 %CPU',
    ]);
  });

  test.each([
    [3, "Seeker 1...Seeker 2...Seeker 3...start 'em...done...done...done..."],
    [1, "Seeker 1...start 'em...done..."],
  ])('lists %i seekers', (seekThreads, line) => {
    expect(formatLog(phaseEnd('seeks', 0, 1, seekThreads), 'normal')).toEqual([line]);
  });
});

describe('bonnie++', () => {
  const LINES = {
    putc: 'Writing a byte at a time...done',
    write: 'Writing intelligently...done',
    rewrite: 'Rewriting...done',
    getc: 'Reading a byte at a time...done',
    read: 'Reading intelligently...done',
    seeks: "start 'em...done...done...done...done...done...",
    create: 'Create files in sequential order...done.',
    stat: 'Stat files in sequential order...done.',
    delete: 'Delete files in sequential order...done.',
    'create-random': 'Create files in random order...done.',
    'stat-random': 'Stat files in random order...done.',
    'delete-random': 'Delete files in random order...done.',
  };

  test('prints nothing at the start', () => {
    expect(formatBonniePlusPlusLog(START, 'normal')).toEqual([]);
  });

  test.each(Object.entries(LINES))('prints the end of %s', (phase, line) => {
    expect(formatBonniePlusPlusLog(phaseEnd(phase, 0, 0, 5), 'normal')).toEqual([line]);
  });

  test('prints one "done" for one seeker', () => {
    expect(formatBonniePlusPlusLog(phaseEnd('seeks'), 'normal')).toEqual(["start 'em...done..."]);
  });

  const requireBonniePlusPlus = requireTools('bonnie++');

  test('prints the lines of the real bonnie++', async (context) => {
    requireBonniePlusPlus(context);
    const userFlags = process.getuid?.() === 0 ? ['-u', 'root'] : [];
    const args = ['-d', makeDirectory(), '-r', '0', '-s', '2:4k:500:5', '-n', '1', '-f1'];
    const { stderr } = await startProcess('bonnie++', [...userFlags, ...args]).exitResult;
    const lines = stderr.trimEnd().split('\n');
    // As root, bonnie++ first prints its user.
    expect(lines.filter((line) => !line.startsWith('Using uid'))).toEqual(Object.values(LINES));
  });
});
